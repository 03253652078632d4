# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Complete lists under our names, and how long they may be cached."""

from __future__ import annotations

import collections
import contextlib
import copy
import math
import sys
import threading
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from .._errors import ApiError
from .fields import Fields, Values

# How long a list is used for the items of a loop, and for one task that plans as a whole.
LOOP_SECONDS = 10.0
WHOLE_TASK = sys.float_info.max  # finite, because a stale list is infinitely old
# How long it proves that an object does not exist.
ABSENCE_SECONDS = 0.5
STALE = -math.inf


class ListKey(NamedTuple):
    """Which list it is: of a kind, in a team or without one."""

    kind: str
    team_id: str | None = None


class Listing:
    """All objects of one kind in one scope, indexed by any field. Thread-safe.

    ``read_at``: when it was read completely; ``seen_at``: when newer objects were last added.
    """

    def __init__(self, records: Iterable[Values], fields: Fields) -> None:
        """``fields``: those of the kind, which say how values are compared."""
        self.read_at = self.seen_at = STALE
        self._fields = fields
        self._lock = threading.RLock()
        self._records: dict[Any, Values] = {_record_id(record): record for record in records}
        self._indexes: dict[str, dict[str, list[Values]]] = {}
        self._includes: Callable[[Values], bool] = _includes_all

    def part(self, includes: Callable[[Values], bool]) -> Listing:
        """The same list as if it showed only what ``includes`` says, which is asked about what is
        looked up alone.
        """
        part = copy.copy(self)
        part._includes = includes
        return part

    def plus(self, *records: Values) -> Listing:
        """The same list, with these objects, too."""
        return Listing([*self, *records], self._fields) if records else self

    def __iter__(self) -> Iterator[Values]:
        with self._lock:
            records = list(self._records.values())
        return filter(self._includes, records)

    def where(self, field: str, value: Any) -> list[Values]:
        """The objects whose field has this value, in the form in which its values are compared."""
        key = self._fields.normalize(field, value)
        if not key:
            return []
        with self._lock:
            if field not in self._indexes:
                index = self._indexes[field] = collections.defaultdict(list)
                for record in self._records.values():
                    index[self._fields.normalize(field, record.get(field))].append(record)
            found = list(self._indexes[field].get(key, ()))
        return list(filter(self._includes, found))

    def put(self, record: Values) -> None:
        """Add an object, or replace the one with its id."""
        with self._lock:
            self.remove(record)
            self._records[_record_id(record)] = record
            for field, index in self._indexes.items():
                index[self._fields.normalize(field, record.get(field))].append(record)

    def remove(self, record: Values) -> None:
        with self._lock:
            old = self._records.pop(_record_id(record), None)
            if old is not None:
                for field, index in self._indexes.items():
                    index[self._fields.normalize(field, old.get(field))].remove(old)


class ListCache:
    """A cache of lists, with one rule for how long they are valid.

    A list is valid for ``keep_seconds``: ten for the items of a loop, until the end for a task that
    plans as a whole, and none for a module that only reads. A write of our own updates its list,
    and invalidates those that it may have changed. That an object does not exist, on which a
    creation relies, is never concluded from a list older than half a second: ``catch_up`` reads
    what is newer first.
    """

    def __init__(
        self, keep_seconds: float = 0.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._keep_seconds = keep_seconds
        self._clock = clock
        self._lists: dict[ListKey, Listing] = {}
        self._peeks = 0
        # No defaultdict: it may give two locks to two threads.
        self._reading: dict[ListKey, threading.RLock] = {}
        self._failures: dict[ListKey, tuple[float, ApiError]] = {}

    @property
    def is_empty(self) -> bool:
        """True if nothing that was read is cached."""
        return not self._lists

    def get(self, key: ListKey, read: Callable[[], Listing]) -> Listing:
        """The list, read unless a valid one is cached. Threads wait for the one that reads it."""
        with self._exclusive_reader(key):
            cached = self._lists.get(key)
            if (
                cached is not None
                and self._keep_seconds
                and self._clock() - cached.read_at <= self._keep_seconds
            ):
                return cached
            # The cache as of now: what another thread invalidates while it is being read serves
            # nobody else.
            cache = self._lists
            started = self._clock()
            listing = read()
            listing.read_at = listing.seen_at = started
            cache[key] = listing
            return listing

    @contextlib.contextmanager
    def _exclusive_reader(self, key: ListKey) -> Iterator[None]:
        """A block that one thread at a time enters.

        Raises the ApiError of a read that has just failed in another.
        """
        asked = self._clock()
        with self._reading.setdefault(key, threading.RLock()):
            failed_at, failure = self._failures.get(key, (STALE, None))
            # Half a second more than those need that waited for it, because the lock is not fair.
            if failure and failed_at + ABSENCE_SECONDS > asked:
                raise failure.copy()
            try:
                yield
            except ApiError as error:
                self._failures[key] = self._clock(), error.copy()
                raise

    def may_peek(self, key: ListKey) -> bool:
        """True if a single object should be read alone.

        For a second one, the whole list is read.
        """
        self._peeks += 1
        return self._peeks == 1 and key not in self._lists

    def catch_up(
        self, key: ListKey, listing: Listing, read_newer: Callable[[], Iterable[Values]]
    ) -> None:
        """Add what ``read_newer`` finds to a list, unless that was done half a second ago."""
        with self._exclusive_reader(key):
            started = self._clock()
            if started - listing.seen_at > ABSENCE_SECONDS:
                for record in read_newer():
                    listing.put(record)
                listing.seen_at = started

    def invalidate(self, kind: str | None = None) -> None:
        """Invalidate the lists of a kind, or all, and what other threads are reading."""
        self._lists = {
            key: cached for key, cached in list(self._lists.items()) if kind not in (None, key.kind)
        }
        self._failures = {}

    def record_write(self, key: ListKey, record: Values, touched: Container[str] = ()) -> None:
        """Record that an object was created, or is what a change has left.

        ``touched``: the other kinds whose lists the write may have changed.
        """
        for other, cached in list(self._lists.items()):  # at once, as other threads may add lists
            if other == key:
                cached.put(record)
            elif other.kind in touched or (
                other.kind == key.kind and None in (other.team_id, key.team_id)
            ):
                cached.read_at = STALE  # a list without a team may show the objects of all teams

    def record_deletion(self, removed: Mapping[str, Iterable[Values] | None]) -> None:
        """Record that objects were deleted, or are not what they were, by kind; None for those of
        which it is unknown.
        """
        for key, cached in list(self._lists.items()):
            for gone in removed.get(key.kind) or ():
                cached.remove(gone)


def _includes_all(_record: Values) -> bool:
    return True


def _record_id(record: Values) -> Any:
    """The id; a planned object has none yet, and is identified by the instance."""
    return id(record) if record["id"] is None else str(record["id"])
