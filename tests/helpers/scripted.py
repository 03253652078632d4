# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server that gives a test's scripted answers, and records its requests."""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import formatdate
from http.client import parse_headers
from typing import Any, Union

import requests
from connections import listening
from emulated import Emulated


def response(body: bytes = b"", status: str = "200 OK", **headers: Any) -> bytes:
    """A well-formed answer; `None` leaves a header out."""
    fields = {"Content-Type": "application/json", "Content-Length": len(body)}
    fields.update({name.replace("_", "-"): value for name, value in headers.items()})
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in fields.items() if value is not None)]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


@dataclass(frozen=True)
class Asked:
    """A request as received; ``target`` is the raw path with the query."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    stream: socket.socket


@dataclass(frozen=True)
class Answer:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def sent(self) -> bytes:
        headers = {"Content-Type": None, "Date": formatdate(usegmt=True), **self.headers}
        return response(self.body, f"{self.status} Status", **headers)


def answer_json(document: Any, status: int = 200, **headers: str) -> Answer:
    return Answer(status, json.dumps(document).encode(), {"Content-Type": "application/json", **headers})


def answer_lists(**lists: Any) -> Answer:
    """The only page of a list; several, by their keys, serve whichever is asked for."""
    count = sum(map(len, lists.values()))
    return answer_json({**lists, "pagination": {"count": count, "next": None, "prev": None}})


def answer_text(text: str, status: int = 200, kind: str = "text/plain") -> Answer:
    return Answer(status, text.encode(), {"Content-Type": kind})


# An answer, its bytes, or a function of the request, which may send bytes over its socket itself.
Reply = Union[Answer, bytes, Callable[[Asked], Union[Answer, bytes, None]]]


def passed_on(emulator: Emulated, asked: Asked) -> Answer:
    """The emulator's own answer."""
    headers = {"Authorization": asked.headers["Authorization"], "Content-Type": "application/json"}
    url = emulator.base_url + asked.target
    answer = requests.request(asked.method, url, data=asked.body, headers=headers, timeout=30)
    return Answer(answer.status_code, answer.content, {"Content-Type": "application/json"})


def meanwhile(emulator: Emulated, method: str, act: Callable[[], object]) -> Reply:
    """The emulator; right before its first request of this method, somebody else does something."""
    waiting = [act]

    def reply(asked: Asked) -> Answer:
        if asked.method == method and waiting:
            waiting.pop()()
        return passed_on(emulator, asked)

    return reply


def showing(emulator: Emulated, show: Callable[[str, dict[str, Any]], dict[str, Any]]) -> Reply:
    """The emulator, which shows each object as this makes it of the request's method and the object.

    The method is LIST for an object of a list, which leaves out what is shown as nothing.
    """

    def reply(asked: Asked) -> Answer:
        answer = passed_on(emulator, asked)
        if not answer.body or answer.status >= 300:
            return answer
        document = json.loads(answer.body)
        lists = {
            key: [shown for item in value if (shown := show("LIST", item))]
            for key, value in document.items()
            if isinstance(value, list)
        }
        return answer_json({**document, **lists} if lists else show(asked.method, document), answer.status)

    return reply


class Scripted:
    """``base_url`` is its address, ``asked`` the received requests."""

    def __init__(self, scheme: str, port: int) -> None:
        self.base_url = f"{scheme}://127.0.0.1:{port}"
        self.asked: list[Asked] = []


@contextmanager
def scripted(*replies: Reply, tls: ssl.SSLContext | None = None) -> Iterator[Scripted]:
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
                asked = Asked(method, target, headers, body, encrypted)
                with lock:
                    server.asked.append(asked)
                    reply = replies[min(len(server.asked), len(replies)) - 1]
                answer = reply(asked) if callable(reply) else reply
                encrypted.sendall(answer.sent if isinstance(answer, Answer) else answer or b"")

    with listening(serve) as port:
        server = Scripted("https" if tls else "http", port)
        yield server
