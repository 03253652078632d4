# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole lists under our names, and keeping them for as long as that is safe."""

from __future__ import annotations

import math
import threading
import time
import typing as t

from .._fields import Values

Form = t.Callable[[t.Any], str]
ListKey = tuple[str, str]

# How long a list serves the items of a loop, and one task that plans as a whole.
LOOP_SECONDS = 60.0
WHOLE_TASK = math.inf
TEAMS: ListKey = ("teams", "")


class Listing:
    """All objects of one kind in one scope, found by any field without walking them all. For several threads."""

    def __init__(self, items: t.Iterable[Values] = ()) -> None:
        self._lock = threading.RLock()
        self._items: dict[t.Any, Values] = {}
        self._indexes: dict[tuple[str, Form], dict[str, dict[t.Any, Values]]] = {}
        for item in items:
            self._items[_identity(item)] = item

    def __iter__(self) -> t.Iterator[Values]:
        with self._lock:
            return iter(list(self._items.values()))

    def __len__(self) -> int:
        return len(self._items)

    def where(self, field: str, value: t.Any, form: Form = str) -> list[Values]:
        """The objects whose field has this value; ``form`` makes values that count as one the same."""
        key = "" if value is None else form(value)
        if not key:
            return []
        with self._lock:
            index = self._indexes.get((field, form))
            if index is None:
                index = self._indexes[field, form] = {}
                for identity, item in self._items.items():
                    index.setdefault(form(item.get(field) or ""), {})[identity] = item
            return list(index.get(key, {}).values())

    def put(self, item: Values) -> None:
        """Add an object, or replace the one with its id."""
        identity = _identity(item)
        with self._lock:
            self.remove(item)
            self._items[identity] = item
            for (field, form), index in self._indexes.items():
                index.setdefault(form(item.get(field) or ""), {})[identity] = item

    def remove(self, item: Values) -> None:
        with self._lock:
            old = self._items.pop(_identity(item), None)
            if old is not None:
                for (field, form), index in self._indexes.items():
                    index[form(old.get(field) or "")].pop(_identity(item))


class Lists:
    """The lists that were read. They serve again for ``keep_seconds``, or until a write makes them untrue."""

    def __init__(self, keep_seconds: float = 0.0, clock: t.Callable[[], float] = time.monotonic) -> None:
        self.keep = keep_seconds > 0
        self.recalled = False
        """Set when a kept list has served."""
        self._keep_seconds = keep_seconds
        self._clock = clock
        self._read_at: dict[ListKey, float] = {}
        self._glances = 0
        self._kept: dict[ListKey, Listing] = {}
        self._lock = threading.RLock()

    def get(self, key: ListKey, read: t.Callable[[], Listing]) -> Listing:
        listing = self._kept.get(key)
        if listing is None or self._clock() - self._read_at[key] > self._keep_seconds:
            started = self._clock()
            listing = read()
            if self.keep:
                self._read_at[key] = started
                self._kept[key] = listing
        else:
            self.recalled = True
        return listing

    def may_glance(self, key: ListKey) -> bool:
        """Whether one object may be asked for alone. Where lists are kept, the second one is worth reading them all."""
        self._glances += 1
        return not self.keep or (self._glances == 1 and key not in self._kept)

    def forget(self) -> None:
        """Nothing that was read counts any more."""
        with self._lock:
            self._kept.clear()

    def wrote(self, key: ListKey, before: Values, after: Values | None) -> None:
        """An object became another, or none (``before`` is ``{}`` for a new one): its own list follows, others go."""
        with self._lock:
            own, teams = self._kept.get(key), self._kept.get(TEAMS)
            self._kept = {TEAMS: teams} if teams is not None and key[0] != "teams" else {}
            if own is not None:
                if before:
                    own.remove(before)
                if after:
                    own.put(after)
                self._kept[key] = own


def _identity(item: Values) -> t.Any:
    """The id; an object that is only planned has none yet and is told apart by itself."""
    return id(item) if item["id"] is None else str(item["id"])
