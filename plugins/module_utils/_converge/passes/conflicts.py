# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guard ``blueprint``: refuses plans that contradict themselves, such as a declared object in a cascade, a name
with two owners, or a dependency cycle.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from ..._errors import PlatformError
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS, listed_kinds
from ..._model.platform import OWN_SCOPE, Scope
from ..._model.step import Action, Step
from ..._text import join_some
from ..change import NOT_SELECTED, TEAM_KIND, Change, Changes, LiveObject
from .order import Name, batches_of, is_unique_on_platform, name_key, names_after, names_before
from .read import Snapshot


def find_conflicts(changes: Changes, snapshot: Snapshot) -> Iterator[str]:
    """A message for each contradiction of the plan."""
    if not any(change.is_pending for change in changes):
        return
    yield from _find_declared_in_cascades(changes)
    yield from _find_creations_in_cascades(changes)
    yield from _find_objects_left_behind(changes, snapshot)
    yield from _find_names_with_two_owners(changes)
    yield from _find_names_owned_elsewhere(changes, snapshot)
    try:
        list(batches_of(changes))
    except PlatformError as cycle:
        yield str(cycle)


def _find_declared_in_cascades(changes: Changes) -> Iterator[str]:
    """Declared objects that are deleted with another one, or as its field: the next run would create them again."""
    # The guard ``only`` reports what is not selected.
    selected = [change for change in changes if change.is_declared and change.skip_reason != NOT_SELECTED]
    declared = {change.live_key: change for change in selected if change.live}
    names = ((change, kind, name) for change in changes for kind, name, _owner in declared_names(change))
    declared_by_name = {name_key(kind.plural, change.scope, name): change for change, kind, name in names}
    for change in changes:
        owner = declared_by_name.get(name_key(change.kind.plural, change.scope, change.name))
        if owner and change.is_deletion and owner is not change and owner.kind is not change.kind:
            yield f"{change.label} would be deleted, but {owner.label} declares it."
    for change in changes:
        for obj in change.cascade:
            owner = declared.get(obj.key)
            if change.is_deletion:
                owner = owner or declared_by_name.get(name_key(obj.kind.plural, obj.scope, obj.name))
            if owner and owner is not change:
                yield f"{change.cascade_message(obj)}, but {owner.label} declares it."


def _find_creations_in_cascades(changes: Changes) -> Iterator[str]:
    """Deletions whose cascade would include an object that this plan creates or changes. Every later run would do that
    again.
    """
    written = [
        (change, LiveObject(kind, {**kind.fields.to_result({}), kind.name_field: name}, change.scope))
        for change in changes
        for kind, name, _owner in declared_names(change)
        if change.is_creation or (change.is_pending and kind is not change.kind)
    ]
    kept = [change for change in changes if change.is_pending and not change.is_deletion]
    written += [(change, change.object_after) for change in kept]
    for deletion in (change for change in changes if change.is_deletion):
        causes: list[tuple[type[Kind], Step]] = [(deletion.kind, deletion.step)] if deletion.kind.is_in_team else []
        causes += [(other.kind, Step(Action.DELETE, other.record, other.record)) for other in deletion.cascade]
        for cause, step in causes:
            for change, obj in written:
                is_cascaded = obj.kind.cascades_from.get(cause.plural)
                if is_cascaded and is_cascaded(step, obj.record):
                    yield f"{deletion.cascade_message(obj)}, but {change.label} declares it."


def _find_objects_left_behind(changes: Changes, snapshot: Snapshot) -> Iterator[str]:
    """Deletions of teams whose lists show aliases of projects that are not in the team: the service may have left them
    there when it moved their projects.
    """
    for change in changes:
        team = Scope(change.live)
        for kind in listed_kinds() if change.is_deletion and change.kind is TEAM_KIND else ():
            for option, other in kind.references.items():
                field = f"{option}_id"
                ids = {str(record["id"]) for record in snapshot.list_of(other, team)}
                strays = [
                    record for record in snapshot.list_of(kind, team) if record[field] and str(record[field]) not in ids
                ]
                if strays:
                    names = join_some([str(record[kind.name_field]) for record in strays])
                    yield (
                        f"deleting the {change.description} would also delete {kind.plural} of {other.plural} that"
                        f" are not in it: {names}. First delete them in this team, and assign them in that of their"
                        f" {other.plural}."
                    )


