# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service deletes as a consequence of a step."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS, kinds_in_cascade
from ..._model.scope import Scope
from ..._model.step import Step
from ..items.dependencies import phase_of
from ..items.item import TEAM_KIND, Item, deletion_of
from ..items.lists import Lists
from ..items.plan import Plan

# True of an object, given its record, that goes with a certain step.
Condition = Callable[[Values], bool]


def add_cascades(plan: Plan) -> dict[Item, set[Item]]:
    """Set what goes with the step of each item. Returns which items must be applied before others
    because of that.

    An object is along with one step at most, that which is applied first, and with none if it has a
    deletion of its own. If a step takes it away first, the deletion needs that step. After a run,
    what was applied counts before what is left.
    """
    needs: dict[Item, set[Item]] = defaultdict(set)
    pending = {
        item.key: item for item in plan.items if item.live and (item.is_pending or item.step_id)
    }
    first: dict[Item, Item] = {}
    for item in sorted(pending.values(), key=_position):
        consequences: dict[Item, list[Condition]] = defaultdict(list)
        for other, condition in _find_consequences(item.kind, item.step, plan.lists):
            consequences[other].append(condition)
        for other, conditions in consequences.items():
            own = pending.get(other.key)
            if own and own.step.is_deletion:
                continue
            if own and item.step.is_deletion:
                record = own.step.expected
                if not any(is_met(record) for is_met in conditions):
                    needs[item].add(own)
                    continue
            before = first.setdefault(other, item)
            if before is not item and phase_of(before) == phase_of(item):
                needs[item].add(before)
        item.consequences = list(consequences)
        cascade = [other for other in consequences if first.get(other) is item]
        item.cascade = sorted(cascade, key=lambda other: other.sort_key)
    return needs


def _position(item: Item) -> tuple[object, ...]:
    is_left = item.applied is None
    return (is_left, *phase_of(item), list(KINDS).index(item.kind.plural), str(item.live["id"]))


def _find_consequences(
    kind: type[Kind], step: Step, lists: Lists
) -> Iterator[tuple[Item, Condition]]:
    """Each object that the service deletes with a step, directly or with another one that it
    deletes, whichever of the lists that were read shows it; and the condition that it fulfils.
    """
    for other in kinds_in_cascade(kind):
        condition = functools.partial(other.cascades_from[kind.plural], step)
        for item in _candidates(other, kind, step, lists):
            if not condition(item.live):
                continue
            yield item, condition
            if step.is_deletion:
                yield from _find_consequences(other, deletion_of(item), lists)


def _candidates(kind: type[Kind], cause: type[Kind], step: Step, lists: Lists) -> Iterable[Item]:
    """The objects of a kind that a step of another one may delete: what the team's list shows, what
    refers to the object, else all.
    """
    if cause is TEAM_KIND:
        return lists.items(kind, Scope(step.live))
    for option, other in kind.references.items():
        if other is cause:
            return lists.where(kind, f"{option}_id", step.live["id"])
    return lists.items(kind)
