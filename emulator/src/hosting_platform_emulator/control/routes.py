# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The control API below `/_emulator/`: for tests and people, without authentication."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ..checks import Checks, Integer, read_fields, read_query
from ..documents import document
from ..errors import Refusal
from ..serving.bodies import CONTROL_LIMIT, body_of, too_large
from . import page
from .access import Access
from .emulator import Emulator

PREFIX = "/_emulator"
FORGOTTEN = "X-Forgotten"
"""The header with the number of requested log entries that are no longer kept."""
_CONFIRM = "/confirm/"


@dataclass(frozen=True, slots=True)
class _Route:
    """A handler takes the body, if any, and the query by name; it returns a JSON document or a
    response.
    """

    handler: Callable[..., Any]
    query: Checks = field(default_factory=dict)
    takes_body: bool = False


class Control:
    """The control API as an ASGI application, for raw paths."""

    def __init__(self, emulator: Emulator, access: Access) -> None:
        self._emulator = emulator
        self._access = access
        self._routes = self._make_routes()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await self._answer(request)
        except Refusal as refusal:
            response = _json({"code": refusal.status, "message": refusal.message}, refusal.status)
        await response(scope, receive, send)

    def _make_routes(self) -> dict[tuple[str, str], _Route]:
        emulator = self._emulator
        clock = emulator.platform.clock
        switches = emulator.switches
        faults = emulator.faults
        return {
            ("GET", ""): _Route(page.overview_page),
            ("GET", "/"): _Route(page.overview_page),
            ("GET", "/state"): _Route(emulator.state),
            ("POST", "/seed"): _Route(emulator.seed, takes_body=True),
            ("POST", "/reset"): _Route(emulator.reset, takes_body=True),
            ("POST", "/scenario"): _Route(emulator.play, takes_body=True),
            ("POST", "/snapshot"): _Route(emulator.snapshot),
            ("POST", "/restore"): _Route(emulator.restore, takes_body=True),
            ("GET", "/clock"): _Route(clock.describe),
            ("POST", "/clock"): _Route(clock.change, takes_body=True),
            ("DELETE", "/clock"): _Route(clock.reset),
            ("GET", "/switches"): _Route(lambda: switches),
            ("PATCH", "/switches"): _Route(switches.change, takes_body=True),
            ("DELETE", "/switches"): _Route(switches.restore),
            ("GET", "/faults"): _Route(faults.list_all),
            ("POST", "/faults"): _Route(emulator.plan, takes_body=True),
            ("DELETE", "/faults"): _Route(faults.clear),
            ("GET", "/requests"): _Route(self._requests, {"after": Integer(minimum=0)}),
            ("DELETE", "/requests"): _Route(emulator.log.clear),
            ("GET", "/outbox"): _Route(emulator.outbox),
            ("GET", "/openapi.json"): _Route(emulator.openapi),
        }

    def _requests(self, after: int = 0) -> Response:
        log = self._emulator.log
        entries = ", ".join(entry.json() for entry in log.after(after))
        headers = {FORGOTTEN: str(log.count_forgotten(after))}
        return Response(f"[{entries}]", 200, headers, media_type="application/json")

    async def _answer(self, request: Request) -> Response:
        self._access.require(request.headers)
        path = request.scope["path"].removeprefix(PREFIX)
        if path.startswith(_CONFIRM) and request.method == "GET":
            return page.confirmation_page(self._emulator.confirm(path.removeprefix(_CONFIRM)))
        methods = ", ".join(sorted(method for method, offered in self._routes if offered == path))
        if not methods:
            raise Refusal(f"There is no {PREFIX}{path}; see {PREFIX}/", 404)
        route = self._routes.get((request.method, path))
        if route is None:
            message = f"{PREFIX}{path} takes {methods}, not {request.method}"
            return _json({"code": 405, "message": message}, 405, Allow=methods)
        query = read_fields(read_query(request.scope["query_string"]), route.query, "query")
        content = await body_of(request, CONTROL_LIMIT)
        if content is None:
            raise too_large(CONTROL_LIMIT)
        body = document(content, request.headers.get("content-type", ""))
        if not route.takes_body:
            read_fields(body, {}, "body")
        answer = route.handler(body, **query) if route.takes_body else route.handler(**query)
        return answer if isinstance(answer, Response) else _json(answer)


def _json(content: Any, status: int = 200, **headers: str) -> Response:
    """In ASCII, which can also encode the invalid text of some logged bodies."""
    return Response(json.dumps(content), status, headers, media_type="application/json")
