# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in the one form in which they are compared, and those that an entry wants to exist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS
from .entries import Entry


class Name(NamedTuple):
    """What two objects of a kind cannot share."""

    kind: str
    # Where it is unique: a scope, or ``""`` for the whole platform.
    place: object
    text: str


class DesiredName(NamedTuple):
    """A name that an entry wants to exist: its own, or that of an object which is its field."""

    kind: type[Kind]
    name: str
    # The option whose value it is, None for the entry's own name.
    field: str | None = None


def name_at(kind: type[Kind], place: object, name: Any) -> Name:
    return Name(kind.plural, place, kind.normalize(name))


def desired_names(entry: Entry) -> Iterator[DesiredName]:
    """None for an entry that wants its object absent."""
    if entry.desired.is_absent:
        return
    if entry.desired.name:
        yield DesiredName(entry.kind, entry.desired.name)
    for field, plural in entry.kind.embeds.items():
        if entry.desired.values.get(field):
            yield DesiredName(KINDS[plural], str(entry.desired.values[field]), field)
