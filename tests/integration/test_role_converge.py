# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The role converge: a directory and its report."""

from __future__ import annotations

import base64
import json

import pytest
from playing import Player
from vaults import vaulted, vaulted_value, with_password

from roles import Options, handed, named, outcomes, role, write

pytestmark = pytest.mark.core_differences


def test_directory_is_checked_converged_and_converged_again(player: Player) -> None:
    secret = vaulted_value("run api")
    directory = write(
        player.folder / "blueprint",
        teams="- {slug: acme, name: Acme}\n- {slug: media, name: '{{ media_name }}'}\n",
        projects="projects:\n- {name: web, team: acme}\n- name: api\n  team: acme\n  dev_command: " + secret,
        projects__media="- {name: site, team: media, build_command: !unsafe 'echo {{ media_name }}'}\n",
        projects__more=vaulted("- {name: news, team: media, framework: '{{ framework }}'}\n"),
        aliases__all="- {alias: www.example.com, project: web, team: acme}\n",
        domains="[]",
    )
    write(directory, **{"README.md": "Ours", ".hidden": "x"})
    converge: Options = {"converge_directory": str(directory), "converge_report": str(player.folder / "report.html")}
    page = {"ansible.builtin.slurp": {"src": converge["converge_report"]}, "check_mode": False}
    tasks = [role("converge", check=True, **converge), page]
    tasks += [role("converge", **converge), page, role("converge", **converge)]
    variables_given = {"media_name": "Media & Co", "framework": "astro"}

    play = player.run(tasks, "-e", json.dumps(variables_given), *with_password(player.folder), "--diff")

    check, run, again = outcomes(play)
    assert play.return_code == 0, play.output
    assert check["results"] == run["results"]
    assert [result["action"] for result in run["results"]] == ["create"] * 7
    assert run["changed"]
    assert not again["changed"]
    assert {result["action"] for result in again["results"]} == {"none"}
    assert {team["slug"]: team["name"] for team in player.emulator.state()["teams"]} == {
        "acme": "Acme",
        "media": "Media & Co",
    }
    stored = {project["name"]: project for project in player.emulator.state()["projects"]}
    assert stored["api"]["devCommand"] == "run api"
    assert stored["news"]["framework"] == "astro"
    assert stored["site"]["buildCommand"] == "echo {{ media_name }}"
    assert [task.writes for task in named(play, "Converge the platform")][::2] == [[], []]
    reports = named(play, "Write the outputs")
    assert [task.result["changed"] for task in reports] == [False] * 3
    assert not any(task.result.get("diff") for task in reports)
    assert [data["converge_summary"] for data in handed(play)] == [done["summary"] for done in (check, run, again)]
    drift, report = (task.result["content"] for task in play.tasks if "content" in task.result)
    titles = ["<h1>Plan<" in base64.b64decode(page).decode() for page in (drift, report)]
    assert titles == [True, False]
    lines = named(play, "Show the changes")
    names = (
        "team acme, team media, project web of acme, project api of acme, project site of media, project news of media"
    )
    names += ", alias www.example.com of acme"
    assert [task.result["msg"] for task in lines] == [
        f"{line} Written: {converge['converge_report']}."
        for line in (f"7 to create: {names}; 0 unchanged.", f"7 created: {names}; 0 unchanged.", "7 unchanged.")
    ]
    assert not any(task.result["changed"] for task in lines)
