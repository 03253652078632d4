# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A result of the module ``blueprint`` in words, as its page, its Markdown and the terminal share them.

All text is safe to show: on one line (values and messages keep their lines), with what acts on a terminal or shows
nothing escaped. Each format does its own quoting.
"""

from __future__ import annotations

import datetime
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..module_utils._converge.change import DEPENDENCY, NOT_INVITED, NOT_SELECTED, PROTECTED, UNAVAILABLE
from ..module_utils._text import printable

Values = Mapping[str, Any]

UNDECLARED = "undeclared"
# The states of an entry as worded for a plan and for a completed run; what cannot be taken back stands first. The last
# is that of an object which no entry declares.
STATES = {
    "failed": ("Failed", "Failed"),
    "delete": ("To delete", "Deleted"),
    "move": ("To move", "Moved"),
    "invite": ("To invite", "Invited"),
    "update": ("To change", "Changed"),
    "create": ("To create", "Created"),
    "skip": ("Skipped", "Skipped"),
    "none": ("Unchanged", "Unchanged"),
    UNDECLARED: ("Undeclared", "Undeclared"),
}
DIFFERENCES = ("create", "update", "move", "delete")
# Why an entry is skipped.
REASONS = {
    PROTECTED: "protected and never deleted",
    DEPENDENCY: "what it depends on failed",
    NOT_SELECTED: "not selected",
    NOT_INVITED: "not invited",
    UNAVAILABLE: "not tried",
}
# The guard of what no option decides.
NO_OPTION = "blueprint"


def number_of(count: int, one: str, several: str) -> str:
    """The number, and the words for one or for several."""
    return f"{count:,} {one if count == 1 else several}"


def value_as_text(value: Any) -> str:
    """The value of a field: text as it is, and nothing for ``None``."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def change_of(row: Values) -> str:
    """The action of a result; an update that moves its object to another team is a ``move``."""
    return "move" if row["action"] == "update" and "team" in row["diff"]["after"] else str(row["action"])


def state_of(row: Values) -> str:
    return "failed" if row.get("failed") else change_of(row)


class Report:
    """A result in words. ``has_plan``: whether it came to a plan; ``is_done``: whether the plan was carried out."""

    def __init__(
        self, result: Values, *, is_check: bool, finds_drift: bool = False, option_prefix: str = "", plan: str = ""
    ) -> None:
        """``finds_drift``: whether its purpose was to find drift, not to plan; ``option_prefix``: what precedes the
        module's options where the reader sets them; ``plan``: the path of the plan file, if one is written.
        """
        self.is_check = is_check
        self.option_prefix = option_prefix
        self.has_plan = "results" in result
        self.is_refused = bool(result.get("refused"))
        self.is_done = not (is_check or self.is_refused)
        self.is_applicable = is_check and bool(result.get("steps")) and not self.is_refused
        self.title = "Run report" if not is_check else "Drift report" if finds_drift else "Plan"
        self.plan = printable(plan)
        self.base_url = printable(result.get("base_url") or "")
        self.time = f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M:%S UTC}"
        self.requests: int | None = result.get("summary", {}).get("requests")
        self.warnings = list(map(printable, result.get("warnings") or []))
        self.rows: Sequence[Values] = result.get("results", [])
        self.undeclared: Sequence[Values] = result.get("undeclared", [])
        self.reasons = Counter(row["reason"] for row in self.rows if row["action"] == "skip")
        self._refusals: Sequence[Values] = result.get("refusals") or []
        self._failure = str(result.get("msg", "")) if result.get("failed") else ""

    def word(self, state: str) -> str:
        return STATES[state][self.is_done]

    @property
    def how_to_apply(self) -> str:
        """A fixed sentence, and no command: nothing in it was named by anybody else."""
        return (
            "Nothing was changed. To apply this plan, run it without check mode; to apply nothing else, set"
            f" {self.option_prefix}approved to its plan file or its steps."
        )

    @property
    def causes(self) -> list[str]:
        """Why it was refused or failed, line by line, with options as the reader sets them; ``[]`` if it was not."""
        guarded = [(refusal["guard"], refusal["message"]) for refusal in self._refusals]
        lines = [text if guard == NO_OPTION else f"{self.option_prefix}{guard}: {text}" for guard, text in guarded]
        return [printable(line) for line in lines or self._failure.split("\n") if line]

    @property
    def changes(self) -> int:
        """How many objects differ from the blueprint, or were changed."""
        return sum(row["changed"] if self.is_done else state_of(row) in DIFFERENCES for row in self.rows)

    @property
    def verdict(self) -> str:
        """The outcome in one or two sentences."""
        if not self.has_plan:
            return f"The {'check' if self.is_check else 'run'} failed."
        states = Counter(map(state_of, self.rows))
        made = number_of(self.changes, "change was made", "changes were made")
        if states["failed"]:
            return f"{states['failed']:,} failed; {made}."
        if self.is_done:
            that = "that can be compared " if self.not_compared else ""
            return f"{made}." if self.changes else f"Nothing {that}had to be changed."
        differ = number_of(self.changes, "object differs", "objects differ")
        verdict = f"{differ} from the blueprint" if self.changes else self._as_declared
        if states["invite"]:
            verdict += f", and {number_of(states['invite'], 'invitation', 'invitations')} would be sent"
        return f"{self._refusal}{verdict}."

    @property
    def notes(self) -> list[str]:
        """What the counts by state do not cover."""
        return [note for note in (self.not_compared, self.skipped) if note]

    @property
    def not_compared(self) -> str:
        """How many fields the API does not show, and which; ``""`` if there is none."""
        fields = Counter(field for row in self.rows for field in row["not_compared"])
        counts = ", ".join(f"{count:,} ({printable(field)})" for field, count in fields.items())
        return f"Not compared: {counts}." if counts else ""

    @property
    def skipped(self) -> str:
        """How many entries are skipped, and why; ``""`` if none is."""
        reasons = ", ".join(f"{count:,} ({REASONS[reason]})" for reason, count in self.reasons.items())
        hint = f" Set {self.option_prefix}invite to send invitations." if self.reasons[NOT_INVITED] else ""
        return f"Skipped: {reasons}.{hint}" if reasons else ""

    @property
    def _refusal(self) -> str:
        """The text before what is planned: ``Refused by limits; the platform was not changed. ``"""
        if not self.is_refused:
            return ""
        named = dict.fromkeys(refusal["guard"] for refusal in self._refusals if refusal["guard"] != NO_OPTION)
        guards = ", ".join(f"{self.option_prefix}{guard}" for guard in named)
        return f"Refused{f' by {guards}' if guards else ''}; the platform was not changed. "

    @property
    def _as_declared(self) -> str:
        seen = ["is selected"] * bool(self.reasons[NOT_SELECTED]) + ["can be compared"] * bool(self.not_compared)
        return f"{'What ' + ' and '.join(seen) if seen else 'The platform'} is as the blueprint declares it"
