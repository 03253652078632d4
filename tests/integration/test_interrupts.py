# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A task's `timeout` and Ctrl-C end at once, whatever the threads of a run are waiting for."""

from __future__ import annotations

import signal
import subprocess
import time
from typing import Any

import pytest
from emulated import Emulated
from environments import variables
from inventories import Inventory
from playing import Player
from sampling import both_ways

# The client's own patience, which nobody should have to share; the answers would come later still.
PATIENCE = 60
NEVER = 86_400
# A task's: it has asked by then, also where the machine is busy. A module has to start first.
TIMEOUTS = {"true": 4, "false": 8}
ACME = {"team": "acme"}


@both_ways
@pytest.mark.parametrize(
    ("module", "options", "awaited"),
    [
        (
            "blueprint",
            {**ACME, "blueprint": {"projects": [{"name": f"p{number}"} for number in range(20)]}},
            "POST /projects",
        ),
        pytest.param("blueprint_info", {"teams": ["acme"]}, "GET /projects", marks=pytest.mark.thorough),
    ],
    ids=["writing", "reading"],
)
def test_a_timeout_is_honoured(
    player: Player, module: str, options: dict[str, Any], awaited: str, in_process: str
) -> None:
    player.emulator.seed(teams=[{"slug": "acme"}])
    player.emulator.fail(awaited, "slow", count=100, delay=NEVER)
    timeout = TIMEOUTS[in_process]
    task = {f"hosting.platform.{module}": {**options, "timeout": PATIENCE}, "timeout": timeout}
    start = time.monotonic()
    play = player.run([task], HOSTING_PLATFORM_IN_PROCESS=in_process)
    assert time.monotonic() - start < PATIENCE / 2
    (played,) = play.tasks
    assert played.status == "failed"
    assert str(timeout) in played.result["msg"]
    # Known since ansible-core 2.19.
    assert played.result.get("timedout", {"period": timeout})["period"] == timeout
    assert {request["operation"] for request in played.requests} >= {awaited}


def test_nothing_is_sent_after_a_timeout(player: Player) -> None:
    """The worker lives on for the next item of the loop, and so do the threads that wait for an answer."""
    player.emulator.seed(teams=[{"slug": "acme"}])
    player.emulator.fail("POST /projects", "slow", count=10, delay=NEVER)
    player.emulator.fail("GET /teams", "slow", skip=1, delay=NEVER)
    task = {
        "hosting.platform.blueprint": {
            **ACME,
            "blueprint": {"projects": [{"name": f"p{number}"} for number in range(20)]},
            "workers": 2,
            # The threads of the first item give up waiting while the second item is under way.
            "timeout": 5,
        },
        "timeout": 4,
        "loop": [1, 2],
    }
    (played,) = player.run([task]).tasks
    sent = [request["operation"] for request in played.requests]
    assert sent == ["GET /teams", "GET /projects", "POST /projects", "POST /projects", "GET /teams"]


def listen_to_ctrl_c() -> None:
    """As in a terminal: what a shell has started in the background ignores the signal, and so do its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_ends_an_inventory_at_the_first_press(emulator: Emulated, inventory: Inventory) -> None:
    emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "web", **ACME}])
    emulator.fail("GET /projects", "slow", count=10, delay=NEVER)
    emulator.forget_requests()
    player = inventory.player
    with subprocess.Popen(
        [player.bin / "ansible-inventory", "-i", inventory.source(teams=["acme"], timeout=PATIENCE), "--list"],
        env={**variables(player.bin), **player.environment},
        cwd=player.folder,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=listen_to_ctrl_c,
    ) as process:
        while "GET /projects" not in {request["operation"] for request in emulator.requests()}:
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE / 2)
    assert time.monotonic() - start < PATIENCE / 4
    assert "Traceback" not in errors
    assert "User interrupted execution" in errors
    assert (process.returncode, output) == (99, "")
