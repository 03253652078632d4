# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The own scope is asked for by its name, or by no team at all, in each module and entry."""

from itertools import product
from typing import Any

import pytest
import yaml
from emulated import ControlledEmulator
from environments import ROOT
from player import Player, Task

Options = dict[str, Any]
UNSCOPED = "No team is set"
ENVIRONMENT = {"HOSTING_PLATFORM_TEAM": "acme"}
PROJECT = {"name": "new"}

# What each module needs beside its scope. Some would create something, and say so.
NEEDED: dict[str, Options] = {
    "alias": {"alias": "new.example.com", "project": "web"},
    "alias_info": {},
    "blueprint": {
        "blueprint": {
            "projects": [PROJECT],
            "aliases": [{"alias": "new.example.com", "project": "web"}],
        }
    },
    "domain": {"name": "example.com"},
    "domain_info": {},
    "project": PROJECT,
    "project_domain_info": {"project": "web"},
    "project_info": {},
}
CREATING = ("alias", "blueprint", "project")


@pytest.fixture(autouse=True)
def _platform(emulator: ControlledEmulator) -> None:
    scopes: list[Options] = [{}, {"team": "acme"}]
    projects, domains = (
        [{"name": name, **scope} for scope in scopes] for name in ("web", "example.com")
    )
    emulator.seed(teams=[{"slug": "acme", "id": "team_acme"}], projects=projects, domains=domains)


def unscoped_warnings(task: Task) -> list[str]:
    told = [*task.result.get("warnings", []), *task.result.get("plan_warnings", [])]
    return [warning for warning in told if UNSCOPED in warning]


def scopes_of(task: Task) -> set[Any]:
    """The teams whose objects the requests list."""
    lists = [
        request
        for request in task.requests
        if "limit" in request["query"] and request["path"] != "/teams"
    ]
    return {request["query"].get("teamId") for request in lists}


def test_every_module_of_the_group_is_here() -> None:
    scoped = yaml.safe_load((ROOT / "meta/runtime.yml").read_text())["action_groups"]["team_scoped"]
    assert sorted([*NEEDED, "team_member"]) == scoped


# A scope as a task may give it, the environment, whether it means the team, and whether a creation
# there is told.
WAYS: list[tuple[Options, Options, bool, bool]] = [
    ({}, {}, False, True),
    ({"team": "{{ omit }}"}, ENVIRONMENT, True, False),
    ({}, {"HOSTING_PLATFORM_TEAM": ""}, False, True),
    ({"own_scope": True}, ENVIRONMENT, False, False),
    ({"own_scope": "{{ true }}", "team": ""}, ENVIRONMENT, False, False),
    ({"own_scope": True, "team": None}, ENVIRONMENT, False, False),
]


def test_a_team_that_is_left_out_is_none_and_the_own_scope_goes_before_the_environment(
    player: Player,
) -> None:
    cases = [(module, *way) for module, way in product(NEEDED, WAYS)]
    tasks = [
        {
            f"hosting.platform.{module}": {**NEEDED[module], **scope},
            "check_mode": True,
            "environment": environment,
        }
        for module, scope, environment, _is_team, _is_told in cases
    ]
    for task, (module, scope, environment, is_team, is_told) in zip(
        player.run(tasks).tasks, cases, strict=True
    ):
        case = (module, scope, environment, task.result)
        assert task.status == "ok", case
        scopes = scopes_of(task)
        assert scopes == {"team_acme"} if is_team else "team_acme" not in scopes, case
        assert len(unscoped_warnings(task)) == (is_told and module in CREATING), case


def test_an_entry_without_a_scope_takes_that_of_the_task(player: Player) -> None:
    # The task's scope, its environment, and the team that it means.
    given: list[tuple[Options, Options, str]] = [
        ({"team": "acme"}, {}, "acme"),
        ({"own_scope": True}, {}, ""),
    ]
    given += [({}, {}, ""), ({}, ENVIRONMENT, "acme")]
    no_scope: list[Options] = [{}, {"own_scope": False}]
    cases = [(scope, *case) for scope, case in product(no_scope, given)]
    tasks = []
    for scope, options, environment, _team in cases:
        blueprint = {
            "projects": [{**PROJECT, **scope}],
            "domains": [{"name": "example.com", **scope}],
        }
        asked = {"hosting.platform.blueprint": {"blueprint": blueprint, **options}}
        tasks.append({**asked, "check_mode": True, "environment": environment})
    for task, (scope, options, _environment, team) in zip(
        player.run(tasks).tasks, cases, strict=True
    ):
        assert {result["team"] for result in task.result["results"]} == {team}, task.result
        # An entry that says false has not named the own scope, nor has the task named it for this
        # entry.
        assert bool(unscoped_warnings(task)) is (
            not team and ("own_scope" in scope or not options)
        ), task.result


def test_a_file_of_the_own_scope_without_entries_is_told_that_prune_leaves_it_alone(
    player: Player,
) -> None:
    (player.folder / "blueprint").mkdir()
    for name, scope in (("own", "own_scope: true"), ("acme", "team: acme")):
        (player.folder / "blueprint/all.yml").write_text(f"{scope}\nprojects: []\n")
        task: Options = {
            "hosting.platform.blueprint": {"directory": "blueprint", "prune": ["projects"]}
        }
        (planned,) = player.run([{**task, "check_mode": True}]).results
        assert ("Your own scope is never pruned." in planned["text"].split("\n")) is (name == "own")
