# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress is shown while it is made, and never on standard output, which may be for a machine to read."""

from __future__ import annotations

import json

from playing import Player

# Two lines are told every two seconds.
SECONDS = 5


def test_progress_leaves_standard_output_to_the_callback(player: Player) -> None:
    player.emulator.seed(teams=[{"slug": "acme"}])
    player.emulator.fail("POST /projects", "slow", delay=SECONDS)
    blueprint = {"projects": [{"name": "slow"}, {"name": "quick"}]}
    task = {"hosting.platform.blueprint": {"team": "acme", "blueprint": blueprint, "workers": 1}}
    play = {"hosts": "localhost", "gather_facts": False, "tasks": [task]}
    playbook = player.folder / "site.json"
    playbook.write_text(json.dumps([play]))
    done = player.execute([*player.command, playbook], {"ANSIBLE_STDOUT_CALLBACK": "machine"})
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["localhost"]["changed"] == 1
    assert "blueprint: 0 of 2" in done.stderr
