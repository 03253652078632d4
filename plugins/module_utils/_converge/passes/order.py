# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 8, order: add to each change what must be applied first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from ..._model.scope import Scope
from ..plan.cascades import cascade_of
from ..plan.change import Change, Changes
from ..plan.dependencies import dependencies_of
from ..plan.names import acquired_names
from ..plan.objects import Key
from ..plan.snapshot import Snapshot

NONE: frozenset[Key] = frozenset()


def add_dependencies(changes: Changes, snapshot: Snapshot) -> Changes:
    """A change depends on the objects that it refers to, and on those that release its names; what
    is pruned also depends on what looks like the reason why it is not declared.
    """
    needed = dependencies_of(changes)
    awaited = _awaited_by_prunes(changes, snapshot)

    def extended(change: Change) -> Change:
        keys = needed.get(change.key, NONE) | awaited.get(change.key, NONE)
        if not keys:
            return change
        return replace(change, dependencies=change.dependencies | keys)

    return tuple(extended(change) for change in changes)


def _awaited_by_prunes(changes: Changes, snapshot: Snapshot) -> Mapping[Key, frozenset[Key]]:
    """For each pruned deletion, what creates or renames objects of its kind in its scope, also as a
    field: unless all are done as planned, what looks undeclared may be what was meant. Also the
    deletions of pruned objects that would go with it.
    """
    written: dict[tuple[str, Scope], set[Key]] = defaultdict(set)
    for change in changes:
        if change.is_write:
            for name in acquired_names(change):
                written[name.kind, change.scope].add(change.key)
    if not written:
        return {}
    pruned = {change.key: change for change in changes if change.is_pruned}
    found: dict[Key, frozenset[Key]] = {}
    for key, change in pruned.items():
        keys = {consequence.obj.key for consequence in cascade_of(change, snapshot)}
        needed = written.get((change.kind.plural, change.scope), set())
        found[key] = frozenset(needed | (keys & pruned.keys()))
    return found
