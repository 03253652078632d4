# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An emulator that runs for a test session, and the control API as methods."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import requests
from hosting_platform_emulator.testing.launching import running

OWNER_TOKEN = "owner-token-0123456789abcdef"
READS = ("GET",)


class Emulated:
    """A running emulator. ``base_url`` is where its API lies, ``token`` its owner's bearer token."""

    token = OWNER_TOKEN

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self.control_url = f"{base_url}/_emulator"
        self._session = requests.Session()

    def reset(self) -> None:
        """Forget everything but the owner, and behave as by default."""
        self._call("POST", "reset")

    def seed(self, **objects: list[dict[str, Any]]) -> dict[str, Any]:
        """Add users, teams, projects, domains, aliases; the created objects."""
        return self._call("POST", "seed", objects)

    def behave(self, **switches: Any) -> None:
        """Set switches: how the API behaves where its specification leaves it open."""
        self._call("PATCH", "switches", switches)

    def behave_normally(self) -> None:
        """Set every switch back to its default."""
        self._call("DELETE", "switches")

    def fail(self, operation: str, fault: str, **details: Any) -> None:
        """Plan a fault for the next requests of this operation."""
        self._call("POST", "faults", {"operation": operation, "fault": fault, "count": 1, **details})

    def recover(self) -> None:
        """No planned fault happens any more."""
        self._call("DELETE", "faults")

    def snapshot(self) -> dict[str, Any]:
        """The whole state, switches and faults included, for ``restore``."""
        return self._call("POST", "snapshot")

    def restore(self, snapshot: dict[str, Any]) -> None:
        """Be again as a snapshot tells, every id included; the log of requests is forgotten."""
        self._call("POST", "restore", snapshot)
        self.forget_requests()

    @property
    def state(self) -> dict[str, list[dict[str, Any]]]:
        return self._call("GET", "state")

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The log of API requests, oldest first."""
        return self._call("GET", "requests")

    @property
    def writes(self) -> list[str]:
        """The requests that may have changed something, as method and path."""
        is_join = "GET /teams/{teamId}/join"
        return [
            f"{request['method']} {request['path']}"
            for request in self.requests
            if request["method"] not in READS or request["operation"] == is_join
        ]

    def set_clock(self, **change: Any) -> None:
        """Set, stop or advance the platform's time: ``now`` (ms), ``stopped``, ``advance`` (s)."""
        self._call("POST", "clock", change)

    def forget_requests(self) -> None:
        self._call("DELETE", "requests")

    def _call(self, method: str, path: str, document: Any = None) -> Any:
        answer = self._session.request(method, f"{self.control_url}/{path}", json=document, timeout=30)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None


@contextmanager
def running_emulator() -> Iterator[Emulated]:
    """Start an emulator on a free port; it ends with the block."""
    with running(owner_token=OWNER_TOKEN) as platform:
        yield Emulated(platform.base_url)
