# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that the role converge writes."""

from __future__ import annotations

import html
import os
import re
import shlex
from pathlib import Path

from playing import Player

from roles import OUTPUTS, Options, converge, play_on, write


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


def test_nothing_is_looked_at_where_nothing_is_written(player: Player) -> None:
    played = play_on(player, converge(converge_report="", converge_markdown="$EMPTY", converge_plan=""), EMPTY="")
    of_files = [task for task in played.tasks if "outputs" in task.name and "Converge" not in task.name]
    assert [task.status for task in of_files] == ["skipped", "skipped"]


def test_outputs_may_have_variables_of_the_environment(player: Player) -> None:
    paths = {option: f"$HERE/{name}" for option, name in OUTPUTS.items()}
    play_on(player, converge(check=True, **paths), HERE=str(player.folder / "here"))
    assert {file.name for file in (player.folder / "here").iterdir()} == set(OUTPUTS.values())
    assert not (player.folder / "$HERE").exists()


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
