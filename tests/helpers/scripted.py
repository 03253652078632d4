# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server that gives a test's scripted answers, and records its requests."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import requests
from emulated import Emulated


@dataclass(frozen=True)
class Asked:
    """A request as received; ``target`` is the raw path with the query."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Answer:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def answer_json(document: Any, status: int = 200, **headers: str) -> Answer:
    return Answer(status, json.dumps(document).encode(), {"Content-Type": "application/json", **headers})


def answer_lists(**lists: Any) -> Answer:
    """The only page of a list; several, by their keys, serve whichever is asked for."""
    count = sum(map(len, lists.values()))
    return answer_json({**lists, "pagination": {"count": count, "next": None, "prev": None}})


def answer_text(text: str, status: int = 200, kind: str = "text/plain") -> Answer:
    return Answer(status, text.encode(), {"Content-Type": kind})


Reply = Callable[[Asked], Answer]


def passed_on(emulator: Emulated, asked: Asked) -> Answer:
    """The emulator's own answer."""
    headers = {"Authorization": asked.headers["Authorization"], "Content-Type": "application/json"}
    url = emulator.base_url + asked.target
    answer = requests.request(asked.method, url, data=asked.body, headers=headers, timeout=30)
    return Answer(answer.status_code, answer.content, {"Content-Type": "application/json"})


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
def scripted(*replies: Answer | Reply, tls: ssl.SSLContext | None = None) -> Iterator[Scripted]:
    """Answers with each reply in turn, and repeats the last one."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body in one packet: for the second of two, the client would be waited for 40 ms.
        wbufsize = -1

        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            asked = Asked(self.command, self.path, dict(self.headers.items()), body)
            with lock:
                reply = replies[min(len(server.asked), len(replies) - 1)]
                server.asked.append(asked)
            answer = reply if isinstance(reply, Answer) else reply(asked)
            self.send_response(answer.status)
            for name, value in {"Content-Length": str(len(answer.body)), **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_CONNECT = handle_any  # noqa: N815

        def log_message(self, *_details: Any) -> None:
            pass

    class QuietServer(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_details: Any) -> None:
            """A client that rejects the certificate, or disconnects, is not a test error."""

    with QuietServer(("127.0.0.1", 0), Handler) as listener:
        if tls:
            listener.socket = tls.wrap_socket(listener.socket, server_side=True, do_handshake_on_connect=False)
        server = Scripted("https" if tls else "http", listener.server_address[1])
        thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            listener.shutdown()
            thread.join()
