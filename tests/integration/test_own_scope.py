# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The own scope is asked for by its name: an empty team never chooses it, in no module and in no entry."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from emulated import Emulated
from environments import ROOT
from playing import Player, Task

Options = dict[str, Any]
UNSCOPED = "No team is set"
ENVIRONMENT = {"HOSTING_PLATFORM_TEAM": "acme"}
PROJECT = {"name": "new"}

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
def platform(emulator: Emulated) -> Emulated:
    emulator.seed(
        teams=[{"slug": "acme", "id": "team_acme"}],
        projects=[{"name": "web"}, {"name": "web", "team": "acme"}],
        domains=[{"name": "example.com"}, {"name": "example.com", "team": "acme"}],
    )
    return emulator


def told(task: Task) -> list[str]:
    return [warning for warning in task.result.get("warnings", []) if UNSCOPED in warning]


def without_invocation(task: Task) -> Options:
    return {key: value for key, value in task.result.items() if key != "invocation"}


def scopes_of(task: Task) -> set[Any]:
    """The teams whose objects the requests list."""
    lists = [request for request in task.requests if "limit" in request["query"] and request["path"] != "/teams"]
    return {request["query"].get("teamId") for request in lists}


def test_every_module_of_the_group_is_here() -> None:
    scoped = yaml.safe_load((ROOT / "meta/runtime.yml").read_text())["action_groups"]["team_scoped"]
    assert sorted([*NEEDED, "team_member"]) == scoped


@SEEDED
def test_an_empty_team_is_none(player: Player) -> None:
    ways: list[Options] = [{}, {"team": ""}, {"team": None}]
    tasks = [
        {f"hosting.platform.{module}": {**options, **way}, "check_mode": True}
        for module, options in NEEDED.items()
        for way in ways
    ]
    play = player.run(tasks)
    assert len(play.tasks) == len(tasks)
    for number, module in enumerate(NEEDED):
        none_given, *others = play.tasks[number * len(ways) :][: len(ways)]
        assert none_given.status == "ok", (module, none_given.result)
        assert bool(told(none_given)) is (module in CREATING), module
        for other in others:
            assert without_invocation(other) == without_invocation(none_given), module


@SEEDED
def test_an_empty_team_leaves_the_environment_its_word(player: Player) -> None:
    tasks = [
        {f"hosting.platform.{module}": {**options, "team": ""}, "check_mode": True, "environment": ENVIRONMENT}
        for module, options in NEEDED.items()
    ]
    for module, task in zip(NEEDED, player.run(tasks).tasks, strict=True):
        assert task.status == "ok", (module, task.result)
        assert scopes_of(task) == {"team_acme"}, module
        assert told(task) == []


@SEEDED
def test_the_own_scope_goes_before_the_environment_and_is_silent(player: Player) -> None:
    tasks = [
        {f"hosting.platform.{module}": {**options, **scope}, "check_mode": True, "environment": ENVIRONMENT}
        for module, options in NEEDED.items()
        for scope in ({"own_scope": True}, {"own_scope": True, "team": ""})
    ]
    for task in player.run(tasks).tasks:
        assert task.status == "ok", task.result
        assert "team_acme" not in scopes_of(task)
        assert told(task) == []


@SEEDED
def test_the_own_scope_and_a_team_are_refused_before_the_first_request(player: Player) -> None:
    tasks = [
        {f"hosting.platform.{module}": {**options, "own_scope": True, "team": "acme"}}
        for module, options in NEEDED.items()
    ]
    entry = {**PROJECT, "own_scope": True, "team": "acme"}
    tasks.append({"hosting.platform.blueprint": {"blueprint": {"projects": [entry]}}})
    allowed = {"hosting.platform.project_info": {"own_scope": False, "team": "acme"}}
    *refused, taken = player.run([*tasks, allowed]).tasks
    for task in refused:
        assert task.status == "failed"
        assert "own_scope" in task.result["msg"]
        assert "team" in task.result["msg"]
        assert task.requests == []
    assert refused[-1].result["msg"].startswith("blueprint: projects[0] new: own_scope")
    assert (taken.status, scopes_of(taken)) == ("ok", {"team_acme"})


