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


class YoungRetries:
    """The waits after which a request about these teams and projects is sent again, as long as one
    of them is young. ``statuses``: how the service may reject it.
    """

    def __init__(
        self,
        clock: Clock,
        records: Collection[Values],
        statuses: Collection[int] = REJECTED_WRITE,
    ) -> None:
        self._clock = clock
        self._records = records
        self._statuses = statuses
        self._delays = list(LOOKUP_DELAYS[1:])
        self._young: Values = {}

    def wait(self, error: ApiError) -> None:
        """Wait after ``error``. Raises it if the request is not to be sent again."""
        answered_at = error.fault.answered_at
        if error.status not in self._statuses or error.is_throttling:
            raise error
        self._young = self._young or next(
            (record for record in self._records if is_young(record, answered_at)), {}
        )
        if not self._young:
            raise error
        if not self._delays:
            name = self._young.get("slug") or self._young["name"]
            error.add_sentence(f"{name} is {age_of(self._young, answered_at) or 0:.0f} s old.")
            raise error
        self._clock.sleep(self._delays.pop(0))


def send_to_young(retries: YoungRetries, send: Callable[[], Returned]) -> Returned:
    """What ``send`` returns."""
    while True:
        try:
            return send()
        except ApiError as error:
            rejection = error
        retries.wait(rejection)
