# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The newest requests to the API, as received and as answered. Token values are never logged."""

import json
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import islice

from .bodies import MIB

DEFAULT_LIMIT = 10_000
MOST_BYTES = 32 * MIB
_SECRET_PARAMETERS = frozenset({"token"})


@dataclass(slots=True, kw_only=True)
class Entry:
    """A request. Its body is kept as the received JSON text, which takes far less memory than the
    parsed object.
    """

    number: int = 0
    operation: str | None
    method: str
    path: str
    query: Mapping[str, str]
    body: str
    status: int | None = None
    authorization: str
    user_agent: str | None
    connection: int
    time: int

    @property
    def size(self) -> int:
        texts = (self.path, self.body, self.user_agent or "", *self.query, *self.query.values())
        return sum(map(len, texts))

    def json(self) -> str:
        return json.dumps({**asdict(self), "body": json.loads(self.body)})


class RequestLog:
    """A log bounded in entries and bytes: older ones are dropped, and counted."""

    def __init__(self, limit: int = DEFAULT_LIMIT) -> None:
        self.limit = limit
        self._entries: deque[Entry] = deque()
        self._size = 0
        self._newest = 0
        self._forgotten = 0
        self._cleared = 0

    def begin(self, entry: Entry) -> Entry:
        """Log an incoming request; its status is not known yet."""
        self._newest += 1
        entry.number = self._newest
        entry.query = {
            name: "(hidden)" if name in _SECRET_PARAMETERS else value
            for name, value in entry.query.items()
        }
        self._entries.append(entry)
        self._size += entry.size
        while len(self._entries) > self.limit or self._size > MOST_BYTES:
            oldest = self._entries.popleft()
            self._size -= oldest.size
            self._forgotten = oldest.number
        return entry

    def after(self, number: int) -> Iterator[Entry]:
        kept_from = self._newest - len(self._entries)
        return islice(self._entries, max(0, number - kept_from), None)

    def count_forgotten(self, number: int) -> int:
        """The number of entries after this one, and after the last clearing, that are no longer
        kept.
        """
        return max(0, self._forgotten - max(number, self._cleared))

    def clear(self) -> list[Entry]:
        """Drop all entries; the numbering continues, so that `after` keeps its meaning."""
        self._entries.clear()
        self._size = 0
        self._cleared = self._newest
        return []
