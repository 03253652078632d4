# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The playbooks by name: their hosts, that they do not succeed on none, what they need; and roles in a loop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from environments import ROOT
from playing import Player

from roles import write

PLAYBOOKS = sorted((ROOT / "playbooks").glob("*.yml"))


def test_all_playbooks_choose_their_hosts_alike() -> None:
    hosts = [yaml.safe_load(file.read_text(encoding="utf-8"))[0]["hosts"] for file in PLAYBOOKS]
    assert [file.stem for file in PLAYBOOKS] == ["converge", "export", "login", "validate"]
    assert len(set(hosts)) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--limit", "nosuch"],
        ["-e", "target=nosuch"],
        ["-i", "here,there,", "-e", "target=here", "--limit", "there"],
        ["-i", "here,", "--limit", "here"],
    ],
)
def test_run_on_no_host_fails_and_says_so(player: Player, arguments: list[str]) -> None:
    done = player.execute([*player.command, "hosting.platform.converge", *arguments], {}, merged=True)

    assert done.returncode
    assert "There is no host to run on. The target is " in done.stdout
    assert "TASK [" not in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--limit", "localhost"],
        ["-i", "here,there,", "-c", "local", "-e", "target=here", "--limit", "here:there"],
        ["-i", "here,", "-c", "local", "-e", "target=all"],
        ["-i", "here,", "-c", "local", "-e", "target=here", "--limit", "@hosts"],
    ],
)
def test_run_on_a_host_runs(player: Player, arguments: list[str]) -> None:
    (player.folder / "hosts").write_text("here\n", encoding="utf-8")
    write(player.folder / "blueprint", projects="[]")

    play = player.run_file(Path("hosting.platform.validate"), "-e", "converge_directory=blueprint", *arguments)

    assert "0 entries are right, in 1 file." in play.output


TEAMS = ["acme", "media"]


def test_each_item_has_its_own_run(player: Player) -> None:
    """The second one is refused, and nothing of the first is taken for its own."""
    blueprints = [
        {"teams": [{"slug": team}], "projects": [{"name": f"{team}-web", "team": team}]} for team in (*TEAMS, "press")
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
        "loop": [list(pair) for pair in zip(blueprints, limits)],
    }
    export = {
        "name": "Export each",
        "ansible.builtin.include_role": {"name": "hosting.platform.export"},
        "vars": {"export_directory": "live/{{ item }}", "export_teams": ["{{ item }}"]},
        "loop": ["acme", "press"],
    }
    play = player.run([converge, export], "-vv")
    assert sorted(team["slug"] for team in player.emulator.state()["teams"]) == ["acme", "press"]
    assert sorted(project["name"] for project in player.emulator.state()["projects"]) == ["acme-web", "press-web"]
    assert all((player.folder / f"plan-{team}.json").is_file() for team in (*TEAMS, "press"))
    refused = [task.result["msg"] for task in play.tasks if task.status == "failed"]
    assert len(refused) == 1
    assert "converge_limits.create" in refused[0]
    for team in ("acme", "press"):
        assert f'"{team}-web"' in (player.folder / "live" / team / "projects.yml").read_text()
