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


def test_forks_do_what_a_process_of_its_own_does_and_share_nothing(player: Player) -> None:
    forked, again = played(player), played(player)
    # A variable that is not usual has it started anew.
    started = played(player, ANSIBLE_FORKS="4")
    statuses = [task.status for task in started.tasks]
    assert {"ok", "failed"} <= set(statuses)
    for fork in (forked, again):
        assert [task.status for task in fork.tasks] == statuses
        assert [task.writes for task in fork.tasks] == [task.writes for task in started.tasks]
        assert fork.results[2]["msg"] == started.results[2]["msg"] == "heard"
        assert fork.output == started.output
    assert not [path for path in player.folder.iterdir() if "{{" in path.name], "a setting that was not templated"
