# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A list paginated by timestamp, in each of the ways that the specification leaves open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ansible_collections.hosting.platform.plugins.module_utils._client.paging import Page, Window
from ansible_collections.hosting.platform.plugins.module_utils._common.errors import ApiError, Fault, Outcome

Item = dict[str, Any]


@dataclass
class TimestampList:
    """``ends``: how the last page is marked (``null``: no next; ``full``: a next only if the page is exactly full;
    ``always``: a next on every page with items). ``next_offset``: the offset of ``next`` from the last item. ``cap``:
    the maximum page size; a larger limit is lowered, or with ``refuses`` answered with 400. ``changes``: what happens
    just before the n-th request: a timestamp means an insertion, an item's id (a string) its deletion.
    """

    created: list[int]
    ascending: bool = False
    inclusive: bool = False
    next_is_following: bool = False
    next_offset: int = 0
    ends: str = "null"
    cap: int | None = None
    refuses: bool = False
    changes: dict[int, list[int | str]] = field(default_factory=dict)
    requests: int = 0

    def __post_init__(self) -> None:
        self.items: list[Item] = []
        for timestamp in self.created:
            self._insert(timestamp)

    def _insert(self, timestamp: int) -> None:
        self.items.append({"id": f"item_{len(self.items)}", "createdAt": timestamp})

    def _change(self) -> None:
        for change in self.changes.get(self.requests, []):
            if isinstance(change, int):
                self._insert(max([change, *(item["createdAt"] for item in self.items)]))
            else:
                self.items = [item if item["id"] != change else {**item, "gone": True} for item in self.items]

    def within(self, window: Window) -> list[Item]:
        """All items in a window, in the list's order."""

        def is_within(item: Item) -> bool:
            created, slack = item["createdAt"], int(self.inclusive)
            return (window.since is None or created > window.since - slack) and (
                window.until is None or created < window.until + slack
            )

        shown = [item for item in self.items if is_within(item) and "gone" not in item]
        shown.sort(key=lambda item: item["createdAt"])
        return shown if self.ascending else shown[::-1]

    def fetch(self, window: Window, limit: int) -> Page:
        """One request for a page."""
        assert limit >= 1
        self._change()
        self.requests += 1
        assert self.requests < 5000, "the walk does not end"
        if self.cap is not None and limit > self.cap:
            if self.refuses:
                raise ApiError("GET /things", "/things", Fault("status 400", Outcome.REFUSED, status=400))
            limit = self.cap
        shown = self.within(window)
        return Page(shown[:limit], self._next(shown, limit))

    def _next(self, shown: list[Item], limit: int) -> int | None:
        page = shown[:limit]
        if not page:
            return None
        if len(shown) > limit:
            if self.next_is_following:
                return int(shown[limit]["createdAt"])
            return int(page[-1]["createdAt"]) + self.next_offset
        is_marked = self.ends == "null" or (self.ends == "full" and len(page) < limit)
        return None if is_marked else int(page[-1]["createdAt"]) + self.next_offset
