# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection's client for tests: pointed at the test's own server, with a clock that the test
controls.
"""

import dataclasses
import ssl
import threading
from collections.abc import Callable
from typing import Any

import pytest
from emulated import ControlledEmulator
from in_process import EMULATORS, Direct
from stub_server import Reply, stub_server

from ansible_collections.hosting.platform.plugins.module_utils._api.connection import Connection
from ansible_collections.hosting.platform.plugins.module_utils._api.http import HttpClient
from ansible_collections.hosting.platform.plugins.module_utils._api.operations import Api
from ansible_collections.hosting.platform.plugins.module_utils._api.retries import Clock
from ansible_collections.hosting.platform.plugins.module_utils._api.run import Run
from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    ApiError,
    PlatformError,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.alias import Alias
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.scopes import read_scope
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import Team
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team_member import (
    TeamMember,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.listing import (
    LOOP_SECONDS,
    ListCache,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.platform import Platform
from ansible_collections.hosting.platform.plugins.module_utils._model.resource import Resource
from ansible_collections.hosting.platform.plugins.module_utils._run.platform_module import (
    converge_resource,
)

# When the emulator's time stands still, in milliseconds.
NOW = 1_800_000_000_000
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
    """Time that passes only when the client sleeps, and then instantly. Threads sleep in
    parallel.
    """

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


class HttpInProcess(HttpClient):
    """The HTTP client of an emulator in this process."""

    def _transport(self) -> Direct:
        return Direct(EMULATORS[self.connection.base_url])


class SharedClock(ManualClock):
    """The client's time, which is the emulator's, too."""

    def __init__(self, emulator: ControlledEmulator, now: int | None = NOW) -> None:
        super().__init__()
        self._emulator = emulator
        emulator.set_clock(stopped=True, **({} if now is None else {"now": now}))

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        if seconds:
            self._emulator.set_clock(advance=seconds)


def make_client(
    base_url: str,
    clock: Clock | None = None,
    say: Callable[[str], None] | None = None,
    **options: Any,
) -> HttpClient:
    """The HTTP client with the connection options that a module would pass."""
    given = {**CONNECTION, "base_url": base_url, **options}
    client = HttpInProcess if base_url in EMULATORS else HttpClient
    return client(Connection.from_options(given), Run(notify=say), clock or ManualClock())


def make_api(base_url: str, clock: Clock | None = None, **options: Any) -> Api:
    return Api(make_client(base_url, clock, **options))


def make_project(api: Api) -> Any:
    return api.create_project({"name": "web"})


def expect_failure(
    act: Callable[[Api], Any],
    *replies: Reply,
    match: str | None = None,
    times: int = 1,
    tls: ssl.SSLContext | None = None,
    **options: Any,
) -> ApiError:
    """The failure of an operation that a server answers with these replies, after so many
    requests.
    """
    with stub_server(*replies, tls=tls) as server, pytest.raises(ApiError, match=match) as failure:
        act(make_api(server.base_url, **options))
    assert len(server.requests) == times
    return failure.value


KINDS: dict[str, type[Resource]] = {
    "team": Team,
    "project": Project,
    "alias": Alias,
    "team_member": TeamMember,
}
OPTIONS_OF_INFO = ("since", "until", "limit", "id", "name", "team", "alias", "project", "domain")
DEFAULTS = {"state": "present", "write_only_fields": "on_create", "parameters": {}}


def make_platform(base_url: str, clock: Clock | None = None, **options: Any) -> Platform:
    """What the items of a task share, which keeps the lists that it has read."""
    clock = clock or ManualClock()
    return Platform(make_api(base_url, clock, **options), ListCache(LOOP_SECONDS, clock.now))


def call_reader(reader: Callable[..., Any], platform: Platform, **options: Any) -> Any:
    """What an info module returns, with these of its options."""
    shown = dataclasses.replace(platform, shows_teams=True)
    return reader(shown, {**dict.fromkeys(OPTIONS_OF_INFO), **options})


def resource_of(kind: type[Resource], base_url: str, **options: Any) -> Any:
    """One wanted object as in a module, with a client of its own."""
    platform = make_platform(base_url)
    wanted = kind.check({**DEFAULTS, **options})
    return kind(wanted, platform, read_scope(platform, wanted.options))


def converge_on(
    platform: Platform, kind: type[Resource], check_mode: Any = False, **options: Any
) -> dict[str, Any]:
    """The result of a run of the module on this platform, with all of its warnings."""
    result = converge_resource(kind, platform, {**DEFAULTS, **options}, check_mode)
    return {**result, "warnings": [*map(str, platform.warnings)]}


def run_task(service: Any, kind: str, loop: Any = None, **options: Any) -> dict[str, Any]:
    """What a task of a play returns, on a service whose clock is the client's; ``loop`` is the
    platform that the task's items share.
    """
    platform = loop or make_platform(service.base_url, service.clock)
    return converge_on(platform, KINDS[kind], **options)


def run_module(
    kind: type[Resource], base_url: str, check_mode: Any = False, **options: Any
) -> dict[str, Any]:
    """The result of running the module."""
    return converge_on(make_platform(base_url), kind, check_mode, **options)


def expect_refusal(kind: type[Resource], emulator: ControlledEmulator, **options: Any) -> str:
    """The message with which check mode and the run fail, alike, before the first write."""
    messages = []
    for check_mode in (True, False):
        with pytest.raises(PlatformError) as failure:
            run_module(kind, emulator.base_url, check_mode, **options)
        messages.append(str(failure.value))
    assert messages[0] == messages[1]
    assert emulator.writes == []
    return messages[0]


def check_then_run(
    kind: type[Resource], base_url: str, **options: Any
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The results of running the module in check mode, and then for real."""
    return run_module(kind, base_url, True, **options), run_module(kind, base_url, **options)
