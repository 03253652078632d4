# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One stage for all tests: the collection and a probe, played with the ansible-core of $CORE."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml
from both_ways import Stage
from emulated import Emulated
from environments import copy_of_checkout
from playing import Player

PROBE = Path(__file__).parent / "probe"
PROBE_IN_GROUPS = {"all": ["probe", "probe_info"], "team_scoped": ["probe"]}


@pytest.fixture(scope="session")
def stage(tmp_path_factory) -> Stage:
    collections = tmp_path_factory.mktemp("collections")
    collection = copy_of_checkout(str(collections), without={"docs", "emulator", "tests"})
    shutil.copytree(PROBE, collection, dirs_exist_ok=True)
    plugins = collection / "plugins"
    shutil.copy(plugins / "modules/probe.py", plugins / "modules/probe_info.py")
    for name in PROBE_IN_GROUPS["all"]:
        shutil.copy(plugins / "action/project.py", plugins / f"action/{name}.py")
    runtime = collection / "meta" / "runtime.yml"
    meta = yaml.safe_load(runtime.read_text())
    for group, modules in PROBE_IN_GROUPS.items():
        meta["action_groups"][group] += modules
    runtime.write_text(yaml.safe_dump(meta))
    return Stage(collections)


@pytest.fixture
def player(emulator: Emulated, tmp_path: Path) -> Player:
    return Player(emulator, tmp_path)
