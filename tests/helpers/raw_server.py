# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server that sends exactly the bytes of a test, such as no server library would send."""

from __future__ import annotations

import contextlib
import itertools
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Union

# Bytes to send, or a function that sends them over the given connection.
Sending = Union[bytes, Callable[[socket.socket], None]]


def response(body: bytes = b"", status: str = "200 OK", **headers: Any) -> bytes:
    """A well-formed answer; `None` leaves a header out."""
    fields = {"Content-Type": "application/json", "Content-Length": len(body)}
    fields.update({name.replace("_", "-"): value for name, value in headers.items()})
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in fields.items() if value is not None)]
    return "\r\n".join([*lines, "", ""]).encode() + body


def response_json(document: Any, **headers: Any) -> bytes:
    return response(json.dumps(document).encode(), **headers)


def flood(pieces: Iterable[bytes]) -> Sending:
    """Sends the pieces, until there are no more or the client disconnects."""

    def send(connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            for piece in pieces:
                connection.sendall(piece)

    return send


@contextmanager
def listening(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """The port of a server with a thread for each connection, which either side may end."""

    def serve_one(connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            serve(connection)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=serve_one, args=[server.accept()[0]], daemon=True).start()

    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        accepting = threading.Thread(target=accept, daemon=True)
        accepting.start()
        try:
            yield server.getsockname()[1]
        finally:
            server.shutdown(socket.SHUT_RDWR)
            accepting.join()


class Raw:
    """``asked``: each request's connection number and first line. ``open``: the number of open connections."""

    def __init__(self, scheme: str, port: int) -> None:
        self.base_url = f"{scheme}://127.0.0.1:{port}"
        self.asked: list[tuple[int, str]] = []
        self.open = 0

    @property
    def connections(self) -> list[int]:
        return [connection for connection, _line in self.asked]


@contextmanager
def raw_server(*sendings: Sending, tls: ssl.SSLContext | None = None) -> Iterator[Raw]:
    """Answers each request with the next of ``sendings``, and repeats the last one."""
    lock = threading.Lock()

    def count(more: int) -> None:
        with lock:
            server.open += more

    def serve(connection: socket.socket) -> None:
        count(1)
        number = next(numbers)
        try:
            encrypted = tls.wrap_socket(connection, server_side=True) if tls else connection
            with encrypted, encrypted.makefile("rb") as asked:
                while line := asked.readline():
                    length = 0
                    while (header := asked.readline()).strip():
                        if header.lower().startswith(b"content-length:"):
                            length = int(header.partition(b":")[2])
                    asked.read(length)
                    with lock:
                        sending = sendings[min(len(server.asked), len(sendings) - 1)]
                        server.asked.append((number, line.decode("latin-1").strip()))
                    if callable(sending):
                        sending(encrypted)
                    else:
                        encrypted.sendall(sending)
        finally:
            count(-1)

    numbers = itertools.count()
    with listening(serve) as port:
        server = Raw("https" if tls else "http", port)
        yield server
