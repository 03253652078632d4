# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Invitations and logins under faults, on each side of the processing."""

import math
from typing import Any

import pytest
from client import ManualClock, make_platform, run_module
from emulated import ControlledEmulator

from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    ApiError,
    InvalidOption,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team_member import (
    TeamMember,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.user import (
    request_login,
    verify_login,
)

pytestmark = pytest.mark.oldest_libraries

LOST = ["500", "502", "503", "reset", "504", "html"]


@pytest.fixture
def service(emulator: ControlledEmulator) -> ControlledEmulator:
    emulator.seed(teams=[{"slug": "acme"}])
    return emulator


def invite(service: ControlledEmulator) -> dict[str, Any]:
    return run_module(
        TeamMember, service.base_url, team="acme", email="dev@example.com", role="VIEWER"
    )


def sign_in(service: ControlledEmulator) -> dict[str, Any]:
    return request_login(
        make_platform(service.base_url), {"email": "owner@example.com", "token_name": "job"}, False
    )


ONCE = {
    "invite": (invite, "POST /teams/{teamId}/members"),
    "sign in": (sign_in, "POST /auth/signin"),
}


@pytest.mark.parametrize("write", ONCE)
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("fault", [*LOST, "truncated"])
def test_an_invitation_and_a_login_are_never_sent_twice(service, write, when, fault):
    act, operation = ONCE[write]
    service.plan_fault(operation, fault, when=when)
    with pytest.raises(ApiError, match="unknown"):
        act(service)
    assert service.operations.count(operation) == 1


def verify(service: ControlledEmulator, clock: ManualClock | None = None, **options: float) -> None:
    """Wait for a click that never comes."""
    given = {"email": "a@b.c", "verification_token": "token-0123456789", "wait": True}
    waits = {"wait_timeout": 10.0, "wait_interval": 3.0, **options}
    verify_login(make_platform(service.base_url, clock), {**given, **waits}, False)


@pytest.mark.parametrize("fault", LOST)
def test_a_verification_whose_answer_was_lost_is_not_sent_again(service, fault):
    service.plan_fault("GET /auth/verify", fault, when="after")
    with pytest.raises(ApiError, match="may have been used"):
        verify(service)
    assert service.operations.count("GET /auth/verify") == 1


@pytest.mark.parametrize("option", ["wait_timeout", "wait_interval"])
@pytest.mark.parametrize("seconds", [math.nan, math.inf, -1.0])
def test_a_wait_that_nobody_can_wait_for_is_refused(service, option, seconds):
    with pytest.raises(InvalidOption, match=option):
        verify(service, **{option: seconds})
    assert service.requests() == []


def test_a_click_that_never_comes(service, clock):
    with pytest.raises(ApiError, match="not confirmed within 10 s") as failure:
        verify(service, clock)
    assert clock.slept == [3.0, 3.0, 3.0, 1.0]
    assert "Correct the value" not in str(failure.value)
    assert str(failure.value.fault.message) in str(failure.value)
    assert "token-0123456789" not in str(failure.value)
