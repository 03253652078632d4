# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 8, guard: what a plan may not do, before the first write. A guard yields a message for each thing it refuses."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS, numbers_of_kinds
from ..._model.platform import OWN_SCOPE
from ..._model.step import Action
from ..._text import some_of
from ..blueprint.options import LIMITED, Options
from ..blueprint.selectors import Selector
from ..change import NOT_SELECTED, SCOPE, Change, Changes, Object, ObjectKey, Refusal
from .conflicts import conflicts
from .order import name_key
from .prune import covers
from .read import Lists, referring_to

UNLIMITED_UP_TO = 10


class Plan(NamedTuple):
    """What a guard judges."""

    changes: Changes
    lists: Lists
    options: Options


Guard = Callable[[Plan], Iterator[str]]


def guard(changes: Changes, lists: Lists, options: Options) -> tuple[Refusal, ...]:
    plan = Plan(changes, lists, options)
    return tuple(Refusal(name, message) for name, check in GUARDS.items() for message in check(plan))


def blueprint(plan: Plan) -> Iterator[str]:
    yield from dict.fromkeys(conflicts(plan.changes, plan.lists))


def prune(plan: Plan) -> Iterator[str]:
    yield from (str(change.problem) for change in plan.changes if change.problem and not change.entry)
    pruned = {change.live_key: change for change in plan.changes if change.is_deletion and not change.entry}
    for change in (change for change in plan.changes if change.is_declared):
        for ref in change.refs.values():
            deletion = pruned.get((ref.kind.plural, ref.id or ""))
            if deletion:
                yield (
                    f"the {ref.kind.singular} {ref.name} is not declared and would be deleted, but {change.label}"
                    " refers to it. Declare it."
                )


def prune_limit(plan: Plan) -> Iterator[str]:
    """What goes along with a deleted object that removes such counts like what is pruned."""
    along = [thing for _change, thing in all_along(plan.changes)]
    gone: dict[tuple[type[Kind], object], dict[ObjectKey, Object]] = defaultdict(dict)
    for change in plan.changes:
        if change.is_deletion:
            pruned = [] if change.entry else [change.existing]
            removed = [thing for thing in along if _is_removed_with(change, thing)] if change.kind.removes else []
            for thing in (*pruned, *removed):
                gone[thing.kind, thing.scope.identity][thing.key] = thing
    for (kind, _team), things in gone.items():
        (scope, *_same) = (thing.scope for thing in things.values())
        total = len(plan.lists.of(kind, scope))
        if total > UNLIMITED_UP_TO and len(things) * 100 > plan.options.prune_limit * total:
            yield (
                f"{len(things)} of {total} {kind.plural} of {scope} would be deleted, more than"
                f" {plan.options.prune_limit} %. Raise it if this is intended:"
                f" {some_of(sorted(thing.name for thing in things.values()))}."
            )


def _is_removed_with(change: Change, thing: Object) -> bool:
    goes = thing.kind.goes_with.get(change.kind.plural) if thing.kind.plural in change.kind.removes else None
    return goes is not None and goes(change.step, thing.item)


def replace(plan: Plan) -> Iterator[str]:
    """A deletion here and a creation there of one name: perhaps meant as a move, which keeps what the object holds."""
    gone = [change.existing for change in plan.changes if change.is_deletion] + [
        thing for _change, thing in all_along(plan.changes)
    ]
    by_name: dict[tuple[type[Kind], str], list[Object]] = defaultdict(list)
    for thing in gone:
        if thing.kind.moves and not covers(plan.options.replace, thing):
            by_name[thing.kind, thing.kind.form(thing.name)].append(thing)
    for change in (change for change in plan.changes if change.is_creation and change.kind.moves):
        names = {change.kind.form(name) for name in (change.name, *change.wanted.previously)}
        for thing in (thing for name in sorted(names) for thing in by_name[change.kind, name]):
            if thing.scope.identity != change.scope.identity:
                yield (
                    f"{change.label} would be created in {change.scope}, and the {thing.label} deleted,"
                    " with all that only it holds. To move it, set previous_team in the entry; to delete it, select it"
                    " with this option."
                )


def limit(action: str, plan: Plan) -> Iterator[str]:
    """A move counts as an update, and as a deletion where the object leaves."""
    most = plan.options.limits.get(action)
    if most is None:
        return
    own = [change.existing if change.live else change for change in plan.changes if _counts_as(change, action)]
    along = [thing for _change, thing in all_along(plan.changes)] if action == Action.DELETE.value else []
    if len(own) + len(along) > most:
        made_of = [_count(own)] if own else []
        made_of += [f"{_count(along)} going along"] if along else []
        names = [thing.shown if isinstance(thing, Change) else thing.label for thing in (*own, *along)]
        yield (
            f"{len(own) + len(along)} would be {LIMITED[action]} ({', '.join(made_of)}), more than {most}. Raise it if"
            f" this is intended: {some_of(names)}."
        )


