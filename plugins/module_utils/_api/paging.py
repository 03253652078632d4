# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walking lists that are paginated by timestamp (section 2 of the specification, "Pagination").

The specification does not state the order of a list, whether ``next`` goes into ``since`` or
``until``, or whether these bounds are inclusive. The guarantee: every item exactly once, or a
failure; never a partial list.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple, cast

from .._errors import ApiError, PlatformError
from .retries import Record
from .transport import timestamp_of

PAGE_SIZE = 100
# A list of one timestamp that is shorter than this is taken for whole: no service is assumed to
# have smaller pages, and nothing that it could be asked would tell.
SMALLEST_PAGE = 10
INVALID_LIMIT = (400, 422)  # how a service may refuse a limit
MOST_PAGES = 100_000
MOST_ITEMS = 1_000_000
WHAT_TO_DO = "Ask for parts of it (since, until), or have the service's page limit raised."


class PagingError(PlatformError):
    """The list cannot be proven to be complete."""


class Page(NamedTuple):
    """One response: its items, and ``pagination.next`` (a timestamp)."""

    items: list[Record]
    next: int | None

    @property
    def timestamps(self) -> list[int]:
        """When its items were created (timestamps)."""
        found = (timestamp_of(item.get("createdAt")) for item in self.items)
        return [int(timestamp) for timestamp in found if timestamp is not None]


class Window(NamedTuple):
    """Items created after ``since`` and before ``until`` (timestamps)."""

    since: int | None = None
    until: int | None = None


Fetch = Callable[[Window, int], Page]


def read_all_pages(fetch: Fetch, bounds: Window, limit: int | None = None) -> list[Record]:
    """Every item within the bounds, in the service's order; the first ``limit`` of them if given.

    ``fetch(window, limit)`` asks for one page. Pages overlap, as one timestamp may stand on both,
    and repeats are dropped by id. Raises ApiError, and PagingError if completeness is not proven.
    """
    items: dict[str, Record] = {}
    window = bounds
    size = min(PAGE_SIZE, limit or PAGE_SIZE)
    widest = 0
    overlap = 1
    is_newer: bool | None = None
    is_read_again = False
    for _number in range(MOST_PAGES):
        page, size = _page_of_size(fetch, window, size)
        is_new = _add(page, items)
        widest = max(widest, len(page.items))
        if not page.items or page.next is None or (limit is not None and len(items) >= limit):
            return list(items.values())[:limit]
        if is_newer is None:
            is_newer = _detect_direction(fetch, page, bounds, size)
        if is_newer is None:
            if _is_whole(items, fetch, page, bounds, size):
                return list(items.values())
            if is_read_again:
                raise _ambiguous(page)
            is_read_again = True  # what is there besides may be new
            continue
        if (window.since if is_newer else window.until) in page.timestamps:
            overlap = 0  # this bound is inclusive
        cursor = _next_window(page, bounds, overlap, is_newer=is_newer)
        if cursor == window and not is_new:
            if len(page.items) < widest:
                return list(items.values())  # the last page, with a next all the same
            raise _ambiguous(page)
        window = cursor
    raise _too_long()


def _page_of_size(fetch: Fetch, window: Window, size: int) -> tuple[Page, int]:
    """One page, and the size that the service accepts: a refused one is halved."""
    while True:
        try:
            return fetch(window, size), size
        except ApiError as error:
            if error.status not in INVALID_LIMIT or size == 1:
                raise
            size = (size + 1) // 2


def _add(page: Page, found: dict[str, Record]) -> bool:
    """Add what a page brings, and tell whether any of it is new."""
    known = len(found)
    for item in page.items:
        found.setdefault(_id_of(item), item)
    if len(found) > MOST_ITEMS:
        raise _too_long()
    return len(found) > known


def _id_of(item: Record) -> str:
    if item.get("id") is None:
        raise PagingError(
            "A list contains an item without an id, so repeated items cannot be recognized."
        )
    return str(item["id"])


