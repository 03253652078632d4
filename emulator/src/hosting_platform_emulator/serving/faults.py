# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planned faults: which requests one hits, its answer, their queue, and how they are read."""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Any

from starlette.responses import Response

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
from ..state.clock import http_date
from .wire import ResetResponse, ShortResponse

EVERY_OPERATION = "*"
_PAGE = (
    "<!DOCTYPE html><title>{title}</title><h1>{title}</h1>"
    "<p>This is a page of a gateway, and no JSON.</p>"
)
_SAMPLE = b'{"id":"prj_0123456789abcdef","name":"an answer that was never computed"}'
_SLOW = "slow"
CONCURRENT = "concurrent"
_JSON = "application/json"


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


@dataclass(frozen=True, slots=True)
class Struck:
    """A request that a fault hits; ``answer`` is what it got, if it was processed before the fault.

    Body and status are those of the answer, or of a sample.
    """

    fault: Fault
    process: Callable[[], Response]
    answer: Response | None
    echo: dict[str, str]
    headers: dict[str, str]

    @property
    def body(self) -> bytes:
        return bytes(self.answer.body if self.answer else b"") or _SAMPLE

    @property
    def status(self) -> int:
        return self.answer.status_code if self.answer else 200


async def answer_of_fault(
    fault: Fault, process: Callable[[], Response], echo: dict[str, str], now: int
) -> Response:
    """The fault's answer; the request is processed before it, after it, or not at all."""
    answer = process() if fault.when == "after" else None
    if fault.fault == _SLOW:
        await asyncio.sleep(fault.delay)
    return FAULTS[fault.fault](Struck(fault, process, answer, echo, fault.headers(now)))


def refusal_response(
    refusal: Refusal, echo: dict[str, str], headers: dict[str, str] | None = None
) -> Response:
    """A refusal with the body that is documented for its status (§7)."""
    if refusal.status == 401:
        return Response(b"", 401, headers, "text/plain")
    if refusal.status == 403:
        text = " ".join([refusal.message, *echo.values()])
        return Response(text.encode(errors="replace"), 403, headers, "text/plain")
    document = {"code": refusal.status, "message": refusal.message, **echo}
    body = json.dumps(document, ensure_ascii=False).encode(errors="replace")
    return Response(body, refusal.status, headers, "application/json")


def _service_error(struck: Struck, refusal: Refusal) -> Response:
    return refusal_response(refusal, struck.echo, struck.headers)


def _gateway_error(struck: Struck, status: int) -> Response:
    return Response(_PAGE.format(title=f"Error {status}"), status, struck.headers, "text/html")


TOO_MANY = Refusal("Too many requests.", 429)
_SERVICE_ERRORS = (
    Refusal("One of the provided values in the request is invalid.", 400),
    Refusal("There is no such object.", 404),
    Refusal("This is in conflict with what there is.", 409),
    Refusal("This object is gone.", 410),
    Refusal("One of the provided values cannot be processed.", 422),
    Refusal("This object is locked: it is being changed.", 423),
    TOO_MANY,
    Refusal("Something went wrong.", 500),
    Refusal("", 401),
    Refusal("You have no permission to access this resource.", 403),
)

FAULTS: Mapping[str, Callable[[Struck], Response]] = MappingProxyType(
    {
        **{
            str(refusal.status): partial(_service_error, refusal=refusal)
            for refusal in _SERVICE_ERRORS
        },
        **{str(status): partial(_gateway_error, status=status) for status in (502, 503, 504)},
        "reset": lambda _struck: ResetResponse(status_code=0),
        **dict.fromkeys((_SLOW, CONCURRENT), lambda struck: struck.answer or struck.process()),
        "truncated": lambda struck: Response(
            struck.body[: len(struck.body) // 2], struck.status, media_type=_JSON
        ),
        "short": lambda struck: ShortResponse(struck.body, struck.status),
        "html": lambda _struck: Response(
            _PAGE.format(title="Maintenance"), 200, media_type="text/html"
        ),
        "empty": lambda _struck: Response(b"", 200, media_type=_JSON),
        "redirect": lambda struck: Response(
            status_code=302, headers={"Location": struck.fault.location}
        ),
    }
)


MOST_FAULTS = 1000
_COUNT = Number(required=True, minimum=0, largest=LARGEST_INTEGER)
_PROGRESS: Checks = {
    "number": _COUNT,
    "thrown": _COUNT,
    "remaining": Number(required=True, nullable=True, minimum=0),
    "status": Number(required=True, nullable=True),
}


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
