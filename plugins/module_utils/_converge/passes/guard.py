# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 8, guard: what a plan may not do, before the first write. A guard yields a message for each thing it refuses."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS
from ..._model.step import Action
from ..._text import some_of
from ..blueprint.options import LIMITED, Options
from ..change import NOT_SELECTED, Change, Changes, Object, ObjectKey, Refusal, identity_of, scope_named
from .conflicts import blueprint
from .prune import covers, scopes_of
from .read import Lists

UNLIMITED_UP_TO = 10

Guard = Callable[[Changes, Lists, Options], Iterator[str]]


def guard(changes: Changes, lists: Lists, options: Options) -> tuple[Refusal, ...]:
    return tuple(Refusal(name, message) for name, check in GUARDS.items() for message in check(changes, lists, options))


def prune(changes: Changes, lists: Lists, options: Options) -> Iterator[str]:
    yield from (str(change.problem) for change in changes if change.problem and not change.entry)
    has_own_scope = any(team is None for team in scopes_of(changes, lists, options))
    for kind in (KINDS[plural] for plural in options.prune if has_own_scope and lists.spans(KINDS[plural], None)):
        yield (
            f"the token's own list of {kind.plural} shows objects of several teams, so an undeclared object may belong"
            " to another team. Set team in every entry, or do not prune."
        )
    pruned = {change.live_key: change for change in changes if change.is_deletion and not change.entry}
    for change in (change for change in changes if change.is_declared):
        for ref in change.refs.values():
            deletion = pruned.get((ref.kind.plural, ref.id or ""))
            if deletion:
                yield (
                    f"the {ref.kind.singular} {ref.name} is not declared and would be deleted, but {change.label}"
                    " refers to it. Declare it."
                )


def prune_limit(changes: Changes, lists: Lists, options: Options) -> Iterator[str]:
    """What goes along with a deleted object that removes such counts like what is pruned."""
    gone: dict[tuple[type[Kind], object], dict[ObjectKey, Object]] = defaultdict(dict)
    for change in (change for change in changes if change.is_deletion):
        pruned = [] if change.entry else [change.found]
        for thing in (*pruned, *(thing for thing in change.along if thing.kind.plural in change.kind.removes)):
            gone[thing.kind, identity_of(thing.team)][thing.key] = thing
    for (kind, _team), things in gone.items():
        team = next(iter(things.values())).team
        total = len(lists.of(kind, team))
        if total > UNLIMITED_UP_TO and len(things) * 100 > options.prune_limit * total:
            yield (
                f"{len(things)} of {total} {kind.plural} of {scope_named(team)} would be deleted, more than"
                f" {options.prune_limit} %. Raise it if this is intended:"
                f" {some_of(sorted(thing.name for thing in things.values()))}."
            )


def replace(changes: Changes, lists: Lists, options: Options) -> Iterator[str]:
    """A deletion here and a creation there of one name: perhaps meant as a move, which keeps what the object holds."""
    gone = [change.found for change in changes if change.is_deletion] + [thing for _change, thing in all_along(changes)]
    by_name: dict[tuple[type[Kind], str], list[Object]] = defaultdict(list)
    for thing in gone:
        if thing.kind.moves and not covers(options.replace, thing):
            by_name[thing.kind, thing.kind.form(thing.name)].append(thing)
    for change in (change for change in changes if change.is_creation and change.kind.moves):
        names = {change.kind.form(name) for name in (change.name, *change.wanted.previously)}
        for thing in (thing for name in sorted(names) for thing in by_name[change.kind, name]):
            if identity_of(thing.team) != identity_of(change.team):
                yield (
                    f"{change.label} would be created in {scope_named(change.team)}, and the {thing.label} deleted,"
                    " with all that only it holds. To move it, set previous_team; if it is to be deleted, select it"
                    " with replace."
                )


