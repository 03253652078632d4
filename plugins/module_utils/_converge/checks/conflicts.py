# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guard ``blueprint``: refuses plans that contradict themselves or the platform, such as a
declared object in a cascade, a name of two objects, an alias in another scope, a project that is
deleted here and created there, or a dependency cycle.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator

from ..._errors import PlatformError
from ..._model.kind import Kind
from ..._model.kinds.registry import listed_kinds
from ..._model.scope import Scope
from ..._model.step import Step
from ..._text import join_some
from ..blueprint.declared_names import Name
from ..plan.cascades import deletion_of
from ..plan.change import NOT_SELECTED, Change
from ..plan.dependencies import batches_of
from ..plan.names import name_anywhere, unique_name
from ..plan.objects import TEAM_KIND, LiveObject, object_named
from ..plan.plan import Plan
from .look_alikes import find_look_alikes
from .name_conflicts import (
    declarations_of,
    find_names_borne_elsewhere,
    find_names_with_two_bearers,
    find_objects_of_other_scopes,
)


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
    declared: dict[object, Change] = {}
    for change in plan.changes:
        # The guard ``only`` reports what is not selected.
        if change.is_declared and change.live and change.skip_reason != NOT_SELECTED:
            declared[change.live_key] = change
        for kind, name, _bearer in declarations_of(change):
            declared[unique_name(kind, change.scope, name)] = change
    for change in plan.deletions:
        other = declared.get(unique_name(change.kind, change.scope, change.name))
        if other and other is not change and other.kind is not change.kind:
            yield f"{change.label} would be deleted, but {other.label} declares it."
    for change, obj in plan.cascades:
        other = declared.get(obj.key)
        if change.is_deletion and other is None:
            other = declared.get(unique_name(obj.kind, obj.scope, obj.name))
        if other and other is not change:
            yield f"{change.cascade_message(obj)}, but {other.label} declares it."


def _find_unlisted_in_cascades(plan: Plan) -> Iterator[str]:
    """Deletions that would take along what no list shows by now, but an entry declares."""
    unlisted = list(_unlisted_objects(plan))
    for deletion in plan.deletions:
        for cause, step in _causes_of_cascades(deletion):
            for change, obj in unlisted:
                is_cascaded = obj.kind.cascades_from.get(cause.plural)
                if is_cascaded and is_cascaded(step, obj.record):
                    yield f"{deletion.cascade_message(obj)}, but {change.label} declares it."


def _unlisted_objects(plan: Plan) -> Iterator[tuple[Change, LiveObject]]:
    """What the plan creates or changes, as it is afterwards, also as a field; and what entries
    declare that are not selected, whose lists may not have been read.
    """
    for change in plan.changes:
        is_unselected = change.skip_reason == NOT_SELECTED
        if not change.is_write and not is_unselected:
            continue
        for kind, name, _bearer in declarations_of(change):
            if not change.live or kind is not change.kind:
                yield change, object_named(kind, name, change.scope)
        if change.is_write:
            yield change, change.object_after


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
        team = change.scope
        objects: list[LiveObject] = []
        if change.kind is TEAM_KIND:
            team = Scope(change.live)
            for kind in listed_kinds():
                objects += plan.snapshot.listed_in(kind, team)
        elif change.is_pruned and change.live_object:
            objects.append(change.live_object)
        strays = [obj.label for obj in objects if _is_stray(obj, team, plan)]
        if strays:
            yield (
                f"deleting the {change.description} would delete what belongs to something that is"
                f" not in this team: {join_some(strays)}."
                " First delete it in this team by hand, and assign it where it belongs."
            )


def _is_stray(obj: LiveObject, team: Scope, plan: Plan) -> bool:
    for option, kind in obj.kind.references.items():
        referenced = obj.record[f"{option}_id"]
        if referenced and not plan.snapshot.listing(kind, team).where("id", referenced):
            return True
    return False


def _find_replacements(plan: Plan) -> Iterator[str]:
    """Deletions of what is created in another scope under the same or an earlier name: perhaps
    meant as moves, which a plan never makes.
    """
    deleted: dict[Name, list[LiveObject]] = defaultdict(list)
    for obj in plan.deleted_objects:
        if obj.kind.is_movable:
            deleted[name_anywhere(obj.kind, obj.name)].append(obj)
    for change in plan.changes:
        if not change.is_creation:
            continue
        for name in (change.name, *change.desired.previous_names):
            for obj in deleted.get(name_anywhere(change.kind, name), ()):
                if obj.scope != change.scope:
                    yield _describe_replacement(change, obj)


def _describe_replacement(change: Change, obj: LiveObject) -> str:
    kind = change.kind.singular
    deleted = obj.label if obj.scope.team else f"{obj.label} of your own scope"
    problem = (
        f"{change.label} would be created in {change.scope} while the {deleted} would be deleted"
        " with everything in it. A blueprint moves nothing between teams."
    )
    if change.scope.team and obj.scope.team:
        problem += f" To move the {kind}, use the module {kind} with previous_team."
    only = f"[{{team: {json.dumps(obj.scope.slug)}}}]"
    return f"{problem} To delete it, do so in a run before, with only: {only}."


# Each takes a plan, and yields a message for each contradiction.
CONFLICTS: tuple[Callable[[Plan], Iterator[str]], ...] = (
    _find_declared_in_cascades,
    _find_unlisted_in_cascades,
    _find_strays,
    find_names_with_two_bearers,
    find_names_borne_elsewhere,
    find_objects_of_other_scopes,
    find_look_alikes,
    _find_replacements,
)
