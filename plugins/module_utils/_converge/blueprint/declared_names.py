# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in the one form in which they are compared, and those that an entry declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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


class DeclaredName(NamedTuple):
    """A name that an entry wants to exist: its own, or that of an object which is its field."""

    kind: type[Kind]
    name: str
    # The option whose value it is, None for the entry's own name.
    field: str | None = None


def name_at(kind: type[Kind], place: object, name: Any) -> Name:
    return Name(kind.plural, place, kind.normalize(name))


def wanted_names(entry: Entry) -> Iterator[DeclaredName]:
    """None for an entry that wants its object absent."""
    if entry.desired.is_absent:
        return
    if entry.desired.name:
        yield DeclaredName(entry.kind, entry.desired.name)
    for field, plural in entry.kind.embeds.items():
        if entry.desired.values.get(field):
            yield DeclaredName(KINDS[plural], str(entry.desired.values[field]), field)


def find_contradictions(
    entries: Iterable[Entry], place_of: Callable[[Entry], object]
) -> Iterator[tuple[Entry, Entry, str]]:
    """Entries that exclude each other: one wants absent what the other declares in the same place.

    Yields the two, and how the other one declares it. Two that declare the same are duplicates.
    """
    entries = list(entries)
    declared: dict[Name, tuple[Entry, str]] = {}
    for entry in entries:
        for kind, name, field in wanted_names(entry):
            if field and entry.desired.is_create_only:
                continue
            how = f"declares it as its {field}" if field else "declares the same object"
            declared.setdefault(name_at(kind, place_of(entry), name), (entry, how))
    for entry in entries:
        if not entry.desired.is_absent or entry.desired.id:
            continue
        other, how = declared.get(
            name_at(entry.kind, place_of(entry), entry.desired.name), (None, "")
        )
        if other:
            yield entry, other, how
