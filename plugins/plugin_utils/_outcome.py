# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a result of the module ``blueprint`` says to people: the one model behind the page and the Markdown.

All text is safe to show: on one line (values and messages keep their lines), with what acts on a terminal or shows
nothing escaped. Each format does its own quoting.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..module_utils._text import printable, printable_lines
from ._words import enumeration, kind_in_words, legible, number_of, value_as_text

Values = Mapping[str, Any]

OWN_SCOPE = "own scope"
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
NOT_SELECTED, NOT_INVITED = "not_selected", "invite"
# Why an entry is skipped.
REASONS = {
    "protected": "protected and never deleted",
    "dependency": "what it depends on failed",
    NOT_SELECTED: "not selected",
    NOT_INVITED: "not invited",
}
# The guard of what no option decides.
NO_OPTION = "blueprint"
# Irregular plurals.
SEVERAL = {"parameters": ("alias's parameters", "aliases' parameters")}


@dataclasses.dataclass(frozen=True)
class Presentation:
    """How a result is presented.

    ``is_check``: whether this was check mode; ``finds_drift``: whether its purpose was to find drift, not to plan;
    ``option_prefix``: what precedes the module's options where the reader sets them; ``plan``: the path of the plan
    file, if one is written; ``approved``: the steps that the run was restricted to, if it was; ``time``: when it was,
    by default now.
    """

    is_check: bool
    finds_drift: bool = False
    option_prefix: str = ""
    plan: str | None = None
    approved: Collection[str] | None = None
    time: str | None = None


def change_of(row: Values) -> str:
    """The action of a result; an update that moves its object to another team is a ``move``."""
    return "move" if row["action"] == "update" and "team" in row["diff"]["after"] else str(row["action"])


def is_applicable(result: Values, is_check: bool) -> bool:
    """Return whether the result is a plan with steps that can be applied as they are."""
    return is_check and bool(result.get("steps")) and not result.get("refused")


def how_to_apply(option_prefix: str = "") -> str:
    """A fixed sentence, and no command: nothing in it was named by anybody else."""
    return (
        "Nothing was changed. To apply this plan, run it without check mode; to apply nothing else, set"
        f" {option_prefix}approved to its plan file or its steps."
    )


def causes_of(result: Values, option_prefix: str = "") -> list[str]:
    """Why it was refused or failed, line by line, with options as the reader sets them; ``[]`` if it was not."""
    guarded = [(refusal["guard"], refusal["message"]) for refusal in result.get("refusals") or []]
    lines = [text if guard == NO_OPTION else f"{option_prefix}{guard}: {text}" for guard, text in guarded]
    if not lines and result.get("failed"):
        lines = str(result.get("msg", "")).split("\n")
    return [printable(line) for line in lines if line]


class FieldChange(NamedTuple):
    """One field: its values before and after, ``""`` if there is none; ``None`` if there is no object on that side."""

    field: str
    before: str | None
    after: str | None


class NamedObject:
    """One object: its kind as in blueprints, its name, and its owner in words. A team is listed under itself."""

    def __init__(self, row: Values) -> None:
        self.kind = row["kind"]
        self.kind_in_words = kind_in_words(row["kind"])
        self.name = legible(printable(row["name"]))
        self.team = legible(printable((row["name"] if row["kind"] == "teams" else row["team"]) or OWN_SCOPE))


class ReportEntry(NamedObject):
    """One result, or one undeclared object. ``state``: a key of STATES; ``reason``: why it is skipped or kept;
    ``message``: why it failed; ``refused_by``: the option that forbids it; ``along``: what is deleted with it;
    ``not_compared``: the fields that the API does not show.
    """

    def __init__(self, row: Values, state: str, refused_by: str = "") -> None:
        super().__init__(row)
        self.state = "failed" if row.get("failed") else state
        self.intention = STATES[state][0].lower()
        self.refused_by = refused_by
        self.is_changed = bool(row.get("changed"))
        self.source = printable(row.get("source") or "")
        reason = "protected" if row.get("protected") else row.get("reason")
        self.reason = f"{REASONS[reason].capitalize()}." if reason else ""
        self.message = printable_lines(row.get("msg", ""))
        self.changes = [] if self.state in ("none", "skip", UNDECLARED) else list(_changes(row["diff"]))
        self.along = list(map(NamedObject, row.get("along", [])))
        self.not_compared = list(map(printable, row.get("not_compared", [])))