def declared_names(change: Change) -> Iterator[tuple[type[Kind], str, Any]]:
    """The names that an entry declares, with whose they are: its own, and those of its fields that are objects."""
    if not change.is_declared:
        return
    owners = [reference.id_or_key for reference in change.references.values()]
    if change.desired.name:
        yield change.kind, change.desired.name, owners[0] if owners else change.id_or_key
    for field, plural in change.kind.embeds.items():
        value = change.desired.values.get(field)
        if value and not (change.desired.is_create_only and change.live):
            yield KINDS[plural], value, change.id_or_key


def _find_names_with_two_owners(changes: Changes) -> Iterator[str]:
    """Names that two entries declare for different owners, who would take them from each other in every run."""
    first: dict[Name, tuple[Change, Any]] = {}
    for change in changes:
        for kind, name, owner in declared_names(change):
            if not is_unique_on_platform(kind.plural):
                continue
            other, others_owner = first.setdefault(name_key(kind.plural, change.scope, name), (change, owner))
            if others_owner != owner and (_acquires_names(change) or _acquires_names(other)):
                both = f"{other.label} and {change.label}"
                yield f"{both} declare the {kind.singular} {name} for different objects. Remove it from one of them."


def _acquires_names(change: Change) -> bool:
    return change.is_pending and (bool(change.references) or bool(names_after(change) - names_before(change)))


def _find_names_owned_elsewhere(changes: Changes, snapshot: Snapshot) -> Iterator[str]:
    """Names that belong to an object of another scope, or are the field of another, and are not given up."""
    acquiring = [change for change in changes if change.is_pending and not change.is_deletion]
    released = {name for change in acquiring for name in names_before(change) - names_after(change)}
    acquired = {change.key: names_after(change) - names_before(change) - released for change in acquiring}
    owners = _index_owners(snapshot, {name for names in acquired.values() for name in names})
    for change in acquiring:
        for name in sorted(acquired[change.key] & owners.keys(), key=str):
            others = [obj for obj in owners[name] if _blocks(obj, change)]
            if others:
                yield (
                    f"{change.label} would take the {KINDS[name[0]].singular} {name[2]} from"
                    f" {_describe_owner(others[0], snapshot)}. Remove it there first, or declare it there instead."
                )


def _blocks(obj: LiveObject, change: Change) -> bool:
    """True if the object blocks the change: it is in another scope, or it is another object of this kind with the name
    as a field.
    """
    if obj.scope.identity != change.scope.identity:
        return True
    return obj.kind is change.kind and bool(change.kind.embeds) and str(obj.record["id"]) != change.id_or_key


def _index_owners(snapshot: Snapshot, names: set[Name]) -> Mapping[Name, list[LiveObject]]:
    """Whose each of these names is, as far as the lists show, of those that are unique on the platform."""
    owners: dict[Name, list[LiveObject]] = defaultdict(list)
    for list_key, records in snapshot.lists.items() if names else ():
        kind = KINDS[list_key.kind]
        fields = {**({kind.name_field: kind.plural} if is_unique_on_platform(kind.plural) else {}), **kind.embeds}
        for record in records if fields else ():
            keys = {name_key(plural, OWN_SCOPE, record[field]) for field, plural in fields.items() if record.get(field)}
            for key in keys & names:
                owners[key].append(LiveObject(kind, record, snapshot.owner_of(kind, record)))
    return owners


def _describe_owner(obj: LiveObject, snapshot: Snapshot) -> str:
    for option, kind in obj.kind.references.items():
        records = snapshot.all_of(kind).where("id", obj.record[f"{option}_id"])
        name = records[0][kind.name_field] if records else obj.record[f"{option}_id"]
        return f"the {kind.singular} {name} of {obj.scope}"
    return f"the {obj.kind.singular} {obj.name} of {obj.scope}"
