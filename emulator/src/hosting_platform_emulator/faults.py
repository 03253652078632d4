# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planned misbehaviour: which requests it hits, and what it makes of the answer."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from email.utils import formatdate
from random import Random
from typing import Any

from .errors import Refusal
from .operations import OPERATIONS

STATUS_FAULTS = ("429", "500", "502", "503", "504", "401", "403")
FAULTS = (*STATUS_FAULTS, "reset", "slow", "truncated", "short", "html", "empty", "redirect")
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
    dice: Random = field(default_factory=Random, repr=False)

    def strikes(self, operation: str | None) -> bool:
        """Whether it hits this request; counts it."""
        if self.operation not in (EVERY_OPERATION, operation) or self.remaining == 0:
            return False
        if self.skip:
            self.skip -= 1
            return False
        if self.probability is not None and self.dice.random() >= self.probability:
            return False
        if self.remaining is not None:
            self.remaining -= 1
        return True

    def headers(self) -> dict[str, str]:
        """Retry-After in seconds, or as the HTTP date so many seconds from now."""
        if self.retry_after is None:
            return {}
        kind, _, seconds = self.retry_after.partition(":")
        dated = kind == "date"
        return {"Retry-After": formatdate(time.time() + float(seconds), usegmt=True) if dated else self.retry_after}

    def shown(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "dice"}


class Faults:
    """The planned faults, in the order of planning; the first that strikes is the one."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._planned = 0

    def plan(self, given: Mapping[str, Any]) -> Fault:
        fault = _read(given)
        self._planned += 1
        fault.number = self._planned
        self._faults.append(fault)
        return fault

    def draw(self, operation: str | None) -> Fault | None:
        return next((fault for fault in self._faults if fault.strikes(operation)), None)

    def listed(self) -> list[dict[str, Any]]:
        return [fault.shown() for fault in self._faults]

    def clear(self) -> list[dict[str, Any]]:
        self._faults.clear()
        return []


def _read(given: Mapping[str, Any]) -> Fault:
    known = {"operation", "fault", "when", "count", "probability", "seed", "skip", "retry_after", "delay", "location"}
    for name in given:
        if name not in known:
            raise Refusal(f"A fault has no `{name}`; it has: {', '.join(sorted(known))}")
    operation, kind = given.get("operation"), str(given.get("fault"))
    when = given.get("when") or "before"
    if operation not in OPERATIONS and operation != EVERY_OPERATION:
        raise Refusal(f"There is no operation {operation!r}; there are: *, {', '.join(OPERATIONS)}")
    if kind not in FAULTS:
        raise Refusal(f"There is no fault {kind!r}; there are: {', '.join(FAULTS)}")
    if when not in ("before", "after"):
        raise Refusal(f"`when` is before or after (processing), not {when!r}")
    retry_after, probability = given.get("retry_after"), given.get("probability")
    count = given.get("count", 1 if probability is None else None)
    try:
        fault = Fault(
            operation=operation,
            fault=kind,
            when=when,
            count=None if count is None else int(count),
            probability=None if probability is None else float(probability),
            seed=int(given.get("seed") or 0),
            skip=int(given.get("skip") or 0),
            retry_after=None if retry_after is None else str(retry_after),
            delay=float(given.get("delay") or 0),
            location=str(given.get("location") or "/"),
        )
        fault.headers()
    except (TypeError, ValueError) as error:
        raise Refusal(f"The fault is invalid: {error}") from error
    fault.remaining = fault.count
    fault.dice = Random(fault.seed)
    return fault
