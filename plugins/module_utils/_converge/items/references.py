# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an option may name: what exists, and what the plan makes, renames or deletes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..._errors import InvalidOption
from ..._model.finding import describe
from ..._model.kind import Kind
from ..._text import did_you_mean
from .item import Item

REMOVE = "Remove this entry, too, or keep what it needs."


class Candidate(NamedTuple):
    """What a name may mean."""

    item: Item
    # Why nothing may refer to it, by this name, any more.
    unusable_reason: str = ""


class References:
    """What names mean in one scope, after this run.

    ``items``: those of the scope that entries make; ``listed``: those of what its list shows.
    """

    def __init__(self, kind: type[Kind], items: Iterable[Item], listed: Iterable[Item]) -> None:
        self._kind = kind
        self._index: dict[str, list[Candidate]] = defaultdict(list)
        declared = [item for item in items if item.kind is kind]
        for item in declared:
            self._add_declared(item)
        keys = {item.key for item in declared}
        for item in listed:
            if item.key not in keys:
                self._add(Candidate(item), str(item.live["id"]), item.name)
        for item in declared:
            # What only has to exist may keep an earlier name, and is meant by the declared one.
            candidate = Candidate(item, unusable_reason(item))
            self._index.setdefault(kind.normalize(item.name), [candidate])

    def _add_declared(self, item: Item) -> None:
        record = item.latest_record
        name = str(record.get(self._kind.name_field) or "")
        self._add(Candidate(item, unusable_reason(item)), str(record.get("id") or ""), name)
        if item.live and item.live_name not in ("", name, item.name):
            reason = f"{item.live_name} is renamed to {name} by {item.label}. Use {name} here."
            self._add(Candidate(item, reason), item.live_name)

    def _add(self, candidate: Candidate, *names: str) -> None:
        for name in {*names} - {""}:
            self._index[self._kind.normalize(name)].append(candidate)

    def candidates(self, name: str) -> Sequence[Candidate]:
        return self._index.get(self._kind.normalize(name), ())

    def resolve(
        self, option: str, name: str, where: str, advice: str = REMOVE, *, is_lenient: bool = False
    ) -> Item | None:
        """The object that an option names. With ``is_lenient``, it may be one that this run
        deletes, or None.

        ``where``: the end of the sentence that says that nothing has this name; ``advice``: what to
        do if an entry wants it absent. Raises
        InvalidOption if the name is ambiguous or means nothing.
        """
        candidates = self.candidates(name)
        usable = usable_items(candidates)
        if len(usable) > 1:
            listed = "; ".join(describe(item.latest_record) for item in usable)
            problem = f"{name} matches {len(usable)} objects ({listed}). Use the id of one of them."
            raise InvalidOption(option, problem)
        if usable:
            return usable[0]
        first = candidates[0] if candidates else None
        if is_lenient and (first is None or name in _current_names(first.item)):
            return first.item if first else None
        if first and first.unusable_reason:
            is_absent = first.item.desired.is_absent and not first.item.problem
            problem = f"{first.unusable_reason} {advice}" if is_absent else first.unusable_reason
            raise InvalidOption(option, problem)
        raise InvalidOption(option, f"{name} {where}{did_you_mean(name, self._usable_names())}")

    def _usable_names(self) -> Iterable[str]:
        names: dict[str, None] = {}
        for found in self._index.values():
            names |= {
                str(item.latest_record[self._kind.name_field] or ""): None
                for item in usable_items(found)
            }
        return names


def usable_items(candidates: Iterable[Candidate]) -> list[Item]:
    """Those to which something may refer after this run, each once."""
    usable = {found.item.key: found.item for found in candidates if not found.unusable_reason}
    return list(usable.values())


def unusable_reason(item: Item) -> str:
    """Why nothing may refer to what an entry declares; ``""`` if something may."""
    if item.problem:
        return f"{item.name} is declared by {item.label}, which is invalid."
    if item.desired.is_absent:
        return f"{item.label} declares {item.name} with state=absent."
    return ""


def _current_names(item: Item) -> tuple[str, ...]:
    record = item.latest_record
    return str(record.get("id") or ""), str(record.get(item.kind.name_field) or "")
