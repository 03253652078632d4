# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Matching entries to the existing objects of a kind in a scope. Pure.

Entries with earlier names are matched together: where ``a`` becomes ``b`` while ``b`` becomes ``c``, the second entry
means the object ``b``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .._common.errors import PlatformError
from .._resources.fields import Values
from .._resources.kind import Kind
from .._resources.listing import Listing
from .._resources.named import NamedResource
from .._resources.resource import Resource
from .entries import Entry

Bound = tuple[Entry, Kind]
Report = Callable[[Entry, PlatformError], None]


def match_entries(bounds: Sequence[Bound], items: Listing, report: Report) -> dict[Entry, Values | None]:
    """The object of each entry, ``None`` if there is none; entries with a reported problem are left out."""
    if any(entry.wanted.previously for entry, _bound in bounds):
        named = [(entry, bound) for entry, bound in bounds if isinstance(bound, NamedResource)]
        return _Matching(named, items, report).matches()
    matches: dict[Entry, Values | None] = {}
    for entry, bound in bounds:
        try:
            matches[entry] = bound.match(items) if isinstance(bound, Resource) else None
        except PlatformError as error:
            report(entry, error)
    return matches


class _Matching:
    """Entries of one kind and scope, some of which have earlier names."""

    def __init__(self, bounds: Sequence[tuple[Entry, NamedResource]], items: Listing, report: Report) -> None:
        self._bounds = dict(bounds)
        self._items = items
        self._report = report
        self._matches: dict[Entry, Values | None] = {}
        self._refused: set[Entry] = set()
        self._entry_of_name = {bound.name: entry for entry, bound in bounds if bound.name and not bound.id}
        self._heir: dict[str, Entry] = {}
        """The entry that takes over an object by an earlier name, by the object's id."""

    def matches(self) -> dict[Entry, Values | None]:
        by_name = {entry: self._attempt(entry, bound.named) for entry, bound in self._bounds.items()}
        waiting = [entry for entry, live in by_name.items() if live is None]
        while waiting:
            entry = waiting.pop(0)
            waiting += self._inherit(entry, by_name)
        for entry, live in by_name.items():
            if live is not None and entry not in self._matches:
                self._keep(entry, live)
        return {entry: live for entry, live in self._matches.items() if entry not in self._refused}

    def _inherit(self, entry: Entry, by_name: dict[Entry, Values | None]) -> list[Entry]:
        """Give an entry without an object the object of an earlier name; returns the entry that loses it, if any."""
        bound = self._bounds[entry]
        earlier = self._attempt(entry, bound.named_before) or []
        if len(earlier) > 1:
            self._refuse(entry, bound.both_exist(earlier))
        if len(earlier) != 1 or entry in self._refused:
            self._matches[entry] = None
            return []
        live: Values = earlier[0]
        self._matches[entry] = self._attempt(entry, lambda items: bound.addressable(live, items))
        self._heir[str(live["id"])] = entry
        loser = self._entry_of_name.get(live[bound.name_field])
        if loser is None or by_name.get(loser) is not live:
            return []
        if not self._attempt(loser, self._bounds[loser].named_before):
            self._refuse(
                entry,
                f"previously: {live[bound.name_field]} exists and {bound.name} does not, and {loser.label} declares"
                f" {live[bound.name_field]} too. Remove it from previously, or give {loser.label} another name.",
            )
            return []
        by_name[loser] = None
        return [loser]

    def _keep(self, entry: Entry, live: Values) -> None:
        """Let an entry have the object of its name, unless one of an earlier name exists that no entry declares."""
        bound = self._bounds[entry]
        others = [
            item
            for item in self._attempt(entry, bound.named_before) or []
            if str(item["id"]) not in self._heir and item[bound.name_field] not in self._entry_of_name
        ]
        if others:
            self._refuse(entry, bound.both_exist([live, *others]))
        self._matches[entry] = live

    def _attempt(self, entry: Entry, find: Callable[[Listing], Any]) -> Any:
        try:
            return find(self._items)
        except PlatformError as error:
            self._refused.add(entry)
            self._report(entry, error)
            return None

    def _refuse(self, entry: Entry, problem: str) -> None:
        self._refused.add(entry)
        self._report(entry, PlatformError(problem))
