# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose an object is. All that asks for it asks here.

An object belongs to the team that it names, whichever list shows it; an alias that names none, to
that of its project. One that names no team belongs to the team whose list shows it, and else to the
caller. So does one that names a team which is none of the caller's.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable
from typing import Any

from .fields import Values
from .kind import Kind
from .listing import Listing
from .scope import OWN_SCOPE, Scope

# Looks an object up by its kind and its ID.
Find = Callable[[type[Kind], Any], Iterable[Values]]


def named_team(kind: type[Kind], record: Values, find: Find) -> str | None:
    """The ID of the team that an object names, ``""`` if it names none. None for an alias of a
    project that is unknown.
    """
    team_id = str(record.get("team_id") or "")
    if team_id or not kind.references:
        return team_id
    for option, other in kind.references.items():
        for referenced in find(other, record[f"{option}_id"]):
            return str(referenced.get("team_id") or "")
    return None


def scope_of(
    kind: type[Kind],
    record: Values,
    listed_in: Iterable[Scope],
    find: Find,
    find_team: Callable[[str], Scope],
) -> Scope:
    """The scope to which an object belongs.

    ``find_team``: the caller's team of an ID; the own scope if there is none.
    """
    team_id = named_team(kind, record, find)
    if team_id:
        return find_team(team_id)
    return next((scope for scope in listed_in if scope.team), OWN_SCOPE)


@dataclasses.dataclass(frozen=True, eq=False)
class Belonging:
    """Whose an object is that a scope's list shows.

    What its record does not tell is read when it is asked for: the projects of aliases that name no
    team, and the teams.
    """

    kind: type[Kind]
    record: Values
    listed_in: Scope
    # Returns a list.
    read: Callable[[type[Kind], Scope], Listing]

    @property
    def label(self) -> str:
        """The object in words: ``project shop``."""
        return f"{self.kind.display_name()} {self.record[self.kind.name_field]}"

    @functools.cached_property
    def team_id(self) -> str | None:
        """The ID of the team that it names, as ``named_team``."""
        return named_team(self.kind, self.record, self._find)

    @functools.cached_property
    def scope(self) -> Scope:
        """The scope to which it belongs."""
        if self.listed_in.team or not self.team_id:
            return self.listed_in
        return scope_of(self.kind, self.record, (), self._find, self._find_team)

    @property
    def is_own(self) -> bool:
        """True if it belongs to none of the caller's teams."""
        return self.scope.team is None

    @property
    def may_be_written(self) -> bool:
        """False for a team's object in an own list that mixes teams: it is only read there."""
        return bool(self.listed_in.team) or not self.team_id or not self._is_mixed or self.is_own

    @property
    def _is_mixed(self) -> bool:
        """True if the list shows objects of several teams, or of a team and of none."""
        teams = {
            named_team(self.kind, record, self._find) for record in self.read(self.kind, OWN_SCOPE)
        }
        return len(teams - {None}) > 1

    def _find(self, kind: type[Kind], record_id: Any) -> list[Values]:
        return self.read(kind, self.listed_in).where("id", record_id)

    def _find_team(self, team_id: str) -> Scope:
        if self.kind.scope_kind is None:
            return OWN_SCOPE
        for team in self.read(self.kind.scope_kind, OWN_SCOPE).where("id", team_id):
            return Scope(team)
        return OWN_SCOPE
