# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plugin of pytest, which needs nothing but to be installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hosting_platform_emulator import HostingPlatform
from support import Api

TESTS = """
import json
import os
import urllib.request
import pytest

@pytest.mark.parametrize("number", range(24))
def test_each_starts_from_nothing(hosting_platform, number):
    with open(os.environ["PYTEST_XDIST_WORKER"], "a") as file:
        print(hosting_platform.base_url, file=file)
    variables = hosting_platform.environment
    request = urllib.request.Request(
        variables["HOSTING_PLATFORM_BASE_URL"] + "/projects",
        json.dumps({"name": "web"}).encode(),
        {"Authorization": "Bearer " + variables["HOSTING_PLATFORM_ACCESS_TOKEN"], "Content-Type": "application/json"},
    )
    assert json.load(urllib.request.urlopen(request))["name"] == "web"
    assert [project["name"] for project in hosting_platform.state()["projects"]] == ["web"]
    assert len(hosting_platform.requests()) == 1
    hosting_platform.switch(not_found=403)
    hosting_platform.fault("*", "reset", count=1000)
    hosting_platform.advance(1000)
"""


@pytest.mark.thorough
def test_eight_workers_do_not_clash(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-n", "8", "-q", "-W", "error", "-p", "no:schemathesis"]
    played = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert played.returncode == 0, played.stdout + played.stderr
    assert "24 passed" in played.stdout
    of_workers = [set(file.read_text().split()) for file in tmp_path.glob("gw*")]
    assert all(len(addresses) == 1 for addresses in of_workers), "one emulator serves all tests of a process"
    assert len(set().union(*of_workers)) == len(of_workers), "each process has an emulator of its own"


@pytest.mark.parametrize("turn", [1, 2])
def test_the_fixture_is_fresh_each_time(hosting_platform: HostingPlatform, turn: int) -> None:
    with Api(hosting_platform.base_url, hosting_platform.token) as api:
        assert hosting_platform.state()["projects"] == [], f"turn {turn}"
        assert api.get("/projects/none").status_code == 404
        api.new_project("web")
    hosting_platform.switch(not_found=403)
