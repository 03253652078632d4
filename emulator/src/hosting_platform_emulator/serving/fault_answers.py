# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer of each fault. Faults not in this table do not exist."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from types import MappingProxyType

from starlette.responses import Response

from ..errors import Forbidden, Refusal, Unauthenticated
from .fault import Fault
from .wire import ResetResponse, ShortResponse

_PAGE = "<!DOCTYPE html><title>{title}</title><h1>{title}</h1><p>This is a page of a gateway, and no JSON.</p>"
_SAMPLE = b'{"id":"prj_0123456789abcdef","name":"an answer that was never computed"}'


class Struck:
    """A request that a fault hits: before it is processed, or after."""

    def __init__(self, fault: Fault, process: Callable[[], Response], echo: dict[str, str], now: int) -> None:
        self.fault = fault
        self.process = process
        self.echo = echo
        self.headers = fault.headers(now)

    def genuine(self) -> tuple[bytes, int]:
        """Body and status of the answer if the request is to be processed, else of a sample."""
        answer = self.process() if self.fault.when == "after" else None
        if answer is None:
            return _SAMPLE, 200
        return bytes(answer.body) or _SAMPLE, answer.status_code


async def answer_of_fault(struck: Struck) -> Response:
    return await FAULTS[struck.fault.fault](struck)


async def _service_error(struck: Struck, refusal: Refusal) -> Response:
    """An answer that looks like the service's own."""
    struck.genuine()
    media_type, body = refusal.body(struck.echo)
    return Response(body, refusal.status, struck.headers, media_type)


async def _gateway_error(struck: Struck, status: int) -> Response:
    struck.genuine()
    return Response(_PAGE.format(title=f"Error {status}"), status, struck.headers, "text/html")


async def _reset(struck: Struck) -> Response:
    struck.genuine()
    return ResetResponse(status_code=0)


async def _slow(struck: Struck) -> Response:
    if struck.fault.when == "before":
        await asyncio.sleep(struck.fault.delay)
        return struck.process()
    answer = struck.process()
    await asyncio.sleep(struck.fault.delay)
    return answer


async def _truncated(struck: Struck) -> Response:
    body, status = struck.genuine()
    return Response(body[: len(body) // 2], status, media_type="application/json")


async def _short(struck: Struck) -> Response:
    return ShortResponse(*struck.genuine())


async def _html(struck: Struck) -> Response:
    struck.genuine()
    return Response(_PAGE.format(title="Maintenance"), 200, media_type="text/html")


async def _empty(struck: Struck) -> Response:
    struck.genuine()
    return Response(b"", 200, media_type="application/json")


async def _redirect(struck: Struck) -> Response:
    struck.genuine()
    return Response(status_code=302, headers={"Location": struck.fault.location})


_SERVICE_ERRORS = {
    "429": Refusal("Too many requests.", 429),
    "500": Refusal("Something went wrong.", 500),
    "401": Unauthenticated(),
    "403": Forbidden("You have no permission to access this resource."),
}

FAULTS: Mapping[str, Callable[[Struck], Awaitable[Response]]] = MappingProxyType(
    {
        **{name: partial(_service_error, refusal=refusal) for name, refusal in _SERVICE_ERRORS.items()},
        **{str(status): partial(_gateway_error, status=status) for status in (502, 503, 504)},
        "reset": _reset,
        "slow": _slow,
        "truncated": _truncated,
        "short": _short,
        "html": _html,
        "empty": _empty,
        "redirect": _redirect,
    }
)