class Report:
    """A result in words. ``has_plan``: whether it came to a plan; ``entries``: all but those that were not selected or
    not invited, which are only counted.
    """

    def __init__(self, result: Values, presentation: Presentation) -> None:
        self.presentation = presentation
        self._option_prefix = presentation.option_prefix
        self.has_plan = "results" in result
        self.is_refused = bool(result.get("refused"))
        self.is_applicable = is_applicable(result, presentation.is_check)
        self.how_to_apply = how_to_apply(self._option_prefix)
        self.plan = printable(presentation.plan or "")
        self.is_done = not (presentation.is_check or self.is_refused)
        self.causes = causes_of(result, self._option_prefix)
        self.base_url = printable(result.get("base_url") or "")
        now = datetime.datetime.now(datetime.timezone.utc)
        self.time = printable(presentation.time or now.strftime("%Y-%m-%d %H:%M:%S UTC"))
        self.requests: int | None = result.get("summary", {}).get("requests")
        self.warnings = list(map(printable, result.get("warnings") or []))
        self.steps: Sequence[str] = result.get("steps", [])
        self._guards = list(dict.fromkeys(refusal["guard"] for refusal in result.get("refusals") or []))
        rows = result.get("results", [])
        reasons = Counter(row["reason"] for row in rows)
        self._not_selected, self._not_invited = reasons[NOT_SELECTED], reasons[NOT_INVITED]
        self.entries = [
            ReportEntry(row, change_of(row), self._guard_against(row))
            for row in rows
            if row["reason"] not in (NOT_SELECTED, NOT_INVITED)
        ]
        self.undeclared = [ReportEntry(thing, UNDECLARED) for thing in result.get("undeclared", [])]

    def of(self, state: str) -> list[ReportEntry]:
        return [entry for entry in (*self.entries, *self.undeclared) if entry.state == state]

    def count(self, state: str) -> int:
        return len(self.of(state))

    def word(self, state: str) -> str:
        return STATES[state][self.is_done]

    def counted(self, state: str) -> str:
        """The count in words: ``1 to delete (3 with what goes along)``."""
        more = self.with_along(state)
        return f"{self.count(state):,} {self.word(state).lower()}{f' ({more})' if more else ''}"

    def with_along(self, state: str) -> str:
        """The count including what is deleted along, in words; ``""`` if nothing is."""
        along = sum(len(entry.along) for entry in self.of(state))
        if not along or state == "failed":
            return ""
        if state == "delete":
            return f"{self.count(state) + along:,} with what {'went' if self.is_done else 'goes'} along"
        return f"{along:,} {'deleted' if self.is_done else 'to delete'} along"

    def by_team(self) -> dict[str, Counter[str]]:
        """The number of entries and undeclared objects in each state, by team."""
        teams: dict[str, Counter[str]] = {}
        for entry in sorted((*self.entries, *self.undeclared), key=lambda entry: entry.team):
            teams.setdefault(entry.team, Counter())[entry.state] += 1
        return teams

    @property
    def title(self) -> str:
        if not self.presentation.is_check:
            return "Run report"
        return "Drift report" if self.presentation.finds_drift else "Plan"

    @property
    def sides(self) -> tuple[str, str]:
        """The headings of the values before and after."""
        return ("Before", "After") if self.is_done else ("Live", "Declared")

    @property
    def changes(self) -> int:
        """How many entries differ from the platform, or were changed on it."""
        return sum(entry.is_changed if self.is_done else entry.state in DIFFERENCES for entry in self.entries)

    @property
    def verdict(self) -> str:
        """The outcome in one or two sentences."""
        if not self.has_plan:
            return f"The {'check' if self.presentation.is_check else 'run'} failed."
        failed, changes, invitations = self.count("failed"), self.changes, self.count("invite")
        entries = number_of(len(self.entries), "entry", "entries")
        made = number_of(changes, "change was made", "changes were made")
        differ = f"{'differs' if changes == 1 else 'differ'} from the platform"
        if failed:
            changed = made if self.is_done else f"{changes:,} {differ}"
            return f"{failed:,} of {entries} failed{f'; {changed}' if changes else ''}."
        if self.is_done:
            that = "that can be compared " if self.not_compared else ""
            return f"{made}." if changes else f"Nothing {that}had to be changed."
        verdict = f"{changes:,} of {entries} {differ}" if changes else self._as_declared
        if invitations:
            verdict += f", and {number_of(invitations, 'invitation', 'invitations')} would be sent"
        return f"{self._refusal}{verdict}."

    @property
    def not_compared(self) -> str:
        """What the API does not show, in words: ``3 descriptions``; ``""`` where there is no such field."""
        fields = Counter(field for entry in self.entries for field in entry.not_compared)
        return enumeration(
            [number_of(count, *SEVERAL.get(field, (field, f"{field}s"))) for field, count in fields.items()]
        )

    @property
    def notes(self) -> list[str]:
        """What the counts by state do not cover, each without its full stop."""
        notes = [f"{self.not_compared} cannot be compared"] if self.not_compared else []
        if self._not_selected:
            notes.append(f"{number_of(self._not_selected, 'entry is', 'entries are')} not selected")
        if self._not_invited:
            was, were = ("is", "are") if self.presentation.is_check else ("was", "were")
            invitations = number_of(self._not_invited, f"invitation {was}", f"invitations {were}")
            notes.append(f"{invitations} not sent: set {self._option_prefix}invite")
        return notes

    @property
    def _refusal(self) -> str:
        """The text before what is planned: ``Refused by limits; nothing was written. ``"""
        if not self.is_refused:
            return ""
        guards = [f"{self._option_prefix}{guard}" for guard in self._guards if guard != NO_OPTION]
        return f"Refused{f' by {enumeration(guards)}' if guards else ''}; nothing was written. "

    @property
    def _as_declared(self) -> str:
        seen = ["is selected"] * bool(self._not_selected) + ["can be compared"] * bool(self.not_compared)
        return f"{'What ' + ' and '.join(seen) if seen else 'The platform'} is as the blueprint declares it"

    def _guard_against(self, row: Values) -> str:
        """The option that forbids the step of a result, if one does."""
        approved = self.presentation.approved
        if not self.is_refused or row["step"] is None:
            return ""
        guards = ["approved"] if approved is not None and row["step"] not in approved else []
        guards += [f"limits.{row['action']}", *(["limits.delete"] if change_of(row) == "move" else [])]
        return next((f"{self._option_prefix}{guard}" for guard in guards if guard in self._guards), "")


def _changes(diff: Values) -> Iterable[FieldChange]:
    """A created or deleted object is described by its filled fields; only in an update does an empty field matter."""
    before, after = diff["before"], diff["after"]
    for field in dict.fromkeys([*after, *before]):
        own_scope = OWN_SCOPE if field == "team" else ""
        values = [legible(value_as_text(side.get(field))) or own_scope if side else None for side in (before, after)]
        if (before and after) or any(values):
            yield FieldChange(printable(field), *values)