def limit(action: str, changes: Changes, lists: Lists, options: Options) -> Iterator[str]:
    """A move counts as an update, and as a deletion where the object leaves."""
    most = options.limits.get(action)
    if most is None:
        return
    own = [change.found if change.live else change for change in changes if _counts_as(change, action)]
    along = [thing for _change, thing in all_along(changes)] if action == Action.DELETE.value else []
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


def protect(changes: Changes, lists: Lists, options: Options) -> Iterator[str]:
    """What is protected stays, and stays within reach of what protects it."""
    for change in (change for change in changes if change.is_pending and change.live):
        if covers(options.protect, change.found):
            if change.is_deletion:
                yield f"{change.label} is protected, but would be deleted."
            elif not covers(options.protect, left_by(change)):
                verb = "moved" if change.is_move else "renamed"
                yield (
                    f"{change.label}: the {change.found.label} is protected, but would be {verb} so that nothing"
                    " protects it any more."
                )
    for change, thing in all_along(changes):
        if covers(options.protect, thing):
            yield f"{takes_along(change, thing)}, which is protected."


def left_by(change: Change) -> Object:
    """The object as a change leaves it. A team's own earlier slugs protect it no more."""
    return Object(change.kind, change.step.expected, change.team)


def ignore(changes: Changes, lists: Lists, options: Options) -> Iterator[str]:
    """Objects that others manage, which an entry may not declare, by any of their names."""
    for change in (change for change in changes if change.entry):
        things = [change.found, left_by(change)] if change.live else [Object(change.kind, _named(change), change.team)]
        if any(covers(options.ignore, thing) for thing in things):
            yield f"{change.label} declares the {things[0].label}, which is ignored. Remove it from one of them."
    for change, thing in all_along(changes):
        if covers(options.ignore, thing):
            yield f"{takes_along(change, thing)}, which is ignored."


def _named(change: Change) -> dict[str, str]:
    return {change.kind.name_field: change.name}


def only(changes: Changes, lists: Lists, options: Options) -> Iterator[str]:
    left = {change.live_key: change for change in changes if change.reason == NOT_SELECTED and change.live}
    names = {
        (change.kind.plural, identity_of(change.team), change.kind.form(name)): change
        for change in changes
        if change.reason == NOT_SELECTED
        for name in (change.name, *change.wanted.previously)
    }
    for change, thing in all_along(changes):
        place = (thing.kind.plural, identity_of(thing.team), thing.kind.form(thing.name))
        other = left.get(thing.key) or names.get(place)
        if other:
            yield f"{takes_along(change, thing)}, which {other.label} declares, and which is not selected."
    for change in (change for change in changes if change.is_move and change.origin):
        if not options.reaches(change.kind, [change.found.name], change.origin.names if change.origin else ()):
            yield f"{change.label} would be taken from {scope_named(change.origin)}, where it is not selected."


def approved(changes: Changes, lists: Lists, options: Options) -> Iterator[str]:
    if options.approved is None:
        return
    names = []
    for change in (change for change in changes if change.is_pending and change.id not in options.approved):
        along = [f"with {thing.kind.singular} {thing.name}" for thing in change.along]
        names.append(f"{change.shown} ({', '.join([change.step.action.value, *along])})")
    if names:
        steps = "1 step is" if len(names) == 1 else f"{len(names)} steps are"
        yield f"{steps} not approved: {some_of(names)}. Run it in check mode again, and get the new plan approved."


def _count(things: Sequence[Change | Object]) -> str:
    """``48 projects, 1 alias``."""
    numbers = Counter(thing.kind for thing in things)
    counted = ((kind.singular if numbers[kind] == 1 else kind.plural, numbers[kind]) for kind in KINDS.values())
    return ", ".join(f"{number} {word.replace('_', ' ')}" for word, number in counted if number)


def all_along(changes: Iterable[Change]) -> Iterator[tuple[Change, Object]]:
    return ((change, thing) for change in changes for thing in change.along)


def takes_along(change: Change, thing: Object) -> str:
    what = "deleting" if change.is_deletion else "changing"
    return f"{what} the {change.shown} would also delete the {thing.kind.singular} {thing.name}"


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
