# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A role that is included in a loop does for each item what the item says, and leaves the loop's variable alone."""

from __future__ import annotations

from typing import Any

from playing import Player

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
        "vars": {"export_path": "live/{{ item }}", "export_teams": ["{{ item }}"]},
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
