# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Aliases, domains, joining, invitations and logins under faults, on each side of the processing."""

from __future__ import annotations

import math
from typing import Any

import pytest
from client import ManualClock, platform_to, run
from emulated import Emulated

from ansible_collections.hosting.platform.plugins.module_utils._common.errors import ApiError, InvalidOption
from ansible_collections.hosting.platform.plugins.module_utils._kinds.alias import Alias
from ansible_collections.hosting.platform.plugins.module_utils._kinds.domain import Domain
from ansible_collections.hosting.platform.plugins.module_utils._kinds.login import request_login, verify_login
from ansible_collections.hosting.platform.plugins.module_utils._kinds.team import join_team
from ansible_collections.hosting.platform.plugins.module_utils._kinds.team_member import TeamMember

pytestmark = pytest.mark.oldest_libraries


BROKEN = ["500", "502", "503", "reset"]
UNKNOWN = ["504", "truncated", "html"]
NEWCOMER = "newcomer-token-0123456789"


@pytest.fixture
def service(emulator: Emulated) -> Emulated:
    emulator.seed(
        users=[{"email": "new@example.com", "token": NEWCOMER}],
        teams=[{"id": "team_acme", "slug": "acme", "inviteCode": "code-0123456789"}],
        projects=[{"name": "web", "team": "acme"}, {"name": "api", "team": "acme"}],
        domains=[{"name": "old.org", "team": "acme"}],
        aliases=[{"alias": "moved.example.com", "project": "api", "team": "acme"}],
    )
    emulator.forget_requests()
    return emulator


def alias(service: Emulated, name: str, **options: Any) -> dict[str, Any]:
    return run(Alias, service.base_url, alias=name, team="acme", parameters={}, **options)


def join(service: Emulated) -> dict[str, Any]:
    options = {"team": "acme", "invite_code": "code-0123456789", "invite_code_parameter": "inviteCode"}
    return join_team(platform_to(service.base_url, access_token=NEWCOMER), options, False)


def invite(service: Emulated) -> dict[str, Any]:
    return run(TeamMember, service.base_url, team="acme", email="dev@example.com", role="VIEWER")


def sign_in(service: Emulated) -> dict[str, Any]:
    return request_login(platform_to(service.base_url), {"email": "owner@example.com", "token_name": "job"}, False)


def homes(service: Emulated) -> dict[str, str]:
    names = {project["id"]: project["name"] for project in service.state()["projects"]}
    return {found["alias"]: names[found["projectId"]] for found in service.state()["aliases"]}


def is_member(service: Emulated) -> bool:
    return [member["email"] for member in service.state()["members"]].count("new@example.com") == 1


# What is done, by which operation, and how the stored state shows that it was done exactly once.
WRITES: dict[str, tuple[Any, str, Any]] = {
    "assign": (
        lambda service: alias(service, "www.example.com", project="web"),
        "POST /{projectName}/alias",
        lambda service: homes(service).get("www.example.com") == "web",
    ),
    "move": (
        lambda service: alias(service, "moved.example.com", project="web"),
        "POST /{projectName}/alias",
        lambda service: homes(service).get("moved.example.com") == "web",
    ),
    "unassign": (
        lambda service: alias(service, "moved.example.com", state="absent"),
        "DELETE /aliases/{aliasId}",
        lambda service: "moved.example.com" not in homes(service),
    ),
    "delete a domain": (
        lambda service: run(Domain, service.base_url, name="old.org", team="acme", state="absent"),
        "DELETE /domains/{domain}",
        lambda service: service.state()["domains"] == [],
    ),
    "join": (join, "GET /teams/{teamId}/join", is_member),
}
each_write = pytest.mark.parametrize("write", WRITES)


@each_write
@pytest.mark.parametrize("fault", BROKEN)
def test_what_failed_is_done_after_all(service, write, fault):
    act, operation, is_done = WRITES[write]
    service.fail(operation, fault, when="before")
    assert act(service)["changed"] is True
    assert is_done(service)
    assert service.operations.count(operation) == 2


