# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One run of a module: what it is given, and what it says besides its result."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

from .._api.masking import mask
from .._api.run import Run
from .._errors import InvalidOption, OptionNames
from .._text import escape_line

ModuleArgs = dict[str, Any]
Result = dict[str, Any]
# Called with the plan of a blueprint, as its result shows it, after the guards and before the first
# write.
OnPlan = Callable[[Result], None]


@dataclasses.dataclass
class Invocation:
    """One run of a module."""

    # The options that are given, without those from the environment.
    given: ModuleArgs
    # All options, with defaults and converted to their types.
    params: ModuleArgs
    check_mode: bool
    run: Run = dataclasses.field(default_factory=Run)
    on_plan: OnPlan | None = None
    # Whether the result shows the options.
    is_shown: bool = True
    # They are returned with the result.
    warnings: list[str | InvalidOption] = dataclasses.field(default_factory=list)
    # Those that are not options, such as the content of a file.
    secrets: list[str | None] = dataclasses.field(default_factory=list)
    # Those of options in messages.
    names: OptionNames = dataclasses.field(default_factory=dict)
    # The environment variables that Ansible has, and this process does not, by option; and why.
    dropped: dict[str, str] = dataclasses.field(default_factory=dict)
    dropped_because: str = ""

    def warning_texts(self, secrets: Iterable[Any]) -> list[str]:
        """The warnings so far, which name options as the user sets them, without secrets."""
        texts = [
            warning.text(self.names) if isinstance(warning, InvalidOption) else warning
            for warning in self.warnings
        ]
        return [escape_line(text) for text in mask(texts, secrets)]

    def show_plan(self, plan: Result) -> None:
        """Hand on a plan, with the warnings so far, as a result has them."""
        if self.on_plan:
            warnings = self.warning_texts(self.secrets)
            self.on_plan({**mask(plan, self.secrets), "warnings": warnings})

    def explain_missing(self, msg: str, options: Iterable[str]) -> str:
        """A message about options without a value, with what has dropped their variables."""
        variables = [self.dropped.pop(option) for option in options if option in self.dropped]
        return f"{msg.removesuffix('.')}. {self._describe(variables)}" if variables else msg

    def warn_of_dropped(self) -> None:
        """Add a warning about the variables that no message has explained."""
        if self.dropped:
            self.warnings.append(self._describe(self.dropped.values()))

    def _describe(self, variables: Iterable[str]) -> str:
        names = " and ".join(variables)
        because = self.dropped_because
        problem = f"Ansible has {names}, but the module's own process does not ({because})."
        return f"{problem} Set the option in the task or in module_defaults."
