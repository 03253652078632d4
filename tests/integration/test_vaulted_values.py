# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Vaulted values of a blueprint in all that a run tells: hidden where core marks them, and else in clear."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from interpreters import chosen_core
from playing import Player
from sampling import both_ways
from vaults import vaulted_value, with_password

from roles import OUTPUTS, role, write

pytestmark = pytest.mark.core_differences

# No part of these texts is one of the token: that is masked, marked or not.
SECRET, SHORT, INLINE = "run with a hidden flag", "s3c", "a hidden value of the play"
IS_MARKED = tuple(map(int, chosen_core().split("."))) >= (2, 19)


def play(player: Player, in_process: str, *arguments: str, wrong: str = "") -> Any:
    project = (
        f"- name: web\n  team: acme\n{wrong}"
        f"  build_command: {vaulted_value(SECRET)}  framework: {vaulted_value(SHORT)}"
        "  dev_command: '{{ inline }}'\n"
    )
    folder = write(player.folder / "blueprint", teams="- {slug: acme}\n", projects=project)
    task = yaml.safe_dump([role("converge", converge_directory=str(folder), **OUTPUTS)])
    playbook = player.folder / "playbook.yml"
    playbook.write_text(
        f"- hosts: localhost\n  gather_facts: false\n  vars:\n    inline: {vaulted_value(INLINE, 6)}"
        f"  tasks:\n{''.join(f'  {line}{chr(10)}' for line in task.splitlines())}"
    )
    arguments = (*with_password(player.folder), "-vvv", "--diff", *arguments)
    return player.run_file(playbook, *arguments, HOSTING_PLATFORM_IN_PROCESS=in_process)


def told(player: Player, played: Any) -> dict[str, str]:
    """All that the run has told, by its place."""
    files = {name: (player.folder / name).read_text(encoding="utf-8") for name in OUTPUTS.values()}
    return {**files, "output": played.output, "events": json.dumps([task.result for task in played.tasks])}


@both_ways
def test_vaulted_values_are_told_only_where_core_does_not_mark_them(player: Player, in_process: str) -> None:
    for arguments in (["--check"], []):
        played = play(player, in_process, *arguments)
        places = told(player, played)
        shown = {place for place, text in places.items() if SECRET in text or INLINE in text or f'"{SHORT}"' in text}
        assert shown == (set() if IS_MARKED else set(places))
        assert "build_command" in places["report.html"]
    (project,) = player.emulator.state()["projects"]
    assert [project[field] for field in ("buildCommand", "framework", "devCommand")] == [SECRET, SHORT, INLINE]
    assert len({entry["step"] for entry in json.loads(places["plan.json"])["results"] if entry["step"]}) == 2


@pytest.mark.skipif(not IS_MARKED, reason="this core does not mark vaulted values")
@both_ways
def test_vaulted_values_are_hidden_in_failures_and_warnings(player: Player, in_process: str) -> None:
    player.emulator.fail("POST /projects", "403")
    played = play(player.failing, in_process)
    wrong = play(player.failing, in_process, wrong="  framwork: x\n")
    for text in told(player, played).values():
        assert SECRET not in text
    assert SECRET not in wrong.output


@pytest.mark.skipif(not IS_MARKED, reason="this core does not mark vaulted values")
def test_approved_steps_are_those_of_the_values_themselves(player: Player) -> None:
    play(player, "true", "--check")
    (player.folder / "plan.json").rename(player.folder / "approved.json")
    play(player, "true", "-e", "converge_approved=approved.json")
