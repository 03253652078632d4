# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs that end early: by a task's timeout, Ctrl-C or a kill. They end at once, and nothing is sent
afterwards.
"""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from emulated import ControlledEmulator
from environments import collection_tree, variables
from inventories import Inventory
from player import Player

# The client's own patience, which nobody should have to share; the answers would come later still.
PATIENCE = 60
NEVER = 86_400
ACME = {"team": "acme"}
TWENTY = {"projects": [{"name": f"p{number}"} for number in range(20)]}


def test_threads_send_no_requests_after_a_task_timeout(player: Player) -> None:
    """The worker lives on for the next item of the loop, and so do the threads that wait for an
    answer.
    """
    player.emulator.seed(teams=[{"slug": "acme"}])
    player.emulator.plan_fault("POST /projects", "slow", count=10, delay=NEVER)
    player.emulator.plan_fault("GET /teams", "slow", skip=1, delay=NEVER)
    task = {
        "hosting.platform.blueprint": {
            **ACME,
            "blueprint": TWENTY,
            "workers": 2,
            # The threads of the first item give up waiting while the second item is under way.
            "timeout": 5,
        },
        "timeout": 4,
        "loop": [1, 2],
    }
    (played,) = player.run([task]).tasks
    sent = [request["operation"] for request in played.requests]
    assert sent == [
        "GET /teams",
        "GET /projects",
        "POST /projects",
        "POST /projects",
        "GET /teams",
    ]


def listen_to_ctrl_c() -> None:
    """As in a terminal: what a shell has started in the background ignores the signal, and so do
    its children.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_ends_an_inventory_at_the_first_press(
    emulator: ControlledEmulator, inventory: Inventory
) -> None:
    emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "web", **ACME}])
    emulator.plan_fault("GET /projects", "slow", count=10, delay=NEVER)
    emulator.forget_requests()
    player = inventory.player
    with subprocess.Popen(
        [
            player.bin / "ansible-inventory",
            "-i",
            inventory.source(teams=["acme"], timeout=PATIENCE),
            "--list",
        ],
        env={**variables(player.bin), **player.environment},
        cwd=player.folder,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=listen_to_ctrl_c,
    ) as process:
        wait_until(lambda: "GET /projects" in emulator.operations)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE / 2)
    assert time.monotonic() - start < PATIENCE / 4
    assert "Traceback" not in errors
    assert "User interrupted execution" in errors
    assert (process.returncode, output) == (99, "")


MANY = [f"p{number}" for number in range(400)]
WORKERS = 8
# The latency of each creation, and how many are waited for before the run is killed.
LATENCY = 0.02
BEFORE = 10
LONGEST = 60
BLUEPRINT = {
    "hosting.platform.blueprint": {
        "blueprint": {"projects": [{"name": name, "team": "acme"} for name in MANY]},
        "workers": WORKERS,
    }
}
LOOP = {"hosting.platform.project": {"name": "{{ item }}", "team": "acme"}, "loop": MANY}


def family(mark: str) -> set[int]:
    """The processes that have this text in their environment."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            state = (process / "stat").read_bytes().rpartition(b")")[2].split()[0]
            if state != b"Z" and mark.encode() in (process / "environ").read_bytes():
                found.add(int(process.name))
        except OSError:
            continue
    return found


@contextmanager
def playing(
    player: Player, task: dict[str, Any], **environment: str
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """The playbook under way, and a mark of all its processes."""
    mark = f"MARK_OF_THIS_RUN={player.folder}"
    variable, _equals, value = mark.partition("=")
    play = {
        "hosts": "localhost",
        "gather_facts": False,
        "vars": {"ansible_python_interpreter": "{{ ansible_playbook_python }}"},
        "tasks": [{**task, "environment": {variable: value}}],
    }
    playbook = player.folder / "playbook.yml"
    playbook.write_text(yaml.safe_dump([play]))
    given = {
        **variables(player.bin, collection_tree()),
        **player.environment,
        **environment,
        variable: value,
    }
    with subprocess.Popen(
        [player.bin / "ansible-playbook", playbook],
        env=given,
        cwd=player.folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
    ) as process:
        try:
            yield process, mark
        finally:
            for pid in family(mark):
                os.kill(pid, signal.SIGKILL)


def creations(player: Player) -> int:
    return sum(request["operation"] == "POST /projects" for request in player.emulator.requests())


def wait_until(is_so: Any) -> None:
    deadline = time.monotonic() + LONGEST
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds the processes in /proc")
@pytest.mark.parametrize(
    ("task", "before", "most"),
    [(BLUEPRINT, BEFORE, WORKERS), (LOOP, 3, 1)],
    ids=["blueprint", "loop"],
)
def test_killed_controller_stops_all_writes(
    player: Player, task: dict[str, Any], before: int, most: int
) -> None:
    player.emulator.seed(teams=[{"slug": "acme"}])
    player.emulator.plan_fault("POST /projects", "slow", count=10_000, delay=LATENCY)
    with playing(player, task) as (process, mark):
        wait_until(lambda: creations(player) >= before)
        process.kill()
        at_the_kill = creations(player)
        # Not waited for yet: as a zombie it has ended, too.
        wait_until(lambda: not family(mark))
        sent = creations(player)
    # Those that left between the kill and the count are among the first number, or in flight.
    assert sent - at_the_kill <= 2 * most
    assert sent < len(MANY) / 2


@pytest.mark.thorough
def test_a_job_of_its_own_outlives_its_controller(player: Player) -> None:
    """`async` without `poll` is there for that."""
    player.emulator.seed(teams=[{"slug": "acme"}])
    player.emulator.plan_fault("POST /projects", "slow", count=10_000, delay=LATENCY)
    task = {**BLUEPRINT, "async": LONGEST, "poll": 0}
    with playing(player, task, ANSIBLE_ASYNC_DIR=str(player.folder / "async")) as (process, mark):
        assert process.wait(LONGEST) == 0
        wait_until(lambda: not family(mark))
    assert len(player.emulator.state()["projects"]) == len(MANY)
