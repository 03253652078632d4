# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in the one form in which they are compared, and those that an entry wants to exist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Optional

from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS
from .entries import Entry

# A name that an entry wants to exist, and its kind. If it is that of an object which is a field of
# the entry's own, that option; else None.
DesiredName = tuple[type[Kind], str, Optional[str]]


class Name(NamedTuple):
    """What two objects of a kind cannot share."""

    kind: str
    # Where it is unique: a scope, or ``""`` for the whole platform.
    place: object
    text: str


def name_at(kind: type[Kind], place: object, name: Any) -> Name:
    return Name(kind.plural, place, kind.normalize(name))


def desired_names(entry: Entry) -> Iterator[DesiredName]:
    """None for an entry that wants its object absent."""
    if entry.desired.is_absent:
        return
    if entry.desired.name:
        yield entry.kind, entry.desired.name, None
    for field, plural in entry.kind.embeds.items():
        if entry.desired.values.get(field):
            yield KINDS[plural], str(entry.desired.values[field]), field
