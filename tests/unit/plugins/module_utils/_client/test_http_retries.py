# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Retries: which failures are tried again for which requests, how often, and after how long."""

from __future__ import annotations

import threading

import pytest
from client import ManualClock, api_to
from emulated import Emulated

from ansible_collections.hosting.platform.plugins.module_utils._common.errors import ApiError, Outcome

pytestmark = pytest.mark.oldest_libraries

GET, PATCH = "GET /projects/{idOrName}", "PATCH /projects/{idOrName}"
DELETE, POST = "DELETE /projects/{idOrName}", "POST /projects"
JOIN, INVITE = "GET /teams/{teamId}/join", "POST /teams/{teamId}/members"
CALLS = {
    GET: lambda api: api.get_project("web"),
    PATCH: lambda api: api.update_project("web", {"framework": "astro"}),
    DELETE: lambda api: api.delete_project("web"),
    POST: lambda api: api.create_project({"name": "new"}),
    JOIN: lambda api: api.join_team("acme", {}),
    INVITE: lambda api: api.invite_member("acme", {"email": "dev@example.com", "role": "VIEWER"}),
    "POST /{projectName}/alias": lambda api: api.assign_alias("web", {"alias": "www.example.com"}),
    "POST /auth/signin": lambda api: api.request_login("dev@example.com", "laptop"),
    "GET /auth/verify": lambda api: api.verify_login("dev@example.com", "verification-token-0123456789"),
}
ONCE_ONLY = [operation for operation in CALLS if operation not in (GET, PATCH, DELETE)]
Faults = list[tuple[str, dict[str, str]]]
THROTTLED: Faults = [("429", {}), ("429", {"retry_after": "2"}), ("429", {"retry_after": "date:20"})]
FAILED: Faults = [("500", {}), ("502", {}), ("503", {}), ("504", {}), ("503", {"retry_after": "2"})]
CUT: Faults = [("reset", {}), ("short", {})]
SPOILED: Faults = [("truncated", {}), ("html", {})]
ON_EITHER_SIDE = [
    *(("before", kind, details) for kind, details in THROTTLED),
    *((when, kind, details) for when in ("before", "after") for kind, details in [*FAILED, *CUT]),
]


@pytest.fixture
def service(emulator: Emulated):
    emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "web"}])
    return emulator


@pytest.mark.parametrize("operation", [GET, PATCH])
@pytest.mark.parametrize(("when", "kind", "details"), ON_EITHER_SIDE)
def test_what_does_no_harm_twice_is_tried_again(service, clock, operation, when, kind, details):
    service.fail(operation, kind, when=when, count=3, **details)
    assert CALLS[operation](api_to(service.base_url, clock))["name"] == "web"
    assert service.operations.count(operation) == 4
    assert len(clock.slept) == 3


@pytest.mark.parametrize(("kind", "details"), SPOILED)
def test_a_read_whose_body_is_not_the_promised_json_is_tried_again(service, clock, kind, details):
    service.fail(GET, kind, count=2, **details)
    assert CALLS[GET](api_to(service.base_url, clock))["name"] == "web"
    assert service.operations.count(GET) == 3


@pytest.mark.parametrize("operation", [*ONCE_ONLY, DELETE])
@pytest.mark.parametrize(("kind", "details"), [*THROTTLED, ("503", {"retry_after": "2"})])
def test_what_was_certainly_not_processed_is_sent_again(service, clock, operation, kind, details):
    service.fail(operation, kind, count=2, **details)
    if operation == "GET /auth/verify":
        with pytest.raises(ApiError):  # Nobody asked for this login; but the service says so itself.
            CALLS[operation](api_to(service.base_url, clock))
    else:
        CALLS[operation](api_to(service.base_url, clock))
    assert service.operations.count(operation) == 3


@pytest.mark.parametrize("operation", [GET, POST])
def test_a_refused_connection_is_tried_again(clock, nobody, operation):
    with pytest.raises(ApiError, match="no connection to 127") as failure:
        CALLS[operation](api_to(f"http://{nobody}", clock, max_retries=3))
    assert failure.value.outcome is Outcome.UNPROCESSED
    assert failure.value.failure == {
        "operation": operation,
        "method": operation.split()[0],
        "path": "/projects" if operation == POST else "/projects/web",
        "status": None,
        "code": None,
        "message": None,
    }
    assert len(clock.slept) == 3


def test_a_timeout_of_a_read_is_tried_again_and_a_creation_is_not(service, clock):
    """Slow after processing: what is slow before it would be processed during another test."""
    for operation in (GET, POST):
        service.fail(operation, "slow", delay=30, when="after")
    api = api_to(service.base_url, clock, timeout=0.3)
    assert CALLS[GET](api)["name"] == "web"
    assert service.operations.count(GET) >= 2
    with pytest.raises(ApiError, match="no answer within the timeout") as failure:
        CALLS[POST](api)
    assert failure.value.outcome is Outcome.UNKNOWN
    assert service.operations.count(POST) == 1


@pytest.mark.parametrize("max_retries", [0, 1, 3])
@pytest.mark.parametrize("kind", ["429", "503", "reset", "html"])
def test_it_gives_up_after_max_retries(service, clock, max_retries, kind):
    service.fail(GET, kind, count=100)
    with pytest.raises(ApiError) as failure:
        CALLS[GET](api_to(service.base_url, clock, max_retries=max_retries))
    assert service.operations.count(GET) == max_retries + 1
    assert ("Given up" in str(failure.value)) is (max_retries > 0)


@pytest.mark.parametrize(("asked", "least", "most"), [("7", 7, 7), ("date:20", 10, 20), ("0", 0, 0), ("-5", 0, 0)])
def test_retry_after_is_obeyed(service, clock, asked, least, most):
    service.fail(GET, "429", retry_after=asked)
    CALLS[GET](api_to(service.base_url, clock))
    assert least <= sum(clock.slept) <= most


def test_a_wait_that_the_server_asks_for_holds_for_every_thread(service):
    """One request is told to wait; another thread that starts meanwhile waits as well."""
    waits, both_sleep = [], threading.Event()

    class HeldClock(ManualClock):
        def sleep(self, seconds):
            waits.append((seconds, service.operations))
            if len(waits) == 1:
                second.start()
                assert both_sleep.wait(30)
            both_sleep.set()
            super().sleep(seconds)

    service.fail(GET, "429", retry_after="9")
    api = api_to(service.base_url, HeldClock())
    second = threading.Thread(target=api.get_user)
    CALLS[GET](api)
    second.join(30)
    assert waits == [(9.0, [GET])] * 2
    assert sorted(service.operations) == [GET, GET, "GET /user"]


def test_a_retry_after_of_nothing_still_waits_a_moment(service, clock):
    """A service that rounds down says 0, and a date of this very second says the same."""
    service.fail(GET, "429", count=3, retry_after="0")
    assert CALLS[GET](api_to(service.base_url, clock))["name"] == "web"
    assert sum(clock.slept) > 1
