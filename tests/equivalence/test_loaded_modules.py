# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Workers load and compile nothing that could be there before they are forked: each task would do it anew."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

CALLBACKS = Path(__file__).parent / "callback_plugins"
ACME = {"team": "acme"}
BLUEPRINT = {"teams": [{"slug": "acme"}], "projects": [{"name": "b", **ACME}, {"name": "c", **ACME}]}
CORE, LAST = "a task of core", "the last task"
TASKS: dict[str, dict[str, Any]] = {
    CORE: {"ansible.builtin.debug": {"msg": ""}},
    "creates, and warns": {"hosting.platform.project": {**ACME, "name": "a", "validate_certs": False}},
    "changes with a diff": {"hosting.platform.project": {**ACME, "name": "a", "framework": "vue"}, "diff": True},
    "in check mode": {"hosting.platform.project": {**ACME, "name": "z"}, "check_mode": True},
    "a wrong option": {"hosting.platform.project": {**ACME, "name": "x" * 101}},
    "a failure of the service": {"hosting.platform.project_info": {"team": "nowhere"}},
    "a list": {"hosting.platform.project_info": ACME},
    "a blueprint": {"hosting.platform.blueprint": {"blueprint": BLUEPRINT}},
}


def test_nothing_is_loaded_in_a_worker(player, tmp_path):
    player.emulator.seed(teams=[{"slug": "acme", "name": "acme"}])
    player.emulator.fail("GET /projects", "503")
    file = tmp_path / "loaded"
    play = player.run(
        [{"name": name, **task} for name, task in {**TASKS, LAST: TASKS[CORE]}.items()],
        IMPORTS_FILE=str(file),
        ANSIBLE_CALLBACK_PLUGINS=os.pathsep.join([player.environment["ANSIBLE_CALLBACK_PLUGINS"], str(CALLBACKS)]),
        ANSIBLE_CALLBACKS_ENABLED="recorder,imports",
    )
    # The last worker may be ended before it has told anything: there is nothing to wait for.
    ends = ["ok", "ok", "ok", "ok", "failed", "failed", "ok", "ok", "ok"]
    assert [task.status for task in play.tasks] == ends, play.output
    loaded = dict(map(json.loads, file.read_text().splitlines()))
    # What core itself loads for every task; what is part of Python's own program; and the pattern that masks the token.
    free = {*loaded[CORE], *sys.builtin_module_names, f"pattern {re.escape(player.emulator.token)!r}"}
    assert {task: set(loaded[task]) - free for task in TASKS} == {task: set() for task in TASKS}
