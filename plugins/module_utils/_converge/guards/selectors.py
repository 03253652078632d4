# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guards ``ignore`` and ``only``: what others manage, or the task does not select, stays."""

from __future__ import annotations

from collections.abc import Iterator

from ..._errors import InvalidOption
from ..items.item import NOT_SELECTED, Item
from ..items.names import unique_name
from ..items.plan import Plan
from .unmatched import find_misspellings


def check_ignore(plan: Plan) -> Iterator[str | InvalidOption]:
    """Refuse to declare or delete objects that others manage, and to delete what a selector
    misspells.
    """
    ignore = plan.options.ignore
    if not ignore:
        return
    for item in plan.items:
        is_ignored = item.is_matched_by(ignore) or (item.live and item.will_be_matched_by(ignore))
        if item.entry and is_ignored:
            yield (
                f"{item.label} declares the {item.live_description}, which is ignored."
                " Remove the entry or the selector."
            )
    for item, other in plan.cascades:
        if other.is_matched_by(ignore):
            yield f"{item.describe_cascade(other)}, which is ignored."
    yield from find_misspellings("ignore", plan)


def check_only(plan: Plan) -> Iterator[str]:
    """Refuse to delete in a cascade what an unselected entry declares, and to prune what it refers
    to.
    """
    skipped = [item for item in plan.items if item.skip_reason == NOT_SELECTED]
    unselected: dict[object, Item] = {}
    for item in skipped:
        for name in (item.name, *item.desired.previous_names):
            unselected[unique_name(item.kind, item.scope, name)] = item
    unselected |= {item.key: item for item in skipped}
    for item, other in plan.cascades:
        declaring = unselected.get(other.key) or unselected.get(
            unique_name(other.kind, other.owner, other.name)
        )
        if declaring:
            yield (
                f"{item.describe_cascade(other)}, but {declaring.label}, which declares it, is not"
                " selected."
            )
    pruned = {item.key for item in plan.items if item.is_pruned}
    for item in skipped:
        for other in item.references.values():
            if item.is_declared and other.key in pruned:
                yield (
                    f"the {other.kind.singular} {other.name} would be deleted, but {item.label},"
                    " which refers to it, is not selected."
                )
