# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An option that is given and empty is not left out: it never chooses another platform, token or
scope.
"""

from typing import Any

import pytest
from folders import write
from inventories import Inventory, squeezed
from player import Player
from sampling import both_ways

from roles import messages_of_caught, play_on, role, with_rescue

Options = dict[str, Any]
OTHER = "another-platforms-token-0123456789"
# What a template that came out empty may be: text, null, and a text that core makes of null.
EMPTY = ["", None, "{{ '' }}", "{{ none }}"]
ALIAS = {"alias": "www.example.com"}
INVITATION = {"email": "a@example.com", "role": "VIEWER"}
CONNECTION = ("base_url", "access_token", "access_token_path")
# Modules, options that they need besides, and the options that must not be empty.
NEVER_EMPTY: list[tuple[str, Options, tuple[str, ...]]] = [
    ("alias", {**ALIAS, "project": "shop"}, (*CONNECTION, "team", "project")),
    ("alias_info", {}, (*CONNECTION, "team", "project")),
    ("blueprint", {"blueprint": {}}, (*CONNECTION, "team")),
    ("blueprint_info", {}, CONNECTION),
    ("domain", {"name": "example.com", "state": "absent"}, (*CONNECTION, "team")),
    ("domain_info", {}, (*CONNECTION, "team")),
    ("login_request", {"email": "a@example.com", "token_name": "t"}, CONNECTION),
    (
        "login_verification",
        {"email": "a@example.com", "verification_token": "v", "wait": False},
        CONNECTION,
    ),
    ("project", {"name": "shop", "state": "absent"}, (*CONNECTION, "team", "id")),
    ("project_domain_info", {"project": "shop"}, (*CONNECTION, "team", "project")),
    ("project_info", {}, (*CONNECTION, "team", "id")),
    ("team", {"slug": "prod", "state": "absent"}, (*CONNECTION, "id")),
    ("team_info", {}, (*CONNECTION, "team")),
    ("team_join", {"team": "prod"}, (*CONNECTION, "team")),
    ("team_member", {**INVITATION, "team": "prod"}, (*CONNECTION, "team")),
    ("user_info", {}, CONNECTION),
]
VARIABLES = {option: f"HOSTING_PLATFORM_{option.upper()}" for option in (*CONNECTION, "team")}


pytestmark = pytest.mark.usefixtures("shop_and_legacy")


def advice(module: str, option: str) -> str:
    """What the message proposes, by the contract."""
    if option in VARIABLES and (module, option) not in [
        ("team_info", "team"),
        ("team_join", "team"),
    ]:
        own = " For your own scope, set own_scope to true."
        has_own_scope = option == "team" and module != "team_member"
        return f"Leave it out to use {VARIABLES[option]}.{own if has_own_scope else ''}"
    return "Give it a value, or leave it out."


@pytest.mark.core_differences
@both_ways
def test_an_option_that_is_given_and_empty_fails_before_the_first_request(
    player: Player, in_process: str
) -> None:
    cases: list[tuple[str, str]] = []
    tasks: list[Options] = []
    for module, needed, options in NEVER_EMPTY:
        for option in options:
            value = EMPTY[len(cases) % len(EMPTY)]
            cases.append((module, option))
            tasks.append({f"hosting.platform.{module}": {**needed, option: value}})
    play = player.run(
        tasks,
        HOSTING_PLATFORM_TEAM="prod",
        HOSTING_PLATFORM_IN_PROCESS=in_process,
    )
    for task, (module, option) in zip(play.tasks, cases, strict=True):
        assert task.status == "failed", (module, option, task.result)
        assert task.result["msg"] == (
            f"{option} is empty: a template came out empty? {advice(module, option)}"
        )
        assert task.requests == []


@pytest.mark.core_differences
@pytest.mark.parametrize("value", EMPTY)
def test_empty_module_defaults_of_a_role_send_no_token_of_the_environment(
    player: Player, value: Any
) -> None:
    write(player.folder, blueprint__projects="- name: new")
    tasks = [
        role("converge", converge_directory="blueprint"),
        role("export", export_directory="out"),
        role("login", login_email="a@example.com", login_token_name="t", login_token_path="token"),
    ]
    defaults: Options = {"base_url": player.emulator.base_url, "access_token": value}
    block: Options = {
        "block": [with_rescue(task) for task in tasks],
        "module_defaults": {"group/hosting.platform.all": defaults},
    }
    player.emulator.forget_requests()
    play = play_on(player, block, HOSTING_PLATFORM_ACCESS_TOKEN=OTHER)
    problem = "access_token is empty: a template came out empty?"
    message = f"{problem} Leave it out to use HOSTING_PLATFORM_ACCESS_TOKEN."
    assert messages_of_caught(play) == [message] * len(tasks)
    assert player.emulator.requests() == []
    assert not (player.folder / "token").exists()


def test_an_option_that_is_omitted_or_optional_may_be_empty(player: Player) -> None:
    environment = {"HOSTING_PLATFORM_TEAM": "", "HOSTING_PLATFORM_ACCESS_TOKEN_PATH": ""}
    optional = ("ca_path", "client_cert", "client_key", "request_log")
    options = {
        "name": "shop",
        **dict.fromkeys(("team", "id", "base_url", "access_token"), "{{ omit }}"),
        **dict.fromkeys(optional, ""),
    }
    (task,) = player.run([{"hosting.platform.project": options}], **environment).tasks
    assert (task.status, task.result["changed"]) == ("ok", False)
    assert {request["query"].get("teamId") for request in task.requests} == {None}


@pytest.mark.parametrize("option", [*CONNECTION, "teams"])
def test_an_inventory_refuses_an_empty_option(inventory: Inventory, option: str) -> None:
    for value in EMPTY:
        inventory.player.emulator.forget_requests()
        source = inventory.source(**{option: value})
        done = inventory.run("-i", source, "--list")
        problem = f"{option} is empty: a template came out empty?"
        variable = VARIABLES[option.removesuffix("s")]
        assert squeezed(f"{problem} Leave it out to use {variable}.") in squeezed(done.stderr)
        assert inventory.player.emulator.requests() == []


@pytest.mark.parametrize("value", ["", None])
def test_an_entry_with_an_empty_reference_fails_by_its_place(player: Player, value: Any) -> None:
    entries: Options = {
        "teams": [{"id": value, "slug": "prod"}],
        "team_members": [{**INVITATION, "team": value}],
        "projects": [
            {"name": "a", "team": value},
            {"name": "b", "team": value, "own_scope": True},
            {"name": "c", "team": value, "own_scope": False, "state": "absent"},
        ],
        "aliases": [{**ALIAS, "project": value}, {"alias": "b.example.com", "project": "b"}],
    }
    task: Options = {"hosting.platform.blueprint": {"blueprint": entries}}
    for check_mode in (True, False):
        (result,) = player.run(
            [{**task, "check_mode": check_mode}], HOSTING_PLATFORM_TEAM="prod"
        ).tasks
        empty = "is empty: a template came out empty? Give it a value, or leave it out."
        own = "For your own scope, set own_scope to true."
        assert result.result["msg"].split("\n") == [
            f"teams[0] prod: id {empty}",
            f"team_members[0] a@example.com: team {empty}",
            f"projects[0] a: team {empty} {own}",
            f"projects[2] c: team {empty} {own}",
            f"aliases[0] www.example.com: project {empty}",
        ]
        assert result.requests == []


@pytest.mark.parametrize("value", ["''", "null", ""])
def test_a_file_with_an_empty_team_fails_by_its_place(player: Player, value: str) -> None:
    projects = "projects: [{name: a}]"
    write(
        player.folder,
        blueprint__acme__all=f"team: {value}\n{projects}\n",
        blueprint__media__defaults=f"# the team\nteam: {value}\n",
        blueprint__media__all=f"{projects}\n",
        blueprint__own=f"own_scope: true\nteam: {value}\n{projects}\n",
        blueprint__ops__projects=f"team: ops\nprojects:\n  - name: b\n    team: {value}\n",
    )
    (task,) = player.run(
        [{"hosting.platform.blueprint_validate": {"directory": "blueprint"}}]
    ).tasks
    empty = (
        "team is empty: a template came out empty? Give it a value, or leave it out."
        " For your own scope, set own_scope to true."
    )
    assert task.result["problems"] == [
        f"acme/all.yml:1: {empty}",
        f"media/defaults.yml:2: {empty}",
        f"projects[0] b (ops/projects.yml:3): {empty}",
    ]
