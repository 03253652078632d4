# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules whose API has no full set of operations: domains, members, joining, the email login."""

from __future__ import annotations

import json
from typing import Any

import pytest
import requests
from player import Player

INVITATION = {"team": "acme", "email": "dev+1@example.com", "role": "DEVELOPER"}


def test_domain_is_asserted_and_deleted_with_its_aliases(player: Player) -> None:
    player.emulator.seed(
        teams=[{"slug": "acme"}],
        projects=[{"name": "web", "team": "acme"}],
        domains=[{"name": "old.example.com", "team": "acme"}, {"name": "example.org", "team": "acme"}],
        aliases=[
            {"alias": "www.old.example.com", "domain": "old.example.com", "project": "web", "team": "acme"},
            {"alias": "www.example.org", "domain": "example.org", "project": "web", "team": "acme"},
        ],
    )
    there = {"hosting.platform.domain": {"name": "OLD.example.com.", "team": "acme"}}
    gone = {"hosting.platform.domain": {"name": "OLD.example.com.", "team": "acme", "state": "absent"}}

    play = player.run([there, {**gone, "check_mode": True}, gone, {**gone, "check_mode": True}, gone, there])

    present, check, deleted, check_again, again, missing = play.tasks
    assert [task.result["changed"] for task in play.tasks] == [False, True, True, False, False, False]
    assert present.result["domain"]["name"] == "old.example.com"
    assert check.result == deleted.result
    assert deleted.result["removed_aliases"] == ["www.old.example.com"]
    header = "domain old.example.com of acme"
    headers = {"before_header": header, "after_header": header}
    assert deleted.result["diff"] == {**headers, "before": {"name": "old.example.com"}, "after": {}}
    assert check_again.result == again.result
    assert again.result["domain"] == {}
    assert [task.writes for task in play.tasks] == [[], [], ["DELETE /domains/old.example.com"], [], [], []]
    assert missing.status == "failed"
    assert "the API cannot register domains" in missing.result["msg"]
    assert [alias["alias"] for alias in player.emulator.state()["aliases"] if "example.org" in alias["alias"]]


@pytest.mark.parametrize("repeated", ["200", "409", "400"])
def test_invitation(player: Player, repeated: str) -> None:
    player.emulator.switch(repeated_invitation=repeated)
    player.emulator.seed(
        teams=[{"slug": "acme", "createdAt": 1_000_000, "members": [{"email": "old@example.com", "role": "VIEWER"}]}]
    )
    invite = {"hosting.platform.team_member": INVITATION}
    old = {"hosting.platform.team_member": {**INVITATION, "email": "old@example.com"}}

    play = player.run([{**invite, "check_mode": True}, invite, old])

    check, invited, again = play.tasks
    assert [task.result["changed"] for task in play.tasks] == [True, True, False]
    assert check.writes == []
    assert "cannot tell" in check.result["warnings"][0]
    assert check.result["diff"] == invited.result["diff"]
    assert invited.result["diff"]["before"] == {}
    assert invited.result["diff"]["after"] == {"email": "dev+1@example.com", "role": "DEVELOPER"}
    assert invited.result["team_member"]["id"]
    assert check.result["team_member"].keys() == invited.result["team_member"].keys()
    assert again.result["diff"]["before"] == again.result["diff"]["after"]
    assert again.result["team_member"]["email"] == "old@example.com"
    assert bool(again.result.get("warnings")) is (repeated == "400")


@pytest.mark.parametrize("parameter", ["inviteCode", "code"])
def test_joining_with_a_code(player: Player, parameter: str) -> None:
    token = "newcomer-token-0123456789"
    code = "invite-code-0123456789"
    player.emulator.switch(join_parameter=parameter, join_by_team_id=False)
    player.emulator.seed(
        users=[{"email": "new@example.com", "token": token}], teams=[{"slug": "acme", "inviteCode": code}]
    )

    def join(invite_code: str) -> dict[str, Any]:
        options = {"team": "acme", "invite_code": invite_code, "invite_code_parameter": parameter}
        return {"hosting.platform.team_join": options}

    tasks = [join("wrong-code-0123456789"), {**join(code), "check_mode": True}, join(code), join(code)]
    play = player.run(tasks, "-vvvv", HOSTING_PLATFORM_ACCESS_TOKEN=token)

    wrong, check, joined, again = play.tasks
    assert wrong.failure["operation"] == "GET /teams/{teamId}/join"
    assert [task.result["changed"] for task in (check, joined, again)] == [True, True, False]
    assert check.writes == []
    assert joined.result["team"]["slug"] == "acme"
    assert joined.result["diff"] == check.result["diff"] == {"before": {}, "after": {"team": "acme"}}
    for secret in (code, "wrong-code-0123456789", token):
        assert secret not in play.output


