# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""On macOS no forked process looks up a name or a proxy: every task gets a process of its own."""

from __future__ import annotations

from playing import Player

# Ansible as it is there: the look-ups of a forked process end it. A module process is another Python, and knows better.
MACOS = """
import os, socket, sys, urllib.request
from ansible.cli import playbook

def crash(*_details, **_more):
    os.abort()

def forked():
    socket.getaddrinfo = urllib.request.getproxies = crash

sys.platform = "darwin"
os.register_at_fork(after_in_child=forked)
playbook.main(sys.argv)
"""


def test_every_task_gets_a_process_of_its_own(player: Player) -> None:
    """Also where a variable names an empty proxy."""
    player.emulator.seed(teams=[{"slug": "acme"}])
    task = {"hosting.platform.project": {"team": "acme", "name": "{{ item }}"}, "loop": ["a", "b"]}
    player.command = [player.bin / "python", "-c", MACOS]
    play = player.run([task], "-vvv", http_proxy="", NO_PROXY="127.0.0.1")
    assert play.output.count("in a process of its own (macOS") == 2
    assert player.emulator.writes == ["POST /projects"] * 2
