# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A module in a process of its own that does not get the environment of Ansible says so where an
option is missing.
"""

import os
from pathlib import Path
from typing import Any

import pytest
from player import Player

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="su asks anybody else for a password")

# As in an ansible.cfg; `su -l` drops the environment, as sudo does.
BECOME = {
    "ANSIBLE_BECOME": "true",
    "ANSIBLE_BECOME_METHOD": "su",
    "ANSIBLE_BECOME_FLAGS": "-l",
    "ANSIBLE_BECOME_ALLOW_SAME_USER": "true",
}
EXPLANATION = (
    "Ansible has {}, but the module's own process does not (become). Set the option in the task"
)


def messages(player: Player, *tasks: dict[str, Any], **environment: str) -> list[str]:
    ignoring = [{**task, "ignore_errors": True} for task in tasks]
    return [task.result["msg"] for task in player.run(ignoring, **BECOME, **environment).tasks]


def test_a_variable_that_become_drops_is_named(player: Player) -> None:
    address = {"base_url": player.emulator.base_url}
    no_address, no_token, no_team = messages(
        player,
        {"hosting.platform.user_info": {}},
        {"hosting.platform.user_info": address},
        {"hosting.platform.team_member": {"email": "ada@example.com"}},
        HOSTING_PLATFORM_TEAM="acme",
    )
    assert no_address.startswith("base_url: is not set.")
    assert EXPLANATION.format("HOSTING_PLATFORM_BASE_URL") in no_address
    assert EXPLANATION.format("HOSTING_PLATFORM_ACCESS_TOKEN") in no_token
    assert no_team.startswith("missing required arguments: team. Ansible has")
    assert EXPLANATION.format("HOSTING_PLATFORM_TEAM") in no_team
    assert player.emulator.token not in no_token


def test_a_team_that_become_drops_is_not_taken_for_the_own_scope(player: Player) -> None:
    emulator = player.emulator
    emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "shop"}])
    connection = {"base_url": emulator.base_url, "access_token": emulator.token}
    variables = {
        "HOSTING_PLATFORM_TEAM": "acme",
        "HOSTING_PLATFORM_MAX_RETRY_DELAY": "",
        **BECOME,
    }
    shop = {**connection, "name": "shop"}
    entries = {"projects": [{"name": "blog"}]}
    emulator.forget_requests()
    refused = player.run(
        [
            {"hosting.platform.project": {**shop, "state": "absent"}, "ignore_errors": True},
            {"hosting.platform.project": {**shop, "own_scope": False}, "ignore_errors": True},
            {
                "hosting.platform.blueprint": {**connection, "blueprint": entries},
                "ignore_errors": True,
            },
            {"hosting.platform.project_info": connection, "ignore_errors": True},
        ],
        **variables,
    )
    for task in refused.tasks:
        assert task.result["msg"].startswith("team: is not set. Without it, the task would work")
        assert EXPLANATION.format("HOSTING_PLATFORM_TEAM") in task.result["msg"]
    assert emulator.requests() == []

    (own,) = player.run(
        [{"hosting.platform.project": {**shop, "own_scope": True, "state": "absent"}}], **variables
    ).tasks
    assert own.result["changed"] is True
    assert "warnings" not in own.result


def test_a_variable_of_another_option_that_become_drops_draws_a_warning(
    player: Player, tmp_path: Path
) -> None:
    token = tmp_path / "token"
    token.write_text(player.emulator.token)
    token.chmod(0o600)
    connection = {"base_url": player.emulator.base_url, "access_token_path": str(token)}
    (played,) = player.run(
        [{"hosting.platform.user_info": connection}],
        HOSTING_PLATFORM_REQUEST_LOG="/nowhere/requests.jsonl",
        HOSTING_PLATFORM_MAX_RETRY_DELAY="",
        **BECOME,
    ).tasks
    (warning,) = played.result["warnings"]
    assert warning.startswith(EXPLANATION.format("HOSTING_PLATFORM_REQUEST_LOG"))


def test_a_variable_that_is_set_nowhere_is_not_blamed_on_become(player: Player) -> None:
    player.environment["HOSTING_PLATFORM_BASE_URL"] = ""
    (message,) = messages(player, {"hosting.platform.user_info": {}})
    assert message.startswith("base_url: is not set.")
    assert "does not" not in message


def test_become_is_not_blamed_for_an_option_that_the_task_leaves_empty(player: Player) -> None:
    address = {"base_url": player.emulator.base_url}
    empty_token, no_token, no_address = messages(
        player,
        {"hosting.platform.user_info": {**address, "access_token": ""}},
        {
            "hosting.platform.user_info": address,
            "environment": {
                "HOSTING_PLATFORM_ACCESS_TOKEN": "",
                "HOSTING_PLATFORM_ACCESS_TOKEN_PATH": "",
            },
        },
        {"hosting.platform.user_info": {}, "environment": {"HOSTING_PLATFORM_BASE_URL": ""}},
    )
    assert empty_token.startswith("access_token is empty: a template came out empty?")
    assert no_token.startswith("access_token: is not set.")
    assert no_address.startswith("base_url: is not set.")
    assert "does not" not in empty_token + no_token + no_address


def test_become_reads_the_connection_from_the_tasks_environment(player: Player) -> None:
    connection = {
        "HOSTING_PLATFORM_BASE_URL": player.emulator.base_url,
        "HOSTING_PLATFORM_ACCESS_TOKEN": player.emulator.token,
    }
    task = {"hosting.platform.user_info": {}, "environment": connection}
    (played,) = player.run([task], **BECOME).tasks
    assert played.result["user"]["id"]
