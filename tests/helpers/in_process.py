# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An emulator in the tests' own process, whose requests pass no socket: for thousands of cases a
minute.
"""

import json
import threading
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

import requests
from emulated import OWNER_TOKEN, ControlledEmulator
from hosting_platform_emulator.application import Application
from hosting_platform_emulator.control.access import Access
from hosting_platform_emulator.control.emulator import Emulator
from hosting_platform_emulator.serving.wire import CONNECTION
from hosting_platform_emulator.state.store import IN_MEMORY, Store
from hosting_platform_emulator.state.switches import Switches

from ansible_collections.hosting.platform.plugins.module_utils._api.transport import (
    Response,
    Transport,
    parse_json,
)

EMULATORS: dict[str, "InProcess"] = {}


class Connection:
    """A connection of the application, which a fault may reset or close."""

    number = 1
    is_fresh = False
    is_broken = False

    def reset(self) -> None:
        self.is_broken = True

    close = reset


def process_only(_method: str, process: Callable[[], Response]) -> Response:
    return process()


class InProcess(ControlledEmulator):
    """The same application as in a process of its own, called directly.

    ``wrap_processing``: wraps the processing of each request to the API; it gets the method.
    """

    def __init__(self) -> None:
        super().__init__(f"https://emulator-{len(EMULATORS)}.example", OWNER_TOKEN)
        # The client's, where a test lets both share their time.
        self.clock: Any = None
        self.wrap_processing: Callable[[str, Callable[[], Response]], Response] = process_only
        emulator = Emulator(Store(IN_MEMORY), Switches(), "owner@example.com", OWNER_TOKEN)
        self.stored = emulator.state
        self.switches = emulator.switches
        self._application = Application(emulator, Access("localhost"))
        self._lock = threading.RLock()
        EMULATORS[self.base_url] = self

    def answer(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes | str | None
    ) -> Response:
        """The answer to a request. Raises ConnectionError if a fault resets or closes the
        connection.
        """
        with self._lock:
            return self.wrap_processing(method, lambda: self._answer(method, target, headers, body))

    def _answer(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes | str | None
    ) -> Response:
        path, _mark, query = target.partition("?")
        connection = Connection()
        sent = []
        content = body.encode() if isinstance(body, str) else body or b""
        received = iter([{"type": "http.request", "body": content, "more_body": False}])

        async def receive() -> dict[str, Any]:
            return next(received, {"type": "http.disconnect"})

        async def send(message: Mapping[str, Any]) -> None:
            sent.append(message)

        named = {**headers, "Host": "localhost"}
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in named.items()],
            CONNECTION: connection,
        }
        _complete(self._application(scope, receive, send))
        if connection.is_broken:
            raise requests.ConnectionError
        start, *parts = sent
        received_headers = {name.decode(): value.decode() for name, value in start["headers"]}
        answered = requests.structures.CaseInsensitiveDict(received_headers)
        content = b"".join(part["body"] for part in parts)
        is_success = 200 <= start["status"] < 300
        return Response(
            start["status"],
            answered,
            content,
            parse_json(content) if is_success else None,
            is_success,
        )

    def _ask(self, method: str, path: str, document: Mapping[str, Any] | None) -> tuple[Any, Any]:
        body = None if document is None else json.dumps(document)
        answer = self._answer(method, f"/_emulator/{path}", {}, body)
        assert answer.is_success, answer.content
        return answer.body, answer.headers

    def ask(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, team: str = ""
    ) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        query = f"?{urlencode({'teamId': team})}" if team else ""
        return self._answer(
            method, f"/{path}{query}", headers, None if body is None else json.dumps(body)
        )


def _complete(coroutine: Any) -> None:
    """Run a coroutine that awaits nothing but its own receive and send, without an event loop."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    raise AssertionError("the application waits: a delay needs an emulator of its own")


class Direct(Transport):
    """The transport to such an emulator."""

    def __init__(self, emulator: InProcess) -> None:
        self._emulator = emulator

    def send(self, request: requests.PreparedRequest, _timeout: float, _clock: Any) -> Response:
        return self._emulator.answer(
            str(request.method), request.path_url, request.headers, request.body
        )

    def close(self) -> None:
        """There is nothing to close."""
