# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The ids of steps on this ansible-core: those that a plain Python computes, so that any core's plan can be applied."""

from __future__ import annotations

from typing import Any

from blueprints import BEFORE_EVERY_CHANGE, EVERY_CHANGE, converge, steps
from playing import Player


def test_every_core_and_any_number_of_workers_give_the_same_ids(player: Player) -> None:
    player.emulator.seed(**BEFORE_EVERY_CHANGE)
    expected = steps(converge(player.emulator.base_url, EVERY_CHANGE, check_mode=True))
    task = {"blueprint": EVERY_CHANGE}
    tasks: list[dict[str, Any]] = [
        {"hosting.platform.blueprint": {**task, "workers": 1}, "check_mode": True},
        {"hosting.platform.blueprint": {**task, "workers": 8}, "check_mode": True},
        {
            "hosting.platform.blueprint": task,
            "check_mode": True,
            "environment": {"HOSTING_PLATFORM_IN_PROCESS": "false"},
        },
        {"hosting.platform.blueprint": {**task, "approved": expected}},
    ]
    *checks, run = player.run(tasks).results
    assert [check["steps"] for check in checks] == [expected] * 3
    assert steps(run) == expected
    assert run["steps"] == []
