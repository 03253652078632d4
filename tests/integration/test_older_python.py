# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A module whose Python is too old says so in one sentence, wherever ansible-core would run it."""

from pathlib import Path
from typing import Any

import pytest
from environments import ROOT
from interpreters import OLDEST_MODULE_PYTHON, chosen_core, find_python
from player import Player

# The oldest Python on which an ansible-core runs modules, as long as that is older than ours.
OLDEST_OF_CORE = {"2.16": (3, 6), "2.17": (3, 7), "2.18": (3, 8), "2.19": (3, 8)}
# What the action plugin wants to know before it starts a process.
OPTIONS: dict[str, Any] = {"blueprint": {"blueprint": {}}}
# This one runs on the control node alone.
MODULES = sorted(
    {path.stem for path in Path(ROOT, "plugins/modules").glob("*.py")} - {"blueprint_validate"}
)


@pytest.mark.core_differences
@pytest.mark.parametrize(
    "minor", [6, *(pytest.param(minor, marks=pytest.mark.thorough) for minor in (7, 8))]
)
def test_every_module_says_that_its_python_is_too_old(player: Player, minor: int) -> None:
    python = find_python(f"3.{minor}")
    if not python or (3, minor) < OLDEST_OF_CORE.get(chosen_core(), (3, 9)):
        pytest.skip(f"no Python 3.{minor} here, or not with this ansible-core")
    tasks: list[dict[str, Any]] = [
        {f"hosting.platform.{name}": OPTIONS.get(name, {})} for name in MODULES
    ]
    for task in tasks:
        task["vars"] = {"ansible_python_interpreter": str(python)}
    for played in player.run(tasks).tasks:
        words = f"need Python {OLDEST_MODULE_PYTHON} or newer, but {python} is Python 3.{minor}."
        assert words in played.result["msg"]
        assert played.result["msg"].endswith(": set ansible_python_interpreter to another one.")
        assert "failure" not in played.result
        assert played.requests == []
