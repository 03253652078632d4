# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The example of testing a playbook of one's own: it passes, and a mistake in the playbook fails it."""

from __future__ import annotations

import shutil
import socket
import subprocess
from pathlib import Path

import pytest
import yaml
from environments import ROOT, ansible_environment, development_environment, variables
from guides import GUIDES, blocks
from interpreters import chosen_core

EXAMPLE = ROOT / "examples/own_tests"


@pytest.mark.parametrize(
    ("right", "mistaken", "said"),
    [
        ("", "", "The second run changed nothing."),
        ("state: absent", "state: present", "Assertion failed"),
    ],
    ids=["as it is", "with a mistake"],
)
def test_the_example(tmp_path: Path, right: str, mistaken: str, said: str) -> None:
    example = shutil.copytree(EXAMPLE, tmp_path / "own_tests")
    playbook = example / "site.yml"
    playbook.write_text(playbook.read_text().replace(right, mistaken) if right else playbook.read_text())
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    environment = variables(ansible_environment(chosen_core()), EMULATOR_PORT=port)
    environment["PATH"] += f":{development_environment()}"
    done = subprocess.run(
        ["sh", example / "test.sh"],
        env=environment,
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert done.returncode == (2 if mistaken else 0), done.stdout
    assert said in done.stdout
    assert sorted(path.name for path in (example / "molecule/default").glob("emulator*")) == []


def test_the_guide_shows_the_files_as_they_are() -> None:
    shown = [block for block in blocks(GUIDES["own_tests"], "yaml") if block.file]
    assert [block.file for block in shown] == ["site.yml", "molecule/default/prepare.yml"]
    for block in shown:
        assert block.document == yaml.safe_load((EXAMPLE / str(block.file)).read_text())