@each_write
@pytest.mark.parametrize("fault", [*BROKEN, *UNKNOWN])
def test_what_was_done_and_not_confirmed_is_found_out(service, write, fault):
    act, operation, is_done = WRITES[write]
    service.fail(operation, fault, when="after")
    assert act(service)["changed"] is True
    assert is_done(service)
    # A deletion answers without a body, so nothing of it can be cut off.
    is_sent_again = operation.startswith("DELETE") and fault != "truncated"
    assert service.operations.count(operation) == (2 if is_sent_again else 1)


@each_write
@pytest.mark.parametrize("fault", UNKNOWN)
def test_what_nobody_knows_is_said_or_done(service, write, fault):
    """A deletion is simply sent again; an assignment, a move or a join is looked for, and never sent twice."""
    act, operation, is_done = WRITES[write]
    service.fail(operation, fault, when="before")
    if operation.startswith("DELETE"):
        assert act(service)["changed"] is True
        assert is_done(service)
    else:
        with pytest.raises(ApiError, match="unknown"):
            act(service)
        assert not is_done(service)
        assert service.operations.count(operation) == 1


@each_write
@pytest.mark.parametrize("status", ["401", "403"])
def test_a_refusal_fails(service, write, status):
    act, operation, is_done = WRITES[write]
    service.fail(operation, status, when="before", count=10)
    with pytest.raises(ApiError) as failure:
        act(service)
    assert failure.value.failure["status"] == int(status)
    assert not is_done(service)
    assert service.operations.count(operation) == 1


ONCE = {"invite": (invite, "POST /teams/{teamId}/members"), "sign in": (sign_in, "POST /auth/signin")}


@pytest.mark.parametrize("write", ONCE)
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("fault", [*BROKEN, *UNKNOWN])
def test_an_invitation_and_a_login_are_never_sent_twice(service, write, when, fault):
    act, operation = ONCE[write]
    service.fail(operation, fault, when=when)
    with pytest.raises(ApiError, match="unknown"):
        act(service)
    assert service.operations.count(operation) == 1


@pytest.mark.parametrize("write", ONCE)
def test_an_invitation_and_a_login_are_sent_again_when_throttled(service, write):
    act, operation = ONCE[write]
    service.fail(operation, "429", when="before")
    assert act(service)["changed"] is True
    assert service.operations.count(operation) == 2


def verify(service: Emulated, clock: ManualClock | None = None, **options: float) -> None:
    """Wait for a click that never comes."""
    given = {"email": "a@b.c", "verification_token": "token-0123456789", "wait": True}
    waits = {"wait_timeout": 10.0, "wait_interval": 3.0, **options}
    verify_login(platform_to(service.base_url, clock), {**given, **waits}, False)


@pytest.mark.parametrize("fault", [*BROKEN, "504", "html"])
def test_a_verification_whose_answer_was_lost_is_not_sent_again(service, fault):
    service.fail("GET /auth/verify", fault, when="after")
    with pytest.raises(ApiError, match="may be used up"):
        verify(service)
    assert service.operations.count("GET /auth/verify") == 1


@pytest.mark.parametrize("option", ["wait_timeout", "wait_interval"])
@pytest.mark.parametrize("seconds", [math.nan, math.inf, -1.0])
def test_a_wait_that_nobody_can_wait_for_is_refused(service, option, seconds):
    with pytest.raises(InvalidOption, match=option):
        verify(service, **{option: seconds})
    assert service.requests() == []


def test_a_click_that_never_comes(service):
    clock = ManualClock()
    with pytest.raises(ApiError, match="not confirmed within 10 s") as failure:
        verify(service, clock)
    assert clock.slept == [3.0, 3.0, 3.0, 1.0]
    assert "Correct the value" not in str(failure.value)
    assert str(failure.value.fault.message) in str(failure.value)
    assert "token-0123456789" not in str(failure.value)
