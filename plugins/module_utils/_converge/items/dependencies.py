# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which items must be applied before which, and which may be applied at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from ..._errors import PlatformError
from ..._model.kind import Name
from ..._model.kinds.registry import dependency_level
from .item import Item
from .names import acquired_names, released_names


def needs_of_writes(items: Iterable[Item]) -> Mapping[Item, set[Item]]:
    """For each write, the writes that it refers to and those that release its names."""
    writes = {item for item in items if item.is_write}
    releasing: dict[Name, set[Item]] = defaultdict(set)
    for item in writes:
        for name in released_names(item):
            releasing[name].add(item)
    needed = {}
    for item in writes:
        found = writes.intersection([*item.references.values(), item.scope.key])
        for name in acquired_names(item):
            found |= releasing.get(name, set())
        needed[item] = found - {item}
    return needed


def phase_of(item: Item) -> tuple[bool, int]:
    """Items go by the levels of their kinds, deletions last and in reverse."""
    level = dependency_level(item.kind)
    return (True, -level) if item.step.is_deletion else (False, level)


def batches_of(items: Iterable[Item]) -> Iterator[list[Item]]:
    """What may be applied at once. Raises PlatformError for items that wait for one another."""
    pending = sorted((item for item in items if item.is_pending), key=phase_of)
    for _phase, group in groupby(pending, phase_of):
        remaining = list(group)
        while remaining:
            waiting = set(remaining)
            ready = [item for item in remaining if waiting.isdisjoint(item.needs)]
            if not ready:
                cycle = ", ".join(item.label for item in remaining)
                raise PlatformError(
                    f"These steps depend on one another: {cycle}. Give one of the objects an"
                    " unused name or alias."
                )
            yield ready
            waiting.difference_update(ready)
            remaining = [item for item in remaining if item in waiting]
