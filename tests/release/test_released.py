# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The released files alone: the stories of the documentation, in a clean environment that knows no checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import demo
import pytest
import requests
from artifacts import RELEASE
from emulator_process import emulator
from environments import COLLECTION, REQUIREMENTS, ROOT
from galaxy_server import galaxy_server
from guides import Block, blocks
from interpreters import newest_core, python_for

TOKEN = "a-token-for-the-release-only"
# How this machine reaches a package index; nothing else of its environment is handed on.
PASSED_ON = re.compile(r"(PIP_|SSL_|REQUESTS_).*|(https?|no)_proxy", re.IGNORECASE)


class Newcomer:
    """Somebody with a home of their own, into which the released files were downloaded."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.bin = home / "venv/bin"
        self.collection = home / ".ansible/collections" / COLLECTION
        passed_on = {name: value for name, value in os.environ.items() if PASSED_ON.fullmatch(name)}
        path = os.pathsep.join([str(self.bin), "/usr/local/bin", "/usr/bin", "/bin"])
        self.environment = {**passed_on, "HOME": str(home), "PATH": path, "LANG": "C.UTF-8", "ANSIBLE_NOCOLOR": "true"}

    def run(self, command: str, folder: Path | None = None, **more: str) -> str:
        """The output of a command that succeeds."""
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder or self.home,
            env={**self.environment, **more},
            check=False,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}"
        assert str(ROOT) not in done.stdout
        return done.stdout

    def guide(self, name: str) -> Iterator[Block]:
        """The blocks of a page, as the released collection has it."""
        return blocks(self.collection / f"docs/docsite/rst/guide_{name}.rst")


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Newcomer:
    newcomer = Newcomer(tmp_path_factory.mktemp("home"))
    (artifact,) = RELEASE.glob("hosting-platform-*.tar.gz")
    (wheel,) = RELEASE.glob("hosting_platform_emulator-*.whl")
    shutil.copy(wheel, newcomer.home)
    subprocess.run([python_for(newest_core()), "-m", "venv", newcomer.home / "venv"], check=True)
    core = f"--quiet --constraint {REQUIREMENTS}/core-{newest_core()}.txt"
    newcomer.run(f"pip install {core} ansible-core requests")
    newcomer.run(f"pip install --quiet --constraint {REQUIREMENTS}/molecule.txt pytest ./{wheel.name}")
    with galaxy_server(artifact) as address:
        said = newcomer.run("ansible-galaxy collection install hosting.platform", ANSIBLE_GALAXY_SERVER=address)
    assert "was installed successfully" in said
    return newcomer


@pytest.fixture
def platform(newcomer: Newcomer) -> Iterator[str]:
    """The address of an emulator of the wheel, and the newcomer's environment set to it."""
    with emulator(newcomer.bin, TOKEN) as base_url:
        connection = {"HOSTING_PLATFORM_BASE_URL": base_url, "HOSTING_PLATFORM_ACCESS_TOKEN": TOKEN}
        newcomer.environment |= connection
        yield base_url


def state(platform: str) -> dict[str, list[dict[str, Any]]]:
    answer: dict[str, list[dict[str, Any]]] = requests.get(f"{platform}/_emulator/state", timeout=10).json()
    return answer


def commands(block: Block) -> list[str]:
    """Those of a block of shell, but what is installed and set here already."""
    lines = block.text.splitlines() if block.language == "shell" else []
    return [line for line in lines if not re.match("export |pip |ansible-galaxy ", line)]


def test_what_was_installed_is_what_was_released(newcomer: Newcomer) -> None:
    newcomer.run("ansible-galaxy collection verify --offline hosting.platform")
    version = re.search(r"hosting\.platform +(\S+)", newcomer.run("ansible-galaxy collection list hosting.platform"))
    assert version
    assert newcomer.run("hosting-platform-emulator --version").strip() == version[1]
    assert "site-packages" in newcomer.run("python -c 'import hosting_platform_emulator as it; print(it.__file__)'")
    assert "MODULE hosting.platform.alias" in newcomer.run("ansible-doc hosting.platform.alias")


def test_the_quick_start(newcomer: Newcomer, platform: str) -> None:
    playbook = newcomer.home / "site.yml"
    printed: list[str] = []
    for block in newcomer.guide("quick_start"):
        if block.file:
            playbook.write_text(block.text)
        for command in commands(block):
            if len(printed) == 3:
                playbook.write_text(playbook.read_text().replace("npm run build", "npm run build:production"))
            printed.append(newcomer.run(command))
    assert [re.findall(r"changed=(\d)", output) for output in printed[1:]] == [["2"], ["0"], ["1"], ["1"]]
    assert [project["buildCommand"] for project in state(platform)["projects"]] == ["npm run build:production"]


def test_the_guide_to_blueprints(newcomer: Newcomer, platform: str) -> None:
    folder = newcomer.home / "platform"
    said = ""
    for block in newcomer.guide("blueprint"):
        if block.file:
            (folder / block.file).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.file).write_text(block.text)
        for command in commands(block):
            said += newcomer.run(command, folder)
    assert "The platform has drifted.\n" in said
    assert "The run was refused.\n" in said
    assert "shop-admin" in [project["name"] for project in state(platform)["projects"]]


@pytest.mark.parametrize(("command", "passes"), [("pytest -q test_site.py", "1 passed"), ("sh test.sh", "nothing.")])
def test_the_tests_of_ones_own(newcomer: Newcomer, tmp_path: Path, command: str, passes: str) -> None:
    example = shutil.copytree(newcomer.collection / "examples/own_tests", tmp_path / "own_tests")
    assert passes in newcomer.run(command, example)


def test_the_story_of_the_demo(newcomer: Newcomer, platform: str, tmp_path: Path) -> None:
    shutil.copytree(newcomer.collection / "examples/demo", tmp_path / "examples/demo")
    demo.story(newcomer.environment, tmp_path)
    report = (tmp_path / demo.REPORT).read_text(encoding="utf-8")
    assert "Drift report" in report
    assert len(state(platform)["projects"]) == 20
