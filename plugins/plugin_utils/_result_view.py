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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..module_utils._converge.change import DEPENDENCY, NOT_INVITED, NOT_SELECTED, PROTECTED, UNAVAILABLE
from ..module_utils._model.kinds.registry import format_counts
from ..module_utils._text import escape_line

Row = Mapping[str, Any]

UNDECLARED = "undeclared"
# State → (label in a plan, label after a run), irreversible states first. `undeclared` is the state of objects without
# an entry.
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
# In the order in which they are counted.
CHANGES = ("create", "update", "move", "delete", "invite")
NOT_TRIED = (DEPENDENCY, UNAVAILABLE)
# Why an entry is skipped.
REASONS = {
    PROTECTED: "protected and never deleted",
    DEPENDENCY: "a dependency failed",
    UNAVAILABLE: "the platform was unavailable",
    NOT_SELECTED: "not selected",
    NOT_INVITED: "invitations are off",
}
NOTHING_TO_DO = "Nothing to do"
# The guard of what no option decides.
BLUEPRINT_GUARD = "blueprint"


def number_of(count: int, singular: str, plural: str) -> str:
    """The number, and the words for one or for several."""
    return f"{count:,} {singular if count == 1 else plural}"


def value_as_text(value: Any) -> str:
    """The value of a field: text as it is, and nothing for ``None``."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def change_of(row: Row) -> str:
    """The action of a result; an update that moves its object to another team is a ``move``."""
    return "move" if row["action"] == "update" and "team" in row["diff"]["after"] else str(row["action"])


def state_of(row: Row) -> str:
    return "failed" if row.get("failed") else change_of(row)


class ResultView:
    """A result in words. ``has_plan``: whether it came to a plan; ``is_done``: whether the plan was applied."""

    def __init__(
        self,
        result: Row,
        *,
        is_check: bool,
        is_drift_check: bool = False,
        option_prefix: str = "",
        plan: str = "",
        prunes: bool = False,
        has_own_scope: bool = False,
    ) -> None:
        """An ``outcome`` that the result already has is kept. ``is_drift_check``: whether its purpose was to find
        drift, not to plan; ``option_prefix``: what precedes the module's options where the reader sets them; ``plan``:
        the path of the plan file, if one is written; ``prunes``: whether the option ``prune`` names any kind;
        ``has_own_scope``: whether the own scope is the task's.
        """
        self.is_check = is_check
        self.option_prefix = option_prefix
        self.has_plan = "results" in result
        self.is_refused = bool(result.get("refused"))
        self.is_failed = bool(result.get("failed"))
        self.is_done = not (is_check or self.is_refused)
        self.is_applicable = is_check and bool(result.get("steps")) and not self.is_refused
        self.title = "Run report" if not is_check else "Drift report" if is_drift_check else "Plan"
        self.plan = escape_line(plan)
        self.base_url = escape_line(result.get("base_url") or "")
        self.time = f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M:%S UTC}"
        self.warnings = list(map(escape_line, result.get("warnings") or []))
        self.rows: Sequence[Row] = result.get("results", [])
        self.undeclared: Sequence[Row] = result.get("undeclared", [])
        self.reasons = Counter(row["reason"] for row in self.rows if row["action"] == "skip")
        self.pending = [row for row in self.rows if row["action"] in CHANGES]
        self.outcome = str(result.get("outcome") or self._outcome)
        self._prunes, self._has_own_scope = prunes, has_own_scope
        self._refusals: Sequence[Row] = result.get("refusals") or []
        self._failure = str(result.get("msg", "")) if self.is_failed else ""

    def word(self, state: str) -> str:
        return STATES[state][self.is_done]

    @property
    def how_to_apply(self) -> str:
        """A fixed sentence, and no command: nothing in it was named by anybody else."""
        limit = f"To allow nothing else, set {self.option_prefix}approved to its plan file or step ids."
        return f"To apply this plan, run without check mode. {limit}"

    @property
    def failure_lines(self) -> list[str]:
        """Why it was refused or failed, line by line, with options as the reader sets them; ``[]`` if it was not."""
        option, refusals = self.option_prefix, [(refusal["guard"], refusal["message"]) for refusal in self._refusals]
        lines = [text if guard == BLUEPRINT_GUARD else f"{option}{guard}: {text}" for guard, text in refusals]
        return [escape_line(line) for line in lines or self._failure.split("\n") if line and line != self.outcome]

    @property
    def counts(self) -> str:
        """The plan in numbers: ``2 to create (1 team, 1 project); 40 unchanged, 2 undeclared.``"""
        unchanged = sum(row["action"] == "none" for row in self.rows)
        left = {"unchanged": unchanged, UNDECLARED: len(self.undeclared)}
        numbers = ", ".join(f"{count:,} {word}" for word, count in left.items() if count)
        return "; ".join(filter(None, [", ".join(_counted(self.pending)) or NOTHING_TO_DO, numbers])) + "."

    @property
    def _outcome(self) -> str:
        """The last line of a run: what was done, and not what was planned. In check mode, the counts of the plan."""
        if self.is_refused:
            return "Refused: nothing was changed."
        if self.is_check and not self.is_failed:
            return self.counts
        done = [row for row in self.pending if not row.get("failed")]
        failed = len(self.pending) - len(done)
        not_tried = sum(self.reasons[reason] for reason in NOT_TRIED)
        steps = len(self.pending) + not_tried
        changed = ", ".join(_counted((row for row in done if row["changed"]), is_done=True))
        if self.is_failed:
            if self.is_check or not steps:
                return "Failed: nothing was changed."
            numbers = {" failed": failed, " not tried": not_tried}
            parts = [f"{len(done):,} of {steps:,} steps done{f' ({changed})' if changed else ''}"]
            parts += [f"{count:,}{word}" for word, count in numbers.items() if count]
            return f"Failed: {', '.join(parts)}."
        # A creation that found what somebody else has made changes nothing, as does an invitation of a member.
        unchanged = sum(not row["changed"] for row in self.rows if row["action"] != "skip")
        left = f"{unchanged:,} unchanged" if unchanged else ""
        return "; ".join(filter(None, [f"Done: {changed}" if changed else NOTHING_TO_DO, left])) + "."

    @property
    def notes(self) -> list[str]:
        """What the counts by state do not cover."""
        return [note for note in (self.not_compared, self.skipped, self.own_scope) if note]

    @property
    def own_scope(self) -> str:
        """A sentence if the run prunes and the own scope is one of its scopes, else ``""``."""
        is_used = self._has_own_scope or any(row["team"] == "" for row in self.rows)
        return "Your own scope is never pruned." if self._prunes and is_used else ""

    @property
    def not_compared(self) -> str:
        """How many fields the API does not show, and which; ``""`` if there is none."""
        fields = Counter(field for row in self.rows for field in row["not_compared"])
        counts = ", ".join(f"{count:,} ({escape_line(field)})" for field, count in fields.items())
        return f"Not compared: {counts}." if counts else ""

    @property
    def skipped(self) -> str:
        """How many entries are skipped on purpose, and why; ``""`` if none is. The outcome counts those not tried."""
        counts = {reason: count for reason, count in self.reasons.items() if reason not in NOT_TRIED}
        reasons = ", ".join(f"{count:,} ({REASONS[reason]})" for reason, count in counts.items())
        hint = f" Set {self.option_prefix}invite to send invitations." if self.reasons[NOT_INVITED] else ""
        return f"Skipped: {reasons}.{hint}" if reasons else ""


def _counted(rows: Iterable[Row], *, is_done: bool = False) -> Iterator[str]:
    """``2 to create (1 team, 1 project)``, ``1 deleted and 4 along with them``: the rows of each change, if any."""
    kinds: dict[str, Counter[str]] = {change: Counter() for change in CHANGES}
    cascades = Counter[str]()
    for row in rows:
        kinds[change_of(row)][row["kind"]] += 1
        cascades[change_of(row)] += len(row["along"])
    for change, counts in kinds.items():
        if counts:
            which = "" if is_done else f" ({format_counts(counts)})"
            others = f" and {cascades[change]:,} along with them" if cascades[change] else ""
            yield f"{counts.total():,} {STATES[change][is_done].lower()}{which}{others}"
