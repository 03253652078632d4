# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The library requests, missing in Ansible's own Python, or everywhere."""

import os
import re
from pathlib import Path

from environments import collection_tree
from inventories import Inventory, squeezed
from player import Player
from sampling import both_ways

# Stands before the real one on the path, and is missing in programs whose name begins so.
STAND_IN = """
import importlib, os, sys

if os.path.basename(sys.argv[0]).startswith({!r}):
    raise ModuleNotFoundError("No module named 'requests'")
sys.path.remove(os.path.dirname(__file__))
del sys.modules["requests"]
sys.modules["requests"] = importlib.import_module("requests")
"""
ENSURE = {"hosting.platform.project": {"name": "web", "own_scope": True}}


def path_without_requests(folder: Path, programs: str) -> str:
    (folder / "requests.py").write_text(STAND_IN.format(programs))
    return os.pathsep.join([str(folder), str(collection_tree())])


def test_a_module_process_has_it_where_ansible_has_not(player: Player, tmp_path: Path) -> None:
    played = player.run([ENSURE], "-vvv", PYTHONPATH=path_without_requests(tmp_path, "ansible"))
    assert played.results[0]["changed"]
    assert "in a process of its own (no requests that can be used)" in played.output
    assert [project["name"] for project in player.emulator.state()["projects"]] == ["web"]


@both_ways
def test_missing_requests_library_is_named_with_the_python(
    player: Player, tmp_path: Path, in_process: str
) -> None:
    path = path_without_requests(tmp_path, "")
    played = player.run([ENSURE], PYTHONPATH=path, HOSTING_PLATFORM_IN_PROCESS=in_process)
    assert "failure" not in played.tasks[0].result
    assert "(requests)" in played.results[0]["msg"]
    assert re.search(
        r"Install it: /\S+/python[\d.]* -m pip install requests$", played.results[0]["msg"]
    )
    assert not player.emulator.requests()


def test_the_inventory_names_the_python_that_lacks_it(inventory: Inventory, tmp_path: Path) -> None:
    done = inventory.run(
        "-i", inventory.source(), "--list", PYTHONPATH=path_without_requests(tmp_path, "ansible")
    )
    said = f"The Python library requests is missing. Install it: {inventory.player.bin}/python"
    assert squeezed(said) in squeezed(done.stderr)
