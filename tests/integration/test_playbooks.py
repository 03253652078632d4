# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The playbooks by name: their hosts, what they take without a word, and options as typed; and
roles in a loop.
"""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from environments import ROOT
from folders import write
from player import Player
from sampling import both_ways

PLAYBOOKS = sorted((ROOT / "playbooks").glob("*.yml"))


def test_all_playbooks_run_on_localhost() -> None:
    hosts = [yaml.safe_load(file.read_text(encoding="utf-8"))[0]["hosts"] for file in PLAYBOOKS]
    assert [file.stem for file in PLAYBOOKS] == ["converge", "export", "login", "validate"]
    assert set(hosts) == {"localhost"}


@pytest.mark.parametrize(
    ("playbook", "options"),
    [
        ("converge", {}),
        ("validate", {}),
        ("export", {"export_directory": "exported"}),
        (
            "login",
            {"login_email": "a@example.com", "login_token_name": "t", "login_token_path": "token"},
        ),
    ],
)
def test_a_playbook_takes_the_local_connection_whatever_the_inventory_says(
    player: Player, playbook: str, options: dict[str, str]
) -> None:
    write(player.folder, blueprint__projects="[]")
    inventory = ["-i", "localhost,", "-e", json.dumps(options), "--check"]
    play = player.run_file(
        Path(f"hosting.platform.{playbook}"), *inventory, ANSIBLE_SSH_EXECUTABLE="/bin/false"
    )
    assert {task.status for task in play.tasks} <= {"ok", "skipped"}


@pytest.mark.parametrize(
    "arguments",
    [[], ["-i", "here,there,", "-e", "target=nobody"], ["-e", "converge_directory=blueprint"]],
)
def test_validate_takes_the_directory_blueprint_or_the_given_one(
    player: Player, arguments: list[str]
) -> None:
    write(player.folder / "blueprint", projects="[]")
    play = player.run_file(Path("hosting.platform.validate"), *arguments)
    assert "0 entries in 1 file are valid." in play.output


@pytest.mark.parametrize(
    ("given", "teams"),
    [
        ({}, ["here"]),
        ({"converge_directory": "other"}, ["other"]),
        ({"converge_blueprint": {"teams": [{"slug": "given"}]}}, ["given"]),
    ],
)
def test_converge_takes_the_directory_blueprint_or_what_is_given(
    player: Player, given: Any, teams: list[str]
) -> None:
    write(player.folder, blueprint__teams="- slug: here", other__teams="- slug: other")
    player.run_file(Path("hosting.platform.converge"), "-e", json.dumps(given))
    assert [team["slug"] for team in player.emulator.state()["teams"]] == teams


@pytest.mark.parametrize(
    ("playbook", "option", "value"),
    [
        ("converge", "converge_directory", None),
        ("converge", "converge_directory", ""),
        ("converge", "converge_blueprint", None),
        ("converge", "converge_blueprint", ""),
        ("converge", "converge_blueprint", {}),
        ("validate", "converge_directory", None),
        ("validate", "converge_directory", ""),
    ],
)
def test_null_or_empty_is_given_and_fails(
    player: Player, playbook: str, option: str, value: Any
) -> None:
    write(player.folder, blueprint__teams="- slug: here")
    play = player.expecting_failure.run_file(
        Path(f"hosting.platform.{playbook}"), "-e", json.dumps({option: value})
    )
    (failed,) = [task.result["msg"] for task in play.tasks if task.status == "failed"]
    assert option in failed
    assert player.emulator.state()["teams"] == []


@pytest.mark.core_differences
@both_ways
def test_options_are_typed_as_on_a_command_line(player: Player, in_process: str) -> None:
    projects = [{"name": name, "team": "acme"} for name in ("prod-a", "b", "c")]
    player.emulator.seed(teams=[{"slug": "acme"}], projects=projects)
    write(player.folder, blueprint__projects="- {name: d, team: acme}")
    given = ["-e", "converge_prune=projects,aliases", "-e", "converge_limits=create=1,delete=4"]
    given += ["-e", "converge_protect='[\"prod-*\"]'"]
    player.run_file(
        Path("hosting.platform.converge"), *given, HOSTING_PLATFORM_IN_PROCESS=in_process
    )
    assert sorted(project["name"] for project in player.emulator.state()["projects"]) == [
        "d",
        "prod-a",
    ]


TEAMS = ["acme", "media"]


def test_each_item_has_its_own_run(player: Player) -> None:
    """The second one is refused, and nothing of the first is taken for its own."""
    blueprints = [
        {"teams": [{"slug": team}], "projects": [{"name": f"{team}-web", "team": team}]}
        for team in (*TEAMS, "press")
    ]
    limits: list[dict[str, Any]] = [{}, {"create": 0}, {}]
    converge = {
        "name": "Converge each",
        "ansible.builtin.include_role": {"name": "hosting.platform.converge"},
        "vars": {
            "converge_blueprint": "{{ item.0 }}",
            "converge_limits": "{{ item.1 }}",
            "converge_plan": "plan-{{ item.0.teams[0].slug }}.json",
        },
        "loop": [list(pair) for pair in zip(blueprints, limits, strict=True)],
    }
    play = player.run([converge], "-vv")
    assert sorted(team["slug"] for team in player.emulator.state()["teams"]) == ["acme", "press"]
    assert sorted(project["name"] for project in player.emulator.state()["projects"]) == [
        "acme-web",
        "press-web",
    ]
    assert all((player.folder / f"plan-{team}.json").is_file() for team in (*TEAMS, "press"))
    refused = [task.result["msg"] for task in play.tasks if task.status == "failed"]
    assert len(refused) == 1
    assert "converge_limits.create" in refused[0]
