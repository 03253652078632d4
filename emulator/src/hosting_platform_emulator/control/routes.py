# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The control API below `/_emulator/`: for tests and people, without authentication."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from ..checks import Checks, Integer, Text, read_fields, read_query
from ..documents import document
from ..errors import Refusal
from ..serving.bodies import CONTROL_LIMIT, body_of
from ..state.store import KINDS
from . import page
from .access import Access
from .emulator import Emulator

PREFIX = "/_emulator"
FORGOTTEN = "X-Forgotten"
"""The header with the number of requested log entries that are no longer kept."""
_CONFIRM = "/confirm/"
Document = Mapping[str, Any]
_PAGE = Integer(minimum=1, largest=10**9)
_OVERVIEW: Checks = {
    "kind": Text(allowed=KINDS),
    "search": Text(),
    "page": _PAGE,
    "request_search": Text(),
    "request_page": _PAGE,
}


@dataclass(frozen=True, slots=True)
class _Route:
    """A handler takes query and body, and returns a JSON document or a response."""

    handler: Callable[[Document, Document], Any]
    query: Checks
    takes_body: bool


class Control:
    """The control API as an ASGI application, for raw paths."""

    def __init__(self, emulator: Emulator, access: Access) -> None:
        self._emulator = emulator
        self._access = access
        self._routes: dict[str, dict[str, _Route]] = {}
        self._offer()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await self._answer(request)
        except Refusal as refusal:
            response = _json({"code": refusal.status, "message": refusal.message}, refusal.status)
        await response(scope, receive, send)

    def _offer(self) -> None:
        emulator = self._emulator
        self._serve("GET", "/state", lambda _query, _body: emulator.state())
        self._serve("GET", "/overview", lambda query, _body: emulator.overview(**query), query=_OVERVIEW)
        self._serve("POST", "/seed", lambda _query, body: emulator.seed(body), takes_body=True)
        self._serve("POST", "/reset", lambda _query, body: emulator.reset(body), takes_body=True)
        self._serve("POST", "/scenario", lambda _query, body: emulator.play(body), takes_body=True)
        self._serve("POST", "/snapshot", lambda _query, _body: emulator.snapshot())
        self._serve("POST", "/restore", lambda _query, body: emulator.restore(body), takes_body=True)
        self._serve("GET", "/clock", lambda _query, _body: emulator.platform.clock.shown())
        self._serve("POST", "/clock", lambda _query, body: emulator.platform.clock.change(body), takes_body=True)
        self._serve("DELETE", "/clock", lambda _query, _body: emulator.platform.clock.reset())
        self._serve("GET", "/switches", lambda _query, _body: emulator.switches)
        self._serve("PATCH", "/switches", lambda _query, body: emulator.change_switches(body), takes_body=True)
        self._serve("DELETE", "/switches", lambda _query, _body: emulator.restore_switches())
        self._serve("GET", "/faults", lambda _query, _body: emulator.faults.listed())
        self._serve("POST", "/faults", lambda _query, body: emulator.plan(body), takes_body=True)
        self._serve("DELETE", "/faults", lambda _query, _body: emulator.faults.clear())
        self._serve(
            "GET", "/requests", lambda query, _body: self._requests(**query), query={"after": Integer(minimum=0)}
        )
        self._serve("DELETE", "/requests", lambda _query, _body: emulator.log.clear())
        self._serve("GET", "/outbox", lambda _query, _body: emulator.outbox())
        self._serve("GET", "/openapi.json", lambda _query, _body: emulator.openapi())
        for path in ("", "/"):
            self._serve("GET", path, lambda _query, _body: page.overview_page())

    def _serve(
        self,
        method: str,
        path: str,
        handler: Callable[[Document, Document], Any],
        *,
        query: Checks | None = None,
        takes_body: bool = False,
    ) -> None:
        self._routes.setdefault(path, {})[method] = _Route(handler, query or {}, takes_body)

    def _requests(self, after: int = 0) -> Response:
        log = self._emulator.log
        entries = ", ".join(entry.json() for entry in log.after(after))
        headers = {FORGOTTEN: str(log.forgotten_after(after))}
        return Response(f"[{entries}]", 200, headers, media_type="application/json")

    async def _answer(self, request: Request) -> Response:
        self._access.require(request.headers)
        path = request.scope["path"].removeprefix(PREFIX)
        if path.startswith(_CONFIRM) and request.method == "GET":
            confirmed = self._emulator.confirm(path.removeprefix(_CONFIRM))
            return HTMLResponse(*page.confirmation_page(confirmed))
        methods = self._routes.get(path)
        if methods is None:
            raise Refusal(f"There is no {PREFIX}{path}; see {PREFIX}/", 404)
        route = methods.get(request.method)
        if route is None:
            message = f"{PREFIX}{path} takes {', '.join(sorted(methods))}, not {request.method}"
            return _json({"code": 405, "message": message}, 405, Allow=", ".join(sorted(methods)))
        answer = route.handler(*await _given(request, route))
        return answer if isinstance(answer, Response) else _json(answer)


async def _given(request: Request, route: _Route) -> tuple[Document, Document]:
    query = read_fields(read_query(request.scope["query_string"]), route.query, "query")
    content = await body_of(request, CONTROL_LIMIT)
    body = document(content, request.headers.get("content-type", ""))
    return query, body if route.takes_body else read_fields(body, {}, "body")


def _json(content: Any, status: int = 200, **headers: str) -> Response:
    """In ASCII, which can also encode the invalid text of some logged bodies."""
    return Response(json.dumps(content), status, headers, media_type="application/json")
