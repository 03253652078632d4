# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests to the API, from the wire to an operation and back."""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ..api.call import Answer, Call
from ..api.operation import Operation
from ..api.operations import OPERATIONS
from ..checks import parse_json, read_body, read_fields, read_query, read_segment
from ..errors import Invalid, Refusal
from ..state.platform import Platform
from ..state.store import Row
from .bodies import API_LIMIT, body_of, too_large
from .fault_answers import CONCURRENT, TOO_MANY, answer_of_fault, refusal_response
from .faults import Fault, Faults
from .request_log import Entry, RequestLog
from .throttling import Throttle
from .wire import CONNECTION


@dataclass(frozen=True, slots=True)
class _Arrival:
    """An incoming request and its sender. ``content`` is ``None`` if it exceeds the size limit."""

    request: Request
    operation: Operation | None
    path: Mapping[str, str]
    content: bytes | None
    token: str | None
    user: Row | None

    @property
    def authorization(self) -> str:
        if self.token is None:
            return "none"
        return "valid" if self.user else "invalid"

    @property
    def name(self) -> str | None:
        return self.operation.name if self.operation else None


class Service:
    """The API of the specification as an ASGI application, for raw paths."""

    def __init__(
        self, platform: Platform, faults: Faults, log: RequestLog, throttle: Throttle
    ) -> None:
        self.platform = platform
        self.switches = platform.switches
        self.faults = faults
        self.log = log
        self.throttle = throttle
        self._patterns = [(operation.pattern, operation) for operation in OPERATIONS.values()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        operation, path = self._match(f"{request.method} {scope['path']}")
        response = await self._serve(request, operation, path)
        await response(scope, receive, send)

    def _match(self, line: str) -> tuple[Operation | None, dict[str, str]]:
        """The operation of a method and raw path, with the path's values."""
        for pattern, operation in self._patterns:
            if found := pattern.fullmatch(line):
                return operation, found.groupdict()
        return None, {}

    async def _serve(
        self, request: Request, operation: Operation | None, path: dict[str, str]
    ) -> Response:
        """Log the request, apply the configured latency, and answer."""
        token = _bearer(request.headers.get("authorization"))
        user = self.platform.user_of_token(token) if token else None
        arrival = _Arrival(request, operation, path, await body_of(request, API_LIMIT), token, user)
        entry = self._log(arrival)
        await self._take_time(request)
        response = await self._answer(arrival)
        entry.status = response.status_code or None
        return response

    async def _answer(self, arrival: _Arrival) -> Response:
        """The answer, or that of the throttle or of a fault."""
        headers = self.throttle.count(arrival.user["id"] if arrival.user else "")
        if headers is not None:
            return refusal_response(TOO_MANY, self._echo(arrival), headers)
        process = partial(self._process, arrival)
        fault = self.faults.draw(arrival.name)
        if fault is None:
            return process()
        if fault.fault == CONCURRENT:
            process = partial(self._process_beside, fault, process)
        return await answer_of_fault(fault, process, self._echo(arrival), self.platform.clock.now())

    def _process_beside(self, fault: Fault, process: Callable[[], Response]) -> Response:
        """Process a request right after, or right before, the other that the fault plans."""
        if fault.when == "before":
            self._act(fault)
            return process()
        response = process()
        self._act(fault)
        return response

    def _act(self, fault: Fault) -> None:
        """Carry out a fault's own request, as the owner user's; it is not logged."""
        method, _, target = str(fault.request).partition(" ")
        path, _, query = target.partition("?")
        headers = [(b"content-type", b"application/json")]
        scope = {"type": "http", "method": method, "path": path, "headers": headers}
        request = Request({**scope, "query_string": query.encode()})
        operation, values = self._match(f"{method} {path}")
        content = b"" if fault.body is None else json.dumps(fault.body).encode()
        arrival = _Arrival(request, operation, values, content, None, self.platform.owner())
        fault.status = self._process(arrival).status_code

    def _log(self, arrival: _Arrival) -> Entry:
        request = arrival.request
        query: dict[str, str] = {}
        body = "null"
        with suppress(Refusal):
            query = read_query(request.scope["query_string"])
        if arrival.content:
            with suppress(Refusal):
                parse_json(arrival.content)
                body = arrival.content.decode()
        entry = Entry(
            operation=arrival.name,
            method=request.method,
            path=request.scope["raw_path"].decode("latin-1"),
            query=query,
            body=body,
            authorization=arrival.authorization,
            user_agent=request.headers.get("user-agent"),
            connection=request.scope[CONNECTION].number,
            time=self.platform.clock.now(),
        )
        return self.log.begin(entry)

    async def _take_time(self, request: Request) -> None:
        connection = request.scope[CONNECTION]
        delay = self.switches["latency_ms"]
        if connection.is_fresh:
            delay += self.switches["connect_latency_ms"]
        connection.is_fresh = False
        if delay:
            await asyncio.sleep(delay / 1000)

    def _process(self, arrival: _Arrival) -> Response:
        """Carry out the operation in one transaction."""
        echo = self._echo(arrival)
        try:
            with self.platform.transaction():
                answer = self._apply(arrival)
        except Refusal as refusal:
            return refusal_response(refusal, echo)
        if answer.content is None:
            return Response(status_code=answer.status)
        document = _with_fields(answer.content, echo) if echo else answer.content
        body = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
        return Response(body, answer.status, media_type="application/json")

    def _echo(self, arrival: _Arrival) -> dict[str, str]:
        """The field that the switch `echo_token` adds to every object of an answer."""
        if self.switches["echo_token"] and arrival.token:
            return {"requestToken": arrival.token}
        return {}

    def _apply(self, arrival: _Arrival) -> Answer:
        request = arrival.request
        operation = arrival.operation
        user = arrival.user
        if arrival.content is None:
            raise too_large(API_LIMIT)
        if operation is None:
            raise Refusal(
                f"The specification shows no operation {request.method} {request.scope['path']}.",
                501,
            )
        needs_bearer = operation.described.needs_bearer or self.switches["login_requires_bearer"]
        if user is None and needs_bearer:
            raise Refusal("", 401)
        path = {name: read_segment(value) for name, value in arrival.path.items()}
        minimum = operation.described.path_minimum
        for name, value in path.items():
            if len(value) < minimum:
                raise Invalid(name, f"must have at least {minimum} characters")
        given = read_query(request.scope["query_string"])
        checks = operation.query(operation.described.query, self.switches)
        query = read_fields(given, checks, "query")
        body = self._body(operation, arrival.content, request.headers.get("content-type", ""))
        return operation.handler(Call(self.platform, path, query, body, user))

    def _body(self, operation: Operation, content: bytes, media_type: str) -> dict[str, Any]:
        if operation.described.body is not None:
            checks = operation.checks_of_body(operation.described.body, self.switches)
            return read_fields(read_body(content, media_type), checks, "body")
        if content:
            raise Refusal("The request is invalid: this operation takes no body")
        return {}


def _bearer(header: str | None) -> str | None:
    """The token of an Authorization header; empty for another scheme."""
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _with_fields(content: Any, fields: dict[str, str]) -> Any:
    """The answer with these fields added to every object in it."""
    if isinstance(content, dict):
        return {**{key: _with_fields(value, fields) for key, value in content.items()}, **fields}
    if isinstance(content, list):
        return [_with_fields(item, fields) for item in content]
    return content
