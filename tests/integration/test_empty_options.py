# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An option that is given and empty is not left out: it never chooses another platform, token or
scope. In check mode it stands for what an earlier task makes.
"""

import re
from itertools import product
from typing import Any

import pytest
import yaml
from emulated import ControlledEmulator
from environments import ROOT
from folders import write
from inventories import Inventory, squeezed
from player import Player, Task
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


@pytest.fixture(autouse=True)
def _platform(emulator: ControlledEmulator) -> None:
    """What a task would reach by mistake: the own scope, and the team of the environment."""
    projects = [
        {"name": name, "framework": "astro", **scope}
        for name, scope in product(("shop", "legacy"), ({}, {"team": "prod"}))
    ]
    emulator.seed(teams=[{"slug": "prod"}], projects=projects)


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


def test_what_is_left_out_or_optional_is_not_refused(player: Player) -> None:
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


MADE = "{{ made.team.id }}"
SHOP = "{{ shop.project.id }}"
WWW = {"alias": "www.shop.example.com"}
OLD = {"alias": "a.example.com", "state": "absent"}
# Tasks that refer to what an earlier one makes by its id: a module, its options, whether it would
# change something, and the options that check mode warns of.
CHECKED: list[tuple[str, Options, bool, list[str]]] = [
    ("team", {"slug": "fresh", "name": "Fresh"}, True, []),
    ("project", {"team": MADE, "name": "shop", "framework": "nextjs"}, True, ["team"]),
    ("project", {"team": MADE, "name": "legacy", "state": "absent"}, False, ["team"]),
    ("alias", {**WWW, "team": "fresh", "project": SHOP}, True, ["project"]),
    ("project", {"team": MADE, "id": SHOP}, False, ["team", "id"]),
    ("team", {"id": MADE, "name": "Fresh"}, False, ["id"]),
    ("team", {"id": MADE, "slug": "fresh", "name": "Fresh"}, True, ["id"]),
    ("team_member", {"team": MADE, **INVITATION}, True, ["team"]),
    ("project_info", {"team": MADE}, False, ["team"]),
    ("project_info", {"team": MADE, "id": SHOP}, False, ["team", "id"]),
    ("project_domain_info", {"project": SHOP}, False, ["project"]),
    ("alias_info", {"project": SHOP}, False, ["project"]),
    ("team_info", {"team": MADE}, False, ["team"]),
    ("alias", {**OLD, "team": MADE}, False, ["team"]),
    ("alias", {**OLD, "team": "prod", "project": SHOP}, False, ["project"]),
    ("domain", {"team": MADE, "name": "example.com", "state": "absent"}, False, ["team"]),
]
REGISTERED = {0: "made", 1: "shop"}


@pytest.mark.parametrize("environment", [{}, {"HOSTING_PLATFORM_TEAM": "prod"}])
@both_ways
def test_a_play_that_refers_to_what_it_makes_by_its_id_is_checked_on_an_empty_scope(
    player: Player, environment: Options, in_process: str
) -> None:
    tasks: list[Options] = []
    for number, (module, options, _changes, _warned) in enumerate(CHECKED):
        register = {"register": REGISTERED[number]} if number in REGISTERED else {}
        tasks.append({f"hosting.platform.{module}": options, **register})
    play = player.run(tasks, "--check", HOSTING_PLATFORM_IN_PROCESS=in_process, **environment)
    for task, (module, options, changes, empty) in zip(play.tasks, CHECKED, strict=True):
        case = (module, options, task.result)
        assert (task.status, task.result["changed"]) == ("ok", changes), case
        assert warned_of(task) == [
            (option, "slug" if "team" in (option, module) else "name") for option in empty
        ], case
        assert task.writes == []
        if module.endswith("_info"):
            key = {"project_info": "projects", "team_info": "teams", "alias_info": "aliases"}
            assert task.result[key.get(module, "domains")] == [], case
    shop, alias = (play.tasks[number].result for number in (1, 3))
    assert shop["diff"]["before"] == {}
    assert shop["project"]["id"] is shop["project"]["team_id"] is None
    assert alias["diff"]["after"] == {**WWW, "project": None}
    assert play.tasks[4].result["project"]["id"] is None


def warned_of(task: Task) -> list[tuple[str, str]]:
    """The options of which a task warns that they are empty, and what it says to write instead."""
    because = "is empty, as the id of what an earlier task makes is in check mode"
    warnings = task.result.get("warnings", [])
    found = [
        re.fullmatch(rf"(\w+) {because}\. Refer to it by its (\w+)\.", text) for text in warnings
    ]
    return [(match[1], match[2]) for match in found if match]


@both_ways
def test_a_real_deletion_behind_a_predicted_creation_fails(player: Player, in_process: str) -> None:
    emulator = player.emulator
    before = emulator.state()
    tasks: list[Options] = [
        {"hosting.platform.team": {"slug": "later", "name": "Later"}, "register": "made"},
        {
            "hosting.platform.project": {
                "team": "{{ made.team.id }}",
                "name": "legacy",
                "state": "absent",
            },
            "check_mode": False,
        },
    ]
    task = player.run(tasks, "--check", HOSTING_PLATFORM_IN_PROCESS=in_process).tasks[1]
    assert task.status == "failed"
    assert task.result["msg"].startswith("team is empty: a template came out empty?")
    assert task.requests == []
    assert emulator.state()["projects"] == before["projects"]


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


@pytest.mark.core_differences
@pytest.mark.parametrize("module", ["project", "team", "alias"])
def test_examples_that_refer_to_what_they_make_are_checked_on_an_empty_platform(
    player: Player, module: str
) -> None:
    player.emulator.reset()
    source = (ROOT / f"plugins/modules/{module}.py").read_text(encoding="utf-8")
    tasks = yaml.safe_load(source.partition('EXAMPLES = r"""')[2].partition('"""')[0])
    assert module == "alias" or ".id }}" in str(tasks)
    play = player.run(tasks, "--check")
    assert [task.status for task in play.tasks] == ["ok"] * len(tasks), play.output
    assert play.tasks[0].result["changed"] is True
    assert [task.writes for task in play.tasks] == [[]] * len(tasks)
