# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What no option decides: declared objects that a deletion takes along, one name for two objects, circles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from ..._errors import PlatformError
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS, listed_kinds
from ..._model.platform import OWN_SCOPE, Scope
from ..._text import some_of
from ..change import NOT_SELECTED, SCOPE, Change, Changes, Object
from .order import Name, is_shared, name_key, names_after, names_before, waves_of
from .read import Lists


def conflicts(changes: Changes, lists: Lists) -> Iterator[str]:
    if not any(change.is_pending for change in changes):
        return
    yield from _declared_along(changes)
    yield from _made_below_deletions(changes)
    yield from _left_behind(changes, lists)
    yield from _claimed_twice(changes)
    yield from _taken_from_others(changes, lists)
    try:
        list(waves_of(changes))
    except PlatformError as circle:
        yield str(circle)


def _declared_along(changes: Changes) -> Iterator[str]:
    """Declared objects that go along with a deletion, or are deleted as the field of another: the next run would make
    them again.
    """
    declared = {change.live_key: change for change in changes if change.is_declared and change.live and _counts(change)}
    claimed = {
        (name_key(kind.plural, change.scope, name)): change
        for change in changes
        for kind, name, _owner in claims(change)
    }
    for change in (change for change in changes if change.is_deletion):
        owner = claimed.get(name_key(change.kind.plural, change.scope, change.name))
        if owner and owner is not change and owner.kind is not change.kind:
            yield f"{change.label} would be deleted, which is declared by {owner.label}."
    for change in changes:
        for thing in change.along:
            owner = declared.get(thing.key)
            if change.is_deletion:
                owner = owner or claimed.get(name_key(thing.kind.plural, thing.scope, thing.name))
            if owner and owner is not change:
                yield f"{change.taking(thing)}, which is declared by {owner.label}."


def _made_below_deletions(changes: Changes) -> Iterator[str]:
    """Deletions that would take along what the plan makes: the next run would make it again."""
    made = [
        (change, Object(kind, {**kind.fields.result({}), kind.name_field: name}, change.scope))
        for change in changes
        for kind, name, _owner in claims(change)
        if change.is_creation or (change.is_pending and kind is not change.kind)
    ]
    for deletion in (change for change in changes if change.is_deletion and change.kind.is_in_team):
        for change, thing in made:
            goes = thing.kind.goes_with.get(deletion.kind.plural)
            if goes and goes(deletion.step, thing.item):
                yield f"{deletion.taking(thing)}, which is declared by {change.label}."


def _left_behind(changes: Changes, lists: Lists) -> Iterator[str]:
    """Deletions of teams whose lists show aliases of projects that are not in the team: the service may have left them
    there when it moved their projects.
    """
    for change in changes:
        team = Scope(change.live)
        for kind in listed_kinds() if change.is_deletion and change.kind is SCOPE else ():
            for option, other in kind.references.items():
                field = f"{option}_id"
                ids = {str(item["id"]) for item in lists.of(other, team)}
                strays = [item for item in lists.of(kind, team) if item[field] and str(item[field]) not in ids]
                if strays:
                    names = some_of([str(item[kind.name_field]) for item in strays])
                    yield (
                        f"deleting the {change.shown} would also delete {kind.plural} of {other.plural} that are not in"
                        f" it: {names}. Assign them in the team of their {other.plural} first."
                    )


def claims(change: Change) -> Iterator[tuple[type[Kind], str, Any]]:
    """The names that an entry declares, with whose they are: its own, and those of its fields that are objects."""
    if not change.is_declared:
        return
    owners = [ref.identity for ref in change.refs.values()]
    if change.wanted.name:
        yield change.kind, change.wanted.name, owners[0] if owners else change.identity
    for field, plural in change.kind.embeds.items():
        value = change.wanted.values.get(field)
        if value and not (change.wanted.is_exists and change.live):
            yield KINDS[plural], value, change.identity


def _counts(change: Change) -> bool:
    """What is not selected is the business of ``only``."""
    return change.reason != NOT_SELECTED


def _claimed_twice(changes: Changes) -> Iterator[str]:
    """Names that two entries declare for different owners, who would take them from each other in every run."""
    first: dict[Name, tuple[Change, Any]] = {}
    for change in changes:
        for kind, name, owner in claims(change):
            if not is_shared(kind.plural):
                continue
            other, others_owner = first.setdefault(name_key(kind.plural, change.scope, name), (change, owner))
            if others_owner != owner and (_takes(change) or _takes(other)):
                both = f"{other.label} and {change.label}"
                yield f"{both} declare the {kind.singular} {name} for two objects. Remove it from one of them."


def _takes(change: Change) -> bool:
    return change.is_pending and (bool(change.refs) or bool(names_after(change) - names_before(change)))


def _taken_from_others(changes: Changes, lists: Lists) -> Iterator[str]:
    """Names that belong to an object of another scope, or are the field of another, and are not given up."""
    takers = [change for change in changes if change.is_pending and not change.is_deletion]
    freed = {name for change in takers for name in names_before(change) - names_after(change)}
    wanted = {change.key: names_after(change) - names_before(change) - freed for change in takers}
    holders = _holders(lists, {name for taken in wanted.values() for name in taken})
    for change in takers:
        for name in sorted(wanted[change.key] & holders.keys(), key=str):
            others = [thing for thing in holders[name] if _is_in_the_way(thing, change)]
            if others:
                yield (
                    f"{change.label} takes the {KINDS[name[0]].singular} {name[2]}, which belongs to"
                    f" {_owner(others[0], lists)}. Remove it there first, or declare it there."
                )


def _is_in_the_way(thing: Object, change: Change) -> bool:
    """An object of the same scope that a pending change names by itself is that change's own business."""
    if thing.scope.identity != change.scope.identity:
        return True
    return thing.kind is change.kind and bool(change.kind.embeds) and str(thing.item["id"]) != change.identity


def _holders(lists: Lists, names: set[Name]) -> Mapping[Name, list[Object]]:
    """Whose each of these names is, as far as the lists show, of those that are unique on the platform."""
    found: dict[Name, list[Object]] = defaultdict(list)
    for place, items in lists.places.items() if names else ():
        kind = KINDS[place.kind]
        fields = {**({kind.name_field: kind.plural} if is_shared(kind.plural) else {}), **kind.embeds}
        for item in items if fields else ():
            keys = {name_key(plural, OWN_SCOPE, item[field]) for field, plural in fields.items() if item.get(field)}
            for key in keys & names:
                found[key].append(Object(kind, item, lists.owner_of(kind, item)))
    return found


def _owner(thing: Object, lists: Lists) -> str:
    for option, kind in thing.kind.references.items():
        owners = lists.of(kind, thing.scope).where("id", thing.item[f"{option}_id"])
        name = owners[0][kind.name_field] if owners else thing.item[f"{option}_id"]
        return f"the {kind.singular} {name} of {thing.scope}"
    return f"the {thing.kind.singular} {thing.name} of {thing.scope}"
