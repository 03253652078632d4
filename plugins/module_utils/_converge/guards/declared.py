# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an entry declares is not deleted with something else, selected (guard ``blueprint``) or not
(guard ``only``): the next run would create it again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS
from ..items.item import NOT_SELECTED, Item, deletion_of
from ..items.names import declared_names, unique_name
from ..items.plan import Plan

# A clause that says what would be deleted, and the item of the entry that declares it.
Loss = tuple[str, Item]
# An object as the plan leaves it, and the item of the entry that declares it.
Declared = tuple[type[Kind], Values, Item]


def find_declared(plan: Plan) -> Iterator[str]:
    """Deletions of what entries declare. What is not selected, the guard ``only`` reports."""
    for clause, item in _find_losses(plan):
        if item.skip_reason != NOT_SELECTED:
            yield f"{clause}, but {item.label} declares it."


def check_only(plan: Plan) -> Iterator[str]:
    """Refuse to delete what an unselected entry declares, or what it refers to."""
    for clause, item in _find_losses(plan):
        if item.skip_reason == NOT_SELECTED:
            yield f"{clause}, but {item.label}, which declares it, is not selected."


def _find_losses(plan: Plan) -> Iterator[Loss]:
    """What steps would delete although entries declare it, selected or not: what lists show, and
    what the plan writes, or an unselected entry would, before the deletion.
    """
    if any(plan.deleted_items):
        yield from _find_listed(plan)
        yield from _find_written(plan)


def _find_listed(plan: Plan) -> Iterator[Loss]:
    """What a step deletes is the object of an entry, or has a name that one declares."""
    declared: dict[object, Item] = {}
    for item in plan.items:
        if item.entry:
            declared[item.key] = item
        for name in declared_names(item):
            declared[name] = item
    for item in plan.items:
        for gone in item.deleted:
            other = declared.get(gone.key, item)
            # What a change gives up may be what another entry gets.
            if other is item and item.is_deletion:
                other = declared.get(unique_name(gone.kind, gone.scope, gone.name), item)
            if gone is not item and other is not item:
                yield item.describe_cascade(gone.kind, gone.name), other
            elif other.kind is not item.kind:
                yield f"{item.label} would be deleted", other


def _find_written(plan: Plan) -> Iterator[Loss]:
    """What is there by then goes with what it refers to, and an alias with a domain, wherever it
    is: no list may show it.
    """
    written = _written_objects(plan)
    for item in plan.deletions:
        for gone in item.deleted:
            step = deletion_of(gone)
            for key in (gone.key, *gone.kind.documented_cascades):
                for kind, record, other in written.get(key, ()):
                    if kind.cascades_from[gone.kind.plural](step, record):
                        yield item.describe_cascade(kind, record[kind.name_field]), other


def _written_objects(plan: Plan) -> Mapping[object, Sequence[Declared]]:
    """What the plan writes, or an unselected entry would, by what it refers to and by its kind."""
    written: dict[object, list[Declared]] = defaultdict(list)
    for item in plan.items:
        if not item.is_write and item.skip_reason != NOT_SELECTED:
            continue
        for name, text in declared_names(item).items():
            kind = KINDS[name.kind]
            record = {**kind.fields.to_result({}), kind.name_field: text}
            if kind is item.kind:
                record |= item.step.expected
            for key in (kind.plural, *(other.key for other in item.references.values())):
                written[key].append((kind, record, item))
    return written
