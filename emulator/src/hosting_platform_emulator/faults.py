# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planned misbehaviour: which requests each fault hits, and how often."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from email.utils import formatdate
from math import isfinite
from random import Random
from typing import Any

from .errors import Refusal
from .fault_answers import FAULTS
from .operations import OPERATIONS

EVERY_OPERATION = "*"
MOST_FAULTS = 1000
_LARGEST = 2**31 - 1


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
        """Count a request, and tell whether this fault hits it."""
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
        if len(self._faults) >= MOST_FAULTS:
            raise Refusal(f"There are {MOST_FAULTS} faults already, which is the most: clear them first")
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
    known = ("operation", "fault", "when", "count", "probability", "seed", "skip", "retry_after", "delay", "location")
    for name in given:
        if name not in known:
            raise Refusal(f"A fault has no `{name}`; it has: {', '.join(known)}")
    # What is null counts as not given.
    values = {name: value for name, value in given.items() if value is not None}
    probability = _decimal(values, "probability", 1)
    count = _whole(values, "count") if "count" in given else 1 if probability is None else None
    fault = Fault(
        operation=_one_of(values, "operation", (EVERY_OPERATION, *OPERATIONS)),
        fault=_one_of(values, "fault", tuple(FAULTS)),
        when=_one_of({"when": "before", **values}, "when", ("before", "after")),
        count=count,
        remaining=count,
        probability=probability,
        seed=_whole(values, "seed") or 0,
        skip=_whole(values, "skip") or 0,
        retry_after=_header(values, "retry_after"),
        delay=_decimal(values, "delay", _LARGEST) or 0.0,
        location=_header(values, "location") or "/",
    )
    _require_date(fault)
    fault.dice = Random(fault.seed)
    return fault


def _one_of(values: Mapping[str, Any], name: str, allowed: tuple[str, ...]) -> str:
    """One of these words. A status may be given as a number."""
    given = values.get(name)
    word = str(given) if isinstance(given, int) and not isinstance(given, bool) else given
    if not isinstance(word, str) or word not in allowed:
        raise Refusal(f"The `{name}` of a fault is one of {', '.join(allowed)}; not {given!r}")
    return word


def _whole(values: Mapping[str, Any], name: str) -> int | None:
    """A whole number, which may be given as text."""
    given = values.get(name)
    if given is None:
        return None
    text = "" if isinstance(given, bool) else str(given)
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(_LARGEST)) and int(text) <= _LARGEST):
        raise Refusal(f"The `{name}` of a fault is a whole number from 0 to {_LARGEST}; not {given!r}")
    return int(text)


def _decimal(values: Mapping[str, Any], name: str, largest: int) -> float | None:
    """A number, which may be given as text."""
    given = values.get(name)
    if given is None:
        return None
    try:
        number = float(given) if isinstance(given, (str, int, float)) and not isinstance(given, bool) else -1.0
    except (ValueError, OverflowError):
        number = -1.0
    if not (isfinite(number) and 0 <= number <= largest):
        raise Refusal(f"The `{name}` of a fault is a number from 0 to {largest}; not {given!r}")
    return number


def _header(values: Mapping[str, Any], name: str) -> str | None:
    """A text that a header can hold. A number will do as well."""
    given = values.get(name)
    if given is None:
        return None
    text = str(given) if isinstance(given, (str, int, float)) and not isinstance(given, bool) else "\n"
    if not (text.isascii() and text.isprintable()):
        raise Refusal(f"The `{name}` of a fault is printable ASCII text; not {given!r}")
    return text


def _require_date(fault: Fault) -> None:
    try:
        fault.headers()
    except (ValueError, OverflowError, OSError) as error:
        raise Refusal(f"The `retry_after` of a fault, {fault.retry_after!r}, is no date: {error}") from error