def _detect_direction(fetch: Fetch, page: Page, bounds: Window, size: int) -> bool | None:
    """Whether the list goes on with newer items; ``None`` if a page of one timestamp does not show
    it.
    """
    timestamps = page.timestamps
    cursor = cast(int, page.next)
    if not timestamps:
        raise PagingError(
            "A list has more than one page, but its items have no createdAt to continue from."
        )
    oldest = min(timestamps)
    newest = max(timestamps)
    if oldest == newest and abs(cursor - oldest) <= 1:
        return None
    is_older = cursor <= oldest + 1
    is_newer = cursor >= newest - 1
    is_in_order = sorted(timestamps) in (timestamps, timestamps[::-1])
    if not is_in_order or not (is_older or is_newer):
        found = f"the items of a page range from {oldest} to {newest}"
        found = f"{found}, and pagination.next is {cursor}"
        raise PagingError(f"A list is not sorted by createdAt: {found}.")
    if not (is_older and is_newer):
        return is_newer
    # Both are possible on a page of two adjacent timestamps, and its order alone proves nothing.
    is_ascending = timestamps[0] < timestamps[-1]
    if not _has_more(fetch, page, bounds, size, is_newer=not is_ascending):
        return is_ascending
    if _has_more(fetch, page, bounds, size, is_newer=is_ascending):
        raise _ambiguous(page)
    return not is_ascending


def _has_more(fetch: Fetch, page: Page, bounds: Window, size: int, *, is_newer: bool) -> bool:
    """Whether a page is followed by anything in a direction, from its last timestamp on, whatever
    the bounds include.
    """
    known = {_id_of(item) for item in page.items}
    for overlap in (1, 0, -1):
        window = _next_window(page, bounds, overlap, is_newer=is_newer)
        if _is_empty(window):
            continue
        new = [item for item in fetch(window, size).items if _id_of(item) not in known]
        timestamps = Page(new, None).timestamps
        if is_newer and any(timestamp >= max(page.timestamps) for timestamp in timestamps):
            return True
        if not is_newer and any(timestamp <= min(page.timestamps) for timestamp in timestamps):
            return True
    return False


def _next_window(page: Page, bounds: Window, overlap: int, *, is_newer: bool) -> Window:
    """Where the list goes on: at the page's last timestamp, or at ``next`` if that is farther."""
    cursor = cast(int, page.next)
    outermost = max if is_newer else min
    edge = outermost(page.timestamps, default=cursor)
    if abs(cursor - edge) > 1:
        edge = cursor
    if is_newer:
        since = edge - overlap
        return Window(since if bounds.since is None else max(since, bounds.since), bounds.until)
    until = edge + overlap
    return Window(bounds.since, until if bounds.until is None else min(until, bounds.until))


def _is_whole(items: Collection[str], fetch: Fetch, page: Page, bounds: Window, size: int) -> bool:
    """Whether items of one timestamp are all that there is. Raises PagingError if there may be more
    of it than a page holds.
    """
    if len(items) >= min(SMALLEST_PAGE, size):
        raise _ambiguous(page)
    return not _has_other_timestamps(fetch, page, bounds, size)


def _has_other_timestamps(fetch: Fetch, page: Page, bounds: Window, size: int) -> bool:
    """Whether there is anything before or after the timestamp of this page, whatever the bounds
    include.
    """
    timestamp = page.timestamps[0]
    sides = [
        [Window(bounds.since, timestamp - step), Window(timestamp + step, bounds.until)]
        for step in (0, 1)
    ]
    for exclusive, inclusive in zip(*sides):
        for window in (exclusive, inclusive):
            beyond = [] if _is_empty(window) else fetch(window, size).items
            if {_id_of(item) for item in beyond} - {_id_of(item) for item in page.items}:
                return True
            if not beyond:
                break
    return False


def _is_empty(window: Window) -> bool:
    """Whether it can hold nothing. Bounds that are equal hold a timestamp if both are inclusive."""
    return window.since is not None and window.until is not None and window.since > window.until


def _too_long() -> PagingError:
    return PagingError(
        f"A list does not end: it has more than {MOST_ITEMS:,} items or {MOST_PAGES:,} pages."
        f" {WHAT_TO_DO}"
    )


def _ambiguous(page: Page) -> PagingError:
    return PagingError(
        f"At least {len(page.items)} items of a list have the same createdAt,"
        f" so it is impossible to tell whether there are more. {WHAT_TO_DO}"
    )
