# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A planned fault: which requests it hits, and how often."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ..state.clock import http_date

EVERY_OPERATION = "*"


@dataclass(slots=True)
class Fault:
    operation: str
    fault: str
    when: str = "before"
    count: int | None = None
    probability: float | None = None
    seed: int = 0
    skip: int = 0
    retry_after: str | None = None
    delay: float = 0.0
    location: str = "/"
    number: int = 0
    remaining: int | None = None
    thrown: int = 0

    def strikes(self, operation: str | None) -> bool:
        """Count a request, and return whether this fault hits it."""
        if self.operation not in (EVERY_OPERATION, operation) or self.remaining == 0:
            return False
        if self.skip:
            self.skip -= 1
            return False
        if self.probability is not None and self._throw() >= self.probability:
            return False
        if self.remaining is not None:
            self.remaining -= 1
        return True

    def _throw(self) -> float:
        """The next random number, which depends only on the seed and its position."""
        self.thrown += 1
        return Random(f"{self.seed} {self.thrown}").random()

    def headers(self, now: int) -> dict[str, str]:
        """Retry-After in seconds, or as the HTTP date that number of seconds from now."""
        if self.retry_after is None:
            return {}
        kind, _, seconds = self.retry_after.partition(":")
        dated = kind == "date"
        return {"Retry-After": http_date(now / 1000 + float(seconds)) if dated else self.retry_after}
