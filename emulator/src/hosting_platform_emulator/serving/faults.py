# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planned faults: which requests one hits, and their queue."""

from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from ..errors import Refusal
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
    request: str | None = None
    body: dict[str, Any] | None = None
    number: int = 0
    remaining: int | None = None
    thrown: int = 0
    status: int | None = None
    """What the planned request was answered, the last time."""

    def strikes(self, operation: str | None) -> bool:
        """Count a request, and return whether this fault hits it."""
        if self.operation not in (EVERY_OPERATION, operation) or self.remaining == 0:
            return False
        if self.skip:
            self.skip -= 1
            return False
        if self.probability is not None and self._next_random() >= self.probability:
            return False
        if self.remaining is not None:
            self.remaining -= 1
        return True

    def _next_random(self) -> float:
        """The next random number, which depends only on the seed and its position."""
        self.thrown += 1
        return Random(f"{self.seed} {self.thrown}").random()

    def headers(self, now: int) -> dict[str, str]:
        """Retry-After in seconds, or as the HTTP date that number of seconds from now."""
        if self.retry_after is None:
            return {}
        kind, _, seconds = self.retry_after.partition(":")
        dated = kind == "date"
        if dated:
            return {"Retry-After": http_date(now / 1000 + float(seconds))}
        return {"Retry-After": self.retry_after}


MOST_FAULTS = 1000


class Faults:
    """The planned faults, in order of planning; the first that strikes applies."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._planned = 0

    def plan(self, *faults: Fault) -> None:
        """Plan all or none of them."""
        if len(self._faults) + len(faults) > MOST_FAULTS:
            raise Refusal(f"There are at most {MOST_FAULTS} faults: clear them first")
        for fault in faults:
            self._planned += 1
            fault.number = self._planned
            self._faults.append(fault)

    def draw(self, operation: str | None) -> Fault | None:
        return next((fault for fault in self._faults if fault.strikes(operation)), None)

    def list_all(self) -> list[dict[str, Any]]:
        return [asdict(fault) for fault in self._faults]

    def replace(self, faults: list[Fault]) -> None:
        self._faults = faults
        self._planned = max([self._planned, *(fault.number for fault in faults)])

    def clear(self) -> list[dict[str, Any]]:
        self._faults.clear()
        return []
