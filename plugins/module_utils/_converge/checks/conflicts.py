# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guard ``blueprint``: refuses plans that contradict themselves or the platform, such as a
declared object in a cascade, a name with two owners, an alias in another scope, or a dependency
cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..._errors import PlatformError
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS, listed_kinds
from ..._model.platform import Scope
from ..._model.step import Step
from ..._text import join_some
from ..plan.cascades import deletion_of
from ..plan.change import NOT_SELECTED, Change
from ..plan.dependencies import batches_of
from ..plan.names import Name, acquired_names, embedded_objects, released_names, unique_name
from ..plan.objects import TEAM_KIND, UNKNOWN, LiveObject, object_named, reference_id
from ..plan.plan import Plan
from .look_alikes import find_look_alikes


def find_conflicts(plan: Plan) -> Iterator[str]:
    """A message for each contradiction of the plan."""
    if not any(change.is_pending for change in plan.changes):
        return
    for find in CONFLICTS:
        yield from find(plan)
    try:
        list(batches_of(plan.changes))
    except PlatformError as cycle:
        yield str(cycle)


def _find_declared_in_cascades(plan: Plan) -> Iterator[str]:
    """Declared objects that are deleted with another one, or as its field: the next run would
    create them again.
    """
    # The guard ``only`` reports what is not selected.
    selected = [
        change
        for change in plan.changes
        if change.is_declared and change.skip_reason != NOT_SELECTED
    ]
    declared = {change.live_key: change for change in selected if change.live}
    declared_by_name: dict[Name, Change] = {}
    for change in plan.changes:
        for kind, name, _owner in declarations_of(change):
            declared_by_name[unique_name(kind, change.scope, name)] = change
    for change in plan.deletions:
        owner = declared_by_name.get(unique_name(change.kind, change.scope, change.name))
        if owner and owner is not change and owner.kind is not change.kind:
            yield f"{change.label} would be deleted, but {owner.label} declares it."
    for change, obj in plan.cascades:
        owner = declared.get(obj.key)
        if change.is_deletion and owner is None:
            owner = declared_by_name.get(unique_name(obj.kind, obj.scope, obj.name))
        if owner and owner is not change:
            yield f"{change.cascade_message(obj)}, but {owner.label} declares it."


def _find_creations_in_cascades(plan: Plan) -> Iterator[str]:
    """Deletions whose cascade would include an object that this plan creates or changes. Every
    later run would do that again.
    """
    written = [*_created_objects(plan), *((change, change.object_after) for change in plan.writes)]
    for deletion in plan.deletions:
        for cause, step in _causes_of_cascades(deletion):
            for change, obj in written:
                is_cascaded = obj.kind.cascades_from.get(cause.plural)
                if is_cascaded and is_cascaded(step, obj.record):
                    yield f"{deletion.cascade_message(obj)}, but {change.label} declares it."


def _created_objects(plan: Plan) -> Iterator[tuple[Change, LiveObject]]:
    """What comes into being by its name: creations, and fields that are objects."""
    for change in plan.writes:
        for kind, name, _owner in declarations_of(change):
            if change.is_creation or kind is not change.kind:
                yield change, object_named(kind, name, change.scope)


def _find_unread_in_cascades(plan: Plan) -> Iterator[str]:
    """Deletions that take along, wherever it is, what an entry that is not selected declares by its
    name alone.
    """
    unread = list(_unread_objects(plan))
    for deletion in plan.deletions:
        for cause, step in _causes_of_cascades(deletion):
            for change, obj in unread:
                if obj.kind.plural not in cause.documented_cascades:
                    continue
                if obj.kind.cascades_from[cause.plural](step, obj.record):
                    yield f"{deletion.cascade_message(obj)}, but {change.label} declares it."


