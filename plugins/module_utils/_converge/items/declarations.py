# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What entries declare, by themselves or as another object's field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..._model.kinds.registry import KINDS
from ..blueprint.declared_names import Name, name_at
from .item import Item, Key
from .lists import Lists
from .names import embedded_objects, name_in_scope


class Declarations:
    """What entries declare, also as absent: none of it is pruned, or reported as undeclared."""

    def __init__(self, items: Iterable[Item], lists: Lists) -> None:
        entries = [item for item in items if item.entry]
        self._keys: set[Key] = {item.key for item in entries}
        self._names: set[Name] = set()
        for kind in KINDS.values():
            if kind.embeds:
                for item in lists.items(kind):
                    self._names.update(_fields_of(item))
        for item in entries:
            self._names.update(_names_of(item))
            if item.live:
                self._names.update(_fields_of(item))

    def has(self, item: Item) -> bool:
        """True if an entry declares an object, or it is another object's field: a project's own
        alias.
        """
        if item.key in self._keys:
            return True
        names = [name_at(item.kind, bearer, item.name) for bearer in item.reference_keys]
        names.append(name_in_scope(item.kind, item.owner, item.name))
        return not self._names.isdisjoint(names)


def _names_of(item: Item) -> Iterator[Name]:
    """The names that an entry declares in its scope: its own, and earlier ones that nothing else
    may bear by now.
    """
    previous = item.desired.previous_names
    for name in (item.desired.name, *previous):
        is_given_up = item.live and name in previous
        if name and not is_given_up:
            yield name_in_scope(item.kind, item.scope, name)


def _fields_of(item: Item) -> Iterator[Name]:
    """The names of objects that are fields of another one, as its step leaves it."""
    for kind, name in embedded_objects(item.kind, item.step.expected):
        yield name_at(kind, item.key, name)
