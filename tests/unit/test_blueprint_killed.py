# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run that is killed while any of its requests is under way, and the next run: nothing twice, nothing missing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from blueprints import BUILD, START, comparable, converge

SECONDS_UNTIL_UNDER_WAY = 20
# Longer than the emulator lives: it must not be processed later, in the middle of another test.
SECONDS_UNDER_WAY = 86_400
RUN = """
import json, sys
from blueprints import converge
converge(sys.argv[1], json.loads(sys.argv[2]), workers=2)
"""


def kill_at(running, index: int) -> None:
    """Let a run die by SIGKILL while its request with this index is not answered yet."""
    running.fail("*", "slow", skip=index, delay=SECONDS_UNDER_WAY)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", RUN, running.base_url, json.dumps(BUILD)], env=environment) as run:
        deadline = time.monotonic() + SECONDS_UNTIL_UNDER_WAY
        while len(running.requests) <= index and time.monotonic() < deadline:
            assert run.poll() is None, "the run ended before its request"
            time.sleep(0.01)
        os.kill(run.pid, signal.SIGKILL)
    assert run.returncode == -signal.SIGKILL


@pytest.fixture(scope="module")
def wanted(running):
    """The state that an undisturbed run ends in, and how many requests it sends."""
    running.reset()
    running.seed(**START)
    running.forget_requests()
    converge(running.base_url, BUILD, workers=2)
    return comparable(running.state), len(running.requests)


REQUESTS = 11


@pytest.mark.parametrize("index", range(REQUESTS))
def test_a_killed_run_is_completed_by_the_next(running, wanted, index):
    state, requests = wanted
    assert requests == REQUESTS
    running.reset()
    running.seed(**START)
    running.forget_requests()
    kill_at(running, index)
    running.recover()
    converge(running.base_url, BUILD)
    assert comparable(running.state) == state
    assert converge(running.base_url, BUILD)["changed"] is False
