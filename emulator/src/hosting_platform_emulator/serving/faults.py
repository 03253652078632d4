# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planned misbehaviour: the queue of faults, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from ..api.operations import OPERATIONS
from ..checks import LARGEST_INTEGER, LARGEST_SETTING, Checks, Decimal, Number, read_fields, whole_number
from ..documents import require_known
from ..errors import Refusal
from .fault_answers import EVERY_OPERATION, FAULTS, Fault

MOST_FAULTS = 1000
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
    require_known("A fault", given, _READERS)
    # Null counts as not given, and a count of null is no limit.
    planned = {"operation": None, "fault": None, **{name: value for name, value in given.items() if value is not None}}
    if "count" not in given and "probability" not in planned:
        planned["count"] = 1
    fault = Fault(**{name: _READERS[name](name, value) for name, value in planned.items()})
    fault.remaining = fault.count
    return fault


def read_saved_fault(given: Mapping[str, Any]) -> Fault:
    """A fault from a snapshot: its plan and its progress."""
    progress = read_fields({name: given.get(name) for name in _PROGRESS}, _PROGRESS, "snapshot's faults")
    fault = read_fault({name: value for name, value in given.items() if name not in _PROGRESS})
    return replace(fault, **progress)


def _one_of(name: str, given: object, allowed: tuple[str, ...]) -> str:
    """One of these words. A status may be given as a number."""
    word = str(given) if isinstance(given, int) and not isinstance(given, bool) else given
    if not isinstance(word, str) or word not in allowed:
        raise Refusal(f"The `{name}` of a fault is one of {', '.join(allowed)}; not {given!r}")
    return word


def _whole(name: str, given: object) -> int:
    number = whole_number(given)
    if number is None:
        raise Refusal(f"The `{name}` of a fault is a whole number from 0 to {LARGEST_SETTING}; not {given!r}")
    return number


def _header(name: str, given: object) -> str:
    """A text that fits in a header. Numbers are accepted as well."""
    text = str(given) if isinstance(given, (str, int, float)) and not isinstance(given, bool) else "\n"
    if not (text.isascii() and text.isprintable()):
        raise Refusal(f"The `{name}` of a fault is printable ASCII text; not {given!r}")
    return text


def _location(name: str, given: object) -> str:
    return _header(name, given) or "/"


def _retry_after(name: str, given: object) -> str:
    text = _header(name, given)
    kind, _, seconds = text.partition(":")
    if kind == "date" and not re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", seconds):
        raise Refusal(f"The `{name}` of a fault is seconds, or date:SECONDS; not {text!r}")
    return text


_READERS: Mapping[str, Callable[[str, object], Any]] = {
    "operation": partial(_one_of, allowed=(EVERY_OPERATION, *OPERATIONS)),
    "fault": partial(_one_of, allowed=tuple(FAULTS)),
    "when": partial(_one_of, allowed=("before", "after")),
    "count": _whole,
    "probability": Decimal(largest=1).read,
    "seed": _whole,
    "skip": _whole,
    "retry_after": _retry_after,
    "delay": Decimal().read,
    "location": _location,
}
