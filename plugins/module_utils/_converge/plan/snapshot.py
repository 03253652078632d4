# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What one plan has read: each object once, with the scope to which it belongs and the scopes that
list it.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Collection, Iterator, Mapping

from ..._model.belonging import scope_of
from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS
from ..._model.listing import Listing, ListKey
from ..._model.platform import Platform, list_key
from ..._model.scope import OWN_SCOPE, Scope
from ..blueprint.declared_names import Name, name_at
from ..blueprint.entries import Entry, LocatedProblem
from .objects import TEAM_KIND, LiveObject, ObjectKey, reference_id
from .teams import Teams


@dataclasses.dataclass(frozen=True, eq=False)
class Snapshot:
    """What the service shows, and what the run is about.

    Passes ask for objects. Only what matches names, which needs whole lists, asks for a
    ``listing``.
    """

    platform: Platform
    teams: Teams
    # The teams to which the caller belongs. Others, which only a GET shows, are in ``teams``.
    listed_teams: Listing
    lists: Mapping[ListKey, Listing]
    # The scopes and the kinds that the run is about: what prune may reach, and what the report
    # covers.
    scopes: tuple[Scope, ...] = ()
    kinds: frozenset[str] = frozenset()
    # The entries that ``only`` selects.
    selected: frozenset[Entry] = frozenset()
    # What is wrong with the scopes that the task and the files of the blueprint name.
    scope_problems: Collection[LocatedProblem] = ()
    # The lists of undeclared objects that the service does not show.
    unreadable: Collection[ListKey] = ()
    # Objects that entries would create and that a GET shows in another scope, with those to which
    # they refer.
    elsewhere: Collection[LiveObject] = ()
    # The objects of ``lists`` that only a GET shows.
    unlisted: Collection[ObjectKey] = ()

    def listing(self, kind: type[Kind], scope: Scope) -> Listing:
        """Empty also for what was not read, and for a team that does not exist yet."""
        if kind is TEAM_KIND:
            return self.teams.records
        listing = self.lists.get(list_key(kind, scope), Listing())
        if scope.team:
            return listing
        return listing.part(lambda record: self._is_own(kind, record))

    def _is_own(self, kind: type[Kind], record: Values) -> bool:
        obj = self.object_of(kind, record)
        return obj is None or obj.scope == OWN_SCOPE

    def is_listed(self, kind: type[Kind], record: Values) -> bool:
        """False for what only a GET shows."""
        return (kind.plural, str(record["id"])) not in self.unlisted

    def has_list(self, kind: type[Kind], scope: Scope) -> bool:
        return scope.is_planned or kind is TEAM_KIND or list_key(kind, scope) in self.lists

    def of_kind(self, kind: type[Kind]) -> list[LiveObject]:
        return list(self._objects[kind.plural].values())

    def by_id(self, kind: type[Kind], record_id: object) -> LiveObject | None:
        return self._objects[kind.plural].get(str(record_id))

    def object_of(self, kind: type[Kind], record: Values) -> LiveObject | None:
        return self.by_id(kind, record["id"])

    def in_scope(self, kind: type[Kind], scope: Scope) -> list[LiveObject]:
        """The objects that belong to a scope, whichever lists show them."""
        return self._by_scope.get((kind.plural, scope), [])

    def listed_in(self, kind: type[Kind], scope: Scope) -> list[LiveObject]:
        """The objects that the list of a scope shows, whosever they are."""
        records = self.listing(kind, scope)
        return [obj for obj in (self.object_of(kind, record) for record in records) if obj]

    def named(self, kind: type[Kind], name: object) -> list[LiveObject]:
        """The objects of a name in all scopes, also as a GET shows them."""
        return self._by_name.get(name_at(kind, "", name), [])

    def referring_to(self, kind: type[Kind], option: str, record_id: object) -> list[LiveObject]:
        """The objects of a kind that refer to another one, whose ID is in the field of an
        option.
        """
        return self._by_reference.get((kind.plural, option, str(record_id)), [])

    @property
    def all_objects(self) -> Iterator[LiveObject]:
        for objects in self._objects.values():
            yield from objects.values()

    @property
    def known_objects(self) -> Iterator[LiveObject]:
        """All that lists show, and what only a GET shows."""
        yield from self.all_objects
        yield from self.elsewhere

    @functools.cached_property
    def _objects(self) -> Mapping[str, Mapping[str, LiveObject]]:
        """By kind and ID; kinds that others refer to first, because an alias may belong where its
        project does.
        """
        objects: dict[str, dict[str, LiveObject]] = {kind: {} for kind in KINDS}
        for record in self.teams.records:
            scope = self.teams.with_id(str(record["id"]))
            team = LiveObject(TEAM_KIND, record, scope, (OWN_SCOPE,))
            objects[TEAM_KIND.plural][team.id] = team

        def find(kind: type[Kind], record_id: object) -> list[Values]:
            obj = objects[kind.plural].get(str(record_id))
            return [obj.record] if obj else []

        for kind in KINDS.values():
            for record, listed_in in self._listed_records(kind):
                scope = scope_of(kind, record, listed_in, find, self.teams.with_id)
                obj = LiveObject(kind, record, scope, listed_in)
                objects[kind.plural][obj.id] = obj
        return objects

    def _listed_records(self, kind: type[Kind]) -> Iterator[tuple[Values, tuple[Scope, ...]]]:
        """Each record of a kind once, with the scopes that list it. What a team's list shows counts
        for more.
        """
        records: dict[str, Values] = {}
        scopes: dict[str, tuple[Scope, ...]] = {}
        lists = [(key, listing) for key, listing in self.lists.items() if key.kind == kind.plural]
        for key, listing in sorted(lists, key=lambda found: found[0].team_id is not None):
            scope = self.teams.with_id(key.team_id) if key.team_id else OWN_SCOPE
            for record in listing:
                record_id = str(record["id"])
                records[record_id] = record
                scopes[record_id] = (*scopes.get(record_id, ()), scope)
        for record_id, record in records.items():
            yield record, scopes[record_id]

    @functools.cached_property
    def _by_scope(self) -> Mapping[tuple[str, Scope], list[LiveObject]]:
        index: dict[tuple[str, Scope], list[LiveObject]] = {}
        for obj in self.all_objects:
            place = obj.scope if obj.kind.is_in_team else OWN_SCOPE
            index.setdefault((obj.kind.plural, place), []).append(obj)
        return index

    @functools.cached_property
    def _by_name(self) -> Mapping[Name, list[LiveObject]]:
        index: dict[Name, list[LiveObject]] = {}
        for obj in self.known_objects:
            index.setdefault(name_at(obj.kind, "", obj.name), []).append(obj)
        return index

    @functools.cached_property
    def _by_reference(self) -> Mapping[tuple[str, str, str], list[LiveObject]]:
        index: dict[tuple[str, str, str], list[LiveObject]] = {}
        for obj in self.all_objects:
            for option in obj.kind.references:
                index.setdefault((obj.kind.plural, option, reference_id(obj, option)), []).append(
                    obj
                )
        return index
