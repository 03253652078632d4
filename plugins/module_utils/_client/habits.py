# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How one service paginates its lists, as far as its answers show.

The specification is silent here (sections 2, "Pagination", and 4). Once the service is known, facts can replace this.
"""

from __future__ import annotations

PAGE_SIZE = 100
# No service is assumed to return fewer items than this when asked for more: its own default is 20 (section 4).
SMALLEST_CAP = 20


class Habits:
    """What the lists of one service have shown so far, and what may be concluded from it.

    ``page_size``: what it accepts as ``limit``. ``refuses``: whether it refuses a larger one, rather than lowering it
    silently. ``marks_end``: whether it gives no ``next`` at the end of a list; ``None`` until a list has shown it.
    """

    def __init__(self) -> None:
        self.page_size = PAGE_SIZE
        self.refuses = False
        self.marks_end: bool | None = None

    def holds_whole_tie(self, width: int, asked: int, widest: int, *, is_only: bool) -> bool:
        """Return whether a page of ``width`` items of one timestamp, which did not grow on request, is complete.

        It is if the service has returned larger pages; or if it is a single item where more would have been refused; or
        if it is the only page, small, smaller than what was asked for, and has a ``next`` as the ends of the service's
        other lists do.
        """
        if width < widest or (self.refuses and width == 1 < asked):
            self.marks_end = False
            return True
        return is_only and 1 < width < min(SMALLEST_CAP, asked) and self.marks_end is False

    def may_end_with_next(self, *, may_guess: bool) -> bool:
        """Return whether a ``next`` after a single item may mean nothing; from then on it does."""
        if self.marks_end is False or (self.marks_end is None and may_guess):
            self.marks_end = False
            return True
        return False
