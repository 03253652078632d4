# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs real playbooks, with the ansible-core of $CORE, against an emulator."""

import copy
import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from ansible_commands import Ansible
from emulated import ControlledEmulator, writes_among
from environments import chosen_ansible_environment, variables

CALLBACKS = Path(__file__).resolve().parents[1] / "integration" / "callback_plugins"
DEPRECATION = "[DEPRECATION WARNING]"
SETTINGS = {
    "ANSIBLE_CALLBACK_PLUGINS": str(CALLBACKS),
    "ANSIBLE_CALLBACKS_ENABLED": "recorder",
    "ANSIBLE_LOCALHOST_WARNING": "false",
    "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
    "ANSIBLE_DEPRECATION_WARNINGS": "true",
    "ANSIBLE_NOCOLOR": "true",
}


@dataclass
class Task:
    """The record of one task: its status, its result, and the requests that it sent."""

    name: str
    status: str
    result: dict[str, Any]
    requests: list[dict[str, Any]]

    @property
    def writes(self) -> list[str]:
        return writes_among(self.requests)

    @property
    def failure(self) -> dict[str, Any]:
        assert self.status == "failed", self.result
        return self.result["failure"]


@dataclass
class Play:
    """The record of a whole ansible-playbook run."""

    tasks: list[Task]
    output: str

    @property
    def results(self) -> list[dict[str, Any]]:
        return [task.result for task in self.tasks]


class Player:
    """Writes playbooks and runs them. ``environment`` contains the connection to the emulator."""

    def __init__(self, emulator: ControlledEmulator, folder: Path) -> None:
        self.emulator = emulator
        self.folder = folder
        self.bin = chosen_ansible_environment()
        self.command: list[str | Path] = [self.bin / "ansible-playbook"]
        self.environment = {
            "HOSTING_PLATFORM_BASE_URL": emulator.base_url,
            "HOSTING_PLATFORM_ACCESS_TOKEN": emulator.token,
            "HOSTING_PLATFORM_MAX_RETRY_DELAY": "0.01",
            "RECORDER_CONTROL_URL": emulator.control_url,
            "RECORDER_FILE": str(folder / "record.jsonl"),
            **SETTINGS,
        }
        self._return_code = 0

    @property
    def expecting_failure(self) -> "Player":
        """The player of what has to fail: anything else has to succeed."""
        player = copy.copy(self)
        player._return_code = 2
        return player

    def run(self, tasks: list[dict[str, Any]], *arguments: str, **environment: str | None) -> Play:
        """Run tasks on localhost, continuing after failures; ``environment`` sets variables, or
        unsets them.
        """
        play = {
            "hosts": "localhost",
            "gather_facts": False,
            "vars": {"ansible_python_interpreter": "{{ ansible_playbook_python }}"},
            "ignore_errors": True,
            "tasks": tasks,
        }
        return self.run_plays([play], *arguments, **environment)

    def run_plays(
        self, plays: list[dict[str, Any]], *arguments: str, **environment: str | None
    ) -> Play:
        playbook = self.folder / "playbook.yml"
        playbook.write_text(
            yaml.safe_dump(plays, sort_keys=False, allow_unicode=True), encoding="utf-8"
        )
        return self.run_file(playbook, *arguments, **environment)

    def run_file(self, playbook: Path, *arguments: str, **environment: str | None) -> Play:
        record = self.folder / "record.jsonl"
        record.unlink(missing_ok=True)
        done = self.execute([*self.command, playbook, *arguments], environment, merged=True)
        assert done.returncode == self._return_code, done.stdout
        lines = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
        tasks = [Task(*json.loads(line).values()) for line in lines]
        return Play(tasks, done.stdout)

    def execute(
        self,
        command: list[str | Path],
        environment: Mapping[str, str | None],
        *,
        merged: bool = False,
    ) -> subprocess.CompletedProcess[str]:
        """Run one of Ansible's commands in the folder; ``merged`` redirects stderr to stdout.

        None shows the token, breaks down, or uses what core will remove.
        """
        given = {**variables(self.bin), **self.environment, **environment}
        there = {name: value for name, value in given.items() if value is not None}
        done = _ansible(self.bin).run(list(map(str, command)), self.folder, there, merged=merged)
        said = done.stdout + done.stderr
        assert [
            words for words in (DEPRECATION, "Traceback", self.emulator.token) if words in said
        ] == [], said
        return done


@cache
def _ansible(bin_folder: Path) -> Ansible:
    return Ansible(bin_folder)
