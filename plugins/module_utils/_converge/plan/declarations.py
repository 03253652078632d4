# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What entries declare, by themselves or as another object's field; and what exists and nobody
declares.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from ..._model.kind import Kind
from ..blueprint.declared_names import Name, name_at
from ..blueprint.options import BlueprintOptions
from .change import Change, Changes
from .names import embedded_objects, name_in_scope
from .objects import TEAM_KIND, LiveObject, ObjectKey, reference_id
from .selection import is_object_selected
from .snapshot import Snapshot


class Declarations:
    """What the entries of a plan declare, also as absent: none of it is pruned, or reported as
    undeclared.
    """

    def __init__(self, changes: Changes, snapshot: Snapshot) -> None:
        entries = [change for change in changes if change.entry]
        self._keys: set[ObjectKey | None] = {change.live_key for change in entries}
        self._names: set[Name] = set()
        for change in entries:
            self._names.update(declared_names(change))
        self._fields = {*_fields_of_objects(snapshot), *_fields_of_changes(entries)}

    def has(self, obj: LiveObject) -> bool:
        """True if an entry declares an object, or it is another object's field: a project's own
        alias.
        """
        if obj.key in self._keys or self._is_field(obj):
            return True
        return name_in_scope(obj.kind, obj.scope, obj.name) in self._names

    def _is_field(self, obj: LiveObject) -> bool:
        names = {
            name_at(obj.kind, reference_id(obj, option), obj.name) for option in obj.kind.references
        }
        return not self._fields.isdisjoint(names)


def declared_names(change: Change) -> Iterator[Name]:
    """The names that an entry declares in its scope: its own, and earlier ones that nothing else
    may bear by now.
    """
    names = [change.desired.name, *change.desired.previous_names]
    for name in names:
        is_given_up = change.live and name in change.desired.previous_names
        if name and not is_given_up:
            yield name_in_scope(change.kind, change.scope, name)


def _fields_of_objects(snapshot: Snapshot) -> Iterator[Name]:
    for obj in snapshot.all_objects:
        yield from _names_of_fields(obj.kind, obj.record)


def _fields_of_changes(changes: Iterable[Change]) -> Iterator[Name]:
    """The fields as they are planned. Those of objects that do not exist yet have no objects."""
    for change in changes:
        if change.live and change.step.expected:
            yield from _names_of_fields(change.kind, change.step.expected)


def _names_of_fields(kind: type[Kind], values: Mapping[str, Any]) -> Iterator[Name]:
    """The names of the fields that are objects, each in its place: the ID of the object with it."""
    for _field, other, name in embedded_objects(kind, values):
        yield name_at(other, str(values["id"]), name)


def find_undeclared(
    changes: Changes, kinds: Collection[str], snapshot: Snapshot, options: BlueprintOptions
) -> list[LiveObject]:
    """All objects of these kinds that the scopes of the run hold and no entry declares, but could
    name, in a fixed order.
    """
    declarations = Declarations(changes, snapshot)
    found = [
        obj
        for obj in _objects_of_run(kinds, snapshot)
        if is_object_selected(obj, options) and not obj.is_matched_by(options.ignore)
    ]
    undeclared = [obj for obj in found if obj.has_valid_name and not declarations.has(obj)]
    return sorted(undeclared, key=lambda obj: obj.sort_key)


def _objects_of_run(kinds: Collection[str], snapshot: Snapshot) -> Iterator[LiveObject]:
    """What the scopes of the run hold, and the teams to which the caller belongs."""
    for obj in snapshot.all_objects:
        if obj.kind.plural not in kinds:
            continue
        if obj.kind is TEAM_KIND:
            is_of_run = bool(snapshot.listed_teams.where("id", obj.id))
        else:
            is_of_run = obj.scope in snapshot.scopes and obj.scope in obj.listed_in
        if is_of_run:
            yield obj
