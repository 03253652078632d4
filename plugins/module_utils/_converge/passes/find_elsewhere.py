# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 3, find elsewhere: what entries would create, and what is there already, in a list that was
not read: an alias of another team. It is asked for by its name, because its list would not be
complete proof.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..._model.belonging import named_team
from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS
from ..._model.listing import Listing
from ..._model.platform import list_key
from ..._model.scope import NOBODYS, Scope
from ..._threads import InterruptiblePool
from ..blueprint.declared_names import Name
from ..blueprint.entries import Entry
from ..plan.names import embedded_objects, name_in_scope
from ..plan.objects import TEAM_KIND, LiveObject
from ..plan.snapshot import Snapshot


class WantedObject(NamedTuple):
    """An object that an entry wants in a scope whose list lacks it."""

    kind: type[Kind]
    name: str
    scope: Scope


class FoundObject(NamedTuple):
    """The same, as a GET shows it, with what it refers to."""

    wanted: WantedObject
    record: Values
    referenced: Mapping[type[Kind], Values]


def find_elsewhere(snapshot: Snapshot) -> Snapshot:
    """Ask for what selected entries would create, if its name is unique on the platform.

    What turns out to be in the scope of its entry is added to the list of that; all else is kept as
    ``elsewhere``.
    """
    lists = dict(snapshot.lists)
    elsewhere: list[LiveObject] = []
    for found in _ask(_unlisted_names(snapshot), snapshot):
        wanted = found.wanted
        scope = _scope_of_found(found, snapshot)
        if _is_in_scope(found, scope, snapshot):
            key = list_key(wanted.kind, wanted.scope)
            lists[key] = Listing([*lists.get(key, ()), found.record])
        else:
            elsewhere.append(LiveObject(wanted.kind, found.record, scope))
            elsewhere += [
                LiveObject(kind, record, scope) for kind, record in found.referenced.items()
            ]
    return dataclasses.replace(snapshot, lists=lists, elsewhere=elsewhere)


def _ask(wanted: list[WantedObject], snapshot: Snapshot) -> list[FoundObject]:
    def ask(wanted: WantedObject) -> FoundObject | None:
        record = snapshot.platform.find_anywhere(wanted.kind, wanted.name)
        if record is None:
            return None
        return FoundObject(wanted, record, _referenced_records(wanted.kind, record, snapshot))

    with InterruptiblePool(snapshot.platform.workers) as pool:
        return [found for found in pool.map(ask, wanted) if found]


def _unlisted_names(snapshot: Snapshot) -> list[WantedObject]:
    """What the selected entries want, and no list of their scopes shows, each once."""
    wanted: dict[Name, WantedObject] = {}
    for entry in snapshot.selected:
        if entry.desired.is_absent:
            continue
        scope = snapshot.teams.scope_of(entry)
        for kind, name in _names_wanted_by(entry):
            if not _is_listed(kind, name, scope, snapshot):
                wanted[name_in_scope(kind, scope, name)] = WantedObject(kind, name, scope)
    return list(wanted.values())


def _names_wanted_by(entry: Entry) -> Iterator[tuple[type[Kind], str]]:
    """The names of an entry and of its fields that are objects, if the whole platform has them
    once.
    """
    if entry.desired.name and entry.kind.is_unique_on_platform:
        yield entry.kind, entry.desired.name
    for _field, kind, name in embedded_objects(entry.kind, entry.desired.values):
        yield kind, str(name)


def _is_listed(kind: type[Kind], name: str, scope: Scope, snapshot: Snapshot) -> bool:
    """True if the scope's list shows the object, by itself or as the field of another one."""
    if snapshot.listing(kind, scope).where(kind.name_field, name, kind.normalize):
        return True
    for other in KINDS.values():
        for field, plural in other.embeds.items():
            records = snapshot.listing(other, scope)
            if plural == kind.plural and records.where(field, name, kind.normalize):
                return True
    return False


def _referenced_records(
    kind: type[Kind], record: Values, snapshot: Snapshot
) -> Mapping[type[Kind], Values]:
    """What an object refers to, as far as a list or a GET shows it."""
    found: dict[type[Kind], Values] = {}
    for option, other in kind.references.items():
        referenced_id = record[f"{option}_id"]
        listed = snapshot.by_id(other, referenced_id)
        referenced = (
            listed.record if listed else snapshot.platform.get_or_none(other, referenced_id)
        )
        if referenced:
            found[other] = referenced
    return found


def _scope_of_found(found: FoundObject, snapshot: Snapshot) -> Scope:
    """The scope of an object that no list shows, as far as the answers tell."""

    def find(kind: type[Kind], _record_id: object) -> list[Values]:
        return [found.referenced[kind]] if kind in found.referenced else []

    team_id = named_team(found.wanted.kind, found.record, find)
    if not team_id:
        return NOBODYS  # the own scope, perhaps of somebody else
    known = snapshot.teams.with_id(team_id)
    return known if known.team else Scope({"id": team_id, TEAM_KIND.name_field: team_id})


def _is_in_scope(found: FoundObject, scope: Scope, snapshot: Snapshot) -> bool:
    """True if the answers prove that an object is in the scope of its entry: by the team that it
    names, or because the scope's list shows what it refers to.
    """
    if scope == found.wanted.scope:
        return True
    return any(
        snapshot.listing(kind, found.wanted.scope).where("id", record["id"])
        for kind, record in found.referenced.items()
    )
