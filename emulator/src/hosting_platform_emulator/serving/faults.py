# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planned misbehaviour: the queue of faults, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ..api.operations import OPERATIONS
from ..checks import LARGEST_INTEGER, Checks, Decimal, Number, read_fields
from ..errors import Refusal
from .fault import EVERY_OPERATION, Fault
from .fault_answers import FAULTS

MOST_FAULTS = 1000
_LARGEST = 2**31 - 1
_PLANNED = ("operation", "fault", "when", "count", "probability", "seed", "skip", "retry_after", "delay", "location")
_COUNT = Number(required=True, minimum=0, largest=LARGEST_INTEGER)
_PROGRESS: Checks = {"number": _COUNT, "thrown": _COUNT, "remaining": Number(required=True, nullable=True, minimum=0)}


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

    def listed(self) -> list[dict[str, Any]]:
        return [asdict(fault) for fault in self._faults]

    def replace(self, faults: list[Fault]) -> None:
        self._faults = faults
        self._planned = max([self._planned, *(fault.number for fault in faults)])

    def clear(self) -> list[dict[str, Any]]:
        self._faults.clear()
        return []


def read_fault(given: Mapping[str, Any]) -> Fault:
    """A fault from its plan."""
    for name in given:
        if name not in _PLANNED:
            raise Refusal(f"A fault has no `{name}`; it has: {', '.join(_PLANNED)}")
    # Null counts as not given.
    values = {name: value for name, value in given.items() if value is not None}
    probability = _decimal(values, "probability", 1)
    count = _whole(values, "count") if "count" in given else 1 if probability is None else None
    return Fault(
        operation=_one_of(values, "operation", (EVERY_OPERATION, *OPERATIONS)),
        fault=_one_of(values, "fault", tuple(FAULTS)),
        when=_one_of({"when": "before", **values}, "when", ("before", "after")),
        count=count,
        remaining=count,
        probability=probability,
        seed=_whole(values, "seed") or 0,
        skip=_whole(values, "skip") or 0,
        retry_after=_retry_after(values),
        delay=_decimal(values, "delay", _LARGEST) or 0.0,
        location=_header(values, "location") or "/",
    )


def read_saved_fault(given: Mapping[str, Any]) -> Fault:
    """A fault from a snapshot: its plan and its progress."""
    progress = read_fields({name: given.get(name) for name in _PROGRESS}, _PROGRESS, "snapshot's faults")
    fault = read_fault({name: value for name, value in given.items() if name not in _PROGRESS})
    fault.number, fault.remaining, fault.thrown = progress["number"], progress["remaining"], progress["thrown"]
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
    return (
        read_fields({name: values[name]}, {name: Decimal(largest=largest)}, "fault")[name] if name in values else None
    )


def _header(values: Mapping[str, Any], name: str) -> str | None:
    """A text that fits in a header. Numbers are accepted as well."""
    given = values.get(name)
    if given is None:
        return None
    text = str(given) if isinstance(given, (str, int, float)) and not isinstance(given, bool) else "\n"
    if not (text.isascii() and text.isprintable()):
        raise Refusal(f"The `{name}` of a fault is printable ASCII text; not {given!r}")
    return text


def _retry_after(values: Mapping[str, Any]) -> str | None:
    given = _header(values, "retry_after")
    kind, _, seconds = (given or "").partition(":")
    if kind == "date" and not re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", seconds):
        raise Refusal(f"The `retry_after` of a fault is seconds, or date:SECONDS; not {given!r}")
    return given
