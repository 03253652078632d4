# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the names of teams mean: what exists, and what the entries of this run make of it."""

from __future__ import annotations

from collections.abc import Sequence

from ..._model.listing import Listing
from ..._model.scope import OWN_SCOPE, Scope
from .item import TEAM_KIND, Item, item_of
from .references import REMOVE, References, unusable_reason, usable_items

NOT_A_TEAM = (
    "is not declared, and is neither the id nor the slug of a team that this token can see."
)
REMOVE_TEAM = "Remove team, and what the file declares in it, or keep the team."


class Teams:
    """The teams of a run."""

    def __init__(self, items: Sequence[Item], records: Listing) -> None:
        """``items``: those of the entries that declare teams; ``records``: the teams that exist."""
        self.records = records
        self._declared = items
        scopes = {str(record["id"]): Scope(record) for record in records}
        listed = [item_of(TEAM_KIND, scope.team or {}, scope) for scope in scopes.values()]
        self._references = References(TEAM_KIND, items, listed)
        self._by_id = scopes | {str(item.live["id"]): item.as_scope for item in items if item.live}
        self._named: dict[str, Scope] = {"": OWN_SCOPE}

    def check(self, name: str, *, is_lenient: bool, is_of_entry: bool = True) -> None:
        """Raises InvalidOption for a name that means no team, or an earlier one. With
        ``is_lenient``, the plan may delete the team, but it must be known. ``is_of_entry``: false
        for the team that a file gives its entries.
        """
        if name:
            may_be_deleted = is_lenient and bool(self._references.candidates(name))
            advice = REMOVE if is_of_entry else REMOVE_TEAM
            self._references.resolve("team", name, NOT_A_TEAM, advice, is_lenient=may_be_deleted)

    def named(self, name: str) -> Scope:
        """The scope that a name means, also an earlier one; one that holds nothing for an unknown
        name.
        """
        if name not in self._named:
            self._named[name] = self._find(name)
        return self._named[name]

    def _find(self, name: str) -> Scope:
        candidates = self._references.candidates(name)
        for item in (*usable_items(candidates), *(found.item for found in candidates)):
            return item.as_scope
        for item in sorted(self._declared, key=lambda item: bool(unusable_reason(item))):
            if name in item.as_scope.known_names:
                return item.as_scope
        return unknown_team(name)

    def with_id(self, team_id: str) -> Scope:
        """A team by its ID; the own scope if the caller has no team of this ID."""
        return self._by_id.get(team_id, OWN_SCOPE)

    def is_absent(self, scope: Scope) -> bool:
        """True if an entry wants the team absent, or is invalid."""
        return any(unusable_reason(item) and item.as_scope == scope for item in self._declared)

    @property
    def present(self) -> list[Scope]:
        """The teams that entries declare to exist."""
        return [item.as_scope for item in self._declared if not unusable_reason(item)]

    @property
    def scopes(self) -> list[Scope]:
        """All of them, listed and declared."""
        declared = [item.as_scope for item in self._declared]
        return list(dict.fromkeys([*declared, *self._by_id.values()]))


def unknown_team(name: str, team_id: str | None = None) -> Scope:
    """The scope of a team of which only a name, or the ID, is known: it holds nothing."""
    return Scope({"id": team_id, TEAM_KIND.name_field: name})
