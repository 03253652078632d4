# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress is shown while it is made, and never on standard output, which may be for a machine to read."""

from __future__ import annotations

import json
import subprocess

from environments import variables
from playing import Player

# Two lines are told every two seconds.
SECONDS = 5


def test_progress_leaves_standard_output_to_the_callback(player: Player) -> None:
    player.emulator.seed(teams=[{"slug": "acme"}])
    player.emulator.fail("POST /projects", "slow", delay=SECONDS)
    blueprint = {"projects": [{"name": "slow"}, {"name": "quick"}]}
    task = {"hosting.platform.blueprint": {"team": "acme", "blueprint": blueprint, "workers": 1}}
    playbook = player.folder / "site.json"
    own = {"ansible_python_interpreter": "{{ ansible_playbook_python }}"}
    playbook.write_text(json.dumps([{"hosts": "localhost", "gather_facts": False, "vars": own, "tasks": [task]}]))
    done = subprocess.run(
        [player.bin / "ansible-playbook", playbook],
        env={**variables(player.bin), **player.environment, "ANSIBLE_STDOUT_CALLBACK": "machine"},
        cwd=player.folder,
        text=True,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=True,
    )
    assert json.loads(done.stdout)["localhost"]["changed"] == 1
    assert "blueprint: 0 of 2" in done.stderr
