# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an entry declares is not deleted with something else, selected (guard ``blueprint``) or not
(guard ``only``): the next run would create it again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS
from ..blueprint.declared_names import Name, desired_names
from ..items.item import NOT_SELECTED, Item, Key, deletion_of
from ..items.names import unique_name
from ..items.plan import Plan

# A clause that says what would be deleted, and the item of the entry that declares it.
Loss = tuple[str, Item]


def declarations_of(item: Item) -> Iterator[tuple[type[Kind], str, Any]]:
    """The names that an entry declares, with what bears each: its own, and those of its fields that
    are objects.
    """
    if item.entry is None:
        return
    bearer = next((other.key for other in item.references.values()), item.key)
    for kind, name, field in desired_names(item.entry):
        if field and item.desired.is_create_only and item.live:
            continue
        yield kind, name, item.key if field else bearer


def find_declared(plan: Plan) -> Iterator[str]:
    """Deletions of what entries declare. What is not selected, the guard ``only`` reports."""
    for clause, item in _find_losses(plan):
        if item.skip_reason != NOT_SELECTED:
            yield f"{clause}, but {item.label} declares it."


def check_only(plan: Plan) -> Iterator[str]:
    """Refuse to delete what an unselected entry declares, and to prune what it refers to."""
    for clause, item in _find_losses(plan):
        if item.skip_reason == NOT_SELECTED:
            yield f"{clause}, but {item.label}, which declares it, is not selected."
    pruned = {item.key for item in plan.items if item.is_pruned}
    for item in plan.items:
        if item.skip_reason != NOT_SELECTED or not item.is_declared:
            continue
        for other in item.references.values():
            if other.key in pruned:
                yield (
                    f"the {other.kind.singular} {other.name} would be deleted, but {item.label},"
                    " which refers to it, is not selected."
                )


def _find_losses(plan: Plan) -> Iterator[Loss]:
    """What steps would delete although entries declare it, selected or not: what lists show, and
    what the plan writes, or an unselected entry would, before the deletion.
    """
    if not any(plan.deleted_items):
        return
    yield from _find_listed(plan)
    yield from _find_written(plan)
    yield from _find_named(plan)


def _find_listed(plan: Plan) -> Iterator[Loss]:
    declared = {item.key: item for item in plan.items if item.entry}
    names: dict[Name, Item] = {}
    for item in plan.items:
        for kind, name, _bearer in declarations_of(item):
            names[unique_name(kind, item.scope, name)] = item
    for item in plan.deletions:
        other = names.get(unique_name(item.kind, item.scope, item.name))
        if other and other.kind is not item.kind:
            yield f"{item.label} would be deleted", other
    for item, gone in plan.cascades:
        other = declared.get(gone.key)
        # What a change gives up may be what another entry gets.
        if other is None and item.is_deletion:
            other = names.get(unique_name(gone.kind, gone.owner, gone.name))
        if other and other is not item:
            yield item.describe_cascade(gone), other


def _find_written(plan: Plan) -> Iterator[Loss]:
    """What refers to what is deleted."""
    deletions: dict[Key, Item] = {}
    for item in plan.deletions:
        deletions |= {gone.key: item for gone in (item, *item.cascade)}
    for item in plan.writes:
        for other in item.references.values():
            if other.key in deletions:
                yield deletions[other.key].describe_cascade_of(item.kind, item.live_name), item


def _find_named(plan: Plan) -> Iterator[Loss]:
    """What the service deletes by its name, wherever it is, and no list shows: a domain's alias."""
    declared: dict[str, list[tuple[Values, Item]]] = defaultdict(list)
    for item in plan.items:
        if item.is_write or item.skip_reason == NOT_SELECTED:
            for kind, name, _bearer in declarations_of(item):
                if not item.live or kind is not item.kind:
                    record = {**kind.fields.to_result({}), kind.name_field: name}
                    declared[kind.plural].append((record, item))
    for item in plan.deletions:
        for gone in (item, *item.cascade):
            for plural in gone.kind.documented_cascades:
                kind = KINDS[plural]
                condition = kind.cascades_from[gone.kind.plural]
                for record, other in declared[plural]:
                    if condition(deletion_of(gone), record):
                        yield item.describe_cascade_of(kind, record[kind.name_field]), other
