# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever a coming ansible-core does with its private names, every task ends as it should."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from core_changes import CHANGES, SILENT
from environments import CACHE, collection_tree
from interpreters import chosen_core
from scenarios import HERE

ME = {"email": "owner@example.com"}
WARNING = "validate_certs is false"
PROJECT = {"team": "acme", "name": "{{ item }}", "validate_certs": "{{ item != 'a' }}"}
TASKS: list[dict[str, Any]] = [
    {"hosting.platform.project": PROJECT, "loop": ["a", "b"]},
    {"hosting.platform.login_request": {**ME, "token_name": "job"}, "no_log": True},
    {"hosting.platform.project": {"team": "acme", "name": "a", "framework": "vue"}, "check_mode": True},
    {"hosting.platform.project": {"team": "acme", "name": "x" * 101}},
]


def as_number(core: str) -> tuple[int, ...]:
    return tuple(map(int, core.split(".")))


CONCERNED = [
    change for change in CHANGES if as_number(change.since) <= as_number(chosen_core()) <= as_number(change.until)
]


@pytest.fixture
def ansible(player):
    """A copy of ansible-core for PYTHONPATH, linked file by file."""
    CACHE.mkdir(exist_ok=True)
    (original,) = player.bin.parent.glob("lib/python*/site-packages/ansible")
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        copy = Path(folder) / "ansible"
        shutil.copytree(original, copy, copy_function=os.link, ignore=shutil.ignore_patterns("__pycache__"))
        yield copy


@pytest.mark.parametrize("change", CONCERNED, ids=str)
def test_every_task_ends_as_it_should(player, ansible, change):
    change.plant(ansible)
    player.emulator.seed(teams=[{"slug": "acme"}])
    path = os.pathsep.join([str(ansible.parent), str(collection_tree())])
    # What a task's environment holds has to arrive, too.
    tasks = [{**task, "environment": {"HOSTING_PLATFORM_ACCESS_TOKEN": player.emulator.token}} for task in TASKS]
    play = player.run(tasks, "-vvv", PYTHONPATH=path, HOSTING_PLATFORM_ACCESS_TOKEN=None)
    assert [task.status for task in play.tasks] == ["ok", "ok", "ok", "failed"], play.output
    created, asked, checked, refused = play.tasks
    assert [item["changed"] for item in created.result["results"]] == [True, True]
    assert [len(item.get("warnings", [])) for item in created.result["results"]] == [1, 0]
    assert WARNING in str(created.result["results"][0]["warnings"])
    assert [created.writes, asked.writes, checked.writes] == [["POST /projects"] * 2, ["POST /auth/signin"], []]
    assert checked.result["changed"]
    assert "100" in refused.result["msg"]
    assert not refused.requests
    ways = set(re.findall(r"^<\S+> hosting\.platform\.\w+: (in .*)$", play.output, flags=re.M))
    if change.way == SILENT:
        assert ways == set()
    elif change.way == HERE:
        assert ways == {HERE}
    else:
        assert ways > {HERE} or (ways and HERE not in ways), ways
