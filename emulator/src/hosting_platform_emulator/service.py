# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests to the API, from the wire to an operation and back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from . import rendering, spoiling
from .call import Answer, Call
from .checks import read_body, read_fields, read_query, read_segment
from .errors import Invalid, NotOffered, Refusal, Unauthenticated
from .faults import Faults
from .operation import Operation, resolved
from .operations import OPERATIONS
from .platform import Platform
from .request_log import RequestLog
from .store import Row
from .wire import CONNECTION


class Service:
    """The API of the specification as an ASGI application, for raw paths."""

    def __init__(self, platform: Platform, faults: Faults, log: RequestLog) -> None:
        self.platform = platform
        self.switches = platform.switches
        self.faults = faults
        self.log = log
        self.app = FastAPI(openapi_url=None, redirect_slashes=False)
        for operation in OPERATIONS.values():
            endpoint = self._endpoint(operation)
            self.app.add_api_route(operation.path, endpoint, methods=[operation.method], response_model=None)
        for status in (404, 405):
            self.app.add_exception_handler(status, self._without_operation)

    def _endpoint(self, operation: Operation) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            return await self._serve(request, operation)

        return endpoint

    async def _without_operation(self, request: Request, error: Exception) -> Response:  # noqa: ARG002
        return await self._serve(request, None)

    async def _serve(self, request: Request, operation: Operation | None) -> Response:
        """Log, take the time that is set, answer, and spoil what a fault spoils."""
        content = await request.body()
        token = _bearer(request.headers.get("authorization"))
        user = self.platform.user_of_token(token) if token else None
        name = operation.name if operation else None
        entry = self._logged(request, name, content, token, user)
        await self._take_time(request)
        fault = self.faults.draw(name)
        if fault is None:
            response = self._answer(request, operation, content, token, user)
        else:
            response = await spoiling.spoiled(
                fault, lambda: self._answer(request, operation, content, token, user), token if self._echoes else None
            )
        entry["status"] = response.status_code or None
        return response

    @property
    def _echoes(self) -> bool:
        return bool(self.switches["echo_token"])

    def _logged(
        self, request: Request, operation: str | None, content: bytes, token: str | None, user: Row | None
    ) -> dict[str, Any]:
        query: dict[str, str] = {}
        body = None
        with suppress(Refusal):
            query = read_query(request.scope["query_string"])
        with suppress(ValueError, RecursionError):
            body = json.loads(content) if content else None
        return self.log.begin(
            operation=operation,
            method=request.method,
            path=request.scope["raw_path"].decode("latin-1"),
            query=query,
            body=body,
            authorization="none" if token is None else "valid" if user else "invalid",
            user_agent=request.headers.get("user-agent"),
            connection=request.scope[CONNECTION].number,
        )

    async def _take_time(self, request: Request) -> None:
        connection = request.scope[CONNECTION]
        delay = self.switches["latency_ms"] + (self.switches["connect_latency_ms"] if connection.is_fresh else 0)
        connection.is_fresh = False
        if delay:
            await asyncio.sleep(delay / 1000)

    def _answer(
        self, request: Request, operation: Operation | None, content: bytes, token: str | None, user: Row | None
    ) -> Response:
        """Carry the operation out, as a whole or not at all."""
        try:
            with self.platform.store.transaction():
                answer = self._carry_out(request, operation, content, user)
        except Refusal as refusal:
            media_type, body = refusal.body({"requestToken": token} if self._echoes and token else {})
            return Response(body, refusal.status, media_type=media_type)
        if answer.content is None:
            return Response(status_code=answer.status)
        shown = rendering.with_token(answer.content, token) if self._echoes and token else answer.content
        body = json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()
        return Response(body, answer.status, media_type="application/json")

    def _carry_out(self, request: Request, operation: Operation | None, content: bytes, user: Row | None) -> Answer:
        if operation is None:
            raise NotOffered(f"The specification shows no operation {request.method} {request.scope['path']}.")
        if user is None and (not operation.is_login or self.switches["login_requires_bearer"]):
            raise Unauthenticated
        path = {name: read_segment(value) for name, value in request.path_params.items()}
        for name, value in path.items():
            if len(value) < operation.path_minimum:
                raise Invalid(name, f"must have at least {operation.path_minimum} characters")
        given = read_query(request.scope["query_string"])
        query = read_fields(given, resolved(operation.query, self.switches), "query")
        body = self._body(request, operation, content)
        return operation.handler(Call(self.platform, path, query, body, user))

    def _body(self, request: Request, operation: Operation, content: bytes) -> dict[str, Any]:
        if operation.body is None:
            if content:
                raise Refusal("The request is invalid: this operation takes no body")
            return {}
        given = read_body(content, request.headers.get("content-type", ""))
        return read_fields(given, resolved(operation.body, self.switches), "body")


def _bearer(header: str | None) -> str | None:
    """The token of an Authorization header; an empty one for a header of another kind."""
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
