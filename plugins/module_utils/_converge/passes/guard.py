# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 10, guard: what a plan must not do, before the first write.

A guard takes a plan and yields a message for each thing that it refuses. It reads nothing but the
plan, sends no request, and raises nothing. Each stands in ``GUARDS`` under the option that a user
would change.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from ..._errors import InvalidOption
from ..._model.kind import Kind
from ..._model.scope import Scope
from ..._model.step import Action
from ..._text import join_some
from ..blueprint.options import LIMITED
from ..checks.conflicts import find_conflicts
from ..checks.doubtful_selectors import SelectorCheck
from ..checks.protected_objects import check_protect
from ..plan.change import BLUEPRINT_GUARD, NOT_SELECTED, Change, Refusal
from ..plan.names import unique_name
from ..plan.objects import LiveObject, ObjectKey, object_named
from ..plan.plan import Plan

PRUNE_LIMIT_MIN_OBJECTS = 10

Guard = Callable[[Plan], "Iterator[str | InvalidOption]"]


def check_guards(plan: Plan) -> tuple[Refusal, ...]:
    """The refusals of all guards; empty if the plan may be applied."""
    refusals = []
    for name, check in GUARDS.items():
        refusals += [Refusal(name, message) for message in dict.fromkeys(check(plan))]
    return tuple(refusals)


def check_prune_limit(plan: Plan) -> Iterator[str]:
    """Refuse to delete more than ``prune_limit`` percent of a kind in one scope. Counts pruned
    objects and the documented cascades of every deletion (a domain's aliases).
    """
    limit = plan.options.prune_limit
    for (kind, scope), objects in _deleted_by_scope(plan).items():
        total = len(plan.snapshot.in_scope(kind, scope))
        if total > PRUNE_LIMIT_MIN_OBJECTS and len(objects) * 100 > limit * total:
            names = join_some(sorted(obj.name for obj in objects.values()))
            yield (
                f"{len(objects)} of {total} {kind.plural} of {scope} would be deleted, but the"
                f" limit is {limit} %:"
                f" {names}. If this is intended, raise the limit."
            )


def _deleted_by_scope(plan: Plan) -> Mapping[tuple[type[Kind], Scope], dict[ObjectKey, LiveObject]]:
    """What the limit of pruning counts, by kind and scope."""
    deleted: dict[tuple[type[Kind], Scope], dict[ObjectKey, LiveObject]] = defaultdict(dict)
    cascades = [obj for _change, obj in plan.cascades]
    for change in plan.deletions:
        counted = [obj for obj in cascades if _is_documented_cascade(change, obj)]
        if change.is_pruned and change.live_object:
            counted.append(change.live_object)
        for obj in counted:
            deleted[obj.kind, obj.scope][obj.key] = obj
    return deleted


def _is_documented_cascade(change: Change, obj: LiveObject) -> bool:
    """True if the specification says that an object goes with a deletion."""
    if obj.kind.plural not in change.kind.documented_cascades:
        return False
    return obj.kind.cascades_from[change.kind.plural](change.step, obj.record)


def check_limit(action: str, plan: Plan) -> Iterator[str]:
    """Refuse more steps of an action than allowed. What goes with a deletion counts as deleted."""
    most = plan.options.limits.get(action)
    if most is None:
        return
    own = [
        change
        for change in plan.changes
        if change.is_pending and change.step.action.value == action
    ]
    cascades = [obj for _change, obj in plan.cascades] if action == Action.DELETE.value else []
    total = len(own) + len(cascades)
    if total <= most:
        return
    names = [*(change.description for change in own), *(obj.label for obj in cascades)]
    yield (
        f"{total} would be {LIMITED[action]}, but the limit is {most}: {join_some(names)}."
        " If this is intended, raise the limit."
    )


def check_ignore(plan: Plan) -> Iterator[str | InvalidOption]:
    """Refuse to declare or delete objects that others manage, and to delete what a selector
    misspells.
    """
    ignore = plan.options.ignore
    if not ignore:
        return
    for change in plan.changes:
        objects = _objects_of(change)
        if change.entry and any(obj.is_matched_by(ignore, change.scope) for obj in objects):
            label = objects[0].label
            yield (
                f"{change.label} declares the {label}, which is ignored."
                " Remove the entry or the selector."
            )
    for change, obj in plan.cascades:
        if obj.is_matched_by(ignore):
            yield f"{change.cascade_message(obj)}, which is ignored."
    yield from SelectorCheck(plan).misspellings("ignore")


def _objects_of(change: Change) -> list[LiveObject]:
    """The object of an entry, before and after its step; of one that does not exist, what the entry
    says.
    """
    if change.live_object:
        return [change.live_object, change.object_after]
    return [object_named(change.kind, change.name, change.scope)]


def check_only(plan: Plan) -> Iterator[str]:
    """Refuse to delete in a cascade what an unselected entry declares, and to prune what it refers
    to.
    """
    skipped = [change for change in plan.changes if change.skip_reason == NOT_SELECTED]
    unselected: dict[object, Change] = {}
    for change in skipped:
        for name in (change.name, *change.desired.previous_names):
            unselected[unique_name(change.kind, change.scope, name)] = change
    unselected |= {change.live_key: change for change in skipped if change.live}
    for change, obj in plan.cascades:
        other = unselected.get(obj.key) or unselected.get(
            unique_name(obj.kind, obj.scope, obj.name)
        )
        if other:
            yield (
                f"{change.cascade_message(obj)}, but {other.label}, which declares it, is not"
                " selected."
            )
    pruned = {change.live_key for change in plan.changes if change.is_pruned}
    for change in skipped:
        for reference in change.references.values():
            if change.is_declared and (reference.kind.plural, reference.id or "") in pruned:
                yield (
                    f"the {reference.kind.singular} {reference.name} would be deleted,"
                    f" but {change.label}, which refers to it, is not selected."
                )


def check_approved(plan: Plan) -> Iterator[str]:
    """Refuse pending steps whose IDs were not approved."""
    if plan.options.approved is None:
        return
    names = [
        _describe_step(change)
        for change in plan.changes
        if change.is_pending and change.step_id not in plan.options.approved
    ]
    if names:
        steps = "1 step is" if len(names) == 1 else f"{len(names)} steps are"
        yield (
            f"{steps} not approved: {join_some(names)}. Run in check mode again, and have the new"
            " plan approved."
        )


def _describe_step(change: Change) -> str:
    cascade = [f"with {obj.kind.singular} {obj.name}" for obj in change.cascade]
    return f"{change.description} ({', '.join([change.step.action.value, *cascade])})"


GUARDS: Mapping[str, Guard] = {
    "protect": check_protect,
    "ignore": check_ignore,
    BLUEPRINT_GUARD: find_conflicts,
    "only": check_only,
    "prune_limit": check_prune_limit,
    **{f"limits.{action}": partial(check_limit, action) for action in LIMITED},
    "approved": check_approved,
}
