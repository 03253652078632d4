# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists of the emulator, as paging reads them: under any switches, and changed between requests."""

import itertools
from collections.abc import Iterable
from typing import Any

from hosting_platform_emulator.api.paging import page
from hosting_platform_emulator.errors import Invalid
from hosting_platform_emulator.state.store import IN_MEMORY, Condition, Row, Store
from hosting_platform_emulator.state.switches import SWITCHES, Switches
from hypothesis import strategies as st

from ansible_collections.hosting.platform.plugins.module_utils._api.paging import (
    Page,
    Window,
)
from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    ApiError,
    Effect,
    Fault,
)

LIMITS = ("limit_cap", "limit_refuse_over")
OPEN = ("list_order", "bounds", "next_value", "next_on_full_last_page", "next_always")
WAYS = st.fixed_dictionaries({name: st.sampled_from(SWITCHES[name].values) for name in OPEN})
# Few moments, so that ties and page edges meet often; but not all of a list is of one moment.
TIED = st.sampled_from([1002, 1006, 1030]).flatmap(
    lambda last: st.lists(st.integers(1000, last), max_size=40).filter(
        lambda created: len(set(created)) != 1
    )
)

STORE = Store(IN_MEMORY)
STORE.run("CREATE TABLE things (list INTEGER, id TEXT, createdAt INTEGER)")
STORE.run("CREATE INDEX things_list ON things (list, createdAt)")
NUMBERS = itertools.count()
NO_LIMIT = {"limit_cap": 0, "limit_refuse_over": 0}


class EmulatedList:
    """``changes``: what happens just before the n-th request: a timestamp means an insertion, an
    item's id (a string) its deletion. ``ids``: those of all items that were ever there.
    """

    def __init__(self, created: Iterable[int], **switches: Any) -> None:
        self.switches = Switches(switches)
        self.changes: dict[int, list[int | str]] = {}
        self.requests = 0
        self.created: list[int] = []
        self.ids: list[str] = []
        self._number = next(NUMBERS)
        for timestamp in created:
            self._insert(timestamp)

    def _insert(self, timestamp: int) -> None:
        self.created.append(timestamp)
        self.ids.append(f"item_{len(self.ids)}")
        STORE.insert("things", {"list": self._number, "id": self.ids[-1], "createdAt": timestamp})

    def _page(
        self, switches: Switches, window: Window, limit: int
    ) -> tuple[list[Row], dict[str, int | None]]:
        query = {name: bound for name, bound in window._asdict().items() if bound is not None}
        return page(
            STORE,
            switches,
            "things",
            Condition("list = ?", (self._number,)),
            {**query, "limit": limit},
            None,
        )

    def within(self, window: Window) -> list[str]:
        """The ids of all items in a window, in the list's order."""
        return [row["id"] for row in self.rows_within(window)]

    def rows_within(self, window: Window) -> list[Row]:
        return self._page(Switches({**self.switches, **NO_LIMIT}), window, len(self.ids) + 1)[0]

    def fetch(self, window: Window, limit: int) -> Page:
        """One request for a page."""
        assert limit >= 1
        for change in self.changes.get(self.requests, []):
            if isinstance(change, int):
                self._insert(max([change, *self.created]))
            else:
                STORE.run("DELETE FROM things WHERE list = ? AND id = ?", (self._number, change))
        self.requests += 1
        assert self.requests < 5000, "the walk does not end"
        try:
            rows, pagination = self._page(self.switches, window, limit)
        except Invalid as refusal:
            fault = Fault("refused", Effect.REJECTED, status=refusal.status)
            raise ApiError("GET /things", "/things", fault) from None
        return Page(rows, pagination["next"])


@st.composite
def lists(
    draw: st.DrawFn,
    /,
    created: st.SearchStrategy[list[int]] = TIED,
    caps: tuple[int, int] = (2, 25),
) -> EmulatedList:
    """Lists under any switches of the emulator."""
    limit = {draw(st.sampled_from(LIMITS)): draw(st.just(0) | st.integers(*caps))}
    return EmulatedList(draw(created), **{**draw(WAYS), **limit})
