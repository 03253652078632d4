# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The role export, by itself and followed by converge, and the playbooks of both."""

from __future__ import annotations

import json
from pathlib import Path

import yaml
from odd_platform import ODD_TEXTS, seed_odd_platform
from playing import Player

from ansible_collections.hosting.platform.plugins.plugin_utils._schemas import schema_address
from roles import named, outcomes, play_on, role


def test_export_changes_nothing_when_converged(player: Player) -> None:
    path = player.folder / "live"
    export = role("export", export_path=str(path))
    check = role("export", check=True, export_path=str(path))
    converge = role("converge", converge_directory=str(path), converge_report=str(player.folder / "report.html"))
    seed_odd_platform(player)

    play = player.run([check, {"ansible.builtin.stat": {"path": str(path)}}, export, export, converge], "--diff", "-v")

    writes = [[item["changed"] for item in task.result["files"]] for task in named(play, "Write the files")]
    assert writes == [[True] * 3, [True] * 3, [False] * 3], play.output
    lines = [task.result["msg"] for task in named(play, "Show what was written")]
    assert [line.partition(", of which ")[2] for line in lines] == ["3 changed.", "3 changed.", "0 changed."]
    assert not next(task.result["stat"]["exists"] for task in play.tasks if "stat" in task.result)
    (outcome,) = outcomes(play)
    assert not outcome["changed"], outcome
    assert outcome["summary"]["none"] == 4 * len(ODD_TEXTS) + 2, "each project brings an alias"
    assert player.emulator.writes == []
    assert play.return_code == 0
    assert [file for file in player.folder.rglob("*") if file.name.lower() == "executed"] == []
    text = (path / "projects.yml").read_text(encoding="utf-8")
    assert "ümläut 🚀 \\u202eevil" in text
    assert '!unsafe "{{ lookup' in text
    assert 'name: "0123"' in text
    exported = yaml.safe_load(text.replace("!unsafe ", ""))
    assert sorted(entry["build_command"] for entry in exported if "build_command" in entry) == sorted(ODD_TEXTS)


def test_export_by_team_changes_nothing_when_converged(player: Player) -> None:
    path = player.folder / "live"
    seed_odd_platform(player)
    export = role("export", export_path=str(path), export_layout="teams")

    play = play_on(player, [export, role("converge", converge_directory=str(path))])

    assert play.return_code == 0, play.output
    (outcome,) = outcomes(play)
    assert not outcome["changed"], outcome
    assert outcome["summary"]["none"] == 4 * len(ODD_TEXTS) + 2
    files = sorted(file.relative_to(path).as_posix() for file in path.rglob("*.yml"))
    assert files == [
        *(f"acme/{kind}.yml" for kind in ("aliases", "projects", "teams")),
        *(f"own-scope/{kind}.yml" for kind in ("aliases", "projects")),
    ]
    assert [file for file in player.folder.rglob("*") if file.name.lower() == "executed"] == []
    (line,) = (task.result["msg"] for task in named(play, "Show what was written"))
    projects = 2 * len(ODD_TEXTS)
    assert line == f"{path}: teams 1, projects {projects}, aliases {projects + 1}, in 5 files, of which 5 changed."


def test_playbooks_by_name(player: Player) -> None:
    """An empty platform, exported, converged with what is pruned protected."""
    live = player.folder / "live"
    exported = player.run_file(Path("hosting.platform.export"), "-e", "export_path=live")
    assert exported.return_code == 0, exported.output
    names = ("teams.yml", "projects.yml", "aliases.yml")
    assert {file.name: file.read_text() for file in live.iterdir()} == {
        name: f"# yaml-language-server: $schema={schema_address(name.removesuffix('.yml'))}\n---\n[]\n"
        for name in names
    }
    player.emulator.seed(
        teams=[{"slug": "acme"}], projects=[{"name": name, "team": "acme"} for name in ("old", "prod-old", "kept")]
    )
    (live / "teams.yml").write_text("- {slug: acme}")
    (live / "projects.yml").write_text("- {name: kept, team: acme}")
    values = {"converge_directory": "live", "converge_prune": ["projects"], "converge_protect": ["prod-*"]}
    target = {"target": "here", "ansible_python_interpreter": "{{ ansible_playbook_python }}"}
    given = ("-i", "here,", "-c", "local", "-e", json.dumps({**values, **target}), "--tags", "converge")

    play = player.run_file(Path("hosting.platform.converge"), *given)

    (outcome,) = outcomes(play)
    actions = {result["name"]: result["action"] for result in outcome["results"]}
    assert actions == {"acme": "none", "kept": "none", "old": "delete", "prod-old": "skip"}
    assert play.return_code == 0, play.output
