# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 8, guard: what a plan must not do, before the first write. A guard yields a message for each refusal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS, format_counts
from ..._model.platform import OWN_SCOPE
from ..._model.step import Action
from ..._text import join_some
from ..blueprint.options import LIMITED, BlueprintOptions
from ..blueprint.selectors import Selectors
from ..change import NOT_SELECTED, TEAM_KIND, Change, Changes, LiveObject, ObjectKey, Refusal
from .conflicts import find_conflicts
from .order import name_key
from .prune import is_matched_by, is_selected
from .read import Snapshot, reference_fields_to

PRUNE_LIMIT_MIN_OBJECTS = 10


class Plan(NamedTuple):
    """What a guard judges."""

    changes: Changes
    snapshot: Snapshot
    options: BlueprintOptions


Guard = Callable[[Plan], Iterator[str]]


def check_guards(changes: Changes, snapshot: Snapshot, options: BlueprintOptions) -> tuple[Refusal, ...]:
    """The refusals of all guards; empty if the plan may be applied."""
    plan = Plan(changes, snapshot, options)
    return tuple(Refusal(name, message) for name, check in GUARDS.items() for message in check(plan))


def check_blueprint(plan: Plan) -> Iterator[str]:
    yield from dict.fromkeys(find_conflicts(plan.changes, plan.snapshot))


def check_prune(plan: Plan) -> Iterator[str]:
    """Refuse to prune an object to which an entry refers, and objects whose deletion cannot be planned."""
    yield from (str(change.planning_error) for change in plan.changes if change.planning_error and not change.entry)
    pruned = {change.live_key: change for change in plan.changes if change.is_deletion and not change.entry}
    for change in plan.changes:
        for reference in change.references.values():
            deletion = pruned.get((reference.kind.plural, reference.id or ""))
            if deletion and change.is_declared:
                yield (
                    f"the {reference.kind.singular} {reference.name} is not declared and would be deleted, but"
                    f" {change.label} refers to it. Declare it."
                )


def check_prune_limit(plan: Plan) -> Iterator[str]:
    """Refuse to delete more than ``prune_limit`` percent of a kind in one scope. Counts pruned objects and the
    documented cascades of every deletion (a domain's aliases).
    """
    cascades = [obj for _change, obj in all_cascades(plan.changes)]
    deleted: dict[tuple[type[Kind], object], dict[ObjectKey, LiveObject]] = defaultdict(dict)
    for change in filter(lambda change: change.is_deletion, plan.changes):
        pruned = [] if change.entry else [change.live_object]
        removed = (obj for obj in cascades if obj.kind.plural in change.kind.documented_cascades)
        cascaded = (obj for obj in removed if obj.kind.cascades_from[change.kind.plural](change.step, obj.record))
        for obj in (*pruned, *cascaded):
            deleted[obj.kind, obj.scope.identity][obj.key] = obj
    for (kind, _team), live_objects in deleted.items():
        (scope, *_same) = (obj.scope for obj in live_objects.values())
        total = len(plan.snapshot.list_of(kind, scope))
        if total > PRUNE_LIMIT_MIN_OBJECTS and len(live_objects) * 100 > plan.options.prune_limit * total:
            yield (
                f"{len(live_objects)} of {total} {kind.plural} of {scope} would be deleted, but the limit is"
                f" {plan.options.prune_limit} %: {join_some(sorted(obj.name for obj in live_objects.values()))}."
                " If this is intended, raise the limit."
            )


def check_replace(plan: Plan) -> Iterator[str]:
    """A deletion here and a creation there of one name: perhaps meant as a move, which keeps what the object holds."""
    deleted = [change.live_object for change in plan.changes if change.is_deletion]
    deleted += [obj for _change, obj in all_cascades(plan.changes)]
    by_name: dict[tuple[type[Kind], str], list[LiveObject]] = defaultdict(list)
    for obj in deleted:
        if obj.kind.is_movable and not is_matched_by(plan.options.replace, obj):
            by_name[obj.kind, obj.kind.normalize(obj.name)].append(obj)
    for change in plan.changes:
        names = {change.kind.normalize(name) for name in (change.name, *change.desired.previous_names)}
        for obj in (obj for name in sorted(names) for obj in by_name[change.kind, name]):
            if change.is_creation and obj.scope.identity != change.scope.identity:
                yield (
                    f"{change.label} would be created in {change.scope} while the {obj.label} would be deleted with"
                    " everything in it. To move it, set previous_team in the entry. To delete it anyway, select it with"
                    " this option."
                )


def check_limit(action: str, plan: Plan) -> Iterator[str]:
    """A move counts as an update, and as a deletion where the object leaves."""
    most = plan.options.limits.get(action)
    if most is None:
        return
    own = [change.live_object if change.live else change for change in plan.changes if _counts_as(change, action)]
    cascades = [obj for _change, obj in all_cascades(plan.changes)] if action == Action.DELETE.value else []
    if len(own) + len(cascades) > most:
        counts = [_count(own)] if own else []
        counts += [f"{_count(cascades)} with them"] if cascades else []
        names = [obj.description if isinstance(obj, Change) else obj.label for obj in (*own, *cascades)]
        yield (
            f"{len(own) + len(cascades)} would be {LIMITED[action]} ({', '.join(counts)}), but the limit is {most}:"
            f" {join_some(names)}. If this is intended, raise the limit."
        )


def _counts_as(change: Change, action: str) -> bool:
    leaves = change.is_move and action == Action.DELETE.value
    return change.is_pending and (change.step.action.value == action or leaves)


