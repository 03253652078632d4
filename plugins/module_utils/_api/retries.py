# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Retries: how many, and after what wait.

Creations never happen twice: what may have been lost is looked for.
"""

from __future__ import annotations

import datetime
import math
import random
import re
import threading
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import Any, Optional

from .. import _threads as threads
from .._errors import ApiError, Effect, PlatformError

Record = dict[str, Any]
Send = Callable[[], Record]
LookUp = Callable[[], Optional[Record]]

BACKOFF_FACTOR = 0.25
LONGEST_BACKOFF = 120.0
# The waits if a service throttles without saying for how long. With jitter, five of them take at
# least three minutes.
THROTTLE_STEPS = (15.0, 30.0, 60.0)
NOTICE_INTERVAL = 2.0  # longer waits are reported to the user, at most this often
# A backend may finish what its gateway has given up: seconds of waiting, each before a look.
LOOKUP_DELAYS = (0, 1, 2, 4)
SECONDS = re.compile(r"\s*-?([0-9]+(\.[0-9]*)?|\.[0-9]+)\s*", re.ASCII)
RUN_AGAIN = "Run the task again later: it checks first and creates nothing twice."
EFFECT_UNKNOWN = f"It is unknown whether the object was created. {RUN_AGAIN}"


class Clock:
    """The time that a run measures and waits; tests substitute their own."""

    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        threads.sleep(seconds)

    def jitter(self) -> float:
        """A factor around 1 that keeps clients from retrying all at once."""
        return random.uniform(0.75, 1.25)  # noqa: S311


class Throttle:
    """Throttling shared by all threads: when one is asked to wait, all wait."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._notified_at = -NOTICE_INTERVAL
        self._until = 0.0
        self._lock = threading.Lock()
        # Shows a line to the user of the current run, if anyone would see it.
        self.tell: Callable[[str], None] | None = None

    def notify(self, line: str) -> None:
        """Tell the user, unless another thread has just done so."""
        with self._lock:
            if self.tell and self._clock.now() - self._notified_at >= NOTICE_INTERVAL:
                self._notified_at = self._clock.now()
                self.tell(line)

    def extend(self, seconds: float) -> None:
        """Make all threads wait this long from now."""
        self._until = max(self._until, self._clock.now() + seconds)

    def wait(self) -> None:
        while (remaining := self._until - self._clock.now()) > 0:
            self._clock.sleep(remaining)


def seconds_of_date(header: str | None) -> float | None:
    """The date in a header in seconds since the epoch, ``None`` if it cannot be parsed."""
    try:
        date = parsedate_to_datetime(header or "")
        return (date if date.tzinfo else date.replace(tzinfo=datetime.timezone.utc)).timestamp()
    except Exception:  # noqa: BLE001 (a hostile date makes the standard library's parser fail in many ways)
        return None


def retry_after_seconds(header: str | None, answered_at: float | None = None) -> float | None:
    """The seconds that a Retry-After header asks for; ``None`` for what is neither number nor date.

    The number may have a fraction. A date is by the service's clock, as is ``answered_at``.
    """
    if header is None:
        return None
    if SECONDS.fullmatch(header):
        return max(0.0, float(header))
    date = seconds_of_date(header)
    if date is None:
        return None
    now = time.time() if answered_at is None else answered_at
    return max(0.0, date - now)


class RetryBudget:
    """The tries that one request, or one creation, has left."""

    def __init__(
        self, max_retries: int, max_delay: float, clock: Clock, throttle: Throttle
    ) -> None:
        self.clock = clock
        self._max_retries = max_retries
        self._max_delay = max_delay
        self._throttle = throttle
        self._began_at = clock.now()
        self._failures = 0

    def wait(self, error: ApiError) -> None:
        """Wait before the next try after ``error``: back off, or have all threads wait if the
        service throttles.

        Raises ``error`` when no try is left, or at once when the service asks for a longer wait
        than allowed.
        """
        requested = error.fault.retry_after
        if requested is not None and requested > self._max_delay:
            problem = (
                f"The service asks for a wait of {requested:g} s, but max_retry_delay is"
                f" {self._max_delay:g} s."
            )
            error.set_advice(f"{problem} Try again later, or raise max_retry_delay.")
            raise error
        self._use_attempt(error)
        # A wait of 0 may have been rounded down, so back off all the same.
        if error.is_throttling and requested != 0:
            seconds = self._throttle_seconds() if requested is None else requested
            self._throttle.extend(seconds)
            problem = f"The service is throttling requests (status {error.status})."
            self._throttle.notify(f"{problem} Continuing in {math.ceil(seconds)} s.")
            return
        delay = min(self._backoff_seconds() * self.clock.jitter(), self._max_delay)
        if self.clock.now() + delay - self._began_at > NOTICE_INTERVAL:
            self._throttle.notify(f"{error} Retrying in {delay:.0f} s.")
        self.clock.sleep(delay)

    def _use_attempt(self, error: ApiError) -> None:
        self._failures += 1
        if self._failures > self._max_retries:
            if self._max_retries:
                attempts = self._max_retries + 1
                problem = f"Gave up after {attempts} attempts (max_retries is {self._max_retries})."
                error.add_sentence(problem)
            raise error from None

    def _throttle_seconds(self) -> float:
        step = THROTTLE_STEPS[min(self._failures, len(THROTTLE_STEPS)) - 1]
        factor = 0.5 + 0.4 * self.clock.jitter()  # 0.8 to 1
        return min(step * factor, self._max_delay)

    def _backoff_seconds(self) -> float:
        """Nothing after the first failure, which a new connection often mends; then 0.5, 1, 2, …"""
        if self._failures <= 1:
            return 0.0
        seconds: float = BACKOFF_FACTOR * 2 ** (self._failures - 1)
        return min(seconds, LONGEST_BACKOFF)


def create_once(
    retries: RetryBudget, send: Send, look_up: LookUp
) -> tuple[Record, ApiError | None]:
    """Create without ever creating twice; returns the object, and the error if it was found by
    ``look_up`` after one.

    ``send`` posts and returns the object of the response; ``look_up`` reads the existing one,
    bypassing the cache. An object that exists after a lost or refused creation may have been
    created by someone else. Raises the creation's ApiError if it was refused or its outcome stays
    unknown.
    """
    while True:
        try:
            return send(), None
        except ApiError as error:
            if error.effect is Effect.NOT_PROCESSED or error.status == 401:
                raise
            lost = error
        record = _look_up_after(lost, look_up, retries)
        if record is not None:
            return record, lost
        if not lost.fault.temporary:
            raise lost
        retries.wait(lost)


def _look_up_after(lost: ApiError, look_up: LookUp, retries: RetryBudget) -> Record | None:
    """What is there after a creation that was refused, or was lost and may arrive late."""
    # What was refused does not arrive late.
    delays = LOOKUP_DELAYS[:1] if lost.effect is Effect.REJECTED else LOOKUP_DELAYS
    try:
        for seconds in delays:
            retries.clock.sleep(seconds)
            record = look_up()
            if record is not None:
                return record
        while record is None and lost.effect is Effect.UNKNOWN:
            retries.wait(lost)
            record = look_up()
    except PlatformError as error:
        purpose = f"This request was checking whether an earlier creation had succeeded: {lost}"
        error.add_sentence(
            "The object is not in the list, or not yet." if error is lost else purpose
        )
        if lost.effect is not Effect.REJECTED:
            error.add_sentence(EFFECT_UNKNOWN)
        raise
    return record
