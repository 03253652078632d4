# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Retries: which failures are tried again for which requests, how often, and after how long."""

import threading

import pytest
from client import ManualClock, make_api
from emulated import ControlledEmulator

from ansible_collections.hosting.platform.plugins.module_utils._errors import ApiError, Effect

pytestmark = pytest.mark.oldest_libraries

GET = "GET /projects/{idOrName}"
POST = "POST /projects"
# What is neither sent again after a lost answer, nor looked for.
ONCE_ONLY = {
    "POST /teams/{teamId}/members": lambda api: api.invite_member(
        "acme", {"email": "a@b.c", "role": "VIEWER"}
    ),
    "POST /auth/signin": lambda api: api.request_login(
        {"email": "dev@example.com", "tokenName": "laptop"}
    ),
    "GET /auth/verify": lambda api: api.verify_login(
        "dev@example.com", "verification-token-0123456789"
    ),
}
Faults = list[tuple[str, dict[str, str]]]
UNPROCESSED: Faults = [
    ("429", {}),
    ("429", {"retry_after": "2"}),
    ("429", {"retry_after": "date:20"}),
]
UNPROCESSED += [
    ("503", {"retry_after": "2"}),
    ("403", {"retry_after": "2"}),
    ("429", {"retry_after": "1.5"}),
]
LOST: Faults = [
    (kind, {}) for kind in ("500", "502", "503", "504", "reset", "short", "truncated", "html")
]


@pytest.fixture
def service(emulator: ControlledEmulator):
    emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "web"}])
    return emulator


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(("kind", "details"), [*UNPROCESSED, *LOST])
def test_a_read_is_tried_again(service, clock, when, kind, details):
    service.plan_fault(GET, kind, when=when, count=3, **details)
    assert make_api(service.base_url, clock).get_project("web")["name"] == "web"
    assert service.operations.count(GET) == 4
    assert len(clock.slept) == 3


@pytest.mark.parametrize("operation", ONCE_ONLY)
@pytest.mark.parametrize(("kind", "details"), UNPROCESSED)
def test_unprocessed_request_is_retried(service, clock, operation, kind, details):
    service.plan_fault(operation, kind, count=2, **details)
    if operation == "GET /auth/verify":
        with pytest.raises(
            ApiError
        ):  # Nobody asked for this login; but the service says so itself.
            ONCE_ONLY[operation](make_api(service.base_url, clock))
    else:
        ONCE_ONLY[operation](make_api(service.base_url, clock))
    assert service.operations.count(operation) == 3


def test_a_timeout_of_a_read_is_tried_again_and_a_creation_is_not(service, clock):
    """Slow after processing: what is slow before it would be processed during another test."""
    for operation in (GET, POST):
        service.plan_fault(operation, "slow", delay=30, when="after")
    api = make_api(service.base_url, clock, timeout=0.3)
    assert api.get_project("web")["name"] == "web"
    assert service.operations.count(GET) >= 2
    with pytest.raises(ApiError, match="no response within the timeout") as failure:
        api.create_project({"name": "new"})
    assert failure.value.effect is Effect.UNKNOWN
    assert service.operations.count(POST) == 1


def test_a_wait_that_the_server_asks_for_holds_for_every_thread(service):
    """One request is told to wait; another thread that starts meanwhile waits as well."""
    waits = []
    both_sleep = threading.Event()

    class HeldClock(ManualClock):
        def sleep(self, seconds):
            waits.append((seconds, service.operations))
            if len(waits) == 1:
                second.start()
                assert both_sleep.wait(30)
            both_sleep.set()
            super().sleep(seconds)

    service.plan_fault(GET, "429", retry_after="9")
    api = make_api(service.base_url, HeldClock())
    second = threading.Thread(target=api.get_user)
    api.get_project("web")
    second.join(30)
    assert waits == [(9.0, [GET])] * 2
    assert sorted(service.operations) == [GET, GET, "GET /user"]


def test_a_retry_after_of_nothing_still_waits_a_moment(service, clock):
    """A service that rounds down says 0, and a date of this very second says the same."""
    service.plan_fault(GET, "429", count=3, retry_after="0")
    assert make_api(service.base_url, clock).get_project("web")["name"] == "web"
    assert sum(clock.slept) > 1


@pytest.mark.parametrize("retry_after", [None, "1"])
def test_a_token_that_is_not_accepted_is_recognized_and_not_tried_again(
    service, clock, retry_after
):
    service.plan_fault("GET /user", "401", **({"retry_after": retry_after} if retry_after else {}))
    with pytest.raises(ApiError) as failure:
        make_api(service.base_url, clock).get_user()
    assert (failure.value.status, failure.value.effect) == (401, Effect.REJECTED)
    assert not failure.value.is_throttling
    assert service.operations == ["GET /user"]