@SEEDED
def test_a_member_is_in_some_team(player: Player) -> None:
    member = {"email": "dev@example.com", "role": "VIEWER"}
    entries = {"blueprint": {"team_members": [{**member, "team": ""}]}}
    plays: list[Options] = [
        {"hosting.platform.team_member": {**member, "team": ""}},
        {"hosting.platform.blueprint": entries},
        {"hosting.platform.team_member": {**member, "team": ""}, "environment": ENVIRONMENT, "check_mode": True},
    ]
    alone, entry, by_variable = player.run(plays).tasks
    assert "missing required arguments: team" in alone.result["msg"]
    assert "team_members[0] dev@example.com: missing required arguments: team" in entry.result["msg"]
    assert [*alone.requests, *entry.requests] == []
    assert by_variable.result["team_member"]["team_id"] == "team_acme"


@SEEDED
@pytest.mark.parametrize("scope", [{}, {"team": ""}, {"own_scope": False}], ids=["none", "empty", "false"])
def test_an_entry_without_a_scope_takes_that_of_the_task(player: Player, scope: Options) -> None:
    blueprint = {"projects": [{**PROJECT, **scope}], "domains": [{"name": "example.com", **scope}]}
    of_team, own, nobodys, of_team_by_variable = player.run(
        [
            {"hosting.platform.blueprint": {"blueprint": blueprint, "team": "acme"}, "check_mode": True},
            {"hosting.platform.blueprint": {"blueprint": blueprint, "own_scope": True}, "check_mode": True},
            {"hosting.platform.blueprint": {"blueprint": blueprint}, "check_mode": True},
            {"hosting.platform.blueprint": {"blueprint": blueprint}, "check_mode": True, "environment": ENVIRONMENT},
        ]
    ).tasks
    for task, team in ((of_team, "acme"), (own, ""), (nobodys, ""), (of_team_by_variable, "acme")):
        assert {result["team"] for result in task.result["results"]} == {team}, task.result
    assert [bool(told(task)) for task in (of_team, nobodys, of_team_by_variable)] == [False, True, False]
    assert bool(told(own)) is (scope == {"own_scope": False})


def test_an_entry_names_the_own_scope_whatever_the_task_says(platform: Emulated, player: Player) -> None:
    blueprint = {"projects": [{**PROJECT, "own_scope": True}]}
    tasks = [
        {"hosting.platform.blueprint": {"blueprint": blueprint, **scope}, "environment": environment}
        for scope, environment in (({"team": "acme"}, {}), ({}, ENVIRONMENT), ({}, {}))
    ]
    created, *again = player.run(tasks).tasks
    assert [result["team"] for result in created.result["results"]] == [""]
    assert told(created) == []
    assert [task.result["changed"] for task in again] == [False, False]
    names = {project["name"] for project in platform.state()["projects"] if project["teamId"] != "team_acme"}
    assert names == {"web", "new"}


@SEEDED
def test_what_is_exported_names_the_own_scope(player: Player) -> None:
    play = player.run([{"hosting.platform.blueprint_info": {}}, {"hosting.platform.blueprint_info": {"teams": [""]}}])
    exported, refused = play.tasks
    assert exported.result["blueprint"]["projects"][0]["own_scope"] is True
    assert "team" not in exported.result["blueprint"]["projects"][0]
    assert "own_scope" not in exported.result["blueprint"]["projects"][1]
    assert "teams: an item is empty" in refused.result["msg"]
    assert refused.requests == []


@pytest.mark.parametrize("scope", [{}, {"own_scope": True}], ids=["none", "own"])
def test_what_is_pruned_of_the_own_scope_without_its_name_is_told(player: Player, scope: Options) -> None:
    player.emulator.seed(projects=[{"name": "keep"}, {"name": "drop"}])
    blueprint = {"projects": [{"name": "keep", **scope}]}
    play = player.run([{"hosting.platform.blueprint": {"blueprint": blueprint, "prune": ["projects"]}}])
    assert play.results[0]["summary"]["delete"] == 1
    assert [("project drop" in warning) for warning in told(play.tasks[0])] == ([] if scope else [True])


def test_a_task_of_the_own_scope_prunes_it_without_an_entry(player: Player) -> None:
    player.emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "drop"}])
    task = {"hosting.platform.blueprint": {"blueprint": {}, "own_scope": True, "prune": ["projects"]}}
    play = player.run([task])
    assert play.results[0]["summary"]["delete"] == 1
    assert told(play.tasks[0]) == []
