# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the collection's roles, and finds their output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playing import Play, Player

Options = dict[str, Any]


def role(name: str, check: bool = False, **options: Any) -> Options:
    include = {"name": f"hosting.platform.{name}", "apply": {"check_mode": check}}
    return {"ansible.builtin.include_role": include, "vars": options}


def write(folder: Path, **files: str) -> Path:
    for name, content in files.items():
        path = folder / name.replace("__", "/")
        path = path if path.suffix else path.with_suffix(".yml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def caught(task: Options) -> Options:
    """A task whose failure is recorded and does not end the play."""
    outcome = {"message": "{{ ansible_failed_result.msg }}"}
    return {"block": [task], "rescue": [{"name": "Caught", "ansible.builtin.set_fact": {"caught": outcome}}]}


def play_on(player: Player, tasks: list[Options], *arguments: str) -> Play:
    """Run tasks; unlike with the player's own ``run``, an uncaught failure ends the play."""
    return player.run_plays([{"hosts": "localhost", "gather_facts": False, "tasks": tasks}], *arguments)


def named(play: Play, name: str) -> list[Any]:
    """The tasks with that name, in order."""
    return [task for task in play.tasks if task.name.endswith(name)]


def outcomes(play: Play) -> list[Options]:
    """The results of the module in the role converge."""
    return [task.result for task in named(play, "Converge the platform")]


def messages_of_caught(play: Play) -> list[str]:
    return [task.result["ansible_facts"]["caught"]["message"] for task in named(play, "Caught")]