def _unread_objects(plan: Plan) -> Iterator[tuple[Change, LiveObject]]:
    for change in plan.changes:
        if change.skip_reason == NOT_SELECTED:
            for kind, name, _owner in declarations_of(change):
                if not change.live or kind is not change.kind:
                    yield change, object_named(kind, name, change.scope)


def _causes_of_cascades(deletion: Change) -> Iterator[tuple[type[Kind], Step]]:
    """The deletions that the service carries out with one of a plan. What is in a deleted team is
    not declared.
    """
    if deletion.kind.is_in_team:
        yield deletion.kind, deletion.step
    for obj in deletion.cascade:
        yield obj.kind, deletion_of(obj)


def _find_strays(plan: Plan) -> Iterator[str]:
    """Deletions of what a team's list shows although it belongs to projects that are not in the
    team: of the team, and by prune. Perhaps the service left it there when somebody moved its
    project.
    """
    for change in plan.deletions:
        if change.kind is TEAM_KIND:
            yield from _strays_of_team(change, plan)
        elif (
            change.is_pruned
            and change.live_object
            and _is_stray(change.live_object, change.scope, plan)
        ):
            yield (
                f"{change.description} would be deleted, but it belongs to something that is not"
                " in this team."
                " Delete it there by hand, or protect it."
            )


def _strays_of_team(change: Change, plan: Plan) -> Iterator[str]:
    team = Scope(change.live)
    for kind in listed_kinds():
        strays = [obj for obj in plan.snapshot.listed_in(kind, team) if _is_stray(obj, team, plan)]
        if strays:
            others = " and ".join(other.plural for other in kind.references.values())
            names = join_some([obj.name for obj in strays])
            yield (
                f"deleting the {change.description} would also delete {kind.plural} of {others}"
                " that are not in it:"
                f" {names}. First delete them in this team, and assign them in that of their"
                f" {others}."
            )


def _is_stray(obj: LiveObject, team: Scope, plan: Plan) -> bool:
    for option, kind in obj.kind.references.items():
        referenced = obj.record[f"{option}_id"]
        if referenced and not plan.snapshot.listing(kind, team).where("id", referenced):
            return True
    return False


def declarations_of(change: Change) -> Iterator[tuple[type[Kind], str, Any]]:
    """The names that an entry declares, with whose they are: its own, and those of its fields that
    are objects.
    """
    if not change.is_declared:
        return
    if change.desired.name:
        owners = [reference.id_or_key for reference in change.references.values()]
        yield change.kind, change.desired.name, owners[0] if owners else change.id_or_key
    if change.desired.is_create_only and change.live:
        return
    for _field, kind, name in embedded_objects(change.kind, change.desired.values):
        yield kind, str(name), change.id_or_key


def _find_names_with_two_owners(plan: Plan) -> Iterator[str]:
    """Names that two entries declare for different owners, who would take them from each other in
    every run.
    """
    first: dict[Name, tuple[Change, Any]] = {}
    for change in plan.changes:
        for kind, name, owner in declarations_of(change):
            if not kind.is_unique_on_platform:
                continue
            other, other_owner = first.setdefault(
                unique_name(kind, change.scope, name), (change, owner)
            )
            if other_owner != owner and (_takes_names(change) or _takes_names(other)):
                both = f"{other.label} and {change.label}"
                yield (
                    f"{both} declare the {kind.singular} {name} for different objects. Remove it"
                    " from one of them."
                )


def _takes_names(change: Change) -> bool:
    return change.is_pending and (bool(change.references) or bool(acquired_names(change)))


def _find_names_owned_elsewhere(plan: Plan) -> Iterator[str]:
    """Names that belong to an object of another scope, or to another object of this one, and are
    not given up.
    """
    released: set[Name] = set()
    for change in plan.writes:
        released |= released_names(change)
    for change in plan.writes:
        for name in sorted(acquired_names(change) - released, key=str):
            owner = _owner_of(name, change, plan)
            if owner:
                yield (
                    f"{change.label} would take the {KINDS[name.kind].singular} {name.text} from"
                    f" {_describe_owner(owner, plan)}. Remove it there first, or declare it there"
                    " instead."
                )