def check_protect(plan: Plan) -> Iterator[str]:
    """Refuse to delete a protected object, directly or in a cascade, and to rename or move it so that the selector no
    longer matches.
    """
    protect = plan.options.protect
    live = [change for change in plan.changes if change.is_pending and change.live]
    for change in live:
        before, after = change.live_object, change.object_after
        if change.is_deletion and is_matched_by(protect, before):
            yield f"{change.label} is protected, but would be deleted."
        if change.kind is TEAM_KIND and _stops_matching_team(protect, before, after):
            problem = f"renaming the team {before.name} would leave its protected objects unprotected."
            yield f"{change.label}: {problem} Add the new slug to the selectors first."
    for change, obj in all_cascades(plan.changes):
        if is_matched_by(protect, obj):
            yield f"{change.cascade_message(obj)}, which is protected."
    kept = [(change, change.live_object, change.object_after) for change in live if not change.is_deletion]
    for change, before, after in (*kept, *objects_moved_with(plan)):
        if is_matched_by(protect, before) and not is_matched_by(protect, after):
            verb = "moved" if change.is_move else "renamed"
            problem = f"the {before.label} is protected, but would no longer match the selector after it is {verb}."
            yield f"{change.label}: {problem} Change the selector first."


def _stops_matching_team(selectors: Selectors, before: LiveObject, after: LiveObject) -> bool:
    """True if a selector names a team that is renamed, and no equal one names its new slug."""
    ids = before.scopes[0].ids
    old, new = (
        {replace(selector, place="", text="", team=None) for selector in selectors if selector.matches_team(slug, ids)}
        for slug in (before.name, after.name)
    )
    return bool(old - new)


def check_ignore(plan: Plan) -> Iterator[str]:
    """Objects that others manage, which an entry may not declare, by any of their names."""
    for change in plan.changes:
        named = LiveObject(change.kind, {change.kind.name_field: change.name}, change.scope)
        objects = [change.live_object, change.object_after] if change.live else [named]
        if change.entry and any(is_matched_by(plan.options.ignore, obj) for obj in objects):
            advice = "Remove the entry or the selector."
            yield f"{change.label} declares the {objects[0].label}, which is ignored. {advice}"
    for change, obj in all_cascades(plan.changes):
        if is_matched_by(plan.options.ignore, obj):
            yield f"{change.cascade_message(obj)}, which is ignored."
    for change, before, _after in objects_moved_with(plan):
        if is_matched_by(plan.options.ignore, before):
            yield f"moving the {change.description} would also move the {before.label}, which is ignored."


def check_only(plan: Plan) -> Iterator[str]:
    """Refuse to delete in a cascade what an unselected entry declares, and moves selected in one team only."""
    skipped = [change for change in plan.changes if change.skip_reason == NOT_SELECTED]
    unselected: dict[object, Change] = {
        name_key(change.kind.plural, change.scope, name): change
        for change in skipped
        for name in (change.name, *change.desired.previous_names)
    }
    unselected |= {change.live_key: change for change in skipped if change.live}
    for change, obj in all_cascades(plan.changes):
        other = unselected.get(obj.key) or unselected.get(name_key(obj.kind.plural, obj.scope, obj.name))
        if other:
            yield f"{change.cascade_message(obj)}, but {other.label}, which declares it, is not selected."
    for change in filter(lambda change: change.is_move, plan.changes):
        if not is_selected(change.live_object, plan.options):
            origin = change.live_object.scope
            yield f"{change.label} would be moved out of {origin}, where it is not selected. Select it in both teams."


def check_approved(plan: Plan) -> Iterator[str]:
    """Refuse pending steps whose IDs were not approved."""
    if plan.options.approved is None:
        return
    names = []
    for change in plan.changes:
        if change.is_pending and change.step_id not in plan.options.approved:
            cascades = [f"with {obj.kind.singular} {obj.name}" for obj in change.cascade]
            names.append(f"{change.description} ({', '.join([change.step.action.value, *cascades])})")
    if names:
        steps = "1 step is" if len(names) == 1 else f"{len(names)} steps are"
        yield f"{steps} not approved: {join_some(names)}. Run in check mode again, and have the new plan approved."


def _count(live_objects: Iterable[Change | LiveObject]) -> str:
    return format_counts(Counter(obj.kind.plural for obj in live_objects))


def all_cascades(changes: Iterable[Change]) -> Iterator[tuple[Change, LiveObject]]:
    return ((change, obj) for change in changes for obj in change.cascade)


def objects_moved_with(plan: Plan) -> Iterator[tuple[Change, LiveObject, LiveObject]]:
    """What refers to an object that moves, before and after the move, unless that step deletes it."""
    for change in plan.changes:
        cascaded = {obj.key for obj in change.cascade}
        for plural, field in reference_fields_to(change.kind).items() if change.is_move else ():
            for record in plan.snapshot.all_of(KINDS[plural]).where(field, change.live["id"]):
                before, after = (
                    LiveObject(KINDS[plural], record, scope) for scope in (change.moved_from or OWN_SCOPE, change.scope)
                )
                if before.key in plan.snapshot.moved_keys.keys() - cascaded:
                    yield change, before, after


GUARDS: Mapping[str, Guard] = {
    "protect": check_protect,
    "ignore": check_ignore,
    "blueprint": check_blueprint,
    "prune": check_prune,
    "only": check_only,
    "prune_limit": check_prune_limit,
    "replace": check_replace,
    **{f"limits.{action}": partial(check_limit, action) for action in LIMITED},
    "approved": check_approved,
}
