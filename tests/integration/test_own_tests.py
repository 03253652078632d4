# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The example of testing a playbook, and a blueprint, of one's own: it passes, and a mistake in
either fails it.
"""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from environments import ENVIRONMENTS, ROOT, chosen_ansible_environment, variables
from guides import GUIDES, blocks
from interpreters import chosen_core

# Where nox has installed pytest and the emulator's wheel.
USERS = ENVIRONMENTS / f"users-{chosen_core()}" / "bin"

EXAMPLE = ROOT / "examples/own_tests"


ANOTHER_HOST = """
- hosts: localhost
  gather_facts: false
  tasks:
    - ansible.builtin.add_host: {name: another, ansible_connection: local}
      changed_when: false
- hosts: another
  gather_facts: false
  vars: {ansible_python_interpreter: "{{ ansible_playbook_python }}"}
  tasks: [{ansible.builtin.command: "true"}]
"""


PYTEST = ("pytest", "-q", "test_site.py")
SHELL = ("sh", "test.sh")
OF_BLUEPRINT = ("pytest", "-q", "test_blueprint.py")


def unchanged(playbook: str) -> str:
    return playbook


def wrong(playbook: str) -> str:
    return playbook.replace("state: absent", "state: present")


def with_another_host(playbook: str) -> str:
    return playbook + ANOTHER_HOST


def played(
    folder: Path,
    command: Any,
    edit: Any = unchanged,
    file: str = "site.yml",
    emulator: bool = True,
) -> tuple[int, str]:
    """Return code and output of the example's test on an edited file, with Ansible and what its
    users install.
    """
    example = shutil.copytree(EXAMPLE, folder / "own_tests")
    tested = example / file
    tested.write_text(edit(tested.read_text()))
    tools = [chosen_ansible_environment(), *([USERS] if emulator else []), os.defpath]
    environment = variables(chosen_ansible_environment(), PATH=os.pathsep.join(map(str, tools)))
    done = subprocess.run(
        command,
        cwd=example,
        env=environment,
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("command", "edit", "said"),
    [
        (PYTEST, unchanged, "1 passed"),
        (SHELL, wrong, "Assertion failed"),
        pytest.param(
            SHELL, unchanged, "The second run changed nothing.", marks=pytest.mark.thorough
        ),
        pytest.param(PYTEST, wrong, "wiki", marks=pytest.mark.thorough),
        pytest.param(
            SHELL,
            with_another_host,
            "The second run changed something.",
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_example_fails_if_the_playbook_is_wrong(
    tmp_path: Path, command: Any, edit: Any, said: str
) -> None:
    return_code, output = played(tmp_path, command, edit)
    assert bool(return_code) is (edit is not unchanged), output
    assert said in output


@pytest.mark.parametrize(
    ("text", "mistake", "said"),
    [
        ("framework: nextjs", "framework: nexxtjs", "1 passed"),
        ("framework: nextjs", "framwork: nextjs", "unknown option framwork"),
        pytest.param("project: shop", "project: shpo", "shpo", marks=pytest.mark.thorough),
        pytest.param("team: web-team", "team: web-taem", "web-taem", marks=pytest.mark.thorough),
    ],
)
def test_example_fails_if_the_blueprint_has_a_mistake_that_the_platform_need_not_judge(
    tmp_path: Path, text: str, mistake: str, said: str
) -> None:
    return_code, output = played(
        tmp_path,
        OF_BLUEPRINT,
        lambda blueprint: blueprint.replace(text, mistake),
        file="blueprint/web-team.yml",
    )
    assert bool(return_code) is (said != "1 passed"), output
    assert said in output


def test_an_emulator_that_cannot_start_ends_it(tmp_path: Path) -> None:
    return_code, output = played(tmp_path, SHELL, emulator=False)
    assert return_code > 0
    assert "The emulator does not run." in output
    assert "TASK" not in output


def test_the_guide_shows_the_files_as_they_are() -> None:
    shown = [block for block in blocks(GUIDES["testing"]) if block.file]
    assert [block.file for block in shown] == [
        "site.yml",
        "scenario.yml",
        "test_site.py",
        "blueprint/web-team.yml",
        "test_blueprint.py",
    ]
    for block in shown:
        content = (EXAMPLE / str(block.file)).read_text().removeprefix("---\n")
        assert block.text == f"# {block.file}\n{content}"
