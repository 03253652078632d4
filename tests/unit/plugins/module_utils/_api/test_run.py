# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker whose parent has ended writes nothing more, and ends."""

import os
import subprocess
import sys

import pytest
from client import make_api, make_project

from ansible_collections.hosting.platform.plugins.module_utils._api.run import Run

WORKER = """
import os, sys
from client import make_api
from ansible_collections.hosting.platform.plugins.module_utils._api.run import Run

api = make_api(sys.argv[1])
api.client.begin_run(Run(parent=os.getppid() + 1))
api.get_user()
print("has read", flush=True)
{write}
print("has written")
"""


@pytest.mark.parametrize(
    "write",
    [
        "api.create_project({'name': 'web'})",
        "api.update_project('web', {})",
        "api.delete_project('web')",
        "api.join_team('acme', {'inviteCode': 'code-0123456789'})",
    ],
)
def test_a_worker_whose_parent_has_ended_ends_before_it_writes(emulator, write):
    command = [sys.executable, "-c", WORKER.replace("{write}", write), emulator.base_url]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "has read\n", "")
    assert emulator.operations == ["GET /user"]


@pytest.mark.parametrize("parent", [None, os.getppid()])
def test_a_parent_that_lives_or_that_is_not_watched_stops_nothing(emulator, parent):
    api = make_api(emulator.base_url)
    api.client.begin_run(Run(parent=parent))
    assert make_project(api)["name"] == "web"
