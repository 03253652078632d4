# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The switch `rate_limit`: a maximum number of requests per caller in a number of seconds."""

from collections import deque
from dataclasses import dataclass, field

from ..state.clock import Clock, http_date
from ..state.switches import Switches


@dataclass(slots=True)
class Throttle:
    """Counts accepted requests by caller; refused ones do not count."""

    switches: Switches
    clock: Clock
    _passed: dict[str, deque[int]] = field(default_factory=dict)

    def count(self, caller: str) -> dict[str, str] | None:
        """Count a request of this caller, and return the headers of its refusal if it is one too
        many.
        """
        rate = self.switches.rate()
        if rate is None:
            return None
        most, window = rate
        now = self.clock.now()
        is_fixed = self.switches["rate_limit_window"] == "fixed"
        # A fixed window begins at a multiple of its length on the clock, a sliding one at each
        # request.
        begin = now - now % window if is_fixed else now - window + 1
        passed = self._passed.setdefault(caller, deque())
        while passed and not begin <= passed[0] <= now:
            passed.popleft()
        if len(passed) < most:
            passed.append(now)
            return None
        free_at = (begin if is_fixed else passed[-most]) + window
        return self._headers(now, free_at)

    def _headers(self, now: int, free_at: int) -> dict[str, str]:
        """Retry-After has whole seconds, unless it is decimal: the first at which a request is
        accepted.
        """
        kind = self.switches["rate_limit_retry_after"]
        if kind == "seconds":
            return {"Retry-After": str(-((now - free_at) // 1000))}
        if kind == "decimal":
            return {"Retry-After": f"{(free_at - now) / 1000:.3f}"}
        if kind == "date":
            return {"Retry-After": http_date(-(-free_at // 1000))}
        return {}

    def forget(self) -> None:
        self._passed.clear()
