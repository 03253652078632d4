# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How often and how long to wait before a request is sent again. urllib3's ``Retry`` is the policy."""

from __future__ import annotations

import datetime
import random
import re
import threading
import time
import typing as t
from email.utils import parsedate_to_datetime

from .. import _threads
from .errors import ApiError

try:
    from urllib3.exceptions import MaxRetryError
    from urllib3.util.retry import Retry
except ImportError:
    pass

SKEW_SECONDS = 60.0
BACKOFF_FACTOR = 0.25


class Clock:
    """The time, and waiting; tests bring their own."""

    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        _threads.sleep(seconds)

    def jitter(self) -> float:
        """A factor around 1 that keeps clients from coming back all at once."""
        return random.uniform(0.75, 1.25)  # noqa: S311


class Pause:
    """A wait that the server asked for: it holds for every thread that talks to it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until = 0.0
        self._lock = threading.Lock()

    def extend(self, seconds: float) -> None:
        with self._lock:
            self._until = max(self._until, self._clock.now() + seconds)

    def wait(self) -> None:
        while True:
            with self._lock:
                left = self._until - self._clock.now()
            if left <= 0:
                return
            self._clock.sleep(left)


def seconds_of_date(header: str | None) -> float | None:
    """The date of a header in seconds since 1970, ``None`` if it cannot be read."""
    try:
        date = parsedate_to_datetime(header or "")
        return (date if date.tzinfo else date.replace(tzinfo=datetime.timezone.utc)).timestamp()
    except Exception:  # noqa: BLE001 (a hostile date makes the standard library's parser stumble in many ways)
        return None


def retry_after_seconds(header: str | None, answered_at: float | None = None) -> float | None:
    """The seconds that a Retry-After header asks for, given as a number or as a date; ``None`` if it is neither.

    A date is by the service's clock, and so is ``answered_at``, which counts where that clock is not ours.
    """
    if header is None:
        return None
    if re.fullmatch(r"\s*-?[0-9]+\s*", header):
        return max(0.0, float(header))
    date, now = seconds_of_date(header), time.time()
    if date is None:
        return None
    is_skewed = answered_at is not None and abs(answered_at - now) > SKEW_SECONDS
    return max(0.0, date - (t.cast(float, answered_at) if is_skewed else now))


class Retries:
    """The tries that one request, or one creation, has left."""

    def __init__(self, max_retries: int, max_delay: float, clock: Clock, pause: Pause) -> None:
        self._policy: t.Any = None
        self._max_retries = max_retries
        self._max_delay = max_delay
        self._clock = clock
        self._pause = pause

    def wait(self, error: ApiError) -> None:
        """Wait before the next try after ``error``.

        Raises ``error`` when no try is left, or at once when the server asks for a longer wait than allowed.
        """
        if error.retry_after is not None and error.retry_after > self._max_delay:
            error.explain(
                f"The server asks to wait {error.retry_after:g} s, more than max_retry_delay ({self._max_delay:g} s)"
                " allows: try again later, or raise it."
            )
            raise error
        if self._policy is None:
            self._policy = Retry(total=self._max_retries, allowed_methods=None, backoff_factor=BACKOFF_FACTOR)
        try:
            self._policy = self._policy.increment(error.operation, error.path)
        except MaxRetryError:
            if self._max_retries:
                error.explain(f"Given up after {self._max_retries + 1} tries (max_retries).")
            raise error from None
        # "Now" is what a service says that rounds down: it may need a moment all the same.
        if error.retry_after:
            self._pause.extend(error.retry_after)
        else:
            self._clock.sleep(min(self._policy.get_backoff_time() * self._clock.jitter(), self._max_delay))
