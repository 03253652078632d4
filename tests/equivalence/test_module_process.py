# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces of a run in the worker: none, however it ends."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from environments import chosen_ansible_environment, collection_tree, variables

pytestmark = pytest.mark.xdist_group(__name__)

SCRIPT = Path(__file__).parent / "tools" / "leaves_nothing.py"
# How each ended: exit code, the exception that is the caller's, how often its warning is in its own result.
EXPECTED = {
    "exit_json": (0, "", 1),
    "exit_json again": (0, "", 1),
    "crash": (1, "", None),  # in which cores a dying module tells its warnings, the results' equality proves
    "exit": (3, "", 0),
    "timeout": (None, "Interrupted", 0),
    "crash before a request": (None, "RuntimeError", 0),
    "no such directory": (None, "FileNotFoundError", 0),
}


@pytest.fixture(scope="module")
def runs():
    folder = chosen_ansible_environment()
    done = subprocess.run(
        [folder / "python", SCRIPT],
        env=variables(folder, collection_tree(), LC_ALL="C.UTF-8"),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("ending", EXPECTED)
def test_nothing_is_left(runs, ending):
    rc, raised, warned = EXPECTED[ending]
    run = runs[ending]
    assert run["nothing left"]
    assert [run["shown"], run["rc"], run["raised"]] == ["", rc, raised]
    assert warned in (None, run["warned"])
    assert run["started"] == (ending != "no such directory")
