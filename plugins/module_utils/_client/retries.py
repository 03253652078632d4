# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Waiting before a request is sent again: how often, how long, who goes first."""

from __future__ import annotations

import contextlib
import datetime
import itertools
import math
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from email.utils import parsedate_to_datetime
from typing import cast

from .clock import Clock
from .errors import ApiError

SKEW_SECONDS = 60.0
BACKOFF_FACTOR = 0.25
LONGEST_BACKOFF = 120.0
# Where a service throttles and does not say for how long. Less jitter, five of these are three minutes at least.
THROTTLE_STEPS = (15.0, 30.0, 60.0)
SILENT_SECONDS = 2.0  # the user is told of longer waits, and not more often than this
SERVED_TO_WIDEN = 50

Say = Callable[[str], object]


class Pause:
    """The waits that a service asks for. All threads that talk to it share them, and take turns afterwards.

    Before the service has asked for a wait, there are as many turns at a time as threads; after it, one, and one more
    whenever the service has served enough. So no more requests than these meet its limit the next time.
    """

    def __init__(self, clock: Clock, say: Say | None = None) -> None:
        self._clock = clock
        self._say = say
        self._said_at = -SILENT_SECONDS
        self._until = 0.0
        self._pauses = 0
        self._width = math.inf
        self._taken = 0
        self._served = 0
        self._waiting: list[tuple[int, int]] = []
        self._arrivals = itertools.count()
        self._changed = threading.Condition()
        self.is_hopeless = False
        """True from when a request was given up because of throttling until another one is served."""

    def say(self, line: str) -> None:
        """Tell the user, unless another thread has just done so."""
        with self._changed:
            is_due = self._clock.now() - self._said_at >= SILENT_SECONDS
            if is_due:
                self._said_at = self._clock.now()
        if self._say and is_due:
            self._say(line)

    def extend(self, seconds: float) -> None:
        """Have everyone wait for so long from now on, and then go on one by one: the service has just refused."""
        with self._changed:
            self._pauses += 1
            self._width, self._served = 1, 0
            self._until = max(self._until, self._clock.now() + seconds)

    @contextlib.contextmanager
    def turn(self, refusals: int = 0) -> Iterator[None]:
        """Wait for one's turn to send a request. The one that was refused most often comes first."""
        pauses = self._enter((-refusals, next(self._arrivals)))
        try:
            yield
        finally:
            self._leave(is_served=pauses == self._pauses)

    def _enter(self, ticket: tuple[int, int]) -> int:
        with self._changed:
            self._waiting.append(ticket)
        try:
            while True:
                with self._changed:
                    left = self._until - self._clock.now()
                    if left <= 0:
                        if self._taken < self._width and ticket == min(self._waiting):
                            self._taken += 1
                            return self._pauses
                        self._changed.wait()
                        continue
                self._clock.sleep(left)
        finally:
            with self._changed:
                self._waiting.remove(ticket)
                self._changed.notify_all()

    def _leave(self, is_served: bool) -> None:
        with self._changed:
            self._taken -= 1
            self._served += is_served
            self.is_hopeless = self.is_hopeless and not is_served
            if self._served >= SERVED_TO_WIDEN * self._width:
                self._width, self._served = self._width + 1, 0
            self._changed.notify_all()


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
    return max(0.0, date - (cast(float, answered_at) if is_skewed else now))


class Retries:
    """The tries that one request, or one creation, has left."""

    def __init__(self, max_retries: int, max_delay: float, clock: Clock, pause: Pause) -> None:
        self._max_retries = max_retries
        self._max_delay = max_delay
        self._clock = clock
        self._pause = pause
        self._began_at = clock.now()
        self._failures = self._refusals = 0
        self._delay: float | None = None

    def wait(self, error: ApiError) -> None:
        """Wait before the next try after ``error``; raises it when no try is left."""
        self.count(error)
        self.sleep(error)

    def turn(self) -> AbstractContextManager[None]:
        """Wait for one's turn to send, which also is the wait that a throttling service has asked for."""
        return self._pause.turn(self._refusals)

    def count(self, error: ApiError) -> None:
        """Count a try that failed. A service that throttles has everyone wait from this moment on.

        Raises ``error`` when no try is left, or at once when the service asks for a longer wait than allowed.
        """
        if error.is_throttling:
            self._pause.extend(0)
        asked = error.said.retry_after
        if asked is not None and asked > self._max_delay:
            error.advise(
                f"The service asks to wait {asked:g} s, longer than max_retry_delay allows ({self._max_delay:g} s): try"
                " again later, or raise max_retry_delay."
            )
            raise error
        self._use_up_a_try(error)
        # "Now" is said by who rounds down, and may need a moment all the same.
        if not error.is_throttling or asked == 0:
            self._delay = min(self._backoff_seconds() * self._clock.jitter(), self._max_delay)
            return
        self._delay = None
        seconds = self._throttle_seconds() if asked is None else asked
        self._refusals += 1
        self._pause.extend(seconds)
        self._pause.say(f"The service asks to wait (status {error.status}): continuing in {seconds:.0f} s.")

    def sleep(self, error: ApiError) -> None:
        """Wait as long as a fault of the service or of the network makes sensible."""
        if self._delay is None:
            return
        if self._clock.now() + self._delay - self._began_at > SILENT_SECONDS:
            self._pause.say(f"{error} Retrying in {self._delay:.0f} s.")
        self._clock.sleep(self._delay)

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
