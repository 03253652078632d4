# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sources of the inventory plugin, and forges, for every test."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from environments import collection_tree, variables
from github_forge import GitHub
from gitlab_forge import GitLab
from inventories import Inventory
from pipelines import SCHEMAS, Runner
from playing import Player
from sampling import sampled
from scripted import Answer, Asked, scripted

CONNECTION = ("HOSTING_PLATFORM_BASE_URL", "HOSTING_PLATFORM_ACCESS_TOKEN")


@pytest.fixture
def inventory(player: Player) -> Inventory:
    return Inventory(player)


def shipped_schema(asked: Asked) -> Answer:
    return Answer(body=(SCHEMAS / asked.target.rpartition("/")[2]).read_bytes())


@pytest.fixture
def runner(player: Player) -> Iterator[tuple[Runner, dict[str, str]]]:
    given = {**variables(player.bin, collection_tree()), **player.environment}
    connection = {name: given.pop(name) for name in CONNECTION}
    folder = player.folder / "runner"
    folder.mkdir()
    with scripted(shipped_schema) as schemas, tempfile.TemporaryDirectory() as temporary:
        yield Runner(folder, Path(temporary) / "job", given, schemas.base_url), connection


@pytest.fixture
def github(runner: tuple[Runner, dict[str, str]]) -> Iterator[GitHub]:
    if not (shutil.which("gh") or os.environ.get("CI")):
        pytest.skip("GitHub's command line is not installed")
    with GitHub(*runner).serving() as forge:
        yield forge


@pytest.fixture
def gitlab(runner: tuple[Runner, dict[str, str]]) -> Iterator[GitLab]:
    with GitLab(*runner).serving() as forge:
        yield forge


@pytest.fixture(params=sampled(["github", "gitlab"], 2))
def forge(request: pytest.FixtureRequest) -> GitHub | GitLab:
    found: GitHub | GitLab = request.getfixturevalue(request.param)
    return found
