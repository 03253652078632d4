# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service deletes as a consequence of a step, as far as the specification and what each
kind declares tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.kinds.registry import kinds_in_cascade
from ..._model.scope import Scope
from ..._model.step import Action, Step
from .change import Change
from .objects import TEAM_KIND, LiveObject, ObjectKey
from .snapshot import Snapshot

# Whether an object is deleted as well, given its record as it is when the step is applied.
Condition = Callable[[Values], bool]


class Consequence(NamedTuple):
    """An object that goes with a step, under any of these conditions."""

    obj: LiveObject
    conditions: list[Condition]

    def holds_for(self, record: Values) -> bool:
        return any(is_cascaded(record) for is_cascaded in self.conditions)


def cascade_of(change: Change, snapshot: Snapshot) -> Iterable[Consequence]:
    """Each object that the service deletes with a step, directly or with another one that it
    deletes, whichever of the lists that were read shows it.
    """
    found: dict[ObjectKey, Consequence] = {}
    for obj, is_cascaded in _find_consequences(change.kind, change.step, snapshot):
        consequence = found.setdefault(obj.key, Consequence(obj, []))
        consequence.conditions.append(is_cascaded)
    return found.values()


def may_cascade(change: Change) -> bool:
    """True for a deletion, and for a change that replaces a field whose value is an object."""
    if not change.is_pending or not change.live:
        return False
    return change.is_deletion or any(
        field in change.step.changes and change.live.get(field) for field in change.kind.embeds
    )


def deletion_of(obj: LiveObject) -> Step:
    """The step by which an object goes with another one."""
    return Step(Action.DELETE, obj.record, obj.record)


def _find_consequences(
    kind: type[Kind], step: Step, snapshot: Snapshot
) -> Iterator[tuple[LiveObject, Condition]]:
    for other in kinds_in_cascade(kind):
        condition = other.cascades_from[kind.plural]
        for obj in _candidates(other, kind, step, snapshot):
            if not condition(step, obj.record):
                continue
            yield obj, partial(condition, step)
            if step.is_deletion:
                yield from _find_consequences(other, deletion_of(obj), snapshot)


def _candidates(
    kind: type[Kind], cause: type[Kind], step: Step, snapshot: Snapshot
) -> Iterable[LiveObject]:
    """The objects of a kind that a step of another one may delete: what the team's list shows, what
    refers to the object, else all.
    """
    if cause is TEAM_KIND:
        return snapshot.listed_in(kind, Scope(step.live))
    for option, other in kind.references.items():
        if other is cause:
            return snapshot.referring_to(kind, option, step.live["id"])
    return snapshot.of_kind(kind)
