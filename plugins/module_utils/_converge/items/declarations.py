# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What entries declare, by themselves or as another object's field."""

from __future__ import annotations

from collections.abc import Iterable

from ..._model.kinds.registry import KINDS
from .item import Item
from .lists import Lists
from .names import embedded_objects


class Declarations:
    """What entries declare, also as absent: none of it is pruned, or reported as undeclared."""

    def __init__(self, items: Iterable[Item], lists: Lists) -> None:
        entries = [item for item in items if item.entry]
        # The keys of objects, and names: those of a scope, and those of the fields of an object.
        self._declared: set[object] = set()
        for item in entries:
            self._declared.add(item.key)
            names = [item.desired.name]
            if not item.live:  # else nothing else may bear an earlier name by now
                names += item.desired.previous_names
            for name in filter(None, names):
                self._declared.add(item.kind.name_at(item.scope, name))
        bearers = [item for item in entries if item.live]
        for kind in KINDS.values():
            if kind.embeds:
                bearers += lists.items(kind)
        for item in bearers:
            for field_kind, name in embedded_objects(item.kind, item.step.expected):
                self._declared.add(field_kind.name_at(item.key, name))

    def has(self, item: Item) -> bool:
        """True if an entry declares an object, or it is another object's field: a project's own
        alias.
        """
        places = [item.scope, *item.reference_keys]
        names = [item.kind.name_at(place, item.name) for place in places]
        return not self._declared.isdisjoint([item.key, *names])
