# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in the one form in which they are compared."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..._model.kind import Kind


class Name(NamedTuple):
    """What two objects of a kind cannot share."""

    kind: str
    # Where it is unique: a scope, or ``""`` for the whole platform.
    place: object
    text: str


def name_at(kind: type[Kind], place: object, name: Any) -> Name:
    return Name(kind.plural, place, kind.normalize(name))
