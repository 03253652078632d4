# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The control API below `/_emulator/`: for tests and people, without authentication."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from . import page
from .checks import parsed_json
from .emulator import Emulator
from .errors import Refusal

PREFIX = "/_emulator"


def control_application(emulator: Emulator) -> FastAPI:
    app = FastAPI(openapi_url=None, redirect_slashes=False)

    async def refused(request: Request, error: Exception) -> Response:  # noqa: ARG001
        assert isinstance(error, Refusal)
        return _json({"code": error.status, "message": error.message}, error.status)

    app.add_exception_handler(Refusal, refused)

    def serve(method: str, path: str, handler: Callable[[dict[str, Any]], Any]) -> None:
        """A handler takes the JSON object of the body, and returns the JSON answer."""

        async def endpoint(request: Request) -> Response:
            return _json(handler(await _document(request)))

        app.add_api_route(PREFIX + path, endpoint, methods=[method], response_model=None)

    serve("GET", "/state", lambda _: emulator.state())
    serve("GET", "/overview", lambda _: emulator.overview())
    serve("POST", "/seed", emulator.seed)
    serve("POST", "/reset", emulator.reset)
    serve("GET", "/switches", lambda _: emulator.switches)
    serve("PATCH", "/switches", emulator.change_switches)
    serve("DELETE", "/switches", lambda _: emulator.restore_switches())
    serve("GET", "/faults", lambda _: emulator.faults.listed())
    serve("POST", "/faults", lambda given: emulator.faults.plan(given).shown())
    serve("DELETE", "/faults", lambda _: emulator.faults.clear())
    serve("DELETE", "/requests", lambda _: emulator.log.clear())
    serve("GET", "/outbox", lambda _: emulator.outbox())
    app.add_api_route(f"{PREFIX}/requests", _requests(emulator), response_model=None)
    app.add_api_route(f"{PREFIX}/confirm/{{key}}", _confirmation(emulator), response_model=None)
    for path in ("", "/"):
        app.add_api_route(PREFIX + path, page.overview_page, response_model=None)
    return app


def _json(content: Any, status: int = 200) -> Response:
    """In ASCII, which also holds the broken texts that some logged body may bear."""
    return Response(json.dumps(content), status, media_type="application/json")


async def _document(request: Request) -> dict[str, Any]:
    content = await request.body()
    document = parsed_json(content) if content else {}
    if not isinstance(document, dict):
        raise Refusal("The request body is invalid: it must be a JSON object")
    return document


def _requests(emulator: Emulator) -> Callable[[Request], Awaitable[Response]]:
    async def requests(request: Request) -> Response:
        after = request.query_params.get("after", "0")
        if not after.isdigit():
            raise Refusal("`after` must be the number of a request")
        return _json(emulator.log.after(int(after)))

    return requests


def _confirmation(emulator: Emulator) -> Callable[[Request], Awaitable[Response]]:
    async def confirmation(request: Request) -> Response:
        confirmed = emulator.confirm(request.path_params["key"])
        return HTMLResponse(*page.confirmation_page(confirmed))

    return confirmation
