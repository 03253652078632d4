# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Selectors that are probably misspelled: they match nothing, or name a team that nobody knows. A
guard would keep nothing, and a drift check would look at nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from ..._errors import InvalidOption
from ..._model.kind import Kind, matches_pattern
from ..._model.kinds.registry import KINDS
from ..._model.name_forms import is_misspelling
from ..._model.scope import OWN_SCOPE, Scope
from ..._text import did_you_mean
from ..blueprint.selectors import Selector, Selectors, is_exact
from ..plan.objects import TEAM_KIND, LiveObject
from ..plan.plan import Plan
from ..plan.selection import is_known_to, selects_entry, selects_object
from ..plan.teams import unique_scopes

# The fewest characters of a misspelled name, and the most selectors that a warning says.
SHORTEST_NAME = 4
MOST_SELECTORS = 3


class Doubt(NamedTuple):
    """A selector that is probably misspelled."""

    problem: InvalidOption
    # True if the task fails, False if it warns.
    fails: bool


class SelectorCheck:
    """Finds the doubtful selectors of a plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._snapshot = plan.snapshot
        self._options = plan.options
        teams = plan.snapshot.teams
        entries = [change.entry for change in plan.changes if change.entry]
        self._scopes = {entry: teams.scope_of(entry) for entry in entries}
        named = unique_scopes([*self._scopes.values(), *plan.snapshot.scopes])
        # The teams that the task and its entries name.
        self._teams = [scope for scope in named if scope.team]
        self._known_teams = unique_scopes([*teams.scopes, *self._teams])

    def doubts(self) -> Iterator[Doubt]:
        """Those that do not depend on what is deleted."""
        if self._options.only == ():  # nothing is selected, so no team was listed
            return
        for selectors in Selectors(self._options.only or ()).given:
            yield from self._doubt_about_selection(selectors)
        for guard in self._options.selectors.values():
            for selector in guard:
                yield from self._doubt_about_team(selector)

    def warnings(self) -> Iterator[InvalidOption]:
        """The doubts that do not fail, and guards that keep nothing while something is deleted."""
        yield from (doubt.problem for doubt in self.doubts() if not doubt.fails)
        deleted = list(self._plan.deleted_objects)
        if not deleted:
            return
        for option, guard in self._options.selectors.items():
            unmatched = self._unmatched(guard)
            silent = [selectors for selectors in unmatched if not _misspelled(selectors, deleted)]
            if silent:
                yield self._describe_unmatched(option, silent)
            for selectors in guard.given:
                if self._is_of_team_alone(selectors, deleted):
                    text = selectors[0].text
                    yield selectors[0].invalid(
                        f"is the team alone. For what is in it, write {text}/*."
                    )

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

    def _unmatched(self, guard: Selectors) -> list[Selectors]:
        """The selectors of a guard that match no entry and nothing that was read. Those of teams
        and kinds that were not read are left out: lists of guards may be shared by teams.
        """
        return [
            selectors
            for selectors in guard.given
            if self._is_about_what_was_read(selectors)
            and not any(is_known_to(selectors, *entry) for entry in self._scopes.items())
            and not self._matched_objects(selectors)
        ]

    def _is_about_what_was_read(self, selectors: Selectors) -> bool:
        paths = list(itertools.chain.from_iterable(map(self._places, selectors[1:])))
        # A path of a team that nobody knows is a text.
        places = paths or self._places(selectors[0])
        return any(self._snapshot.has_list(*place) for place in places)

    def _places(self, selector: Selector) -> list[tuple[type[Kind], Scope]]:
        """Where a selector may match something. It means teams only where it says their kind."""
        return [
            (kind, scope)
            for kind, scope in itertools.product(KINDS.values(), [*self._known_teams, OWN_SCOPE])
            if (kind.is_in_team or selector.kinds)
            and selector.may_match(kind, scope.names, scope.ids)
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

    def _is_of_team_alone(self, selectors: Selectors, deleted: list[LiveObject]) -> bool:
        """True for a text that matches teams and nothing else, if something of one is deleted."""
        matched = self._matched_objects(selectors)
        teams = [obj.scope for obj in matched if obj.kind is TEAM_KIND]
        if not selectors[0].is_text or len(teams) < len(matched):
            return False
        for entry, scope in self._scopes.items():
            if entry.kind.is_in_team and is_known_to(selectors, entry, scope):
                return False
        return any(obj.kind.is_in_team and obj.scope in teams for obj in deleted)

    def _doubt_about_selection(self, selectors: Selectors) -> Iterator[Doubt]:
        """One of ``only`` by which a misspelled check would find nothing to check. One for what
        prune deletes, or for the earlier name of an entry, need not match in each run.
        """
        if any(selects_entry(selectors, *entry) for entry in self._scopes.items()):
            return
        renamed = [
            entry
            for entry, scope in self._scopes.items()
            if selects_entry(selectors, entry, scope, entry.desired.previous_names)
        ]
        may_match = bool(renamed) or any(map(self._may_be_pruned, selectors))
        objects = [obj for obj in self._snapshot.all_objects if selects_object(selectors, obj)]
        matches_object = any(obj.scope.team for obj in objects)
        if not self._snapshot.selected.isdisjoint(renamed) or (may_match and matches_object):
            return
        near = f" Did you mean {renamed[0].name}?" if renamed else self._near(selectors[-1])
        fails = not may_match or (self._options.finds_drift and is_exact(selectors[0].name))
        yield Doubt(selectors[0].invalid(f"matches nothing.{near}"), fails)

    def _may_be_pruned(self, selector: Selector) -> bool:
        """True if a selector may match what prune deletes; it deletes nothing in the own scope."""
        pruned = set(self._options.prune)
        if selector.source is not None or (selector.kinds or pruned).isdisjoint(pruned):
            return False
        return any(selector.matches_team(scope.names, scope.ids) for scope in self._teams)

    def _matched_objects(self, selectors: Selectors) -> list[LiveObject]:
        """The objects that selectors match, under any slug of their teams."""
        return [obj for obj in self._snapshot.all_objects if obj.is_matched_by(selectors)]

    def _near(self, selector: Selector) -> str:
        """A suggestion: what is near the first of its texts that matches nothing."""
        names = [entry.name for entry in self._scopes]
        if self._options.prune:
            names += [obj.name for obj in self._snapshot.all_objects]
        suggestions = (
            (selector.team, [scope.slug for scope in self._known_teams]),
            (selector.name, names),
            (selector.source, [entry.file for entry in self._scopes]),
        )
        for text, words in suggestions:
            if text and not any(matches_pattern(word, text) for word in words):
                suggestion = did_you_mean(text, words)
                if suggestion:
                    return suggestion
        return ""

    def _doubt_about_team(self, selector: Selector) -> Iterator[Doubt]:
        """One whose team is neither declared nor listed; settings may be shared by those who see
        different teams.
        """
        team = selector.team
        is_known = any(
            selector.matches_team(scope.names, scope.ids)
            for scope in [*self._known_teams, OWN_SCOPE]
        )
        if team is None or selector.is_path or is_known:
            return
        slugs = sorted(set().union(*(scope.names for scope in self._known_teams)))
        problem = "names a team that no entry declares, and to which you do not belong."
        fails = is_exact(team) and any(is_misspelling(team, slug) for slug in slugs)
        yield Doubt(selector.invalid(f"{problem}{did_you_mean(team, slugs)}"), fails)


def _misspelled(selectors: Selectors, deleted: list[LiveObject]) -> list[LiveObject]:
    """The deleted objects whose names selectors misspell, within the kind and team that they give.
    Hosts are compared as people write them, not in their ASCII form.
    """
    found = []
    for selector in selectors:
        if is_exact(selector.name) and len(selector.name or "") >= SHORTEST_NAME:
            found += [obj for obj in deleted if _is_misspelled(selector, obj)]
    return found


def _is_misspelled(selector: Selector, obj: LiveObject) -> bool:
    given = obj.kind.forms(selector.name)[-1]
    name = obj.kind.forms(obj.name)[-1]
    is_meant = selector.may_match(obj.kind, obj.scope.names, obj.scope.ids)
    return is_meant and is_misspelling(given, name)
