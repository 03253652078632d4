# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What has no whole life of its own: domains, invitations, joining a team, and logins."""

import pytest
import requests
from acme import ACME, WEB, WWW
from client import check_then_run, expect_refusal, make_api, make_platform, run_module
from stub_server import json_response, list_response, stub_server

from ansible_collections.hosting.platform.plugins.module_utils._errors import ApiError
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.domain import Domain
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team_join import (
    join_team,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team_member import (
    TeamMember,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.user import (
    request_login,
    verify_login,
)

NEWCOMER = "newcomer-token-0123456789"
CODE = "invite-code-0123456789"
EMAIL = "owner@example.com"


def sides(result):
    return result["diff"]["before"], result["diff"]["after"]


def test_domain_is_asserted_and_deleted_with_its_aliases(emulator):
    domains = [{"name": name, "team": "acme"} for name in ("example.com", "example.org")]
    aliases = [WWW, {**WWW, "alias": "www.example.org"}]
    emulator.seed(teams=[ACME], projects=[WEB], domains=domains, aliases=aliases)
    options = {"name": "EXAMPLE.com.", "team": "acme"}
    present = run_module(Domain, emulator.base_url, **options)
    assert (present["changed"], present["domain"]["name"]) == (False, "example.com")
    check, deleted = check_then_run(Domain, emulator.base_url, **options, state="absent")
    assert check["diff"] == deleted["diff"]
    removed = {"removed_aliases": ["www.example.com"]}
    assert sides(deleted) == ({"name": "example.com", **removed}, {})
    for again in check_then_run(Domain, emulator.base_url, **options, state="absent"):
        assert (again["changed"], again["domain"]) == (False, {})
    assert emulator.writes == ["DELETE /domains/example.com"]
    emulator.forget_requests()
    assert "cannot register domains" in expect_refusal(Domain, emulator, **options)
    assert "www.example.org" in {alias["alias"] for alias in emulator.state()["aliases"]}


@pytest.mark.parametrize("repeated", [200, 409, 400])
def test_invitation_is_planned_without_knowing_and_unchanged_for_a_member(emulator, repeated):
    emulator.switch(repeated_invitation=repeated)
    old = {"email": "old@example.com", "role": "VIEWER"}
    emulator.seed(teams=[{**ACME, "createdAt": 1_000_000, "members": [old]}])
    new = {"email": "dev+1@example.com", "role": "DEVELOPER"}
    check, invited = check_then_run(TeamMember, emulator.base_url, team="acme", **new)
    assert "cannot tell" in check["warnings"][0]
    assert sides(check) == sides(invited) == ({}, new)
    assert invited["team_member"]["id"]
    assert check["team_member"].keys() == invited["team_member"].keys()
    again = run_module(TeamMember, emulator.base_url, team="acme", **old)
    assert [result["changed"] for result in (check, invited, again)] == [True, True, False]
    assert sides(again)[0] == sides(again)[1]
    assert any("reported as unchanged" in warning for warning in again["warnings"]) is (
        repeated == 400
    )


ANSWERS = {
    "conflict": (409, {}, False),
    "refusal": (400, {"message": "already a member"}, False),
    "old record": (200, {"id": "mbr_1", "roleId": 5, "createdAt": 1}, False),
    "new record": (200, {"id": "mbr_1", "roleId": 5, "email": None}, True),
    "nothing": (200, {}, True),
}


@pytest.mark.parametrize(("status", "answer", "is_change"), ANSWERS.values(), ids=ANSWERS)
@pytest.mark.parametrize("user", [{"email": "dev@example.com"}, {"user_id": "usr_7"}])
@pytest.mark.parametrize("role", [{}, {"role": "OWNER"}])
def test_a_member_is_shown_as_the_answer_does(status, answer, is_change, user, role):
    """A role that the invitation did not give is not shown as if it had."""
    teams = list_response(teams=[{"id": "team_1", "slug": "acme", "createdAt": 1}])
    with stub_server(teams, json_response(answer, status)) as server:
        result = run_module(TeamMember, server.base_url, team="acme", **user, **role)
    assert result["changed"] is is_change
    unknown = ("id", "email", "team_id", "role_id", "created_by", "created_at", "updated_at")
    shown = {"id": "mbr_1", "role_id": 5} if "id" in answer else {}
    shown |= {"created_at": 1} if "createdAt" in answer else {}
    given = role if is_change else {}
    expected = {**dict.fromkeys(unknown), "user_id": None, "role": None, **user, **shown, **given}
    assert result["team_member"] == expected
    assert result["not_compared"] == ([] if is_change else [*role])


@pytest.mark.parametrize("parameter", ["inviteCode", "code"])
def test_team_is_joined_with_its_code_once(emulator, parameter):
    emulator.switch(join_parameter=parameter, join_by_team_id=False)
    emulator.seed(
        users=[{"email": "new@example.com", "token": NEWCOMER}],
        teams=[{**ACME, "inviteCode": CODE}],
    )

    def join(code, check_mode=False):
        options = {"team": "acme", "invite_code": code, "invite_code_parameter": parameter}
        return join_team(
            make_platform(emulator.base_url, access_token=NEWCOMER), options, check_mode
        )

    with pytest.raises(ApiError, match=r"^GET /teams/\{teamId\}/join failed"):
        join("wrong-code-0123456789")
    emulator.forget_requests()
    check = join(CODE, check_mode=True)
    joined = join(CODE)
    again = join(CODE)
    assert [result["changed"] for result in (check, joined, again)] == [True, True, False]
    assert sides(check) == sides(joined) == ({}, {"team": "acme"})
    assert joined["team"]["slug"] == "acme"
    assert len(emulator.writes) == 1


@pytest.mark.parametrize("is_with_token", [False, True])
def test_login_waits_for_the_click_whatever_throttles_it(emulator, clock, is_with_token):
    """Any 4xx means "not yet" until the deadline, unless it asks for a longer wait than allowed."""
    emulator.switch(login_requires_bearer=is_with_token)
    token = emulator.token if is_with_token else None
    platform = make_platform(
        emulator.base_url, clock, access_token=token, max_retries=0, max_retry_delay=8.0
    )
    options = {"email": EMAIL, "token_name": "job"}
    assert set(request_login(platform, options, True).values()) == {True, None}
    assert emulator.requests() == []
    verification = request_login(platform, options, False)["verification_token"]

    def verify(**more):
        waits = {"wait": True, "wait_timeout": 5.0, "wait_interval": 2.0, **more}
        return verify_login(
            platform, {"email": EMAIL, "verification_token": verification, **waits}, False
        )

    def fails(words, **more):
        with pytest.raises(ApiError, match=f"^GET /auth/verify failed(?s:.*){words}"):
            verify(**more)

    fails("wait is false", wait=False)
    fails("within 5 s")
    (mail,) = emulator.outbox()
    assert requests.get(mail["link"], timeout=10).ok
    emulator.plan_fault("GET /auth/verify", "429", retry_after="9")
    emulator.plan_fault("GET /auth/verify", "429", count=3, retry_after="0")
    fails("max_retry_delay")
    fails("status 429(?s:.*)wait is false", wait=False)
    user = make_api(emulator.base_url, access_token=verify()["access_token"]).get_user()
    assert user["email"] == EMAIL
    fails("Request a new login", wait_timeout=0.0)
