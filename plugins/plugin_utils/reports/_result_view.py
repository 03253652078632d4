# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A result of the module ``blueprint`` in words, as page, Markdown and terminal share them.

All text is safe to show: on one line (values and messages keep their lines), with what acts on a
terminal or shows nothing escaped. Each format does its own quoting.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from ...module_utils._converge.items.item import (
    DEPENDENCY,
    NOT_INVITED,
    NOT_SELECTED,
    PROTECTED,
    UNAVAILABLE,
)
from ...module_utils._converge.result import ACTIONS, REPORT
from ...module_utils._model.kinds.registry import KINDS, format_counts
from ...module_utils._model.options import Options
from ...module_utils._text import escape_line, join_some, number_of
from ._quoting import Row, quote_name

FORMAT = 1
COUNTS = {**dict.fromkeys(ACTIONS, 0), "along": 0, "failed": 0, "undeclared": 0, "requests": None}
# What the plan file, and a view, hold where a result says nothing.
EMPTY_PLAN: Row = {
    "format": FORMAT,
    "base_url": None,
    "check": False,
    "changed": False,
    "failed": False,
    "refused": False,
    "refusals": [],
    "msg": None,
    "outcome": None,
    "summary": COUNTS,
    "guards": None,
    "plan_warnings": [],
    "results": [],
    "undeclared": [],
    "steps": [],
}
# With one of them, a check is to find drift, not to plan.
DRIFT_OPTIONS = ("fail_on_drift", "fail_on_undeclared")
UNDECLARED = "undeclared"
# State → (label in a plan, label after a run), in the order of a report: what cannot be taken back
# is the last of the changes. `undeclared` is the state of objects without an entry.
STATES = {
    "failed": ("Failed", "Failed"),
    "create": ("To create", "Created"),
    "update": ("To change", "Changed"),
    "invite": ("To invite", "Invited"),
    "delete": ("To delete", "Deleted"),
    "skip": ("Skipped", "Skipped"),
    "none": ("Unchanged", "Unchanged"),
    UNDECLARED: ("Undeclared", "Undeclared"),
}
# In the order in which they are counted.
CHANGES = ("create", "update", "delete", "invite")
# What cannot be taken back stands last, where people look.
RANKS = {"invite": 1, "delete": 2}
# Entries skipped for these reasons are left for the next run; the outcome counts them.
NOT_TRIED = (DEPENDENCY, UNAVAILABLE)
# What is skipped for these reasons is nowhere listed as such: it is counted, or undeclared.
NOT_LISTED = (NOT_SELECTED, NOT_INVITED, PROTECTED)
# Why an entry is skipped, and an undeclared object is kept.
REASONS = {
    PROTECTED: "protected and never deleted",
    DEPENDENCY: "a dependency failed",
    UNAVAILABLE: "the platform was unavailable",
    NOT_SELECTED: "not selected",
    NOT_INVITED: "not invited",
}
TEAMS_IN_NOTE = 3
NO_OPTIONS: Options = MappingProxyType({})
NOTHING_TO_DO = "Nothing to do"
NOTHING_WAS_CHANGED = "nothing was changed"


