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
from ..change import TEAM_KIND, Change, Changes, Key, LiveObject, ObjectKey
from .order import phase_of
from .read import Snapshot

# Whether an object is deleted as well, given its record as it is when the step is applied.
Condition = Callable[[Values], bool]


def add_cascades(changes: Changes, snapshot: Snapshot) -> Changes:
    """Add to each change its cascade. An object is in one cascade at most, that of the step that is applied first, and
    in none if it has a deletion of its own. If a step moves it away first, the deletion depends on that step.
    """
    pending = {change.live_key: change for change in changes if change.live and change.is_pending}
    cascades: dict[Key, list[LiveObject]] = defaultdict(list)
    dependencies: dict[Key, set[Key]] = defaultdict(set)
    cause_of: dict[ObjectKey, Change] = {}
    for change in sorted(filter(_may_cascade, changes), key=_cascade_sort_key):
        for obj, conditions in cascade_of(change, snapshot):
            other = pending.get(obj.key)
            if other and other.is_deletion:
                continue
            if other and change.is_deletion and not any(is_cascaded(other.step.expected) for is_cascaded in conditions):
                dependencies[change.key].add(other.key)
                continue
            first = cause_of.setdefault(obj.key, change)
            if first is change:
                cascades[change.key].append(obj)
            elif phase_of(first) == phase_of(change):
                dependencies[change.key].add(first.key)
    return tuple(
        replace(
            change,
            cascade=tuple(sorted(cascades[change.key], key=lambda obj: obj.sort_key)),
            dependencies=change.dependencies | dependencies[change.key],
        )
        if change.key in cascades or change.key in dependencies
        else change
        for change in changes
    )


def _may_cascade(change: Change) -> bool:
    return bool(change.is_pending and change.live and (change.is_deletion or replaced_fields(change)))


def replaced_fields(change: Change) -> list[str]:
    """The fields whose values are objects, and are replaced."""
    return [field for field in change.kind.embeds if field in change.step.changes and change.live.get(field)]


def _cascade_sort_key(change: Change) -> tuple[object, ...]:
    return (*phase_of(change), list(KINDS).index(change.kind.plural), str(change.id_or_key))


def cascade_of(change: Change, snapshot: Snapshot) -> Iterable[tuple[LiveObject, list[Condition]]]:
    """Each object that the service deletes with a step, directly or with another one that it deletes, whichever of the
    lists that were read shows it; and the conditions on it, of which one is enough.
    """
    found: dict[ObjectKey, tuple[LiveObject, list[Condition]]] = {}
    for obj, is_cascaded in _find_consequences(change.kind, change.step, snapshot):
        found.setdefault(obj.key, (obj, []))[1].append(is_cascaded)
    return found.values()


def _find_consequences(kind: type[Kind], step: Step, snapshot: Snapshot) -> Iterator[tuple[LiveObject, Condition]]:
    for other in listed_kinds():
        condition = other.cascades_from.get(kind.plural)
        for record in _candidates(other, kind, step, snapshot) if condition else ():
            if condition and condition(step, record):
                yield LiveObject(other, record, snapshot.owner_of(other, record)), partial(condition, step)
                if step.is_deletion:
                    yield from _find_consequences(other, Step(Action.DELETE, record, record), snapshot)


def _candidates(kind: type[Kind], cause: type[Kind], step: Step, snapshot: Snapshot) -> Iterable[Values]:
    """The objects of a kind that a step of another one may delete: what the team's list shows, what refers to the
    object, else all.
    """
    if cause is TEAM_KIND:
        return snapshot.list_of(kind, Scope(step.live))
    field = next((f"{option}_id" for option, other in kind.references.items() if other is cause), None)
    return snapshot.all_of(kind).where(field, step.live["id"]) if field else snapshot.all_of(kind)
