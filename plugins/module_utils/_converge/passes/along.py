# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 5, cascade: the objects that the service deletes as a consequence of a step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS, listed_kinds
from ..._model.platform import Scope
from ..._model.step import Action, Step
from ..change import SCOPE, Change, Changes, Key, Object, ObjectKey
from .order import turn_of
from .read import Lists

# Whether an object is deleted as well, given its record as it is when the step is applied.
Condition = Callable[[Values], bool]


def go_along(changes: Changes, lists: Lists) -> Changes:
    """Add to each change its cascade. An object is in one cascade at most, that of the step that is applied first, and
    in none if it has a deletion of its own. If a step moves it away first, the deletion depends on that step.
    """
    pending = {change.live_key: change for change in changes if change.live and change.is_pending}
    along: dict[Key, list[Object]] = defaultdict(list)
    needs: dict[Key, set[Key]] = defaultdict(set)
    takers: dict[ObjectKey, Change] = {}
    for change in sorted(filter(_may_take, changes), key=_place):
        for thing, conditions in cascade_of(change, lists):
            other = pending.get(thing.key)
            if other and other.is_deletion:
                continue
            if other and change.is_deletion and not any(goes(other.step.expected) for goes in conditions):
                needs[change.key].add(other.key)
                continue
            first = takers.setdefault(thing.key, change)
            if first is change:
                along[change.key].append(thing)
            elif turn_of(first) == turn_of(change):
                needs[change.key].add(first.key)
    return tuple(
        replace(change, along=tuple(along[change.key]), needs=change.needs | needs[change.key])
        if change.key in along or change.key in needs
        else change
        for change in changes
    )


def _may_take(change: Change) -> bool:
    return bool(change.is_pending and change.live and (change.is_deletion or replaced_fields(change)))


def replaced_fields(change: Change) -> list[str]:
    """The fields whose values are objects, and are replaced."""
    return [field for field in change.kind.embeds if field in change.step.changes and change.live.get(field)]


def _place(change: Change) -> tuple[object, ...]:
    return (*turn_of(change), list(KINDS).index(change.kind.plural), str(change.identity))


def cascade_of(change: Change, lists: Lists) -> Iterable[tuple[Object, list[Condition]]]:
    """Each object that the service deletes with a step, directly or with another one that it deletes, whichever of the
    lists that were read shows it; and the conditions on it, of which one is enough.
    """
    found: dict[ObjectKey, tuple[Object, list[Condition]]] = {}
    for thing, goes in _consequences(change.kind, change.step, lists):
        found.setdefault(thing.key, (thing, []))[1].append(goes)
    return found.values()


def _consequences(kind: type[Kind], step: Step, lists: Lists) -> Iterator[tuple[Object, Condition]]:
    for other in listed_kinds():
        condition = other.goes_with.get(kind.plural)
        for item in _candidates(other, kind, step, lists) if condition else ():
            if condition and condition(step, item):
                yield Object(other, item, lists.owner_of(other, item)), partial(condition, step)
                if step.is_deletion:
                    yield from _consequences(other, Step(Action.DELETE, item, item), lists)


def _candidates(kind: type[Kind], cause: type[Kind], step: Step, lists: Lists) -> Iterable[Values]:
    """The objects of a kind that a step of another one may delete: what the team's list shows, what refers to the
    object, else all.
    """
    if cause is SCOPE:
        return lists.of(kind, Scope(step.live))
    field = next((f"{option}_id" for option, other in kind.references.items() if other is cause), None)
    return lists.all_of(kind).where(field, step.live["id"]) if field else lists.all_of(kind)
