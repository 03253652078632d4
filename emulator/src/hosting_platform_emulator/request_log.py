# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every request to the API, as it came and as it was answered. Token values never get in here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SECRET_PARAMETERS = frozenset({"token"})
_LONGEST = 200_000
Entry = dict[str, Any]


class RequestLog:
    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._dropped = 0

    def begin(
        self,
        *,
        operation: str | None,
        method: str,
        path: str,
        query: Mapping[str, str],
        body: object,
        authorization: str,
        user_agent: str | None,
        connection: int,
    ) -> Entry:
        """A request as it comes in; its status is not known yet."""
        if len(self._entries) >= _LONGEST:
            self._drop(len(self._entries) // 2)
        entry = {
            "number": self._dropped + len(self._entries) + 1,
            "operation": operation,
            "method": method,
            "path": path,
            "query": {name: "(hidden)" if name in _SECRET_PARAMETERS else value for name, value in query.items()},
            "body": body,
            "status": None,
            "authorization": authorization,
            "user_agent": user_agent,
            "connection": connection,
        }
        self._entries.append(entry)
        return entry

    def after(self, number: int) -> list[Entry]:
        return self._entries[max(0, number - self._dropped) :]

    def last(self, count: int) -> list[Entry]:
        return self._entries[-count:]

    def clear(self) -> list[Entry]:
        """Forget all; numbers go on, so that `after` keeps its meaning."""
        self._drop(len(self._entries))
        return []

    def _drop(self, count: int) -> None:
        del self._entries[:count]
        self._dropped += count
