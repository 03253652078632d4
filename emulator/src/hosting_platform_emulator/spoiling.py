# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What each fault makes of an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.responses import Response

from .errors import Forbidden, Refusal, Unauthenticated
from .faults import STATUS_FAULTS, Fault
from .wire import ResetResponse, ShortResponse

_PAGE = "<!DOCTYPE html><title>{title}</title><h1>{title}</h1><p>This is a page of a gateway, and no JSON.</p>"
_SAMPLE = b'{"id":"prj_0123456789abcdef","name":"an answer that was never computed"}'


async def spoiled(fault: Fault, answer: Callable[[], Response], echo: dict[str, str]) -> Response:
    """The fault's answer: instead of the request's processing, or after it."""
    if fault.fault == "slow":
        return await _slow(fault, answer)
    genuine = answer() if fault.when == "after" else None
    if fault.fault in STATUS_FAULTS:
        return _status(fault, int(fault.fault), echo)
    body = bytes(genuine.body) if genuine is not None and genuine.body else _SAMPLE
    status = genuine.status_code if genuine is not None else 200
    match fault.fault:
        case "reset":
            return ResetResponse(status_code=0)
        case "truncated":
            return Response(body[: len(body) // 2], status, media_type="application/json")
        case "short":
            return ShortResponse(body, status)
        case "html":
            return Response(_PAGE.format(title="Maintenance"), 200, media_type="text/html")
        case "empty":
            return Response(b"", 200, media_type="application/json")
        case _:
            return Response(status_code=302, headers={"Location": fault.location})


async def _slow(fault: Fault, answer: Callable[[], Response]) -> Response:
    if fault.when == "before":
        await asyncio.sleep(fault.delay)
        return answer()
    genuine = answer()
    await asyncio.sleep(fault.delay)
    return genuine


def _status(fault: Fault, status: int, echo: dict[str, str]) -> Response:
    """Gateways answer 502 to 504 with a page of their own; the others look like the service's."""
    headers = fault.headers()
    if status in (502, 503, 504):
        return Response(_PAGE.format(title=f"Error {status}"), status, headers, "text/html")
    refusal: Refusal
    if status == Unauthenticated.status:
        refusal = Unauthenticated()
    elif status == Forbidden.status:
        refusal = Forbidden("You have no permission to access this resource.")
    else:
        refusal = Refusal("Too many requests." if status == 429 else "Something went wrong.", status)
    media_type, body = refusal.body(echo)
    return Response(body, status, headers, media_type)
