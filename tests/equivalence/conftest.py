# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One stage for all tests: the collection and a probe, played with the ansible-core of $CORE."""

import shutil
from pathlib import Path

import pytest
import yaml
from both_ways import Stage
from environments import copy_of_checkout

PROBE = Path(__file__).parent / "probe"


@pytest.fixture(scope="session")
def stage(tmp_path_factory) -> Stage:
    collections = tmp_path_factory.mktemp("collections")
    collection = copy_of_checkout(str(collections), without={"docs", "emulator", "tests"})
    shutil.copytree(PROBE, collection, dirs_exist_ok=True)
    shutil.copy(collection / "plugins/action/project.py", collection / "plugins/action/probe.py")
    runtime = collection / "meta" / "runtime.yml"
    meta = yaml.safe_load(runtime.read_text())
    meta["action_groups"]["all"].append("probe")
    runtime.write_text(yaml.safe_dump(meta))
    return Stage(collections)
