# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a planned fault is read: a plan, or one from a snapshot with its progress."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ..api.operations import OPERATIONS
from ..checks import (
    LARGEST_INTEGER,
    LARGEST_SETTING,
    Checks,
    Decimal,
    Number,
    read_fields,
    whole_number,
)
from ..documents import require_known
from ..errors import Refusal
from .fault_answers import CONCURRENT, FAULTS
from .faults import EVERY_OPERATION, Fault

_COUNT = Number(required=True, minimum=0, largest=LARGEST_INTEGER)
_PROGRESS: Checks = {
    "number": _COUNT,
    "thrown": _COUNT,
    "remaining": Number(required=True, nullable=True, minimum=0),
    "status": Number(required=True, nullable=True),
}


def read_fault(given: Mapping[str, Any]) -> Fault:
    """A fault from its plan."""
    require_known("A fault", given, _READERS)
    # Null counts as not given, and a count of null is no limit.
    planned = {
        "operation": None,
        "fault": None,
        **{name: value for name, value in given.items() if value is not None},
    }
    if "count" not in given and "probability" not in planned:
        planned["count"] = 1
    fault = Fault(**{name: _READERS[name](name, value) for name, value in planned.items()})
    if (fault.request is None) == (fault.fault == CONCURRENT):
        raise Refusal(f"A `request` belongs to the fault {CONCURRENT}, which needs one")
    fault.remaining = fault.count
    return fault


def read_saved_fault(given: Mapping[str, Any]) -> Fault:
    """A fault from a snapshot: its plan and its progress."""
    progress = read_fields(
        {name: given.get(name) for name in _PROGRESS}, _PROGRESS, "snapshot's faults"
    )
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
        raise Refusal(
            f"The `{name}` of a fault is a whole number from 0 to {LARGEST_SETTING}; not {given!r}"
        )
    return number


def _header(name: str, given: object) -> str:
    """A text that fits in a header. Numbers are accepted as well."""
    is_text = isinstance(given, (str, int, float)) and not isinstance(given, bool)
    text = str(given)
    if not (is_text and text.isascii() and text.isprintable()):
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


def _request(name: str, given: object) -> str:
    """A method and a path, with a query or without, that an operation takes."""
    line = _header(name, given)
    target = line.partition("?")[0]
    if any(operation.pattern.fullmatch(target) for operation in OPERATIONS.values()):
        return line
    raise Refusal(f"The `{name}` of a fault is one such as DELETE /projects/shop; not {line!r}")


def _body(name: str, given: object) -> dict[str, Any]:
    if isinstance(given, dict):
        return given
    raise Refusal(f"The `{name}` of a fault is an object; not {given!r}")


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
    "request": _request,
    "body": _body,
}
