# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests play forks of an ansible-core that is loaded once: they do what processes of their own would do."""

from __future__ import annotations

from typing import Any

import pytest
from playing import Play, Player

pytestmark = pytest.mark.core_differences

TASKS: list[dict[str, Any]] = [
    {"hosting.platform.project": {"team": "acme", "name": "{{ item }}"}, "loop": ["a", "b"]},
    {"hosting.platform.project": {"team": "nobody", "name": "a"}},
    {"ansible.builtin.debug": {"msg": "{{ lookup('ansible.builtin.env', 'HOSTING_PLATFORM_WORD') }}"}},
    {"ansible.builtin.copy": {"content": "a file of the play's own", "dest": "{{ playbook_dir }}/written"}},
]


def played(player: Player, **environment: str) -> Play:
    player.emulator.reset()
    player.emulator.seed(teams=[{"slug": "acme"}])
    (player.folder / "written").unlink(missing_ok=True)
    return player.run(TASKS, HOSTING_PLATFORM_WORD="heard", **environment)


def test_a_fork_does_what_a_process_of_its_own_does(player: Player) -> None:
    forked = played(player)
    # A variable that is not usual has it started anew.
    started = played(player, ANSIBLE_FORKS="4")
    assert forked.return_code == started.return_code
    assert [task.status for task in forked.tasks] == [task.status for task in started.tasks]
    assert "ok" in {task.status for task in forked.tasks}
    assert "failed" in {task.status for task in forked.tasks}
    assert [task.writes for task in forked.tasks] == [task.writes for task in started.tasks]
    assert forked.results[2]["msg"] == started.results[2]["msg"] == "heard"
    assert forked.output == started.output


def test_forks_share_nothing(player: Player) -> None:
    first, second = played(player), played(player)
    assert [task.status for task in first.tasks] == [task.status for task in second.tasks]
    assert first.output == second.output
    assert not [path for path in player.folder.iterdir() if "{{" in path.name], "a setting that was not templated"
