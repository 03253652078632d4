# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The role converge: a directory, and the files that it writes."""

from __future__ import annotations

import base64
import html
import os
import re
import shlex
from pathlib import Path

import pytest
from playing import Player
from vaults import vaulted, with_password

from roles import OUTPUTS, Options, converge, handed, named, outcomes, play_on, role, write


@pytest.mark.core_differences
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


def test_each_output_is_looked_at_before_anything_is_asked(player: Player) -> None:
    (player.folder / "folder").mkdir()
    (player.folder / "link").symlink_to("elsewhere")
    outputs: Options = {"converge_markdown": "folder", "converge_plan": "report/plan.json", "converge_report": "link"}
    (player.folder / "report").touch()
    played = play_on(player.failing, converge(**outputs))
    (failed,) = [task for task in played.tasks if task.status == "failed"]
    assert failed.result["msg"].splitlines() == [
        f"converge_report cannot be written to {player.folder}/link: it is a symbolic link.",
        f"converge_markdown cannot be written to {player.folder}/folder: it is a directory.",
        f"converge_plan cannot be written to {player.folder}/report/plan.json: not a directory.",
    ]
    assert player.emulator.requests() == []


def test_output_that_somebody_else_has_put_there_is_ones_own_afterwards(player: Player) -> None:
    for name in OUTPUTS.values():
        path = player.folder / name
        path.write_text("x")
        path.chmod(0o666)
        if os.geteuid() == 0:
            os.chown(path, 65534, 65534)
    hard_link = player.folder / "linked"
    os.link(player.folder / "plan.json", hard_link)
    play_on(player, converge(check=True))
    umask = os.umask(0o022)
    os.umask(umask)
    for name in OUTPUTS.values():
        written = (player.folder / name).stat()
        assert (written.st_uid, written.st_mode & 0o777) == (os.geteuid(), 0o666 & ~umask)
    assert hard_link.read_text() == "x"


def test_the_environment_of_a_play_draws_no_warning(player: Player) -> None:
    write(player.folder, blueprint__projects="[]")
    roles = [role("converge", converge_directory="blueprint"), role("export", export_path="live")]
    play = {
        "hosts": "localhost",
        "gather_facts": False,
        "environment": {"HOSTING_PLATFORM_TIMEOUT": "20"},
        "tasks": roles,
    }
    assert "WARNING" not in player.run_plays([play]).output


@pytest.mark.core_differences
def test_outputs_may_have_variables_of_the_environment_be_numbers_or_none(player: Player) -> None:
    paths = {option: f"$HERE/{name}" for option, name in OUTPUTS.items()}
    some, number = converge(check=True, **paths), converge(check=True, **{**paths, "converge_report": 5})
    none = converge(converge_report="", converge_markdown="$EMPTY", converge_plan="")
    left_out: Options = dict.fromkeys(OUTPUTS, "{{ nowhere | default(omit) }}")
    played = play_on(player, some, number, none, converge(**left_out), HERE=str(player.folder / "here"), EMPTY="")
    assert {file.name for file in (player.folder / "here").iterdir()} == set(OUTPUTS.values())
    assert not (player.folder / "$HERE").exists()
    assert (player.folder / "5").read_text().startswith("<!DOCTYPE html>")
    of_files = [task for task in played.tasks if "outputs" in task.name and "Converge" not in task.name]
    assert [task.status for task in of_files] == ["ok"] * 4 + ["skipped"] * 4, "nothing is looked at for nothing"


def test_option_that_the_page_of_a_plan_names_applies_it(player: Player) -> None:
    """The command is repeated as it was, with its outputs, whose folders the check has made."""
    write(player.folder / "blueprint", teams="- slug: acme")
    options = [f"converge_{name}" for name in ("directory=blueprint", "report=new/report.html", "plan=new/a/plan.json")]
    playbook, command = Path("hosting.platform.converge"), [word for option in options for word in ("-e", option)]
    player.run_file(playbook, *command, "--check")
    page = html.unescape((player.folder / "new/report.html").read_text(encoding="utf-8"))
    (option,) = re.findall("<code>(-e .*)</code>", page)

    player.run_file(playbook, *command, *shlex.split(option))

    assert [team["slug"] for team in player.emulator.state()["teams"]] == ["acme"]
