# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Selectors that are probably misspelled: they match nothing, or name a team that nobody knows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..._errors import InvalidOption
from ..._model.kind import matches_pattern
from ..._model.scope import Scope
from ..._text import closest, did_you_mean
from ..blueprint.entries import Entry
from ..blueprint.options import BlueprintOptions
from ..blueprint.selectors import Selector, Selectors, is_exact
from ..plan.change import Changes
from ..plan.objects import LiveObject
from ..plan.selection import is_known_to, selects_entry, selects_object
from ..plan.snapshot import Snapshot
from ..plan.teams import unique_scopes

WORD = re.compile(r"[^\W\d_]+|\d+")


class Doubt(NamedTuple):
    """A selector that is probably misspelled."""

    problem: InvalidOption
    # True if the task fails, False if it warns.
    fails: bool


class SelectorCheck:
    """Finds the doubtful selectors of a plan."""

    def __init__(self, changes: Changes, snapshot: Snapshot, options: BlueprintOptions) -> None:
        self._changes = changes
        self._snapshot = snapshot
        self._options = options
        self._entries = [change.entry for change in changes if change.entry]
        self._scopes = {entry: snapshot.teams.scope_of(entry) for entry in self._entries}

    def doubts(self) -> Iterator[Doubt]:
        """All but those about what would be deleted."""
        if self._options.only == ():  # nothing is selected, so no team was listed
            return
        for selector in self._options.only or ():
            yield from self._doubt_about_selection(selector)
        for selectors in self._options.selectors.values():
            for selector in selectors:
                yield from self._doubt_about_team(selector)

    def warnings_about_deletions(self) -> Iterator[InvalidOption]:
        """Selectors that would keep objects and match nothing, while something of a similar name
        would be deleted.
        """
        deleted: list[LiveObject | None] = [
            change.live_object for change in self._changes if change.is_deletion
        ]
        for change in self._changes:
            deleted += change.cascade
        objects = [obj for obj in deleted if obj]
        for selectors in self._options.selectors.values():
            yield from self._warnings_about_deletions(selectors, objects)

    def _warnings_about_deletions(
        self, selectors: Selectors, objects: Sequence[LiveObject]
    ) -> Iterator[InvalidOption]:
        for selector in selectors:
            near = self._near_deletion(selector, objects)
            if near and not self._is_known(selector) and not self._matched_objects(selector):
                advice = "Correct the selector to protect it."
                yield selector.invalid(f"matches nothing, and {near} would be deleted. {advice}")

    def _near_deletion(self, selector: Selector, deleted: Iterable[LiveObject]) -> str:
        any_name = Selectors([replace(selector, name=None)])
        return closest(
            selector.name or "", [obj.name for obj in deleted if obj.is_matched_by(any_name)]
        )

    def _is_known(self, selector: Selector) -> bool:
        return any(is_known_to(selector, entry, scope) for entry, scope in self._scopes.items())

    def _doubt_about_selection(self, selector: Selector) -> Iterator[Doubt]:
        """One of ``only`` by which a misspelled check would find nothing to check. One for what
        prune deletes, or for the earlier name of an entry, need not match in each run. The earlier
        slug of a team matches nothing.
        """
        if any(selects_entry(selector, entry, scope) for entry, scope in self._scopes.items()):
            return
        known = [
            entry for entry, scope in self._scopes.items() if is_known_to(selector, entry, scope)
        ]
        of_team = [entry for entry in known if self._is_of_team_after_run(selector, entry)]
        if not self._snapshot.selected.isdisjoint(of_team):
            return
        may_match = bool(of_team) or self._may_be_pruned(selector)
        if may_match and self._matches_prunable_object(selector):
            return
        fails = not may_match or (self._options.finds_drift and is_exact(selector.name))
        yield Doubt(selector.invalid(f"matches nothing.{self._near(selector, known)}"), fails)

    def _is_of_team_after_run(self, selector: Selector, entry: Entry) -> bool:
        scope = self._scopes[entry]
        return selector.matches_team(scope.slug, scope.ids)

    def _may_be_pruned(self, selector: Selector) -> bool:
        """True if a selector may match what prune deletes; it deletes nothing in the own scope."""
        pruned = set(self._options.prune)
        if selector.source is not None or (selector.kinds or pruned).isdisjoint(pruned):
            return False
        return any(_is_of_team(selector, scope) for scope in self._team_scopes)

    def _matches_prunable_object(self, selector: Selector) -> bool:
        unselected = {
            change.live_key
            for change in self._changes
            if change.entry and change.entry not in self._snapshot.selected
        }
        found = self._matched_objects(selector)
        selected = [obj for obj in found if selects_object(Selectors([selector]), obj)]
        return any(obj.scope.team and obj.key not in unselected for obj in selected)

    def _matched_objects(self, selector: Selector) -> list[LiveObject]:
        """The objects that a selector matches, under any slug of their teams."""
        if selector.source is not None:
            return []
        return [
            obj for obj in self._snapshot.all_objects if obj.is_matched_by(Selectors([selector]))
        ]

    @property
    def _team_scopes(self) -> list[Scope]:
        """The teams that the task and its entries name, without the own scope."""
        scopes = unique_scopes([*self._scopes.values(), *self._snapshot.scopes])
        return [scope for scope in scopes if scope.team]

    def _near(self, selector: Selector, known: Sequence[Entry]) -> str:
        """A suggestion for a selector that matches nothing: a name near the first of its texts that
        matches nothing.

        ``known``: the entries that it matches by an earlier name.
        """
        for entry in known:
            is_of_team = self._is_of_team_after_run(selector, entry)
            return f" Did you mean {entry.name if is_of_team else self._scopes[entry].slug}?"
        names = [entry.name for entry in self._entries]
        if self._options.prune:
            names += [obj.name for obj in self._snapshot.all_objects]
        suggestions = (
            (selector.team, [scope.slug for scope in self._scopes.values()]),
            (selector.name, names),
            (selector.source, [entry.file for entry in self._entries]),
        )
        for text, words in suggestions:
            if not text or any(matches_pattern(word, text) for word in words):
                continue
            suggestion = did_you_mean(text, words)
            if suggestion:
                return suggestion
        return ""

    def _doubt_about_team(self, selector: Selector) -> Iterator[Doubt]:
        """One whose team is neither declared nor listed; settings may be shared by those who see
        different teams.
        """
        if selector.matches_team(""):
            return
        scopes = [*self._snapshot.teams.scopes, *self._team_scopes]
        if any(_is_of_team(selector, scope) for scope in scopes):
            return
        slugs = sorted(set().union(*(scope.names for scope in scopes)))
        fails = is_exact(selector.team) and _is_misspelling(
            selector.team, closest(selector.team, slugs)
        )
        hint = did_you_mean(selector.team, slugs)
        problem = f"names a team that no entry declares, and to which you do not belong.{hint}"
        yield Doubt(selector.invalid(problem), fails)


def _is_of_team(selector: Selector, scope: Scope) -> bool:
    return any(selector.matches_team(slug, scope.ids) for slug in scope.names)


def _is_misspelling(text: object, slug: str) -> bool:
    """True if two slugs resemble each other word by word: ``acme-dev`` and ``acme-prod`` are two
    teams.
    """
    words = WORD.findall(str(text).lower())
    others = WORD.findall(slug.lower())
    return len(words) == len(others) and all(
        closest(word, [other]) for word, other in zip(words, others)
    )
