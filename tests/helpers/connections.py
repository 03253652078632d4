# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Servers such as no library has: one that resets connections, and a proxy; and what they are made of."""

from __future__ import annotations

import contextlib
import select
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

RESET_ON_CLOSE = struct.pack("ii", 1, 0)  # SO_LINGER, for no time


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


class Resetting:
    """``requests``: the number of requests begun; ``connections``: the number of connections."""

    def __init__(self, scheme: str, port: int) -> None:
        self.base_url = f"{scheme}://127.0.0.1:{port}"
        self.connections = self.requests = 0


@contextmanager
def resetting(tls: ssl.SSLContext | None = None, *, after_reading: bool) -> Iterator[Resetting]:
    """Resets each connection: when a request arrives, or after all or most of it was read."""

    def serve(connection: socket.socket) -> None:
        server.connections += 1
        with tls.wrap_socket(connection, server_side=True) if tls else connection as open_one:
            select.select([open_one], [], [])  # a connection that is reset earlier may count as not established
            if after_reading:
                asked = open_one.recv(65536)
                server.requests += bool(asked)
                while asked and not asked.endswith((b"\r\n\r\n", b"}")):
                    asked += open_one.recv(65536)
            open_one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)

    with listening(serve) as port:
        server = Resetting("https" if tls else "http", port)
        yield server


@contextmanager
def tunnelling() -> Iterator[str]:
    """The address of a proxy that forwards everything in both directions."""

    def serve(connection: socket.socket) -> None:
        with connection.makefile("rb") as asked:
            host, _colon, port = asked.readline().split()[1].decode().rpartition(":")
            while asked.readline().strip():
                pass
            with socket.create_connection((host, int(port))) as far:
                connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                back = threading.Thread(target=_pass_on, args=(far, connection), daemon=True)
                back.start()
                _pass_on(connection, far)
                back.join()

    with listening(serve) as port:
        yield f"http://127.0.0.1:{port}"


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while passing := one.recv(65536):
            other.sendall(passing)
    with contextlib.suppress(OSError):
        other.shutdown(socket.SHUT_RDWR)
