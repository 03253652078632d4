# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One run of a task, and what it makes of a module's result: a role's names of options, and the
warnings of the control node.
"""

from __future__ import annotations

import dataclasses

from ...module_utils._errors import MODULE_NAMES, OptionNames, PlatformError
from ...module_utils._run.invocation import Result
from ...module_utils._text import escape_line
from ._options import Variables, option_names


@dataclasses.dataclass
class TaskRun:
    """One run of a task, handed on from function to function, because an action plugin keeps
    nothing.
    """

    variables: Variables
    # The role of this collection for which it works; empty if there is none.
    role: str
    # They are added to the result.
    warnings: list[str]
    # It precedes each line that is shown.
    host: str

    @property
    def prefix(self) -> str:
        """What precedes the names of options where the user sets them."""
        return f"{self.role}_" if self.role else ""

    @property
    def names(self) -> OptionNames:
        """The names of options in messages."""
        return option_names(self.role) if self.role else MODULE_NAMES

    def failure(self, error: PlatformError) -> Result:
        """The result of a task that failed before its module ran."""
        return {"failed": True, **error.to_result(self.names)}

    def with_warnings(self, result: Result) -> Result:
        """The result as core registers one: with warnings, also with these, only if there are any.
        The module's own may be among them.
        """
        others = {key: value for key, value in result.items() if key != "warnings"}
        warnings = dict.fromkeys([*result.get("warnings", []), *map(escape_line, self.warnings)])
        return {**others, "warnings": list(warnings)} if warnings else others
