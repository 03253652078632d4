# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which changes must be applied before which, and which may be applied at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby

from ..._errors import PlatformError
from ..._model.kinds.registry import dependency_level
from ..blueprint.declared_names import Name
from .change import Change, Changes
from .names import acquired_names, released_names
from .objects import Key


def dependencies_of(changes: Changes) -> dict[Key, frozenset[Key]]:
    """For each pending change, the changes that it refers to and those that release its names."""
    writes = {change.key: change for change in changes if change.is_write}
    releasing: dict[Name, set[Key]] = defaultdict(set)
    for change in writes.values():
        for name in released_names(change):
            releasing[name].add(change.key)
    needed: dict[Key, frozenset[Key]] = {}
    for change in writes.values():
        keys = {reference.key for reference in change.references.values()}
        keys.add(change.scope.key)
        keys &= writes.keys()
        for name in acquired_names(change):
            keys |= releasing.get(name, set())
        needed[change.key] = frozenset(key for key in keys if key is not None and key != change.key)
    return needed


def phase_of(change: Change) -> tuple[bool, int]:
    """Changes go by the levels of their kinds, deletions last and in reverse."""
    level = dependency_level(change.kind)
    return (True, -level) if change.step.is_deletion else (False, level)


def batches_of(changes: Changes) -> Iterator[tuple[Change, ...]]:
    """Batches that may be applied at once. Raises PlatformError for changes that wait for one
    another.
    """
    pending = sorted((change for change in changes if change.is_pending), key=phase_of)
    for _phase, group in groupby(pending, phase_of):
        remaining = list(group)
        while remaining:
            ready = tuple(_ready(remaining))
            if not ready:
                cycle = ", ".join(change.label for change in remaining)
                raise PlatformError(
                    f"These steps depend on one another: {cycle}. Give one of the objects an"
                    " unused name or alias."
                )
            yield ready
            applied = {change.key for change in ready}
            remaining = [change for change in remaining if change.key not in applied]


def _ready(remaining: list[Change]) -> Iterator[Change]:
    waiting = {change.key for change in remaining}
    for change in remaining:
        if waiting.isdisjoint(change.dependencies):
            yield change
