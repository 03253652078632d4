# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Matching entries to the existing objects of a kind in a scope. Pure.

Entries with earlier names are matched together: where ``a`` becomes ``b`` while ``b`` becomes ``c``, the second entry
means the object ``b``.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any

from .._common.errors import PlatformError
from .._resources.fields import Values
from .._resources.listing import Listing
from .._resources.named import NamedResource
from .._resources.resource import Resource
from .entries import Entry, Problems


def match_entries(bounds: Mapping[Entry, Resource], items: Listing, problems: Problems) -> dict[Entry, Values | None]:
    """The object of each entry, ``None`` if there is none; entries with a reported problem are left out."""
    if any(entry.wanted.previously for entry in bounds):
        named = {entry: bound for entry, bound in bounds.items() if isinstance(bound, NamedResource)}
        return _Matching(named, items, problems).matches()
    matches: dict[Entry, Values | None] = {}
    for entry, bound in bounds.items():
        with problems.of(entry):
            matches[entry] = bound.match(items)
    return matches


class _Matching:
    """Entries of one kind and scope, some of which have earlier names."""

    def __init__(self, bounds: Mapping[Entry, NamedResource], items: Listing, problems: Problems) -> None:
        self._bounds = bounds
        self._items = items
        self._problems = problems
        self._refused: set[Entry] = set()
        self._live = {entry: self._attempt(entry, bound.named) for entry, bound in bounds.items()}
        """The object of each entry: that of its name, until it inherits or loses one."""
        self._earlier = {entry: self._attempt(entry, bound.named_before) or [] for entry, bound in bounds.items()}
        self._entry_of_name = {bound.name: entry for entry, bound in bounds.items() if bound.name and not bound.id}

    def matches(self) -> dict[Entry, Values | None]:
        kept = {entry for entry, live in self._live.items() if live is not None}
        waiting = [entry for entry in self._live if entry not in kept]
        while waiting:
            loser = self._inherit(waiting.pop(0))
            if loser is not None:
                self._live[loser] = None
                kept.discard(loser)
                waiting.append(loser)
        declared = {str(live["id"]) for live in self._live.values() if live is not None}
        for entry in kept:
            self._check_alone(entry, declared)
        return {entry: live for entry, live in self._live.items() if entry not in self._refused}

    def _inherit(self, entry: Entry) -> Entry | None:
        """Give an entry without an object the object of an earlier name; returns the entry that loses it, if any."""
        bound, earlier = self._bounds[entry], self._earlier[entry]
        if len(earlier) > 1:
            self._refuse(entry, bound.both_exist(earlier))
        if len(earlier) != 1 or entry in self._refused:
            return None
        live: Values = earlier[0]
        self._live[entry] = self._attempt(entry, lambda items: bound.addressable(live, items))
        loser = self._entry_of_name.get(live[bound.name_field])
        if loser is None or self._live[loser] is not live:
            return None
        if not self._earlier[loser]:
            self._refuse(
                entry,
                f"previously: {live[bound.name_field]} exists and {bound.name} does not, and {loser.label} declares"
                f" {live[bound.name_field]} too. Remove it from previously, or give {loser.label} another name.",
            )
            return None
        return loser

    def _check_alone(self, entry: Entry, declared: Container[str]) -> None:
        """Check an entry with the object of its name: one of an earlier name must be another entry's, or not exist."""
        others = [item for item in self._earlier[entry] if str(item["id"]) not in declared]
        if others:
            self._refuse(entry, self._bounds[entry].both_exist([self._live[entry], *others]))

    def _attempt(self, entry: Entry, find: Callable[[Listing], Any]) -> Any:
        try:
            return find(self._items)
        except PlatformError as error:
            self._refused.add(entry)
            self._problems.report(entry, error)
            return None

    def _refuse(self, entry: Entry, problem: str) -> None:
        self._refused.add(entry)
        self._problems.report(entry, PlatformError(problem))
