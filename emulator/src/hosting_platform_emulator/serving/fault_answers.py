# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a fault answers, and what a refusal does."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from starlette.responses import Response

from ..errors import Refusal
from .faults import Fault
from .wire import ResetResponse, ShortResponse

_PAGE = (
    "<!DOCTYPE html><title>{title}</title><h1>{title}</h1>"
    "<p>This is a page of a gateway, and no JSON.</p>"
)
_SAMPLE = b'{"id":"prj_0123456789abcdef","name":"an answer that was never computed"}'
_SLOW = "slow"
CONCURRENT = "concurrent"
_JSON = "application/json"


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
