# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection's client for tests: pointed at the test's own server, with a clock that the test controls."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable
from typing import Any

import pytest
from emulated import Emulated
from in_process import EMULATORS, Direct
from scripted import Reply, scripted

from ansible_collections.hosting.platform.plugins.module_utils._api.connection import Connection
from ansible_collections.hosting.platform.plugins.module_utils._api.http import Http
from ansible_collections.hosting.platform.plugins.module_utils._api.operations import Api
from ansible_collections.hosting.platform.plugins.module_utils._api.retries import Clock
from ansible_collections.hosting.platform.plugins.module_utils._api.run import Run
from ansible_collections.hosting.platform.plugins.module_utils._errors import ApiError, PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import scope_of
from ansible_collections.hosting.platform.plugins.module_utils._model.listing import LOOP_SECONDS, ListCache
from ansible_collections.hosting.platform.plugins.module_utils._model.platform import Platform
from ansible_collections.hosting.platform.plugins.module_utils._model.resource import Resource
from ansible_collections.hosting.platform.plugins.module_utils._run.platform_module import converge

TOKEN = "owner-token-0123456789abcdef"
CONNECTION = {
    "base_url": "https://hosting.example",
    "access_token": TOKEN,
    "timeout": 30.0,
    "max_retries": 5,
    "max_retry_delay": 30.0,
    "validate_certs": True,
}


class ManualClock(Clock):
    """Time that passes only when the client sleeps, and then instantly. Threads sleep in parallel."""

    def __init__(self, jitter: float = 1.0) -> None:
        self.slept: list[float] = []
        self._jitter = jitter
        self._time = 1000.0
        self._lock = threading.Lock()

    def now(self) -> float:
        return self._time

    def sleep(self, seconds: float) -> None:
        until = self.now() + seconds
        with self._lock:
            self.slept.append(seconds)
            self._time = max(self._time, until)

    def jitter(self) -> float:
        return self._jitter


class HttpInProcess(Http):
    """The HTTP client of an emulator in this process."""

    def _exchange(self) -> Direct:
        return Direct(EMULATORS[self.connection.base_url])


def http_to(
    base_url: str, clock: Clock | None = None, say: Callable[[str], None] | None = None, **options: Any
) -> Http:
    """The HTTP client with the connection options that a module would pass."""
    given = {**CONNECTION, "base_url": base_url, **options}
    client = HttpInProcess if base_url in EMULATORS else Http
    return client(Connection.from_options(given), Run(say=say), clock or ManualClock())


def api_to(base_url: str, clock: Clock | None = None, **options: Any) -> Api:
    return Api(http_to(base_url, clock, **options))


def make_project(api: Api) -> Any:
    return api.create_project({"name": "web"})


def failure_of(
    act: Callable[[Api], Any],
    *replies: Reply,
    match: str | None = None,
    times: int = 1,
    tls: ssl.SSLContext | None = None,
    **options: Any,
) -> ApiError:
    """The failure of an operation that a server answers with these replies, after so many requests."""
    with scripted(*replies, tls=tls) as server, pytest.raises(ApiError, match=match) as failure:
        act(api_to(server.base_url, **options))
    assert len(server.asked) == times
    return failure.value


OPTIONS_OF_INFO = ("since", "until", "limit", "id", "name", "team", "alias", "project", "domain")
DEFAULTS = {"state": "present", "write_only_fields": "on_create", "parameters": {}}


def platform_to(base_url: str, clock: Clock | None = None, **options: Any) -> Platform:
    """What the items of a task share, which keeps the lists that it has read."""
    clock = clock or ManualClock()
    return Platform(api_to(base_url, clock, **options), ListCache(LOOP_SECONDS, clock.now))


def read(reader: Callable[..., Any], platform: Platform, **options: Any) -> Any:
    """What an info module returns, with these of its options."""
    return reader(platform, {**dict.fromkeys(OPTIONS_OF_INFO), **options})


def resource_of(kind: type[Resource], base_url: str, **options: Any) -> Any:
    """One wanted object as in a module, with a client of its own."""
    platform = platform_to(base_url)
    wanted = kind.check({**DEFAULTS, **options})
    return kind(wanted, platform, scope_of(platform, wanted.options))


def converge_on(platform: Platform, kind: type[Resource], check_mode: Any = False, **options: Any) -> dict[str, Any]:
    """The result of a run of the module on this platform, with all of its warnings."""
    result = converge(kind, platform, {**DEFAULTS, **options}, check_mode)
    return {**result, "warnings": list(platform.warnings)}


def run(kind: type[Resource], base_url: str, check_mode: Any = False, **options: Any) -> dict[str, Any]:
    """The result of running the module."""
    return converge_on(platform_to(base_url), kind, check_mode, **options)


def refused(kind: type[Resource], emulator: Emulated, **options: Any) -> str:
    """The message with which check mode and the run fail, alike, before the first write."""
    messages = []
    for check_mode in (True, False):
        with pytest.raises(PlatformError) as failure:
            run(kind, emulator.base_url, check_mode, **options)
        messages.append(str(failure.value))
    assert messages[0] == messages[1]
    assert emulator.writes == []
    return messages[0]


def run_both(kind: type[Resource], base_url: str, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The results of running the module in check mode, and then for real."""
    return run(kind, base_url, True, **options), run(kind, base_url, **options)
