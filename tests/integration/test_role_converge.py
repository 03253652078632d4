# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The role converge: a directory and its report."""

from __future__ import annotations

import base64

import pytest
from playing import Player
from vaults import vaulted, with_password

from roles import Options, handed, named, outcomes, role, write

pytestmark = pytest.mark.core_differences


def test_directory_is_checked_converged_and_converged_again(player: Player) -> None:
    """What else may be in a directory, the tests of the lookup know that reads it."""
    directory = write(
        player.folder / "blueprint",
        teams="- {slug: media, name: '{{ media_name }}'}\n",
        projects__media=vaulted("- {name: site, team: media, build_command: !unsafe 'echo {{ media_name }}'}\n"),
        aliases__all="- {alias: www.example.com, project: site, team: media}\n",
    )
    converge: Options = {"converge_directory": str(directory), "converge_report": str(player.folder / "report.html")}
    page = {"ansible.builtin.slurp": {"src": converge["converge_report"]}, "check_mode": False}
    tasks = [role("converge", check=True, **converge), page]
    tasks += [role("converge", **converge), page, role("converge", **converge)]

    play = player.run(tasks, "-e", "media_name='Media & Co'", *with_password(player.folder), "--diff")

    check, run, again = outcomes(play)
    assert check["results"] == run["results"]
    assert [[result["action"] for result in done["results"]] for done in (run, again)] == [["create"] * 3, ["none"] * 3]
    assert (run["changed"], again["changed"]) == (True, False)
    (team,), (project,) = (player.emulator.state()[kind] for kind in ("teams", "projects"))
    assert (team["name"], project["buildCommand"]) == ("Media & Co", "echo {{ media_name }}")
    assert [task.writes for task in named(play, "Converge the platform")][::2] == [[], []]
    reports = named(play, "Write the outputs")
    assert [task.result["changed"] for task in reports] == [False] * 3
    assert not any(task.result.get("diff") for task in reports)
    assert [data["converge_summary"] for data in handed(play)] == [done["summary"] for done in (check, run, again)]
    drift, report = (task.result["content"] for task in play.tasks if "content" in task.result)
    titles = ["<h1>Plan<" in base64.b64decode(page).decode() for page in (drift, report)]
    assert titles == [True, False]
    lines = named(play, "Show the changes")
    names = "team media, project site of media, alias www.example.com of media"
    assert [task.result["msg"] for task in lines] == [
        f"{line} Written: {converge['converge_report']}."
        for line in (f"3 to create: {names}; 0 unchanged.", f"3 created: {names}; 0 unchanged.", "3 unchanged.")
    ]
    assert not any(task.result["changed"] for task in lines)
