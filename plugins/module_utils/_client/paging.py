# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walking lists that are paginated by timestamp (section 2 of the specification, "Pagination").

The specification does not state the order of a list, whether ``next`` goes into ``since`` or ``until``, or whether
these bounds are inclusive. So the direction is inferred from each page, pages overlap by one unit of time, and
duplicates are dropped by id. The guarantee: every item exactly once, or a failure; never a partial list.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, NamedTuple, cast

from .._common.errors import ApiError, PlatformError
from .._http.answers import timestamp_of
from .._http.wire import MIB
from .habits import Habits

Item = dict[str, Any]

IDLE_PAGES = 100
MOST_PAGES = 100_000
MOST_ITEMS = 1_000_000
MOST_MIB = 512  # approximate memory for all pages of a list
LESS_OF_IT = "Ask for parts of it (since, until), or for less of it (limit)."
WHAT_TO_DO = "Ask for parts of it (since, until), or have the service's page limit raised."


class PagingError(PlatformError):
    """The list cannot be proven to be complete."""


class TiesUnclear(PagingError):
    """Items with the same timestamp fill a page, and there may be more of them."""


class Direction(enum.Enum):
    """The direction in which a list continues after a page."""

    OLDER = "descending"
    NEWER = "ascending"


class Page(NamedTuple):
    """One answer: its items, ``pagination.next`` (a timestamp), and its approximate memory use in bytes."""

    items: list[Item]
    next: int | None
    memory: int = 0

    @property
    def is_last(self) -> bool:
        return self.next is None or not self.items


class Window(NamedTuple):
    """The requested bounds: items created after ``since`` and before ``until`` (timestamps)."""

    since: int | None = None
    until: int | None = None

    def beyond(self, direction: Direction, timestamp: int, overlap: int) -> Window:
        """The part beyond the timestamp, and ``overlap`` before it; never outside this window."""
        if direction is Direction.OLDER:
            bound = timestamp + overlap
            return Window(self.since, bound if self.until is None else min(bound, self.until))
        bound = timestamp - overlap
        return Window(bound if self.since is None else max(bound, self.since), self.until)


Fetch = Callable[[Window, int], Page]


