# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server that gives a test's scripted answers, and records its requests."""

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import formatdate
from http.client import parse_headers
from typing import Any

import requests
from connections import listening
from emulated import ControlledEmulator


def response(body: bytes = b"", status: str = "200 OK", **headers: Any) -> bytes:
    """A well-formed answer; `None` leaves a header out."""
    fields = {"Content-Type": "application/json", "Content-Length": len(body)}
    fields.update({name.replace("_", "-"): value for name, value in headers.items()})
    lines = [
        f"HTTP/1.1 {status}",
        *(f"{name}: {value}" for name, value in fields.items() if value is not None),
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


@dataclass(frozen=True)
class ReceivedRequest:
    """A request as received; ``target`` is the raw path with the query."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    stream: socket.socket


@dataclass(frozen=True)
class StubResponse:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def data(self) -> bytes:
        headers = {"Content-Type": None, "Date": formatdate(usegmt=True), **self.headers}
        return response(self.body, f"{self.status} Status", **headers)


def json_response(document: Any, status: int = 200, **headers: str) -> StubResponse:
    return StubResponse(
        status, json.dumps(document).encode(), {"Content-Type": "application/json", **headers}
    )


def list_response(**lists: Any) -> StubResponse:
    """The only page of a list; several, by their keys, serve whichever is asked for."""
    count = sum(map(len, lists.values()))
    return json_response({**lists, "pagination": {"count": count, "next": None, "prev": None}})


def text_response(text: str, status: int = 200, kind: str = "text/plain") -> StubResponse:
    return StubResponse(status, text.encode(), {"Content-Type": kind})


# An answer, its bytes, or a function of the request, which may send bytes over its socket itself.
Reply = StubResponse | bytes | Callable[[ReceivedRequest], StubResponse | bytes | None]


def forward(emulator: ControlledEmulator, request: ReceivedRequest) -> StubResponse:
    """The emulator's own answer."""
    headers = {
        "Authorization": request.headers["Authorization"],
        "Content-Type": "application/json",
    }
    url = emulator.base_url + request.target
    stub_response = requests.request(
        request.method, url, data=request.body, headers=headers, timeout=30
    )
    return StubResponse(
        stub_response.status_code, stub_response.content, {"Content-Type": "application/json"}
    )


def before_forwarding(
    emulator: ControlledEmulator, method: str, act: Callable[[], object]
) -> Reply:
    """The emulator; right before its first request of this method, somebody else does something."""
    waiting = [act]

    def reply(request: ReceivedRequest) -> StubResponse:
        if request.method == method and waiting:
            waiting.pop()()
        return forward(emulator, request)

    return reply


def altering_responses(
    emulator: ControlledEmulator, show: Callable[[str, dict[str, Any]], dict[str, Any]]
) -> Reply:
    """The emulator, which shows each object as this makes it of the request's method and the
    object.

    The method is LIST for an object of a list, which leaves out what is shown as nothing.
    """

    def reply(request: ReceivedRequest) -> StubResponse:
        stub_response = forward(emulator, request)
        if not stub_response.body or stub_response.status >= 300:
            return stub_response
        document = json.loads(stub_response.body)
        lists = {
            key: [shown for item in value if (shown := show("LIST", item))]
            for key, value in document.items()
            if isinstance(value, list)
        }
        return json_response(
            {**document, **lists} if lists else show(request.method, document), stub_response.status
        )

    return reply


def with_projects(emulator: ControlledEmulator, **values: Any) -> Reply:
    """The emulator, which shows each project with these values."""
    return altering_responses(
        emulator, lambda _method, shown: {**shown, **values} if "framework" in shown else shown
    )


class StubServer:
    """``base_url`` is its address, ``requests`` the received requests."""

    def __init__(self, scheme: str, port: int) -> None:
        self.base_url = f"{scheme}://127.0.0.1:{port}"
        self.requests: list[ReceivedRequest] = []


@contextmanager
def stub_server(*replies: Reply, tls: ssl.SSLContext | None = None) -> Iterator[StubServer]:
    """Answers with each reply in turn, and repeats the last one."""
    lock = threading.Lock()

    def serve(connection: socket.socket) -> None:
        encrypted = tls.wrap_socket(connection, server_side=True) if tls else connection
        with encrypted, encrypted.makefile("rb") as received:
            while line := received.readline():
                if not line.rstrip().endswith((b"HTTP/1.0", b"HTTP/1.1")):
                    encrypted.sendall(response(status="400 Bad Request"))
                    return
                method, target, _version = line.decode("latin-1").split()
                headers = dict(parse_headers(received).items())
                body = received.read(int(headers.get("Content-Length") or 0))
                request = ReceivedRequest(method, target, headers, body, encrypted)
                with lock:
                    server.requests.append(request)
                    reply = replies[min(len(server.requests), len(replies)) - 1]
                answer = reply(request) if callable(reply) else reply
                encrypted.sendall(
                    answer.data if isinstance(answer, StubResponse) else answer or b""
                )

    with listening(serve) as port:
        server = StubServer("https" if tls else "http", port)
        yield server
