# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The teams of a run: what their names mean, and which of them are scopes of the run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..._model.listing import Listing
from ..._model.scope import OWN_SCOPE, Scope
from ..blueprint.entries import Entry, LocatedProblem
from .change import Changes
from .objects import TEAM_KIND, scope_named
from .references import index_references, reference_to, resolve_reference, usable_references

NOT_A_TEAM = (
    "is not declared, and is neither the id nor the slug of a team that this token can see."
)


class Teams:
    """What the names of teams mean: what exists, and what the entries of this run make of it."""

    def __init__(self, changes: Changes, records: Listing) -> None:
        """``changes``: those of the entries that declare teams; ``records``: the teams that
        exist.
        """
        self.changes = changes
        self.records = records
        self._named: dict[str, Scope] = {}
        self._index = index_references(TEAM_KIND, changes, records)
        self._declared = [reference_to(change) for change in changes]
        self._by_id = {str(record["id"]): Scope(record) for record in records}
        self._by_id |= {
            reference.id: reference.scope
            for reference in self._declared
            if reference.id is not None
        }

    def resolve(self, name: str, *, is_lenient: bool = False) -> Scope:
        """The scope that an option ``team`` names. With ``is_lenient``, the plan may delete the
        team, but it must be known. Raises InvalidOption for a name that means no team, or an
        earlier one.
        """
        if not name:
            return OWN_SCOPE
        may_be_deleted = is_lenient and TEAM_KIND.normalize(name) in self._index
        team = resolve_reference(
            TEAM_KIND.singular, name, TEAM_KIND, self._index, NOT_A_TEAM, is_lenient=may_be_deleted
        )
        return team.scope if team else OWN_SCOPE

    def named(self, name: str) -> Scope:
        """The scope that a name means, also an earlier one; one that holds nothing for an unknown
        name.
        """
        if name not in self._named:
            self._named[name] = self._find_named(name)
        return self._named[name]

    def _find_named(self, name: str) -> Scope:
        if not name:
            return OWN_SCOPE
        references = self._index.get(TEAM_KIND.normalize(name), [])
        references = references or [team for team in self._declared if name in team.known_names]
        usable = usable_references(references)
        for team in usable or references:
            return team.scope
        return scope_named(name)

    def with_id(self, team_id: str) -> Scope:
        """A team by its ID; the own scope if the caller has no team of this ID."""
        return self._by_id.get(team_id, OWN_SCOPE)

    def scope_of(self, entry: Entry) -> Scope:
        """The scope that an entry names; of a team, the team itself."""
        return self.named(entry.team if entry.kind.is_in_team else entry.name)

    def is_absent(self, scope: Scope) -> bool:
        """True if an entry wants the team absent, or is invalid."""
        return any(team.unusable_reason and team.scope == scope for team in self._declared)

    @property
    def present(self) -> list[Scope]:
        """The teams that entries declare to exist."""
        return [team.scope for team in self._declared if not team.unusable_reason]

    @property
    def scopes(self) -> list[Scope]:
        """All of them, listed and declared."""
        return unique_scopes([*(team.scope for team in self._declared), *self._by_id.values()])


class ResolvedTeams(NamedTuple):
    """The teams of a run, and what follows from them alone."""

    teams: Teams
    # Those to which the caller belongs.
    listed: Listing
    # The entries that ``only`` selects.
    selected: frozenset[Entry]
    # What is wrong with the teams that the task and the files of the blueprint name.
    problems: tuple[LocatedProblem, ...]


def unique_scopes(scopes: Iterable[Scope]) -> list[Scope]:
    return list(dict.fromkeys(scopes))
