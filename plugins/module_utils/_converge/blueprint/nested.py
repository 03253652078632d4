# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries inside the entry to which they refer: the aliases of a project, under ``aliases`` in its
entry.

Each is an entry as if it stood under its own kind: it refers to the entry around it, and is in its
scope.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS
from ..._model.resource import Resource


class Nesting(NamedTuple):
    """A kind whose entries may stand in those of another. ``option`` refers to the entry around."""

    kind: type[Resource]
    option: str

    def to_item(self, item: Any) -> Any:
        """An item of the list as a dictionary: a text is a name. What can be neither is returned as
        it is.
        """
        if item is None or isinstance(item, (dict, list)):
            return item
        return {self.kind.name_field: item}


def nestings(kind: type[Kind]) -> Mapping[str, Nesting]:
    """What the entries of a kind may hold, by the option under which it stands."""
    found = {}
    for other in KINDS.values():
        for option, referred in other.references.items():
            if referred is kind:
                found[other.plural] = Nesting(other, option)
    return found
