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
    playbook = player.folder / "site.json"
    playbook.write_text(json.dumps([{"hosts": "localhost", "gather_facts": False, "tasks": [task]}]))
    done = player.execute([*player.command, playbook], {})
    assert done.returncode == 0, done.stderr
    assert "changed=1" in done.stdout
    assert "0 of 2" not in done.stdout
    assert "blueprint: 0 of 2" in done.stderr
