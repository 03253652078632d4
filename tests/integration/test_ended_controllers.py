# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run that is killed stops: what `ansible-playbook` leaves behind sends nothing more."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from environments import collection_tree, variables
from playing import Player
from sampling import both_ways

MANY = [f"p{number}" for number in range(400)]
WORKERS = 8
# The latency of each creation, and how many are waited for before the run is killed.
LATENCY = 0.02
BEFORE = 10
PATIENCE = 15
BLUEPRINT = {
    "hosting.platform.blueprint": {
        "blueprint": {"projects": [{"name": name, "team": "acme"} for name in MANY]},
        "workers": WORKERS,
    }
}
LOOP = {"hosting.platform.project": {"name": "{{ item }}", "team": "acme"}, "loop": MANY}
BECOME = {"become": True, "become_method": "su"}


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
def playing(player: Player, task: dict[str, Any], **environment: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
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
    given = {**variables(player.bin, collection_tree()), **player.environment, **environment, variable: value}
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
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds the processes in /proc")
@pytest.mark.parametrize(
    ("task", "before", "most"),
    [(BLUEPRINT, BEFORE, WORKERS), (LOOP, 3, 1), ({**BLUEPRINT, **BECOME}, BEFORE, WORKERS)],
    ids=["blueprint", "loop", "become"],
)
@both_ways
def test_nothing_is_sent_after_the_controller_was_killed(
    player: Player, task: dict[str, Any], before: int, most: int, in_process: str
) -> None:
    if "become" in task and (os.geteuid() != 0 or not shutil.which("su")):
        pytest.skip("only root becomes root without a password")
    player.emulator.seed(teams=[{"slug": "acme"}])
    player.emulator.fail("POST /projects", "slow", count=10_000, delay=LATENCY)
    with playing(player, task, HOSTING_PLATFORM_IN_PROCESS=in_process) as (process, mark):
        wait_until(lambda: creations(player) >= before)
        process.kill()
        at_the_kill = creations(player)
        # Not waited for yet: as a zombie it has ended, too.
        wait_until(lambda: not family(mark))
        sent = creations(player)
    # Those that left between the kill and the count are among the first number, or in flight.
    assert sent - at_the_kill <= 2 * most
    assert sent < len(MANY) / 2


def test_a_job_of_its_own_outlives_its_controller(player: Player) -> None:
    """`async` without `poll` is there for that."""
    player.emulator.seed(teams=[{"slug": "acme"}])
    player.emulator.fail("POST /projects", "slow", count=10_000, delay=LATENCY)
    task = {**BLUEPRINT, "async": PATIENCE, "poll": 0}
    with playing(player, task, ANSIBLE_ASYNC_DIR=str(player.folder / "async")) as (process, mark):
        assert process.wait(PATIENCE) == 0
        wait_until(lambda: not family(mark))
    assert len(player.emulator.state()["projects"]) == len(MANY)
