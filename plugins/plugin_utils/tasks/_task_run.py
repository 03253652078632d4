# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One run of a task, and what it makes of a module's result: a role's names of options, and the
warnings of the control node.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from ...module_utils._errors import PlatformError
from ...module_utils._run.module import OPTION_LINES, OPTION_WARNINGS, Result
from ...module_utils._text import escape_line
from ._options import in_words_of_role


@dataclasses.dataclass
class TaskRun:
    """One run of a task, handed on from function to function, because an action plugin keeps
    nothing.
    """

    variables: dict[str, Any]
    # The role of this collection for which it works; empty if there is none.
    role: str
    # They are added to the result.
    warnings: list[str] = dataclasses.field(default_factory=list)
    # It precedes each line that is shown.
    host: str = ""

    @property
    def prefix(self) -> str:
        """What precedes the names of options where the user sets them."""
        return f"{self.role}_" if self.role else ""

    def failure(self, error: PlatformError) -> Result:
        """The result of a task that failed before its module ran."""
        msg = in_words_of_role(str(error), error.option_lines, self.role)
        return {"failed": True, "msg": msg, "failure": error.failure}

    def with_options_named(self, result: Result) -> Result:
        """The result of a module, whose messages name options as the user sets them."""
        option_lines = result.pop(OPTION_LINES, ())
        if option_lines:
            result["msg"] = in_words_of_role(result["msg"], option_lines, self.role)
        renamed = {
            warning: in_words_of_role(warning, [0], self.role)
            for warning in result.pop(OPTION_WARNINGS, ())
        }
        if renamed:
            result["warnings"] = [renamed.get(text, text) for text in result["warnings"]]
        return result

    def with_warnings(self, result: Result) -> Result:
        """The result with these warnings; the module's own may be among them."""
        warnings = list(
            dict.fromkeys([*result.get("warnings", []), *map(escape_line, self.warnings)])
        )
        return {**result, "warnings": warnings} if warnings else result
