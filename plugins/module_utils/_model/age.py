# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How old an object is, by the service's own clock, and requests that wait for a young team or
project, which not all of a service may know yet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

from .._api.retries import LOOKUP_DELAYS, Clock
from .._api.transport import timestamp_of
from .._errors import ApiError
from .fields import Values

Returned = TypeVar("Returned")

YOUNG_SECONDS = 10
# How a service may reject what is about an object that it does not know yet: a write, and a list.
REJECTED_WRITE = (403, 404)
REJECTED_LIST = (400, 403, 404)


def age_of(record: Values, answered_at: float | None) -> float | None:
    """The age of an object in seconds when the service responded. None if either is unknown."""
    created = timestamp_of(record.get("created_at"))
    if created is None or answered_at is None:
        return None
    return answered_at - created / 1000


def is_young(record: Values, answered_at: float | None) -> bool:
    age = age_of(record, answered_at)
    return age is not None and abs(age) <= YOUNG_SECONDS


def send_to_young(
    clock: Clock,
    records: Collection[Values],
    send: Callable[[], Returned],
    statuses: Collection[int] = REJECTED_WRITE,
) -> Returned:
    """What ``send`` returns, a request about these teams and projects. Where one of them is young,
    and the service responds with one of the statuses, it is sent again, at most three times.
    """
    delays = list(LOOKUP_DELAYS[1:])
    young: Values = {}
    while True:
        try:
            return send()
        except ApiError as error:
            answered_at = error.fault.answered_at
            if error.status not in statuses or error.is_throttling:
                raise
            young = young or next(
                (record for record in records if is_young(record, answered_at)), {}
            )
            if not young:
                raise
            if not delays:
                name = young.get("slug") or young["name"]
                # The clock that dated it may be ahead.
                age = max(0, age_of(young, answered_at) or 0)
                error.add_sentence(f"{name} is {age:.0f} s old.")
                raise
        clock.sleep(delays.pop(0))