class ResultView:
    """A result in words. ``has_plan``: whether it came to a plan; ``is_done``: whether the plan was
    applied; ``is_drift_check``: whether a check is to find drift, not to plan.
    """

    def __init__(
        self, result: Row, options: Options = NO_OPTIONS, prefix: str = "", *, is_check: bool
    ) -> None:
        """``options``: those of the task; ``prefix``: what precedes their names where the reader
        sets them. An ``outcome`` that the result already has is kept.
        """
        self.options = options
        self.prefix = prefix
        self.is_check = is_check
        self.has_drift_options = any(options.get(option) for option in DRIFT_OPTIONS)
        self.is_drift_check = is_check and self.has_drift_options
        self.has_plan = "results" in result
        known = {**EMPTY_PLAN, REPORT: {}, **result}
        self.result = known
        self.is_refused: bool = known["refused"]
        self.is_failed: bool = known["failed"]
        self.is_done = not (is_check or self.is_refused)
        self.base_url = escape_line(known["base_url"] or "").rstrip("/")
        self.time = f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M:%S UTC}"
        # What planning warns of, and all that the run does.
        self.plan_warnings = list(map(escape_line, known["plan_warnings"]))
        others = map(escape_line, result.get("warnings", ()))
        self.warnings = list(dict.fromkeys([*self.plan_warnings, *others]))
        self.rows: Sequence[Row] = known["results"]
        self.undeclared = in_order(known["undeclared"])
        self.pending = in_order(row for row in self.rows if row["action"] in CHANGES)
        self.reasons = Counter(row["reason"] for row in self.rows)
        # As the result has them; ``{}`` where there is no plan.
        self.guards: Row = known["guards"] or {}
        self.outcome = str(known["outcome"] or self._outcome)

    def word(self, state: str) -> str:
        return STATES[state][self.is_done]

    @property
    def title(self) -> str:
        if self.is_drift_check:
            return "Drift report"
        return "Plan" if self.is_check else "Run report"

    @property
    def how_to_apply(self) -> str:
        """A fixed sentence, and no command: nothing in it was named by anybody else. ``""`` where
        there is nothing to apply.
        """
        if self.is_done or self.is_refused or not self.result["steps"]:
            return ""
        limit = f"set {self.prefix}approved to its plan file or step ids."
        return f"To apply this plan, run without check mode. To allow nothing else, {limit}"

    @property
    def failure_lines(self) -> list[str]:
        """Why it was refused or failed, line by line; ``[]`` if it was not."""
        lines = str(self.result["msg"]).split("\n") if self.is_failed else []
        return [escape_line(line) for line in lines if line and line != self.outcome]

    @property
    def counts(self) -> str:
        """The plan in numbers: ``2 to create (1 team, 1 project); 40 unchanged, 2 undeclared.``"""
        left = {
            "unchanged": sum(row["action"] == "none" for row in self.rows),
            REASONS[NOT_INVITED]: self.reasons[NOT_INVITED],
            UNDECLARED: len(self.undeclared),
        }
        return _sentence(_counted(self.pending) or NOTHING_TO_DO, left)

    @property
    def _outcome(self) -> str:
        """The last line of a run: what was done, and not what was planned. In check mode, the
        counts of the plan.
        """
        if self.is_refused:
            return f"Refused: {NOTHING_WAS_CHANGED}."
        if self.is_failed:
            return f"Failed: {self._outcome_of_a_failure}."
        if self.is_check:
            return self.counts
        changed = _counted(self.pending, is_done=True)
        done = f"Done: {changed}" if changed else NOTHING_TO_DO
        # A creation that found what somebody else has made changes nothing, as does an invitation
        # of a member.
        unchanged = sum(not row["changed"] for row in self.rows if row["action"] != "skip")
        return _sentence(done, {"unchanged": unchanged})

    @property
    def _outcome_of_a_failure(self) -> str:
        not_tried = sum(self.reasons[reason] for reason in NOT_TRIED)
        steps = len(self.pending) + not_tried
        if self.is_check or not steps:
            return NOTHING_WAS_CHANGED
        done = [row for row in self.pending if not row.get("failed")]
        changed = _counted(done, is_done=True)
        which = f" ({changed})" if changed else ""
        parts = [f"{len(done):,} of {number_of(steps, 'step', 'steps')} done{which}"]
        parts += _in_numbers({"failed": len(self.pending) - len(done), "not tried": not_tried})
        return ", ".join(parts)

    @property
    def notes(self) -> Iterator[str]:
        """What the counts do not say, a sentence each; they stand below them."""
        not_selected = self.reasons[NOT_SELECTED]
        if not_selected:
            yield f"Skipped: {not_selected:,} ({REASONS[NOT_SELECTED]})."
        fields = Counter[str]()
        for row in self.rows:
            fields.update(row["not_compared"])
        counts = ", ".join(f"{count:,} ({escape_line(field)})" for field, count in fields.items())
        if counts:
            yield f"Not compared: {counts}."
        report = self.result[REPORT]
        prunes = self.guards.get("prune")
        if prunes and report.get("has_own_scope"):
            yield "Your own scope is never pruned."
        # Where somebody relies on that everything is compared; the file of a team may be deleted.
        teams = [quote_name(team) for team in report.get("other_teams", ())]
        if teams and (prunes or self.has_drift_options):
            what, them = ("team", "it") if len(teams) == 1 else ("teams", "them")
            names = join_some(teams, TEAMS_IN_NOTE)
            yield f"No entry names the {what} {names}, so nothing of {them} is compared."


def in_order(rows: Iterable[Row]) -> list[Row]:
    """The rows by team and kind, the irreversible ones last."""
    kinds = list(KINDS)

    def sort_key(row: Row) -> tuple[int, str, int]:
        return RANKS.get(row.get("action", ""), 0), team_of(row), kinds.index(row["kind"])

    return sorted(rows, key=sort_key)


def team_of(row: Row) -> str:
    """The team of a row; a team's own slug."""
    return str(row["name"] if row["team"] is None else row["team"])


def cascade_by_kind(row: Row) -> Iterator[tuple[str, list[Row]]]:
    """What goes with a deletion, by kind in words: ``2 aliases`` and which."""
    for kind in KINDS:
        objects = [deleted for deleted in row["along"] if deleted["kind"] == kind]
        if objects:
            yield format_counts({kind: len(objects)}), objects


def _counted(rows: Iterable[Row], *, is_done: bool = False) -> str:
    """The rows of each change: ``2 to create (1 team, 1 project)``; with ``is_done``, those that
    have changed something: ``1 deleted and 4 along with them``.
    """
    counted = [row for row in rows if row["changed"] or not is_done]
    parts = []
    for change in CHANGES:
        changed = [row for row in counted if row["action"] == change]
        if not changed:
            continue
        kinds = format_counts(Counter(row["kind"] for row in changed))
        along = sum(len(row["along"]) for row in changed)
        which = "" if is_done else f" ({kinds})"
        others = f" and {along:,} along with them" if along else ""
        parts.append(f"{len(changed):,} {STATES[change][is_done].lower()}{which}{others}")
    return ", ".join(parts)


def _sentence(begin: str, counts: Mapping[str, int]) -> str:
    """``begin; 40 unchanged, 2 undeclared.``"""
    left = ", ".join(_in_numbers(counts))
    return f"{begin}; {left}." if left else f"{begin}."


def _in_numbers(counts: Mapping[str, int]) -> list[str]:
    """``40 unchanged`` and so on: the words with their numbers, but for zero."""
    return [f"{count:,} {word}" for word, count in counts.items() if count]
