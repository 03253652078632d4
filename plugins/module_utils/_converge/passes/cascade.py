# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 7, cascade: add to each change what the service deletes as a consequence of its step."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from ..._model.kinds.registry import KINDS
from ..plan.cascades import Consequence, cascade_of, may_cascade
from ..plan.change import Change, Changes
from ..plan.dependencies import phase_of
from ..plan.objects import Key, LiveObject, ObjectKey
from ..plan.snapshot import Snapshot


def add_cascades(changes: Changes, snapshot: Snapshot) -> Changes:
    """Add to each change its cascade. An object is in one cascade at most, that of the step that is
    applied first, and in none if it has a deletion of its own. If a step takes it away first, the
    deletion depends on that step.
    """
    cascades = _Cascades(changes)
    for change in sorted(filter(may_cascade, changes), key=_position):
        for consequence in cascade_of(change, snapshot):
            cascades.add(change, consequence)
    return tuple(cascades.extended(change) for change in changes)


class _Cascades:
    """The cascades of a plan, while they are found."""

    def __init__(self, changes: Changes) -> None:
        self._pending = {
            change.live_key: change for change in changes if change.live and change.is_pending
        }
        self._objects: dict[Key, list[LiveObject]] = defaultdict(list)
        self._dependencies: dict[Key, set[Key]] = defaultdict(set)
        self._cause_of: dict[ObjectKey, Change] = {}

    def add(self, change: Change, consequence: Consequence) -> None:
        obj = consequence.obj
        other = self._pending.get(obj.key)
        if other and other.is_deletion:
            return
        if other and change.is_deletion and not consequence.holds_for(other.step.expected):
            self._dependencies[change.key].add(other.key)
            return
        first = self._cause_of.setdefault(obj.key, change)
        if first is change:
            self._objects[change.key].append(obj)
        elif phase_of(first) == phase_of(change):
            self._dependencies[change.key].add(first.key)

    def extended(self, change: Change) -> Change:
        cascade = sorted(self._objects.get(change.key, ()), key=lambda obj: obj.sort_key)
        dependencies = self._dependencies.get(change.key, set())
        if not cascade and not dependencies:
            return change
        return replace(
            change, cascade=tuple(cascade), dependencies=change.dependencies | dependencies
        )


def _position(change: Change) -> tuple[object, ...]:
    return (*phase_of(change), list(KINDS).index(change.kind.plural), str(change.id_or_key))
