# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs that are killed with SIGKILL during one of their requests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

from emulated import Emulated

SECONDS_UNTIL_UNDER_WAY = 20
# Longer than the emulator's lifetime, so that the request is not processed later, during another test.
SECONDS_UNDER_WAY = 86_400
RUN = """
import json, sys
from blueprints import converge
base_url, given = sys.argv[1:]
converge(base_url, **json.loads(given))
"""


def kill_at(emulator: Emulated, index: int, **given: Any) -> None:
    """Kill a run of a blueprint while its request with this index is pending."""
    emulator.fail("*", "slow", skip=index, delay=SECONDS_UNDER_WAY)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", RUN, emulator.base_url, json.dumps(given)]
    with subprocess.Popen(command, env=environment) as run:
        deadline = time.monotonic() + SECONDS_UNTIL_UNDER_WAY
        while len(emulator.requests()) <= index and time.monotonic() < deadline:
            assert run.poll() is None, "the run ended before its request"
            time.sleep(0.01)
        os.kill(run.pid, signal.SIGKILL)
    assert run.returncode == -signal.SIGKILL
