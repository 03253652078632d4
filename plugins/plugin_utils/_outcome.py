# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The outcome of a blueprint: the one model behind the page, the Markdown, the plan file and the last line.

All of its texts are safe to display: on one line (values keep their lines), with invisible characters and those that
act on a terminal escaped. Each format does its own quoting.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence

from ..module_utils._kinds.registry import KINDS

OWN_SCOPE = "own scope"
UNDECLARED = "undeclared"
# The states of an entry, the most important first, as worded for a plan and for a completed run. The last is that of an
# object which no entry declares.
STATES = {
    "failed": ("Failed", "Failed"),
    "delete": ("To delete", "Deleted"),
    "create": ("To create", "Created"),
    "update": ("To change", "Changed"),
    "invite": ("To invite", "Invited"),
    "skip": ("Skipped", "Skipped"),
    "none": ("Unchanged", "Unchanged"),
    UNDECLARED: ("Undeclared", "Undeclared"),
}
DIFFERENCES = ("create", "update", "delete")
NOT_SELECTED, NOT_INVITED = "not_selected", "invite"
REASONS = {
    "protected": "It is protected and never deleted.",
    "dependency": "An entry that it depends on failed.",
    NOT_SELECTED: "It is not selected.",
    NOT_INVITED: "Invitations are not sent.",
}
# Irregular plurals.
SEVERAL = {"parameters": ("alias's parameters", "aliases' parameters")}
CAUSE = 300


@dataclasses.dataclass(frozen=True)
class Change:
    """One field: its values before and after, ``""`` if there is none; ``None`` if there is no object on that side."""

    field: str
    before: str | None
    after: str | None


@dataclasses.dataclass(frozen=True)
class Thing:
    """One object: its kind as in blueprints, its name, and its owner in words."""

    kind: str
    name: str
    team: str

    @property
    def kind_in_words(self) -> str:
        """The singular of its kind."""
        known = KINDS.get(self.kind)
        return known.singular.replace("_", " ") if known else self.kind


@dataclasses.dataclass(frozen=True)
class Entry(Thing):
    """One result, or one undeclared object. ``state``: a key of STATES; ``reason``: why it is skipped or kept;
    ``message``: why it failed; ``refused_by``: the option that forbids it; ``along``: what is deleted with it;
    ``not_compared``: the fields that the API does not show.
    """

    state: str
    action: str = "none"
    changed: bool = False
    source: str = ""
    reason: str = ""
    message: str = ""
    refused_by: str = ""
    changes: Sequence[Change] = ()
    along: Sequence[Thing] = ()
    not_compared: Sequence[str] = ()

    @property
    def intention(self) -> str:
        """The intended action in words: ``to create``."""
        return STATES[self.action][0].lower()


