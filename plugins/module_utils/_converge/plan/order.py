# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What must be applied before what."""

from __future__ import annotations

from collections import defaultdict

from ..._model.scope import Scope
from ..items.dependencies import needs_of_writes
from ..items.item import Item
from ..items.names import acquired_names
from ..items.plan import Plan


def add_order(plan: Plan, needs: dict[Item, set[Item]]) -> None:
    """Set what each item needs: these others, the objects to which it refers, and what releases its
    names.

    What is pruned also needs all that creates or renames objects of its kind in its scope, also as
    a field: unless all are done as planned, what looks undeclared may be what was meant. Then it
    also needs the deletions of pruned objects that would go with it.
    """
    for item, others in needs_of_writes(plan.items).items():
        needs[item] |= others
    written: dict[tuple[str, Scope], set[Item]] = defaultdict(set)
    for item in plan.writes:
        for name in acquired_names(item):
            written[name.kind, item.scope].add(item)
    if written:
        pruned = {item for item in plan.items if item.is_pruned}
        for item in pruned:
            needs[item] |= written.get((item.kind.plural, item.scope), set())
            needs[item] |= pruned.intersection(item.consequences)
    for item, others in needs.items():
        item.needs = others
