# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The names that a plan takes and gives up, each in the one form in which names are compared, and
as it is written: a host may have an ASCII form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..._model.kind import Kind, Name
from ..._model.kinds.registry import KINDS
from ..._model.options import Options
from ..._model.scope import Scope
from .item import Item


def unique_name(kind: type[Kind], scope: Scope, name: Any) -> Name:
    """A name as the service keeps it unique: some on the whole platform."""
    return kind.name_at("" if kind.is_unique_on_platform else scope, name)


def declared_names(item: Item) -> Mapping[Name, str]:
    """The names that an entry declares. What only has to exist declares no field once it does."""
    values = item.desired.values
    if item.entry is None or item.desired.is_absent:
        values = {}
    elif item.desired.is_create_only and item.live:
        values = {item.kind.name_field: item.desired.name}
    return _names_of(item, values)


def acquired_names(item: Item) -> Mapping[Name, str]:
    """The names that a write gives to an object, and to its fields."""
    before = _names_of(item, item.live)
    after = _names_of(item, item.step.expected)
    return {name: text for name, text in after.items() if name not in before}


def released_names(item: Item) -> set[Name]:
    """The names that a write takes from them, and those under which the object would be looked for
    if it were not applied.
    """
    previous = {unique_name(item.kind, item.scope, name) for name in item.desired.previous_names}
    before = _names_of(item, item.live).keys() | previous
    return before - _names_of(item, item.step.expected).keys()


def embedded_objects(kind: type[Kind], values: Options) -> Iterator[tuple[type[Kind], Any]]:
    """The kinds and names of the objects that are values of fields."""
    for field, plural in kind.embeds.items():
        if values.get(field):
            yield KINDS[plural], values[field]


def _names_of(item: Item, values: Options) -> dict[Name, str]:
    """The names that an object bears: its own, and those of the objects that are fields of it."""
    own = (item.kind, values.get(item.kind.name_field))
    return {
        unique_name(kind, item.scope, name): str(name)
        for kind, name in (own, *embedded_objects(item.kind, values))
        if name
    }
