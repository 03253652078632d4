# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guards that count steps, or compare them with those that were approved."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from ..._model.kind import Kind
from ..._model.scope import Scope
from ..._model.step import Action
from ..._text import join_some, visible_name
from ..blueprint.options import LIMITED
from ..items.item import Item
from ..items.plan import Plan

PRUNE_LIMIT_MIN_OBJECTS = 10


def check_prune_limit(plan: Plan) -> Iterator[str]:
    """Refuse to delete more than ``prune_limit`` percent of a kind in one scope. Counts pruned
    objects and the documented cascades of every deletion (a domain's aliases).
    """
    limit = plan.options.prune_limit
    deleted = _deleted_by_scope(plan)
    if not deleted:
        return
    held: Counter[tuple[type[Kind], Scope]] = Counter(
        (item.kind, item.owner) for item in plan.lists.all_items
    )
    for (kind, scope), objects in deleted.items():
        total = held[kind, scope]
        if total > PRUNE_LIMIT_MIN_OBJECTS and len(objects) * 100 > limit * total:
            names = sorted(visible_name(item.live_name) for item in objects)
            yield (
                f"{len(objects)} of {total} {kind.plural} of {scope} would be deleted, but the"
                f" limit is {limit} %: {join_some(names)}. If this is intended, raise the limit."
            )


def _deleted_by_scope(plan: Plan) -> Mapping[tuple[type[Kind], Scope], set[Item]]:
    """What the limit of pruning counts, by kind and scope."""
    deleted: dict[tuple[type[Kind], Scope], set[Item]] = defaultdict(set)
    along = {other for _item, other in plan.cascades}
    for item in plan.deletions:
        counted = [
            other
            for other in item.consequences
            if other in along and other.kind.plural in item.kind.documented_cascades
        ]
        if item.is_pruned:
            counted.append(item)
        for other in counted:
            deleted[other.kind, other.owner].add(other)
    return deleted


def check_limit(action: str, plan: Plan) -> Iterator[str]:
    """Refuse more steps of an action than allowed. What goes with a deletion counts as deleted."""
    most = plan.options.limits.get(action)
    if most is None:
        return
    acting = [item for item in plan.items if item.is_pending and item.step.action.value == action]
    if action == Action.DELETE.value:
        acting = list(plan.deleted_items)
    names = [item.description for item in acting]
    if len(names) > most:
        yield (
            f"{len(names)} would be {LIMITED[action]}, but the limit is {most}: {join_some(names)}."
            " If this is intended, raise the limit."
        )


def check_approved(plan: Plan) -> Iterator[str]:
    """Refuse pending steps whose IDs were not approved."""
    if plan.options.approved is None:
        return
    names = [
        _describe_step(item)
        for item in plan.items
        if item.is_pending and item.step_id not in plan.options.approved
    ]
    if names:
        steps = "1 step is" if len(names) == 1 else f"{len(names)} steps are"
        yield (
            f"{steps} not approved: {join_some(names)}. Run in check mode again, and have the new"
            " plan approved."
        )


def _describe_step(item: Item) -> str:
    along = [f"with {other.kind.singular} {visible_name(other.name)}" for other in item.cascade]
    return f"{item.description} ({', '.join([item.step.action.value, *along])})"