def _counts_as(change: Change, action: str) -> bool:
    leaves = change.is_move and action == Action.DELETE.value
    return change.is_pending and (change.step.action.value == action or leaves)


def protect(plan: Plan) -> Iterator[str]:
    """What is protected stays, and stays within reach of what protects it."""
    for change in (change for change in plan.changes if change.is_pending and change.live):
        if covers(plan.options.protect, change.existing):
            if change.is_deletion:
                yield f"{change.label} is protected, but would be deleted."
            elif not covers(plan.options.protect, change.resulting):
                verb = "moved" if change.is_move else "renamed"
                yield f"{change.label}: the {change.existing.label} is protected, but would be {verb} out of its reach."
        elif change.kind is SCOPE and any(_is_left(selector, change) for selector in plan.options.protect):
            yield f"{change.label}: what is protected in {change.existing.name} would be renamed out of its reach."
    for change, thing in all_along(plan.changes):
        if covers(plan.options.protect, thing):
            yield f"{change.taking(thing)}, which is protected."
    for change, before, after in moving_along(plan):
        if covers(plan.options.protect, before) and not covers(plan.options.protect, after):
            yield f"{change.label}: the {before.label} is protected, but would be moved out of its reach."


def _is_left(selector: Selector, change: Change) -> bool:
    """True if a selector names a team that a change renames."""
    before, after, ids = change.existing.name, change.resulting.name, change.existing.team_ids
    return selector.is_of_team(before, ids) and not selector.is_of_team(after, ids)


def ignore(plan: Plan) -> Iterator[str]:
    """Objects that others manage, which an entry may not declare, by any of their names."""
    for change in (change for change in plan.changes if change.entry):
        named = Object(change.kind, {change.kind.name_field: change.name}, change.scope)
        things = [change.existing, change.resulting] if change.live else [named]
        if any(covers(plan.options.ignore, thing) for thing in things):
            yield f"{change.label} declares the {things[0].label}, which is ignored. Remove the entry, or the selector."
    for change, thing in all_along(plan.changes):
        if covers(plan.options.ignore, thing):
            yield f"{change.taking(thing)}, which is ignored."
    for change, before, _after in moving_along(plan):
        if covers(plan.options.ignore, before):
            yield f"moving the {change.shown} would also move the {before.label}, which is ignored."


def only(plan: Plan) -> Iterator[str]:
    left = {change.live_key: change for change in plan.changes if change.reason == NOT_SELECTED and change.live}
    names = {
        name_key(change.kind.plural, change.scope, name): change
        for change in plan.changes
        if change.reason == NOT_SELECTED
        for name in (change.name, *change.wanted.previously)
    }
    for change, thing in all_along(plan.changes):
        other = left.get(thing.key) or names.get(name_key(thing.kind.plural, thing.scope, thing.name))
        if other:
            yield f"{change.taking(thing)}, which {other.label} declares, and which is not selected."
    for change in (change for change in plan.changes if change.is_move and change.origin):
        origin = change.origin or OWN_SCOPE
        if not plan.options.reaches(change.kind, [change.existing.name], origin.names, origin.ids):
            yield f"{change.label} would be taken from {change.origin}, where it is not selected."


def approved(plan: Plan) -> Iterator[str]:
    if plan.options.approved is None:
        return
    names = []
    for change in (change for change in plan.changes if change.is_pending and change.id not in plan.options.approved):
        along = [f"with {thing.kind.singular} {thing.name}" for thing in change.along]
        names.append(f"{change.shown} ({', '.join([change.step.action.value, *along])})")
    if names:
        steps = "1 step is" if len(names) == 1 else f"{len(names)} steps are"
        yield f"{steps} not approved: {some_of(names)}. Run it in check mode again, and get the new plan approved."


def _count(things: Iterable[Change | Object]) -> str:
    return numbers_of_kinds(Counter(thing.kind.plural for thing in things))


def all_along(changes: Iterable[Change]) -> Iterator[tuple[Change, Object]]:
    return ((change, thing) for change in changes for thing in change.along)


def moving_along(plan: Plan) -> Iterator[tuple[Change, Object, Object]]:
    """What refers to an object that moves, before and after; what is deleted by that step aside."""
    for change in (change for change in plan.changes if change.is_move):
        taken = {thing.key for thing in change.along}
        for plural, field in referring_to(change.kind).items():
            for item in plan.lists.all_of(KINDS[plural]).where(field, change.live["id"]):
                before, after = (
                    Object(KINDS[plural], item, scope) for scope in (change.origin or OWN_SCOPE, change.scope)
                )
                if before.key in plan.lists.moving.keys() - taken:
                    yield change, before, after


GUARDS: Mapping[str, Guard] = {
    "protect": protect,
    "ignore": ignore,
    "blueprint": blueprint,
    "prune": prune,
    "only": only,
    "prune_limit": prune_limit,
    "replace": replace,
    **{f"limits.{action}": partial(limit, action) for action in LIMITED},
    "approved": approved,
}
