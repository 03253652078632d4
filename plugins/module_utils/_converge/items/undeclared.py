# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What entries declare, by themselves or as another object's field; and what exists and nobody
declares.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS
from ..._model.scope import Scope
from ..blueprint.declared_names import Name, name_at
from .item import TEAM_KIND, Item, Key, reference_id
from .lists import Lists
from .names import embedded_objects, name_in_scope
from .plan import Plan
from .selection import is_object_selected


class Declarations:
    """What entries declare, also as absent: none of it is pruned, or reported as undeclared."""

    def __init__(self, items: Iterable[Item], lists: Lists) -> None:
        entries = [item for item in items if item.entry]
        self._keys: set[Key] = {item.key for item in entries}
        self._names: set[Name] = set()
        # The names of fields, each in its place: the ID of the object with it.
        self._fields = set(_fields_of_objects(lists))
        for item in entries:
            self._names.update(_declared_names(item))
            if item.live:
                self._fields.update(_fields_of(item.kind, item.step.expected))

    def has(self, item: Item) -> bool:
        """True if an entry declares an object, or it is another object's field: a project's own
        alias.
        """
        if item.key in self._keys or self._is_field(item):
            return True
        return name_in_scope(item.kind, item.owner, item.name) in self._names

    def _is_field(self, item: Item) -> bool:
        names = (
            name_at(item.kind, reference_id(item, option), item.name)
            for option in item.kind.references
        )
        return not self._fields.isdisjoint(names)


def _declared_names(item: Item) -> Iterator[Name]:
    """The names that an entry declares in its scope: its own, and earlier ones that nothing else
    may bear by now.
    """
    previous = item.desired.previous_names
    for name in (item.desired.name, *previous):
        is_given_up = item.live and name in previous
        if name and not is_given_up:
            yield name_in_scope(item.kind, item.scope, name)


def _fields_of_objects(lists: Lists) -> Iterator[Name]:
    for kind in KINDS.values():
        for record in lists.whole(kind) if kind.embeds else ():
            yield from _fields_of(kind, record)


def _fields_of(kind: type[Kind], values: Mapping[str, Any]) -> Iterator[Name]:
    for _field, other, name in embedded_objects(kind, values):
        yield name_at(other, str(values["id"]), name)


def find_undeclared(plan: Plan, kinds: Collection[str], items: Iterable[Item]) -> list[Item]:
    """All objects of these kinds that the scopes of the run hold and these items do not declare,
    but could name, in a fixed order.
    """
    declarations = Declarations(items, plan.lists)
    found = [
        item
        for item in _objects_of_run(kinds, plan)
        if not declarations.has(item)
        and is_object_selected(item, plan.options)
        and not item.is_matched_by(plan.options.ignore)
        and item.has_valid_name
    ]
    return sorted(found, key=lambda item: item.sort_key)


def _objects_of_run(kinds: Collection[str], plan: Plan) -> Iterator[Item]:
    """What the scopes of the run hold, and the teams to which the caller belongs."""
    if TEAM_KIND.plural in kinds:
        for team in plan.listed_teams:
            yield plan.lists.item(TEAM_KIND, team)
    scopes: set[Scope] = set(plan.scopes)
    for kind in KINDS.values():
        if kind is TEAM_KIND or kind.plural not in kinds:
            continue
        for item in plan.lists.of_kind(kind):
            if item.owner in scopes and item.owner in plan.lists.listed_in(kind, item.live):
                yield item