@dataclasses.dataclass(frozen=True)
class Cause:
    """Why a blueprint was refused, or failed: ``guard``, the option that it is about or ``""``, and its messages."""

    guard: str
    messages: Sequence[str]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """``is_check``: whether this was check mode; ``finds_drift``: whether its purpose was to find drift, not to plan.

    ``has_plan``: whether there is a plan at all; ``is_refused``: whether that plan was refused; ``causes``: why it was
    refused or failed, empty if it was not; ``not_selected`` and ``not_invited``: the number of entries left out of
    ``entries``; ``option_prefix``: the prefix of the module's options where the reader sets them.
    """

    is_check: bool
    finds_drift: bool
    option_prefix: str
    has_plan: bool
    is_refused: bool
    causes: Sequence[Cause]
    base_url: str
    time: str
    requests: int | None
    warnings: Sequence[str]
    entries: Sequence[Entry]
    undeclared: Sequence[Entry]
    not_selected: int
    not_invited: int

    @property
    def is_done(self) -> bool:
        """Return whether the entries describe what was done, not what would be."""
        return not (self.is_check or self.is_refused)

    def of(self, state: str) -> list[Entry]:
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

    @property
    def title(self) -> str:
        if not self.is_check:
            return "Run report"
        return "Drift report" if self.finds_drift else "Plan"

    @property
    def sides(self) -> tuple[str, str]:
        """The headings of the values before and after."""
        return ("Before", "After") if self.is_done else ("Live", "Declared")

    @property
    def changes(self) -> int:
        """How many entries differ from the platform, or were changed on it."""
        if self.is_done:
            return sum(1 for entry in self.entries if entry.changed)
        return sum(1 for entry in self.entries if entry.state in DIFFERENCES)

    @property
    def first_cause(self) -> str:
        """Why it was refused or failed, as briefly as possible."""
        messages = [entry.message.partition("\n")[0] for entry in self.of("failed")]
        messages += [message for cause in self.causes for message in cause.messages]
        return cut(messages[0], CAUSE) if messages else ""

    @property
    def beginning(self) -> str:
        """The text before what is planned: ``Refused by limits; nothing was written.``"""
        if not self.is_refused:
            return ""
        guards = [cause.guard for cause in self.causes if cause.guard]
        return f"Refused{f' by {_listed(guards)}' if guards else ''}; nothing was written."

    @property
    def verdict(self) -> str:
        """The outcome in one or two sentences."""
        if not self.has_plan:
            return f"The {'check' if self.is_check else 'run'} failed."
        failed, changes, invitations = self.count("failed"), self.changes, self.count("invite")
        entries = _number_of(len(self.entries), "entry", "entries")
        made = _number_of(changes, "change was made", "changes were made")
        differ = f"{'differs' if changes == 1 else 'differ'} from the platform"
        if failed:
            changed = made if self.is_done else f"{changes:,} {differ}"
            return f"{failed:,} of {entries} failed{f'; {changed}' if changes else ''}."
        if self.is_done:
            that = "that can be compared " if self.not_compared else ""
            return f"{made}." if changes else f"Nothing {that}had to be changed."
        verdict = f"{changes:,} of {entries} {differ}" if changes else self._as_declared
        if invitations:
            verdict += f", and {_number_of(invitations, 'invitation', 'invitations')} would be sent"
        return f"{self.beginning} {verdict}." if self.is_refused else f"{verdict}."

    @property
    def not_compared(self) -> str:
        """What the API does not show, in words: ``3 descriptions``; ``""`` where there is no such field."""
        fields = Counter(field for entry in self.entries for field in entry.not_compared)
        return _listed(
            [_number_of(count, *SEVERAL.get(field, (field, f"{field}s"))) for field, count in fields.items()]
        )

    @property
    def notes(self) -> list[str]:
        """What the counts by state do not cover, each without its full stop."""
        notes = [f"{self.not_compared} cannot be compared"] if self.not_compared else []
        if self.not_selected:
            notes.append(f"{_number_of(self.not_selected, 'entry is', 'entries are')} not selected")
        if self.not_invited:
            was, were = ("is", "are") if self.is_check else ("was", "were")
            invitations = _number_of(self.not_invited, f"invitation {was}", f"invitations {were}")
            notes.append(f"{invitations} not sent: set {self.option_prefix}invite")
        return notes

    def by_team(self) -> dict[str, dict[str, int]]:
        """The number of entries in each state, by team."""
        teams: dict[str, dict[str, int]] = {}
        for entry in sorted(self.entries, key=lambda entry: entry.team):
            teams.setdefault(entry.team, Counter())[entry.state] += 1
        return teams

    @property
    def _as_declared(self) -> str:
        seen = ["is selected"] * bool(self.not_selected) + ["can be compared"] * bool(self.not_compared)
        return f"{'What ' + ' and '.join(seen) if seen else 'The platform'} is as the blueprint declares it"


def cut(text: str, at_most: int) -> str:
    return text if len(text) <= at_most else f"{text[:at_most]} …"


def _listed(words: Sequence[str]) -> str:
    *others, last = words or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _number_of(count: int, one: str, several: str) -> str:
    """The number, and the words for one or for several."""
    return f"{count:,} {one if count == 1 else several}"
