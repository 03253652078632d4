# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The example of testing a playbook of one's own: it passes, and a mistake in the playbook fails it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from environments import ROOT, ansible_environment, development_environment, variables
from guides import GUIDES, blocks
from interpreters import chosen_core

EXAMPLE = ROOT / "examples/own_tests"


ANOTHER_HOST = """
- name: Have another host
  hosts: localhost
  gather_facts: false
  tasks:
    - name: Add it
      ansible.builtin.add_host:
        name: another
        ansible_connection: local
        ansible_python_interpreter: "{{ ansible_playbook_python }}"
      changed_when: false

- name: Change it each time
  hosts: another
  gather_facts: false
  tasks:
    - name: Change it
      ansible.builtin.command: "true"
      changed_when: true
"""


def played(folder: Path, edit: Callable[[str], str] = str, port: int = 0, emulator: bool = True) -> tuple[int, str]:
    """Return code and output of the example's test, whose playbook is edited before."""
    example = shutil.copytree(EXAMPLE, folder / "own_tests")
    playbook = example / "site.yml"
    playbook.write_text(edit(playbook.read_text()))
    if not port:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
    environment = variables(ansible_environment(chosen_core()), EMULATOR_PORT=str(port))
    folders = [*environment["PATH"].split(os.pathsep), str(development_environment())]
    if not emulator:
        folders = [folder for folder in folders if not Path(folder, "hosting-platform-emulator").exists()]
    environment["PATH"] = os.pathsep.join(folders)
    done = subprocess.run(
        ["sh", example / "test.sh"],
        env=environment,
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert sorted(path.name for path in (example / "molecule/default").glob("emulator*")) == []
    return done.returncode, done.stdout


def test_the_example_passes(tmp_path: Path) -> None:
    return_code, output = played(tmp_path)
    assert return_code == 0, output
    assert "The second run changed nothing." in output


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda playbook: playbook.replace("state: absent", "state: present"), "Assertion failed"),
        (lambda playbook: playbook + ANOTHER_HOST, "The second run changed something."),
    ],
    ids=["result", "change of another host"],
)
def test_a_mistake_in_the_playbook_fails_it(tmp_path: Path, edit: Callable[[str], str], said: str) -> None:
    return_code, output = played(tmp_path, edit)
    assert return_code > 0, output
    assert said in output, output


def test_an_emulator_that_cannot_start_ends_it_and_tells_why(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return_code, output = played(tmp_path / "taken", port=taken.getsockname()[1])
    assert return_code > 0
    assert "The emulator does not run." in output
    assert "Address already in use" in output

    return_code, output = played(tmp_path / "missing", emulator=False)
    assert return_code > 0
    assert "Is the command hosting-platform-emulator on the PATH" in output
    assert "TASK [Plant faults]" not in output


def test_the_guide_shows_the_files_as_they_are() -> None:
    shown = [block for block in blocks(GUIDES["own_tests"], "yaml") if block.file]
    assert [block.file for block in shown] == ["site.yml", "molecule/default/prepare.yml"]
    for block in shown:
        assert block.document == yaml.safe_load((EXAMPLE / str(block.file)).read_text())
