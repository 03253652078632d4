# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostile text in every field of every kind: nothing of it runs, and nothing of it acts on a terminal."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hostile import Canary, active_characters, canary
from player import Player

from roles import OUTPUTS, converge, outcomes, role

pytestmark = pytest.mark.core_differences

FIELDS = (
    "alias",
    "buildCommand",
    "devCommand",
    "installCommand",
    "framework",
    "outputDirectory",
    "commandForIgnoringBuildStep",
)
TEAMS = 3
PROJECTS = 70


def seed(player: Player, evil: Canary) -> None:
    """Two thousand hostile texts."""
    names = {evil.name() for _number in range(PROJECTS)}
    teams = [{"slug": f"{evil.name()}{number:03}", "name": evil.name()} for number in range(TEAMS)]
    scopes = [{}, *({"team": team["slug"]} for team in teams)]
    hosts = (text for text in evil.texts if "/" not in text and text.strip("."))
    projects = [
        {
            "name": name,
            **{field: next(evil.texts) for field in FIELDS},
            "alias": next(hosts),
            **scopes[number % len(scopes)],
        }
        for number, name in enumerate(sorted(names))
    ]
    aliases = [
        {"alias": f"{next(hosts)}{number:03}", "project": project["name"], **scopes[number % len(scopes)]}
        for number, project in enumerate(projects)
    ]
    domains = [{"name": f"{next(evil.texts)}{number:03}", **scopes[number % len(scopes)]} for number in range(PROJECTS)]
    player.emulator.seed(teams=teams, projects=projects, aliases=aliases, domains=domains)


def test_export_of_hostile_text_converges_without_changes(player: Player) -> None:
    given: dict[str, Any] = {"converge_blueprint": None, "converge_directory": "live"}
    with canary(1) as evil:
        seed(player, evil)
        tasks = [role("export", export_directory="live"), converge(check=True, **given), converge(**given)]
        done = outcomes(player.run(tasks))
        assert evil.canary_files == []
    assert [{result["action"] for result in one["results"]} for one in done] == [{"none"}] * 2
    assert [len(one["results"]) for one in done] == [TEAMS + 2 * PROJECTS] * 2, "own aliases are no entries"
    assert player.emulator.writes == []


def test_plan_of_hostile_text_has_no_side_effects(player: Player) -> None:
    live: dict[str, Any] = {"hosting.platform.blueprint_info": {}, "register": "live"}
    projects = "{{ live.blueprint.projects | map('combine', {'framework': '-{{ x }}', 'build_command': '\x1b'}) }}"
    blueprint = {"teams": "{{ live.blueprint.teams }}", "projects": projects, "aliases": []}
    given: dict[str, Any] = {
        "converge_blueprint": blueprint,
        "converge_prune": ["aliases"],
        "converge_prune_limit": 100,
    }
    with canary(2) as evil:
        seed(player, evil)
        played = player.run([live, converge(check=True, **given), converge(**given)], "--diff")
        assert evil.canary_files == []
    told = [(player.folder / name).read_text(encoding="utf-8") for name in OUTPUTS.values()]
    assert active_characters("".join([played.output, *told])) == set()
    stored = {project["name"] for project in player.emulator.state()["projects"]}
    assert stored <= {result["name"] for result in json.loads(told[-1])["results"]}
    planned, done = ([result["action"] for result in one["results"]] for one in outcomes(played))
    assert planned == done
    assert planned.count("update") == PROJECTS
    # Those of the own scope, a quarter, are never pruned.
    assert planned.count("delete") >= PROJECTS * TEAMS // (TEAMS + 1)
