# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An emulator for a test session, with the control API as methods."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import requests
from hosting_platform_emulator import HostingPlatform, running

OWNER_TOKEN = "owner-token-0123456789abcdef"
JOIN = "GET /teams/{teamId}/join"


def writes_among(requests: Iterable[Mapping[str, Any]]) -> list[str]:
    """The requests that may have changed something, as method and path."""
    return [
        f"{request['method']} {request['path']}"
        for request in requests
        if request["method"] != "GET" or request["operation"] == JOIN
    ]


class ControlledEmulator(HostingPlatform):
    """A running emulator, with additional methods for the tests of a client."""

    @property
    def control_url(self) -> str:
        return f"{self.base_url}/_emulator"

    def plan_fault(self, operation: str, fault: str, **details: Any) -> None:
        """Plan a fault for the next request of this operation, or the next ``count``."""
        self.fault(operation, fault, **{"count": 1, **details})

    def recover(self) -> None:
        """Cancel all planned faults."""
        self.control("DELETE", "faults")

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Restore a snapshot, including every id, and clear the request log."""
        super().restore(snapshot)
        self.forget_requests()

    def ask(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, team: str = ""
    ) -> requests.Response:
        """Somebody else's request, on behalf of a team by its id."""
        headers = {"Authorization": f"Bearer {self.token}"}
        query = {"teamId": team} if team else {}
        return requests.request(
            method, f"{self.base_url}/{path}", json=body, params=query, headers=headers, timeout=30
        )

    @contextmanager
    def click_login_links(self, before: Callable[[], object] = lambda: None) -> Iterator[None]:
        """Meanwhile, somebody clicks the link of every login, once its verification was asked for
        in vain.
        """
        done = threading.Event()

        def click() -> None:
            while not done.wait(0.05):
                if "GET /auth/verify" in self.operations:
                    for mail in self.outbox():
                        if not mail["clicked"]:
                            before()
                            requests.get(mail["link"], timeout=10)

        user = threading.Thread(target=click)
        user.start()
        try:
            yield
        finally:
            done.set()
            user.join()

    def set_clock(self, **change: Any) -> None:
        """Set, stop or advance the platform's time: ``now`` (ms), ``stopped``, ``advance`` (s)."""
        self.control("POST", "clock", change)

    def forget_requests(self) -> None:
        self.control("DELETE", "requests")

    @property
    def operations(self) -> list[str]:
        """The operation of each request, as the specification names it."""
        return [request["operation"] for request in self.requests()]

    @property
    def writes(self) -> list[str]:
        return writes_among(self.requests())


@contextmanager
def running_emulator() -> Iterator[ControlledEmulator]:
    """Start an emulator on a free port; it ends with the block."""
    with running(owner_token=OWNER_TOKEN) as platform:
        yield ControlledEmulator(platform.base_url, platform.token)
