# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service deletes as a consequence of a step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..._model.fields import Values
from ..._model.kind import CascadeCondition, Kind
from ..._model.kinds.registry import KINDS, kinds_in_cascade
from ..._model.scope import Scope
from ..._model.step import Step
from ..items.dependencies import phase_of
from ..items.item import TEAM_KIND, Item, Key, deletion_of
from ..items.lists import Lists
from ..items.plan import Plan

# Why an object goes: a condition, and the step on which it depends.
Cause = tuple[CascadeCondition, Step]


def add_cascades(plan: Plan) -> None:
    """Add to each item what goes with its step.

    An object is along with one step at most, that which is applied first, and with none if it has a
    deletion of its own. If a step takes it away first, the deletion needs that step.
    """
    pending = {item.key: item for item in plan.items if item.live and item.is_pending}
    first: dict[Key, Item] = {}
    for item in sorted(filter(_may_cascade, plan.items), key=_position):
        consequences: dict[Item, list[Cause]] = {}
        for other, cause in _find_consequences(item.kind, item.step, plan.lists):
            consequences.setdefault(other, []).append(cause)
        item.consequences = list(consequences)
        for other, causes in consequences.items():
            _add(item, other, causes, pending, first)
        cascade = [other for other in consequences if first.get(other.key) is item]
        item.cascade = sorted(cascade, key=lambda other: other.sort_key)


def _may_cascade(item: Item) -> bool:
    """True for a deletion, and for a change that replaces a field whose value is an object."""
    if not item.is_pending or not item.live:
        return False
    return item.is_deletion or any(
        field in item.step.changes and item.live.get(field) for field in item.kind.embeds
    )


def _position(item: Item) -> tuple[object, ...]:
    return (*phase_of(item), list(KINDS).index(item.kind.plural), str(item.live["id"]))


def _find_consequences(kind: type[Kind], step: Step, lists: Lists) -> Iterator[tuple[Item, Cause]]:
    """Each object that the service deletes with a step, directly or with another one that it
    deletes, whichever of the lists that were read shows it.
    """
    for other in kinds_in_cascade(kind):
        condition = other.cascades_from[kind.plural]
        for item in _candidates(other, kind, step, lists):
            if not condition(step, item.live):
                continue
            yield item, (condition, step)
            if step.is_deletion:
                yield from _find_consequences(other, deletion_of(item), lists)


def _candidates(kind: type[Kind], cause: type[Kind], step: Step, lists: Lists) -> Iterable[Item]:
    """The objects of a kind that a step of another one may delete: what the team's list shows, what
    refers to the object, else all.
    """
    if cause is TEAM_KIND:
        return lists.listed_items(kind, Scope(step.live))
    for option, other in kind.references.items():
        if other is cause:
            return lists.where(kind, f"{option}_id", step.live["id"])
    return lists.of_kind(kind)


def _add(
    item: Item,
    other: Item,
    causes: Iterable[Cause],
    pending: Mapping[Key, Item],
    first: dict[Key, Item],
) -> None:
    """Add to an item what goes with its step, or what it needs instead.

    ``first``: with which items objects go that were added before.
    """
    own = pending.get(other.key)
    if own and own.is_deletion:
        return
    if own and item.is_deletion and not _hold_for(causes, own.step.expected):
        item.needs |= {own}
        return
    before = first.setdefault(other.key, item)
    if before is not item and phase_of(before) == phase_of(item):
        item.needs |= {before}


def _hold_for(causes: Iterable[Cause], record: Values) -> bool:
    """True if an object goes, given its record as it is when the step is applied."""
    return any(condition(step, record) for condition, step in causes)
