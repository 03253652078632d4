# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection's client for tests: pointed at a server of the test, with a clock that the test holds."""

from __future__ import annotations

import threading
from typing import Any

from ansible_collections.hosting.platform.plugins.module_utils._client.api import Api
from ansible_collections.hosting.platform.plugins.module_utils._client.connection import Connection
from ansible_collections.hosting.platform.plugins.module_utils._client.http import Http
from ansible_collections.hosting.platform.plugins.module_utils._client.retries import Clock
from ansible_collections.hosting.platform.plugins.module_utils._resources._base import Resource, converge
from ansible_collections.hosting.platform.plugins.module_utils._resources._platform import Platform

TOKEN = "owner-token-0123456789abcdef"


class ManualClock(Clock):
    """Time that passes only while the client sleeps, and so at once."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self._time = 1000.0
        self._lock = threading.Lock()

    def now(self) -> float:
        return self._time

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self.slept.append(seconds)
            self._time += seconds

    def jitter(self) -> float:
        return 1.0


def http_to(base_url: str, clock: Clock | None = None, **options: Any) -> Http:
    """The client's HTTP with the connection options that a module would hand over."""
    defaults = {"access_token": TOKEN, "timeout": 30.0, "max_retries": 5, "max_retry_delay": 30.0}
    given = {"base_url": base_url, "validate_certs": True, **defaults, **options}
    return Http(Connection.from_options(given), clock or ManualClock())


def api_to(base_url: str, clock: Clock | None = None, **options: Any) -> Api:
    return Api(http_to(base_url, clock, **options))


def resource_of(kind: type[Resource], base_url: str, clock: Any = None, **options: Any) -> Resource:
    """What a module would make of these options, by a client of its own."""
    defaults = {"state": "present", "write_only_fields": "on_create"}
    return kind(Platform(api_to(base_url, clock)), {**defaults, **options})


def run(kind: type[Resource], base_url: str, check_mode: Any = False, **options: Any) -> dict[str, Any]:
    """What a run of the module returns."""
    return converge(resource_of(kind, base_url, **options), check_mode)


def run_both(kind: type[Resource], base_url: str, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a run of the module returns in check mode, and then in earnest."""
    return run(kind, base_url, True, **options), run(kind, base_url, **options)
