# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The released files alone: the stories of the documentation, in a clean environment that knows no
checkout.
"""

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
from environments import COLLECTION, REQUIREMENTS, ROOT
from guides import Block, blocks
from interpreters import find_python, newest_core, preferred_python

TOKEN = "a-token-for-the-release-only"
# How this machine reaches a package index; nothing else of its environment is handed on.
PASSED_ON = re.compile(r"(PIP_|SSL_|REQUESTS_).*|(https?|no)_proxy", re.IGNORECASE)


class Newcomer:
    """Somebody with a home of their own, into which the released files were downloaded."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.collection = home / ".ansible/collections" / COLLECTION
        forward = {name: value for name, value in os.environ.items() if PASSED_ON.fullmatch(name)}
        path = f"{home}/venv/bin:/usr/local/bin:/usr/bin:/bin"
        self.environment = {
            **forward,
            "HOME": str(home),
            "PATH": path,
            "LANG": "C.UTF-8",
            "ANSIBLE_NOCOLOR": "true",
        }

    def run(self, command: str) -> str:
        """The output of a command that succeeds."""
        call = ["bash", "-c", command]
        done = subprocess.run(
            call, cwd=self.home, env=self.environment, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        assert str(ROOT) not in done.stdout
        return done.stdout


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Newcomer:
    newcomer = Newcomer(tmp_path_factory.mktemp("home"))
    (artifact,) = RELEASE.glob("hosting-platform-*.tar.gz")
    (wheel,) = RELEASE.glob("hosting_platform_emulator-*.whl")
    shutil.copy(wheel, newcomer.home)
    python = find_python(preferred_python(newest_core()))
    assert python
    subprocess.run([python, "-m", "venv", newcomer.home / "venv"], check=True)
    core = f"--quiet --constraint {REQUIREMENTS}/core-{newest_core()}.txt"
    newcomer.run(f"pip install {core} ansible-core requests")
    newcomer.run(f"pip install --quiet --constraint {REQUIREMENTS}/molecule.txt ./{wheel.name}")
    newcomer.run(f"ansible-galaxy collection install --no-deps {artifact}")
    return newcomer


@pytest.fixture
def platform(newcomer: Newcomer) -> Iterator[str]:
    """The address of an emulator of the wheel, and the newcomer's environment set to it."""
    program = newcomer.home / "venv/bin/hosting-platform-emulator"
    command: list[str | Path] = [program, "--port", "0", "--owner-token", TOKEN]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            base_url = process.stdout.readline().strip().removeprefix("listening on ")
            connection = {
                "HOSTING_PLATFORM_BASE_URL": base_url,
                "HOSTING_PLATFORM_ACCESS_TOKEN": TOKEN,
            }
            newcomer.environment |= connection
            yield base_url
        finally:
            process.terminate()


def state(platform: str) -> dict[str, list[dict[str, Any]]]:
    answer: dict[str, list[dict[str, Any]]] = requests.get(
        f"{platform}/_emulator/state", timeout=10
    ).json()
    return answer


def commands(block: Block) -> list[str]:
    """Those of a block of shell, but what is installed and set here already, and a login, which
    waits for a click.
    """
    lines = block.text.splitlines() if block.language == "shell" else []
    return [
        line
        for line in lines
        if not re.match("export |pip |ansible-galaxy |.* hosting.platform.login ", line)
    ]


def test_installed_versions_equal_the_released_ones(newcomer: Newcomer) -> None:
    newcomer.run("ansible-galaxy collection verify --offline hosting.platform")
    version = re.search(
        r"hosting\.platform +(\S+)", newcomer.run("ansible-galaxy collection list hosting.platform")
    )
    assert version
    assert newcomer.run("hosting-platform-emulator --version").strip() == version[1]
    assert "site-packages" in newcomer.run(
        "python -c 'import hosting_platform_emulator as it; print(it.__file__)'"
    )
    assert "MODULE hosting.platform.alias" in newcomer.run("ansible-doc hosting.platform.alias")


def test_the_quick_start(newcomer: Newcomer, platform: str) -> None:
    counts: list[str] = []
    for block in blocks(newcomer.collection / "docs/docsite/rst/guide_quick_start.rst"):
        if block.file:
            file = newcomer.home / block.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text)
        for command in commands(block):
            said = newcomer.run(command)
            counts += re.findall(r"changed=(\d)", said) if "site.yml" in command else []
    first, *others = counts
    assert first > "0"
    assert set(others) == {"0"}
    assert state(platform)["projects"]


def test_the_story_of_the_demo(newcomer: Newcomer, platform: str, tmp_path: Path) -> None:
    shutil.copytree(newcomer.collection / "examples/demo", tmp_path / "examples/demo")
    demo.story(newcomer.environment, tmp_path)
    report = (tmp_path / demo.REPORT).read_text(encoding="utf-8")
    assert "Drift report" in report
    assert len(state(platform)["projects"]) == 20
