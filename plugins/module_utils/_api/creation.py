# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creations that never happen twice: send once, look up what may have been lost, adopt what already exists."""

from __future__ import annotations

from collections.abc import Callable

from .._errors import ApiError, Outcome, PlatformError
from .http import Http
from .paging import Item
from .retries import Clock, Retries

OUTCOME_UNKNOWN = (
    "Whether it was created is unknown. Run the task again later: it looks for the object first, and creates nothing"
    " twice."
)


# A backend may finish what its gateway has given up: seconds of waiting, each before a look.
LOOKS_AFTER_A_LOSS = (0, 1, 2, 4)


def create_once(http: Http, send: Callable[[], Item], look: Callable[[], Item | None]) -> tuple[Item, ApiError | None]:
    """Create without ever creating twice; returns the object, and the error if it was found by ``look`` after one.

    ``send`` posts and returns the object of the answer; ``look`` reads the existing one, bypassing the cache. An object
    that exists after a lost or refused creation may have been created by someone else. Raises the creation's ApiError
    if it was refused or its outcome stays unknown.
    """
    retries = http.retries()
    while True:
        try:
            return send(), None
        except ApiError as error:
            if error.outcome is Outcome.UNPROCESSED or error.status == 401:
                raise
            lost = error
        item = _found_after(lost, look, retries, http.clock)
        if item is not None:
            return item, lost
        if not lost.fault.temporary:
            raise lost
        retries.wait(lost)


def _found_after(lost: ApiError, look: Callable[[], Item | None], retries: Retries, clock: Clock) -> Item | None:
    """What is there after a creation that was refused, or was lost and may arrive late."""
    try:
        for seconds in (0,) if lost.outcome is Outcome.REFUSED else LOOKS_AFTER_A_LOSS:
            if seconds:
                clock.sleep(seconds)
            item = look()
            if item is not None:
                return item
        while item is None and lost.outcome is Outcome.UNKNOWN:
            retries.wait(lost)
            item = look()
    except PlatformError as error:
        error.explain(
            "The object is not in the list, or not yet."
            if error is lost
            else f"This request was to find out whether a creation had succeeded: {lost}"
        )
        if lost.outcome is not Outcome.REFUSED:
            error.explain(OUTCOME_UNKNOWN)
        raise
    return item
