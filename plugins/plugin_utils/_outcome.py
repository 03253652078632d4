# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The outcome of a blueprint: the one model behind the page, the Markdown and the last line."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Collection, Sequence

from ..module_utils._text import printable
from ._registered import NOT_INVITED, NOT_SELECTED, STATES, Entry, Values, address, causes_of, is_refused, undeclared

DIFFERENCES = ("create", "update", "delete")
# Irregular plurals.
SEVERAL = {"parameters": ("alias's parameters", "aliases' parameters")}
CAUSE = 300


class Outcome:
    """What a registered result of the module tells. Raises AnsibleFilterError for any other input.

    ``is_check``: whether this was check mode; ``finds_drift``: whether its purpose was to find drift, not to plan;
    ``option_prefix``: the prefix of the module's options where the reader sets them; ``approved``: the ids of the steps
    that the run was restricted to.

    ``has_plan``: whether there is a plan at all; ``is_refused``: whether that plan was refused; ``causes``: why it was
    refused or failed, by guard, empty if it was not; ``not_selected`` and ``not_invited``: the number of entries left
    out of ``entries``.
    """

    def __init__(
        self,
        result: Values,
        is_check: bool,
        time: str | None = None,
        base_url: str | None = None,
        finds_drift: bool = False,
        option_prefix: str = "",
        approved: Collection[str] | None = None,
    ) -> None:
        self.causes = causes_of(result, option_prefix)
        self.is_check = is_check
        self.finds_drift = finds_drift
        self.option_prefix = option_prefix
        self.has_plan = "results" in result
        self.is_refused = is_refused(result)
        self.base_url = printable(address(base_url or result.get("base_url") or ""))
        self.time = printable(time or datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC"))
        self.requests: int | None = (result.get("summary") or {}).get("requests")
        self.warnings = [printable(warning) for warning in result.get("warnings") or []]
        results = result.get("results") or []
        reasons = [entry.get("reason") for entry in results]
        self.not_selected = reasons.count(NOT_SELECTED)
        self.not_invited = reasons.count(NOT_INVITED)
        self.entries = [
            Entry(entry, self._guard_against(entry, approved))
            for entry, reason in zip(results, reasons)
            if reason not in (NOT_SELECTED, NOT_INVITED)
        ]
        self.undeclared = [undeclared(thing) for thing in result.get("undeclared") or []]

    def _guard_against(self, entry: Values, approved: Collection[str] | None) -> str:
        """The option that forbids the step of an entry, if one does."""
        if not self.is_refused or entry.get("step") is None:
            return ""
        if approved is not None and entry["step"] not in approved:
            return f"{self.option_prefix}approved"
        limit = f"{self.option_prefix}limits.{entry['action']}"
        return limit if limit in self.causes else ""

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
        messages += [message for told in self.causes.values() for message in told]
        return cut(messages[0], CAUSE) if messages else ""

    @property
    def beginning(self) -> str:
        """The text before what is planned: ``Refused by limits; nothing was written.``"""
        if not self.is_refused:
            return ""
        guards = list(filter(None, self.causes))
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
