# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The layer below ASGI: TCP connections, which faults reset, and raw paths, by which operations are
matched.
"""

import asyncio
import itertools
import socket
import struct
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

CONNECTION = "hosting_platform_emulator.connection"
_numbers = itertools.count(1)


class Connection:
    """One TCP connection of a client."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self.number = next(_numbers)
        self.is_fresh = True
        self._transport = transport
        self._socket: socket.socket = transport.get_extra_info("socket")
        # Answers are sent in two writes; without this the second waits 40 ms for the
        # acknowledgement of the first.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def reset(self) -> None:
        """Send a TCP reset, as closing with a linger time of zero does."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()

    def close(self) -> None:
        self._transport.close()


class Protocol(HttpToolsProtocol):
    """uvicorn's own protocol, which also tells the application a request's connection."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        connection = Connection(transport)
        application = self.app

        async def with_connection(scope: Any, receive: Any, send: Any) -> None:
            scope[CONNECTION] = connection
            await application(scope, receive, send)

        self.app = with_connection


class ResetResponse(Response):
    """No answer at all: the connection is reset."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        scope[CONNECTION].reset()
        await _disconnection(receive)


class ShortResponse(Response):
    """Promises more content than it sends, then closes the connection."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = bytes(self.body)
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body) + 100).encode()),
        ]
        await send({"type": "http.response.start", "status": self.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": True})
        scope[CONNECTION].close()
        await _disconnection(receive)


async def _disconnection(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
