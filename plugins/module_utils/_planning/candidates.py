# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The objects that an option of an entry may name."""

from __future__ import annotations

from collections.abc import Sequence

from .._common.text import did_you_mean
from .._resources.kind import Kind
from .._resources.listing import Listing
from .._resources.plan import Found, Known
from .._resources.platform import Ambiguous, Scope, described
from .node import Node


class Candidates:
    """The objects that an option may name once the plan is carried out: those of nodes, and those without a node."""

    def __init__(self, kind: type[Kind], items: Listing, nodes: Sequence[Node]) -> None:
        self._kind = kind
        self._nodes = nodes
        touched = {str(node.step.live["id"]) for node in nodes if node.step.live}
        self._known: list[Known] = [node for node in nodes if not node.step.is_deletion and node.step.expected]
        self._known += [Found(item) for item in items if str(item["id"]) not in touched]
        self._index: dict[str, list[Known]] = {}
        for known in self._known:
            for name in dict.fromkeys(str(known.item[field] or "") for field in ("id", kind.name_field)):
                self._index.setdefault(name, []).append(known)
        for node in self._known:
            # An object that only has to exist may keep an earlier name, and is meant by the declared one, too.
            if isinstance(node, Node) and node.entry:
                self._index.setdefault(node.entry.name, [node])

    def find(self, option: str, id_or_name: str) -> Known | None:
        """Raises Ambiguous if the value is the id of one object and the name of another."""
        found = self._index.get(id_or_name, [])
        if len(found) > 1:
            listed = "; ".join(described(known.item) for known in found)
            raise Ambiguous(
                f"{option}: {id_or_name} matches {len(found)} objects ({listed}). Specify which one is meant."
            )
        return found[0] if found else None

    def why_missing(self, name: str, scope: Scope) -> str:
        """The message for a name that nothing has once the plan is done."""
        near = did_you_mean(name, [known.item[self._kind.name_field] for known in self._known])
        return self.taken_away(name) or f"{name} is not declared and does not exist in {scope}.{near}"

    def taken_away(self, name: str) -> str | None:
        """The reason why nothing has this name any more once the plan is done."""
        field = self._kind.name_field
        for node in self._nodes:
            if node.step.live.get(field) == name and node.step.is_deletion:
                return f"{name} is declared with state absent by {node.label}."
            if node.step.live.get(field) == name and node.step.changes:
                return f"{name} is renamed to {node.name} by {node.label}. Use {node.name} here."
        return None