class Walk:
    """A walk through a list, once.

    ``fetch(window, limit)`` asks for one page. ``habits``: what is known about the service, and updated here.
    """

    def __init__(
        self, habits: Habits, fetch: Fetch, bounds: Window, wanted: int | None = None, *, may_guess: bool = True
    ) -> None:
        self._habits = habits
        self._fetch = fetch
        self._bounds = bounds
        self._wanted = wanted
        self._may_guess = may_guess
        self._seen: dict[str, Item] = {}
        self._pages = self._memory = self._widest = self._size_of_page = self._enlarged_size = 0
        self._direction: Direction | None = None
        self._taken_for_all: tuple[int, int] | None = None

    def items(self) -> list[Item]:
        """Every item within the bounds, in the server's order; the first ``wanted`` of them if given.

        Raises ApiError, and PagingError when pages do not add up.
        """
        window, idle = self._bounds, 0
        page, new = self._ask(window, self._size)
        while not page.is_last and (self._wanted is None or len(self._seen) < self._wanted):
            following = self._following(page)
            idle = 0 if new else idle + 1
            if idle > IDLE_PAGES:
                raise PagingError(
                    f"A list does not end: {idle} pages in a row brought nothing new. Its pages hold {self._widest} at"
                    f" most, too few to get past items that were created one unit of time apart or less. {WHAT_TO_DO}"
                )
            if following in (None, window):
                page, new = self._past_ties(window, page)
                window = self._bounds
            else:
                window = following
                page, new = self._ask(window, self._size)
        if self._taken_for_all and self._widest == self._taken_for_all[1] < len(self._seen):
            raise self._unclear(*self._taken_for_all)
        return list(self._seen.values())[: self._wanted]

    @property
    def _size(self) -> int:
        size = self._habits.page_size if self._wanted is None else max(1, min(self._habits.page_size, self._wanted))
        return max(size, self._enlarged_size)

    def _ask(self, window: Window, size: int) -> tuple[Page, bool]:
        """One page, and whether it brought anything new. A refused page size is halved permanently."""
        first_refusal = None
        while True:
            try:
                page = self._fetched(window, size)
                break
            except ApiError as error:
                if error.status != 400:
                    raise
                if size == 1:
                    raise (first_refusal or error) from None
                first_refusal = first_refusal or error
                size //= 2
        if first_refusal:
            self._habits.page_size = size
        return page, self._add(page)

    def _fetched(self, window: Window, size: int) -> Page:
        try:
            page = self._fetch(window, size)
        except ApiError as error:
            self._habits.refuses |= error.status == 400
            raise
        self._size_of_page = size
        return page

    def _add(self, page: Page) -> bool:
        known = len(self._seen)
        self._pages += 1
        self._memory += page.memory
        self._widest = max(self._widest, len(page.items))
        if page.items and page.next is None:
            self._habits.marks_end = True
        for item in page.items:
            if item.get("id") is None:
                raise PagingError("A list contains an item without an id, so repeated items cannot be recognized.")
            self._seen.setdefault(str(item["id"]), item)
        if len(self._seen) > MOST_ITEMS or self._pages > MOST_PAGES:
            raise PagingError(
                f"A list does not end: it has more than {MOST_ITEMS:,} items or {MOST_PAGES:,} pages. {LESS_OF_IT}"
            )
        if self._memory > MOST_MIB * MIB:
            raise PagingError(f"A list is too large: what was read of it takes more than {MOST_MIB} MiB. {LESS_OF_IT}")
        return len(self._seen) > known

    def _following(self, page: Page) -> Window | None:
        """The window of the next page; ``None`` while the direction is unknown."""
        direction = self._direction_of(page)
        if direction is None:
            return None
        self._direction = direction
        return self._bounds.beyond(direction, self._edge(page), overlap=1)

    def _edge(self, page: Page) -> int:
        """The timestamp at which the list continues: ``next``, or that of the page's last item if the two are adjacent.

        A service may give a ``next`` one unit beyond its item, and there may be more items with that item's timestamp.
        """
        following = cast(int, page.next)
        created = _creations(page)
        edge = min(created) if self._direction is Direction.OLDER else max(created)
        return int(edge) if abs(following - edge) <= 1 else following

    def _direction_of(self, page: Page) -> Direction | None:
        created = _creations(page)
        if not created:
            raise PagingError("A list has more than one page, but its items have no createdAt to continue from.")
        oldest, newest, following = min(created), max(created), cast(int, page.next)
        if oldest == newest and abs(following - oldest) <= 1:
            return self._direction
        is_older, is_newer = following <= oldest + 1, following >= newest - 1
        if is_older and is_newer:
            is_older = created[0] > created[-1]
        if is_older or is_newer:
            return Direction.OLDER if is_older else Direction.NEWER
        raise PagingError(
            f"A list is not in the order of createdAt: pagination.next is {following}, between the items of its page"
            f" ({oldest} to {newest})."
        )

    def _past_ties(self, window: Window, page: Page) -> tuple[Page, bool]:
        """Get past a page at which the list is stuck, as its items were all created at ``next``."""
        page, new = self._enlarged(window, page)
        if page.is_last or new or self._following(page) not in (None, window):
            return page, new
        tie = self._edge(page)
        if not (self._is_whole(page, tie) or self._is_proven(tie, len(page.items)) or self._may_be_all(tie)):
            raise self._unclear(tie, len(page.items))
        for direction in [self._direction] if self._direction else list(Direction):
            for overlap in (0, -1):
                page, new = self._ask(self._bounds.beyond(direction, tie, overlap), self._size)
                if new or any(item.get("createdAt") != tie for item in page.items):
                    self._direction = direction
                    return page, new
                if page.is_last:
                    break
        return Page([], None), False

    def _enlarged(self, window: Window, page: Page) -> tuple[Page, bool]:
        """Request the same window in ever larger pages, until the list advances or the pages stop growing."""
        size = step = self._size
        new, refused = True, False
        while (new or len(page.items) >= size) and not page.is_last and self._following(page) in (None, window):
            if size >= MOST_ITEMS:
                raise PagingError(
                    "A list does not end: however many items are asked for at once, others come, and its timestamps do"
                    f" not get further. {LESS_OF_IT}"
                )
            try:
                page = self._fetched(window, size + step)
            except ApiError as error:
                if error.status != 400:
                    raise
                refused, step = True, step // 2
                if not step:
                    return page, False
            else:
                size, new = size + step, self._add(page)
                step = step if refused else size
                self._enlarged_size = size if new else self._enlarged_size
        return page, new

    def _is_whole(self, page: Page, tie: int) -> bool:
        width = len(page.items)
        is_only = 1 < width == len(self._seen)
        is_whole = self._habits.holds_whole_tie(width, self._size_of_page, self._widest, is_only=is_only)
        if is_whole and is_only and all(item.get("createdAt") == tie for item in page.items):
            self._taken_for_all = (tie, width)
        return is_whole

    def _is_proven(self, tie: int, width: int) -> bool:
        """Request only the items of one timestamp: without a ``next``, or on a short page, they are complete.

        Bounds equal to the timestamp return them if inclusive, and nothing if exclusive.
        """
        for slack in (0, 1):
            moment = self._bounds.beyond(Direction.OLDER, tie, slack).beyond(Direction.NEWER, tie, slack)
            page, _new = self._ask(moment, max(self._size, width))
            if (page.items or slack) and (page.next is None or len(page.items) < self._widest):
                return True
        return False

    def _may_be_all(self, tie: int) -> bool:
        """Assume, without proof, that a single item is the whole list: a service may give a ``next`` even there."""
        if len(self._seen) > 1 or not self._habits.may_end_with_next(may_guess=self._may_guess):
            return False
        self._taken_for_all = (tie, 1)
        return True

    def _unclear(self, tie: int, width: int) -> TiesUnclear:
        return TiesUnclear(
            f"{width} or more items of a list were created at the same moment ({tie}), and the service gives no"
            f" larger page, so there may be more of them. The list is refused rather than cut. {WHAT_TO_DO}"
        )


def _creations(page: Page) -> list[float]:
    found = (timestamp_of(item.get("createdAt")) for item in page.items)
    return [created for created in found if created is not None]
