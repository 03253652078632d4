# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The clock that a run measures time and waits with."""

from __future__ import annotations

import random
import time

from .._common import threads


class Clock:
    """Time and sleep; tests substitute their own."""

    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        threads.sleep(seconds)

    def jitter(self) -> float:
        """A factor around 1 that keeps clients from retrying all at once."""
        return random.uniform(0.75, 1.25)  # noqa: S311
