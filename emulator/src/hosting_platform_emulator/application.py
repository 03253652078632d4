# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The ASGI application: the control API next to the service, both routed by raw paths."""

from contextlib import suppress

from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope, Send

from .control.access import Access
from .control.emulator import Emulator
from .control.routes import PREFIX, Control
from .serving.service import Service
from .state.clock import http_date


class Application:
    """Sends each request to the service or the control API, with the RAW path to match on.

    Frameworks match on the decoded path, where the name `a/b` (`a%2Fb`) would be two segments.
    """

    def __init__(self, emulator: Emulator, access: Access, base_path: str = "") -> None:
        self._service = Service(emulator.platform, emulator.faults, emulator.log, emulator.throttle)
        self._control = Control(emulator, access)
        self._base_path = base_path
        self._clock = emulator.platform.clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_dated(message: Message) -> None:
            """Add the date of the emulator's own clock to every answer."""
            if message["type"] == "http.response.start":
                date = http_date(self._clock.now() // 1000).encode()
                message["headers"] = [(b"date", date), *message["headers"]]
            await send(message)

        raw = scope["raw_path"].decode("latin-1")
        below_base = raw.startswith(f"{self._base_path}/")
        path = raw[len(self._base_path) :] if below_base else raw
        # A client may disconnect while sending its body.
        with suppress(ClientDisconnect):
            if path == PREFIX or path.startswith(f"{PREFIX}/"):
                await self._control({**scope, "path": path}, receive, send_dated)
            else:
                # Outside the base path there are no operations: an empty path matches none.
                await self._service(
                    {**scope, "path": path if below_base else ""}, receive, send_dated
                )
