# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose an object is. All that asks for it asks here.

An object belongs to the team that it names, whichever list shows it; an alias that names none, to
that of its project. One that names no team belongs to the team whose list shows it, and else to the
caller. So does one that names a team which is none of the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .fields import Values
from .kind import Kind
from .scope import NOBODYS, OWN_SCOPE, Scope

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
    """The scope to which an object belongs; nobody's for an own alias of a project that is
    unknown.

    ``find_team``: the caller's team of an ID; the own scope if there is none.
    """
    team_id = named_team(kind, record, find)
    if team_id:
        return find_team(team_id)
    for scope in listed_in:
        if scope.team:
            return scope
    return NOBODYS if team_id is None else OWN_SCOPE