def _find_objects_of_other_scopes(plan: Plan) -> Iterator[str]:
    """Objects that a team's entry would change although they belong to another scope: what they
    refer to was moved from there, and they stayed.
    """
    for change in plan.writes:
        obj = change.live_object
        if not obj or not change.kind.is_in_team or not change.scope.team:
            continue
        if obj.scope != change.scope:
            yield (
                f"{change.label} would take the {change.kind.singular} {obj.name}"
                f" {_describe_scope(obj)}."
                " Delete it there first."
            )


def _owner_of(name: Name, change: Change, plan: Plan) -> LiveObject | None:
    """The object that bears a name which a change would take, or that has it as a field."""
    kind = KINDS[name.kind]
    if not kind.is_unique_on_platform:
        return None
    bearers = [*plan.snapshot.named(kind, name.text), *_elsewhere(kind, name, plan)]
    for obj in bearers:
        if obj.scope != change.scope or not _may_be_given_to(change, obj):
            return obj
    for other in KINDS.values():
        if kind.plural not in other.embeds.values():
            continue
        for obj in plan.snapshot.of_kind(other):
            if _embeds(obj, name) and _blocks(obj, change):
                return obj
    return None


def _elsewhere(kind: type[Kind], name: Name, plan: Plan) -> list[LiveObject]:
    return [
        obj
        for obj in plan.snapshot.elsewhere
        if obj.kind is kind and kind.normalize(obj.name) == name.text
    ]


def _may_be_given_to(change: Change, obj: LiveObject) -> bool:
    """True if a change may take over an object of its scope: by an entry of that object, which
    shows from where, but not as a field, which cannot show it.
    """
    if obj.kind is change.kind:
        return True
    owners = (
        reference_id(obj, option)
        for option, kind in obj.kind.references.items()
        if kind is change.kind
    )
    return any(owner == change.id_or_key for owner in owners)


def _embeds(obj: LiveObject, name: Name) -> bool:
    found = embedded_objects(obj.kind, obj.record)
    return any(
        kind.plural == name.kind and kind.normalize(value) == name.text
        for _field, kind, value in found
    )


def _blocks(obj: LiveObject, change: Change) -> bool:
    """True if an object keeps its field from a change: it is in another scope, or another object of
    the same kind.
    """
    if obj.scope != change.scope:
        return True
    return obj.kind is change.kind and obj.id != change.id_or_key


def _describe_owner(obj: LiveObject, plan: Plan) -> str:
    for option, kind in obj.kind.references.items():
        referenced = _referenced(obj, option, plan)
        name = referenced.name if referenced else reference_id(obj, option)
        return f"the {kind.singular} {name} {_describe_scope(obj)}"
    return f"the {obj.kind.singular} {obj.name} {_describe_scope(obj)}"


def _describe_scope(obj: LiveObject) -> str:
    return "of another scope" if obj.scope.slug == UNKNOWN else f"of {obj.scope}"


def _referenced(obj: LiveObject, option: str, plan: Plan) -> LiveObject | None:
    """What an object refers to, as far as a list or a GET has shown it."""
    kind = obj.kind.references[option]
    referenced_id = reference_id(obj, option)
    listed = plan.snapshot.by_id(kind, referenced_id)
    others = (
        other
        for other in plan.snapshot.elsewhere
        if other.kind is kind and other.id == referenced_id
    )
    return listed or next(others, None)


# Each takes a plan, and yields a message for each contradiction.
CONFLICTS: tuple[Callable[[Plan], Iterator[str]], ...] = (
    _find_declared_in_cascades,
    _find_creations_in_cascades,
    _find_unread_in_cascades,
    _find_strays,
    _find_names_with_two_owners,
    _find_names_owned_elsewhere,
    _find_objects_of_other_scopes,
    find_look_alikes,
)
