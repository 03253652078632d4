# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every task ends as it should, whatever a coming ansible-core does with its private names."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from core_changes import CHANGES, DOCUMENTED_FOR_INVENTORIES, PRIVATE_NAMES
from core_edits import ELSEWHERE, PREPARED_ELSEWHERE, SILENT
from environments import CACHE, ROOT, collection_tree
from interpreters import chosen_core
from private_names import private_names
from scenarios import HERE

ME = {"email": "owner@example.com"}
WARNING = "validate_certs is false"
PROJECT = {"team": "acme", "name": "{{ item }}", "validate_certs": "{{ item != 'a' }}"}
TASKS: list[dict[str, Any]] = [
    {"hosting.platform.project": PROJECT, "loop": ["a", "b"], "register": "created"},
    {"hosting.platform.login_request": {**ME, "token_name": "job"}, "no_log": True},
    {"hosting.platform.project": {"team": "acme", "name": "a", "framework": "vue"}, "check_mode": True},
    {"hosting.platform.project": {"team": "acme", "name": "x" * 101}},
    {"ansible.builtin.debug": {"msg": ["{{ created }}"]}},
]
BEFORE_THE_FIRST_RUN = re.compile("in preparation|not proven")
FAST_PATH = ["plugin_utils/_in_process.py", "plugin_utils/_module_process.py", "module_utils/_run.py"]
FAST_PATH += ["module_utils/_worker.py", "module_utils/_secrets.py"]


def as_number(core: str) -> tuple[int, ...]:
    return tuple(map(int, core.split(".")))


def concerned() -> list[Any]:
    """The changes of this core. A name that is gone is the plainest of them: `make matrix` alone plays all of those."""
    core, in_full = as_number(chosen_core()), os.environ.get("EQUIVALENCE") == "full"
    return [
        change
        for change in CHANGES
        if as_number(change.since) <= core <= as_number(change.until)
        and (in_full or not change.name.endswith(("renamed", "moved")))
    ]


def test_the_list_is_complete():
    files = [ROOT / "plugins" / file for file in FAST_PATH]
    listed = {part for name in PRIVATE_NAMES for part in name.split(".")}
    assert {name for file in files for name in private_names([file])} <= listed
    assert private_names([ROOT / "plugins/inventory/projects.py"]) == DOCUMENTED_FOR_INVENTORIES


def test_every_private_name_is_changed():
    changed = " ".join(map(str, CHANGES))
    assert [name for name in PRIVATE_NAMES if name.split(".")[-1] not in changed] == []


@pytest.fixture
def ansible(player):
    """A copy of ansible-core for PYTHONPATH, linked file by file."""
    CACHE.mkdir(exist_ok=True)
    (original,) = player.bin.parent.glob("lib/python*/site-packages/ansible")
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        copy = Path(folder) / "ansible"
        shutil.copytree(original, copy, copy_function=os.link)
        yield copy


@pytest.mark.parametrize("change", concerned(), ids=str)
def test_every_task_ends_as_it_should(player, ansible, change):
    change.plant(ansible)
    player.emulator.seed(teams=[{"slug": "acme"}])
    path = os.pathsep.join([str(ansible.parent), str(collection_tree())])
    # What a task's environment holds has to arrive, too.
    tasks = [{**task, "environment": {"HOSTING_PLATFORM_ACCESS_TOKEN": player.emulator.token}} for task in TASKS]
    play = player.run(tasks, "-vvv", PYTHONPATH=path, HOSTING_PLATFORM_ACCESS_TOKEN=None)
    assert [task.status for task in play.tasks] == ["ok", "ok", "ok", "failed", "ok"], play.output
    created, asked, checked, refused, told = play.tasks
    assert [item["changed"] for item in created.result["results"]] == [True, True]
    # Until 2.18 core takes those of the items together.
    (registered,) = told.result["msg"]
    warnings = [item.get("warnings", []) for item in registered["results"]]
    assert WARNING in str(warnings[0] or registered["warnings"])
    assert [len(warnings[0] or registered["warnings"]), warnings[1]] == [1, []]
    assert [created.writes, asked.writes, checked.writes] == [["POST /projects"] * 2, ["POST /auth/signin"], []]
    assert checked.result["changed"]
    assert "100" in refused.result["msg"]
    assert not refused.requests
    assert _way(play.output) == change.way, play.output


def _way(output: str) -> str:
    """The way of all five runs, by what `-vvv` says."""
    said = re.findall(r"^(?:<\S+> )?hosting\.platform\.\w+: (in .*)$", output, flags=re.M)
    if not said:
        return SILENT
    elsewhere = [way for way in said if way != HERE]
    assert len(elsewhere or said) == 5, said
    if not elsewhere:
        return HERE
    return PREPARED_ELSEWHERE if all(BEFORE_THE_FIRST_RUN.search(way) for way in said) else ELSEWHERE
