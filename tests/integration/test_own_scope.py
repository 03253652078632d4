# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The own scope is asked for by its name: an empty team never chooses it, in no module and in no entry."""

from __future__ import annotations

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
MEMBER = {"email": "dev@example.com", "role": "VIEWER"}

# What each module needs beside its scope. Some would create something, and say so.
NEEDED: dict[str, Options] = {
    "alias": {"alias": "new.example.com", "project": "web"},
    "alias_info": {},
    "blueprint": {"blueprint": {"projects": [PROJECT], "aliases": [{"alias": "new.example.com", "project": "web"}]}},
    "domain": {"name": "example.com"},
    "domain_info": {},
    "project": PROJECT,
    "project_domain_info": {"project": "web"},
    "project_info": {},
}
CREATING = ("alias", "blueprint", "project")


SEEDED = pytest.mark.usefixtures("platform")


@pytest.fixture
def platform(emulator: ControlledEmulator) -> ControlledEmulator:
    emulator.seed(
        teams=[{"slug": "acme", "id": "team_acme"}],
        projects=[{"name": "web"}, {"name": "web", "team": "acme"}],
        domains=[{"name": "example.com"}, {"name": "example.com", "team": "acme"}],
    )
    return emulator


def unscoped_warnings(task: Task) -> list[str]:
    return [warning for warning in task.result.get("warnings", []) if UNSCOPED in warning]


def scopes_of(task: Task) -> set[Any]:
    """The teams whose objects the requests list."""
    lists = [request for request in task.requests if "limit" in request["query"] and request["path"] != "/teams"]
    return {request["query"].get("teamId") for request in lists}


def test_every_module_of_the_group_is_here() -> None:
    scoped = yaml.safe_load((ROOT / "meta/runtime.yml").read_text())["action_groups"]["team_scoped"]
    assert sorted([*NEEDED, "team_member"]) == scoped


# A scope as a task may give it, the environment, whether it means the team, and whether a creation there is told.
WAYS: list[tuple[Options, Options, bool, bool]] = [
    ({}, {}, False, True),
    ({"team": ""}, {}, False, True),
    ({"team": None}, {}, False, True),
    ({"team": ""}, ENVIRONMENT, True, False),
    ({"own_scope": True}, ENVIRONMENT, False, False),
    ({"own_scope": True, "team": ""}, ENVIRONMENT, False, False),
]


@SEEDED
def test_an_empty_team_is_none_and_the_own_scope_goes_before_the_environment(player: Player) -> None:
    cases = [(module, *way) for module in NEEDED for way in WAYS]
    tasks = [
        {f"hosting.platform.{module}": {**NEEDED[module], **scope}, "check_mode": True, "environment": environment}
        for module, scope, environment, _is_team, _is_told in cases
    ]
    for task, (module, scope, environment, is_team, is_told) in zip(player.run(tasks).tasks, cases, strict=True):
        case = (module, scope, environment, task.result)
        assert task.status == "ok", case
        scopes = scopes_of(task)
        assert scopes == {"team_acme"} if is_team else "team_acme" not in scopes, case
        assert len(unscoped_warnings(task)) == (is_told and module in CREATING), case


@SEEDED
def test_conflicting_scopes_are_rejected_before_the_first_request(player: Player) -> None:
    both, missing = "own_scope: cannot be true if team is set.", "missing required arguments: team"
    zero, nobodys = {**PROJECT, "own_scope": True, "team": 0}, {**MEMBER, "team": ""}
    cases: list[tuple[str, Options, str]] = [
        *((module, {**options, "own_scope": True, "team": "acme"}, both) for module, options in NEEDED.items()),
        ("project_info", {"own_scope": True, "team": 0}, both),
        ("blueprint", {"blueprint": {"projects": [zero]}}, f"projects[0] new: {both}"),
        ("blueprint_info", {"teams": [""]}, "teams: an item is empty"),
        ("team_member", nobodys, missing),
        ("blueprint", {"blueprint": {"team_members": [nobodys]}}, f"team_members[0] dev@example.com: {missing}"),
    ]
    tasks: list[Options] = [{f"hosting.platform.{module}": options} for module, options, _words in cases]
    allowed: list[Options] = [
        {"hosting.platform.project_info": {"own_scope": False, "team": "acme"}},
        {"hosting.platform.team_member": nobodys, "environment": ENVIRONMENT, "check_mode": True},
    ]
    *refused, taken, invited = player.run(tasks + allowed).tasks
    for task, (_module, _options, words) in zip(refused, cases, strict=True):
        assert task.status == "failed"
        assert words in task.result["msg"]
        assert task.requests == []
    assert (taken.status, scopes_of(taken)) == ("ok", {"team_acme"})
    assert invited.result["team_member"]["team_id"] == "team_acme"


@SEEDED
def test_an_entry_without_a_scope_takes_that_of_the_task(player: Player) -> None:
    # The task's scope, its environment, and the team that it means.
    given: list[tuple[Options, Options, str]] = [
        ({"team": "acme"}, {}, "acme"),
        ({"own_scope": True}, {}, ""),
        ({}, {}, ""),
        ({}, ENVIRONMENT, "acme"),
    ]
    cases = [(scope, *case) for scope in ({}, {"team": ""}, {"own_scope": False}) for case in given]
    tasks = []
    for scope, options, environment, _team in cases:
        blueprint = {"projects": [{**PROJECT, **scope}], "domains": [{"name": "example.com", **scope}]}
        asked = {"hosting.platform.blueprint": {"blueprint": blueprint, **options}}
        tasks.append({**asked, "check_mode": True, "environment": environment})
    for task, (scope, options, _environment, team) in zip(player.run(tasks).tasks, cases, strict=True):
        assert {result["team"] for result in task.result["results"]} == {team}, task.result
        # An entry that says false has not named the own scope, nor has the task named it for this entry.
        assert bool(unscoped_warnings(task)) is (not team and ("own_scope" in scope or not options)), task.result
