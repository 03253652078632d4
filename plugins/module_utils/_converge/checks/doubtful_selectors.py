# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Selectors that match nothing. A guard would keep nothing, and a drift check would look at
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..._errors import InvalidOption
from ..._model.kind import matches_pattern
from ..._model.name_forms import is_misspelling
from ..._text import did_you_mean
from ..blueprint.selectors import WILDCARD, Selector, Selectors
from ..plan.objects import LiveObject
from ..plan.plan import Plan
from ..plan.selection import is_known_to, selects_entry, selects_object
from ..plan.teams import unique_scopes

# The fewest characters of a misspelled name, and the most selectors that a warning says.
SHORTEST_NAME = 4
MOST_SELECTORS = 3


class SelectorCheck:
    """Finds the selectors of a plan that match nothing: no entry, and nothing that was read."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._objects = list(plan.snapshot.all_objects)
        self._options = plan.options
        teams = plan.snapshot.teams
        entries = [change.entry for change in plan.changes if change.entry]
        self._scopes = {entry: teams.scope_of(entry) for entry in entries}
        self._teams = unique_scopes([*teams.scopes, *self._scopes.values()])

    def failures(self) -> list[InvalidOption]:
        """The selectors of ``only`` by which a misspelled check would find nothing to check."""
        return [] if self._may_be_pruned else self._unmatched_selections()

    def warnings(self) -> Iterator[InvalidOption]:
        """Those that do not fail, and guards that keep nothing while something is deleted."""
        if self._may_be_pruned:
            yield from self._unmatched_selections()
        deleted = list(self._plan.deleted_objects)
        if not deleted:
            return
        for option, guard in self._options.selectors.items():
            unmatched = self._unmatched(guard)
            silent = [selectors for selectors in unmatched if not _misspelled(selectors, deleted)]
            if silent:
                yield self._describe_unmatched(option, silent)

    def misspellings(self, option: str) -> Iterator[InvalidOption]:
        """The selectors of a guard that match nothing, and misspell what would be deleted."""
        deleted = sorted(self._plan.deleted_objects, key=lambda obj: obj.sort_key)
        if not deleted:
            return
        for selectors in self._unmatched(self._options.selectors[option]):
            for obj in _misspelled(selectors, deleted)[:1]:
                advice = "say its team" if selectors[-1].team is None else "remove it"
                yield selectors[0].invalid(
                    f"matches nothing, and the {obj.kind.singular} {obj.name} would be deleted."
                    f" Correct the selector, or {advice}."
                )

    @property
    def _may_be_pruned(self) -> bool:
        """True if what ``only`` selects may be gone: it was pruned by an earlier run."""
        return bool(self._options.prune) and not self._options.finds_drift

    def _unmatched_selections(self) -> list[InvalidOption]:
        return [
            selectors[0].invalid(f"matches nothing.{self._near(selectors[-1])}")
            for selectors in Selectors(self._options.only or ()).given
            if not self._selects_something(selectors)
        ]

    def _selects_something(self, selectors: Selectors) -> bool:
        for entry, scope in self._scopes.items():
            if selects_entry(selectors, entry, scope, entry.desired.previous_names):
                return True
        for_objects = Selectors(selector for selector in selectors if selector.source is None)
        return any(selects_object(for_objects, obj) for obj in self._objects)

    def _unmatched(self, guard: Selectors) -> list[Selectors]:
        """The selectors of a guard that match no entry and nothing that was read."""
        return [
            selectors
            for selectors in guard.given
            if not any(is_known_to(selectors, *entry) for entry in self._scopes.items())
            and not any(obj.is_matched_by(selectors) for obj in self._objects)
        ]

    def _describe_unmatched(self, option: str, unmatched: list[Selectors]) -> InvalidOption:
        sentences = [
            f"{selectors[0].text} matches nothing.{self._near(selectors[-1])}"
            for selectors in unmatched[:MOST_SELECTORS]
        ]
        more = len(unmatched) - MOST_SELECTORS
        if more > 0:
            sentences.append(f"{more:,} more match{'es' if more == 1 else ''} nothing.")
        place = unmatched[0][0].place if len(unmatched) == 1 else option
        return InvalidOption(place, " ".join(sentences))

    def _near(self, selector: Selector) -> str:
        """A suggestion: what is near the first of its texts that matches nothing."""
        names = [entry.name for entry in self._scopes]
        names += [obj.name for obj in self._objects]
        suggestions = (
            (selector.team, [scope.slug for scope in self._teams]),
            (selector.name, names),
            (selector.source, [entry.file for entry in self._scopes]),
        )
        for text, words in suggestions:
            if text and not any(matches_pattern(word, text) for word in words):
                suggestion = did_you_mean(text, words)
                if suggestion:
                    return suggestion
        return ""


def _misspelled(selectors: Selectors, deleted: list[LiveObject]) -> list[LiveObject]:
    """The deleted objects whose names selectors misspell, within the kind and team that they
    give.
    """
    found = []
    for selector in selectors:
        # Of a pattern, what stands before its first wildcard.
        text = WILDCARD.split(selector.name or "", maxsplit=1)[0]
        if len(text) >= SHORTEST_NAME:
            found += [obj for obj in deleted if _is_misspelled(selector, text, obj)]
    return found


def _is_misspelled(selector: Selector, text: str, obj: LiveObject) -> bool:
    """Hosts are compared as people write them, not in their ASCII form."""
    if not selector.may_match(obj.kind, obj.scope.names, obj.scope.ids):
        return False
    given = obj.kind.forms(text)[-1]
    name = obj.kind.forms(obj.name)[-1]
    if text == selector.name:
        return is_misspelling(given, name)
    # Of the name, as much as is given, or a letter less or more.
    lengths = range(len(given) - 1, len(given) + 2)
    starts = [name[:length] for length in lengths]
    return given not in starts and any(is_misspelling(given, start) for start in starts)
