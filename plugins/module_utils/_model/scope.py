# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where objects live: in a team, or in the caller's own scope; and whose an object is.

An object belongs to the team that it names, whichever list shows it; an alias that names none, to
that of its project. One that names no team belongs to the team whose list shows it, and else to the
caller. So does one that names a team which is none of the caller's.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable
from typing import Any

from .fields import Values, is_same
from .kind import Kind


@dataclasses.dataclass(frozen=True, eq=False)
class Scope:
    """Where objects live: a team that exists, one that a plan creates, or the caller's own scope.

    A value: two scopes are equal if they are the same team, by whatever names, or both the own one.
    """

    # The team's record, whose ID is None until it exists; None for the own scope.
    team: Values | None = None
    # The change of a plan that creates or changes the team.
    key: object = None
    # The team's other names, before and after the plan.
    known_names: frozenset[str] = frozenset()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scope) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)

    @functools.cached_property
    def team_id(self) -> Any:
        return self.team.get("id") if self.team else None

    @functools.cached_property
    def identity(self) -> object:
        """Equal for equal scopes: the team's ID, or the key of the change that creates it, or its
        slug; ``""`` for the own scope.
        """
        if self.team is None:
            return ""
        if self.team_id is not None:
            return str(self.team_id)
        return self.key or ("unknown", self.slug)

    @property
    def final(self) -> Scope:
        """The same by the team's slug after the plan alone."""
        return Scope(self.team)

    @property
    def slug(self) -> str:
        """The team's slug, ``""`` without a team."""
        return str(self.team["slug"] or "") if self.team else ""

    @property
    def is_planned(self) -> bool:
        """True if the team does not exist yet, so that it holds nothing."""
        return self.team is not None and self.team_id is None

    def team_id_for(self, record: Values) -> Any:
        """The team to send in a request about an object: this one, else the object's own."""
        return self.team_id or record["team_id"] or None

    def holds(self, record: Values) -> bool:
        """True if an object that the scope's list shows belongs to it: it may name another team."""
        team_id = record.get("team_id")
        return self.team is None or team_id in (None, "") or is_same(team_id, self.team_id)

    def __str__(self) -> str:
        if self.team is None:
            return "your own scope (no team is set)"
        return f"team {self.slug}" if self.slug else "the team that an earlier task makes"


# Without a team: what the list without team shows, and what is the caller's own.
OWN_SCOPE = Scope()
# Where an alias is whose project nobody shows.
NOBODYS = Scope({"id": None, "slug": "?"})
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
            return named_team(other, referenced, find)
    return None


def scope_of(
    kind: type[Kind],
    record: Values,
    listed_in: Scope,
    find: Find,
    find_team: Callable[[str], Scope],
) -> Scope:
    """The scope to which an object belongs; nobody's for an own alias of a project that is
    unknown.

    ``listed_in``: the team whose list shows it, else the own scope. ``find_team``: the caller's
    team of an ID; the own scope if there is none.
    """
    team_id = named_team(kind, record, find)
    if team_id:
        return find_team(team_id)
    if team_id is None and not listed_in.team:
        return NOBODYS
    return listed_in