@pytest.mark.parametrize("bearer", [False, True])
def test_whole_login(player: Player, bearer: bool) -> None:
    player.emulator.switch(login_requires_bearer=bearer)
    outbox = f"{player.emulator.control_url}/outbox"
    email = "owner@example.com"
    verify = {"email": email, "verification_token": "{{ login.verification_token }}"}
    secrets = "{{ [login.verification_token, verified.access_token] | to_json }}"
    mail = "{{ (lookup('ansible.builtin.url', outbox, split_lines=false) | from_json)[0] }}"
    tasks: list[dict[str, Any]] = [
        {"hosting.platform.login_request": {"email": email, "token_name": "job"}, "check_mode": True},
        {
            "hosting.platform.login_request": {"email": email, "token_name": "job"},
            "register": "login",
            "no_log": True,
        },
        {"hosting.platform.login_verification": {**verify, "wait": False}},
        {"hosting.platform.login_verification": {**verify, "wait_timeout": 0.05, "wait_interval": 0.02}},
        {"ansible.builtin.set_fact": {"mail": mail}},
        {"ansible.builtin.debug": {"msg": "{{ lookup('ansible.builtin.url', mail.link) }}"}},
        {"hosting.platform.login_verification": verify, "register": "verified", "no_log": True},
        {"hosting.platform.user_info": {"access_token": "{{ verified.access_token }}"}},
        {"hosting.platform.login_verification": {**verify, "wait_timeout": 0}},
        {
            "ansible.builtin.copy": {"content": secrets, "dest": str(player.folder / "secrets.json"), "mode": "0600"},
            "no_log": True,
        },
    ]

    play = player.run(
        tasks,
        "-vvvv",
        "-e",
        f"outbox={outbox}",
        HOSTING_PLATFORM_ACCESS_TOKEN=player.emulator.token if bearer else None,
    )

    check, request, too_early, deadline, _mail, _click, verified, user, used, _copy = play.tasks
    assert check.result["changed"]
    assert (check.result["verification_token"], check.result["security_code"], check.writes) == (None, None, [])
    for task, words in ((too_early, "wait is false"), (deadline, "within 0.05 s"), (used, "request a new login")):
        assert task.failure["operation"] == "GET /auth/verify"
        assert words in task.result["msg"]
        assert task.result["failure"]["message"].rstrip(".") in task.result["msg"], "the last answer is quoted"
    assert request.status == verified.status == "ok"
    assert user.result["user"]["email"] == email
    hidden = [player.emulator.token, *json.loads((player.folder / "secrets.json").read_text())]
    assert [secret for secret in hidden if secret in play.output] == []


def test_a_verification_waits_for_the_click_whatever_throttles_it(player: Player) -> None:
    """Any 4xx means "not yet" until the deadline, unless it asks for a longer wait than allowed."""
    email = "owner@example.com"
    signin = {"email": email, "tokenName": "job"}
    answer = requests.post(f"{player.emulator.base_url}/auth/signin", json=signin, timeout=10).json()
    (mail,) = player.emulator.outbox()
    assert requests.get(mail["link"], timeout=10).ok
    player.emulator.plan_fault("GET /auth/verify", "429", count=1, retry_after="9")
    player.emulator.plan_fault("GET /auth/verify", "429", count=3, retry_after="0")
    options = {"email": email, "verification_token": answer["token"], "wait_interval": 0.01, "max_retries": 0}

    play = player.run(
        [
            {"hosting.platform.login_verification": {**options, "max_retry_delay": 8}},
            {"hosting.platform.login_verification": {**options, "wait": False}},
            {"hosting.platform.login_verification": options},
        ]
    )

    too_long, at_once, waited = play.tasks
    assert "max_retry_delay" in too_long.result["msg"]
    assert "is throttling requests" in at_once.result["msg"]
    assert "wait is false" in at_once.result["msg"]
    assert waited.status == "ok", play.output
    assert waited.result["access_token"].startswith("tok_")
    assert [request["status"] for request in waited.requests] == [429, 429, 200]
    assert answer["token"] not in json.dumps(play.results)
