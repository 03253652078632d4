# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Retries: how many, and after what wait."""

from __future__ import annotations

import datetime
import random
import re
import threading
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime

from .. import _threads as threads
from .._errors import ApiError

BACKOFF_FACTOR = 0.25
LONGEST_BACKOFF = 120.0
# The waits if a service throttles without saying for how long. With jitter, five of them take at least three minutes.
THROTTLE_STEPS = (15.0, 30.0, 60.0)
SILENT_SECONDS = 2.0  # longer waits are reported to the user, at most this often


class Clock:
    """The time that a run measures and waits; tests substitute their own."""

    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        threads.sleep(seconds)

    def jitter(self) -> float:
        """A factor around 1 that keeps clients from retrying all at once."""
        return random.uniform(0.75, 1.25)  # noqa: S311


class Pause:
    """The wait that a service asks for, which holds for all threads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._said_at = -SILENT_SECONDS
        self._until = 0.0
        self._lock = threading.Lock()

    def begin_run(self, say: Callable[[str], None] | None) -> None:
        self._say = say
        self.is_hopeless = False
        """True after a request was given up because of throttling, until another one is served."""

    def say(self, line: str) -> None:
        """Tell the user, unless another thread has just done so."""
        with self._lock:
            is_due = self._clock.now() - self._said_at >= SILENT_SECONDS
            if is_due:
                self._said_at = self._clock.now()
        if self._say and is_due:
            self._say(line)

    def extend(self, seconds: float) -> None:
        """Make all threads wait this long from now."""
        with self._lock:
            self._until = max(self._until, self._clock.now() + seconds)

    def wait(self) -> None:
        while (left := self._until - self._clock.now()) > 0:
            self._clock.sleep(left)

    def note(self, error: ApiError | None) -> None:
        """Note how a request ended: whatever is not throttled gives hope to the others."""
        self.is_hopeless = self.is_hopeless and error is not None and error.is_throttling


def seconds_of_date(header: str | None) -> float | None:
    """The date in a header in seconds since the epoch, ``None`` if it cannot be parsed."""
    try:
        date = parsedate_to_datetime(header or "")
        return (date if date.tzinfo else date.replace(tzinfo=datetime.timezone.utc)).timestamp()
    except Exception:  # noqa: BLE001 (a hostile date makes the standard library's parser fail in many ways)
        return None


def retry_after_seconds(header: str | None, answered_at: float | None = None) -> float | None:
    """The seconds that a Retry-After header asks for, given as a number or as a date; ``None`` if it is neither.

    A date is by the service's clock, as is ``answered_at``.
    """
    if header is None:
        return None
    if re.fullmatch(r"\s*-?[0-9]+\s*", header):
        return max(0.0, float(header))
    date, now = seconds_of_date(header), time.time() if answered_at is None else answered_at
    return None if date is None else max(0.0, date - now)


class Retries:
    """The tries that one request, or one creation, has left."""

    def __init__(self, max_retries: int, max_delay: float, clock: Clock, pause: Pause) -> None:
        self._max_retries = max_retries
        self._max_delay = max_delay
        self._clock = clock
        self._pause = pause
        self._began_at = clock.now()
        self._failures = self._refusals = 0

    def wait(self, error: ApiError) -> None:
        """Wait before the next try after ``error``: back off, or have all threads wait if the service throttles.

        Raises ``error`` when no try is left, or at once when the service asks for a longer wait than allowed.
        """
        asked = error.fault.retry_after
        if asked is not None and asked > self._max_delay:
            error.advise(
                f"The service asks to wait {asked:g} s, longer than max_retry_delay allows ({self._max_delay:g} s): try"
                " again later, or raise max_retry_delay."
            )
            raise error
        self._use_up_a_try(error)
        # A wait of 0 may have been rounded down, so back off all the same.
        if not error.is_throttling or asked == 0:
            delay = min(self._backoff_seconds() * self._clock.jitter(), self._max_delay)
            if self._clock.now() + delay - self._began_at > SILENT_SECONDS:
                self._pause.say(f"{error} Retrying in {delay:.0f} s.")
            self._clock.sleep(delay)
            return
        seconds = self._throttle_seconds() if asked is None else asked
        self._refusals += 1
        self._pause.extend(seconds)
        self._pause.say(f"The service asks to wait (status {error.status}): continuing in {seconds:.0f} s.")

    def _throttle_seconds(self) -> float:
        step = THROTTLE_STEPS[min(self._refusals, len(THROTTLE_STEPS) - 1)]
        return min(step * (0.5 + 0.4 * self._clock.jitter()), self._max_delay)  # 0.8 to 1 times as long

    def _use_up_a_try(self, error: ApiError) -> None:
        if error.is_throttling and self._pause.is_hopeless:
            error.explain("Not retried: no request has succeeded since another one used up its retries.")
            raise error
        self._failures += 1
        if self._failures > self._max_retries:
            if self._max_retries:
                self._pause.is_hopeless |= error.is_throttling
                error.explain(f"Given up after {self._max_retries + 1} tries (max_retries).")
            raise error from None

    def _backoff_seconds(self) -> float:
        """Nothing after the first failure, which a new connection often mends; then 0.5, 1, 2 and so on."""
        return min(BACKOFF_FACTOR * 2 ** (self._failures - 1), LONGEST_BACKOFF) if self._failures > 1 else 0.0
