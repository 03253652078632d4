# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long works take: in a play or as commands, in turns, by the clock and by processors."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from emulated import ControlledEmulator
from environments import variables

PLUGINS = Path(__file__).with_name("bench_plugins")
ROUNDS = 15
Task = dict[str, Any]


class Seconds(NamedTuple):
    """What something took: seconds of the clock, and of processors, which other work of the machine
    hardly moves.
    """

    clock: float
    processor: float


class Bench:
    """``times``: what each work took, round after round; ``peaks``: MB that its largest
    worker had; ``requests``: how many it sent.
    """

    def __init__(self, tools: Path, emulator: ControlledEmulator, folder: Path) -> None:
        self.emulator = emulator
        self.folder = folder
        self.times: dict[str, list[Seconds]] = {}
        self.peaks: dict[str, float] = {}
        self.requests: dict[str, int] = {}
        self._tools = tools
        self._environment = {
            **variables(tools),
            "HOSTING_PLATFORM_BASE_URL": emulator.base_url,
            "HOSTING_PLATFORM_ACCESS_TOKEN": emulator.token,
            "ANSIBLE_LIBRARY": str(PLUGINS / "modules"),
            "ANSIBLE_CALLBACK_PLUGINS": str(PLUGINS / "callback"),
            "ANSIBLE_STDOUT_CALLBACK": "timing",
            "ANSIBLE_LOCALHOST_WARNING": "false",
            "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
            "TIMING_FILE": str(folder / "times.jsonl"),
        }

    def play(self, tasks: Mapping[str, Task], rounds: int, **extra_vars: Any) -> None:
        """Play the tasks of one playbook in turns: what else the machine does hits all alike."""
        named = [{"name": name, **task} for name, task in tasks.items()] * rounds
        interpreter = {"ansible_python_interpreter": "{{ ansible_playbook_python }}"}
        play = {"hosts": "localhost", "gather_facts": False, "vars": interpreter, "tasks": named}
        (self.folder / "playbook.yml").write_text(yaml.safe_dump([play], sort_keys=False))
        (self.folder / "vars.json").write_text(json.dumps(extra_vars))
        (self.folder / "times.jsonl").unlink(missing_ok=True)
        self.run("ansible-playbook", "playbook.yml", "--extra-vars", "@vars.json")
        *lines, last = map(json.loads, (self.folder / "times.jsonl").read_text().splitlines())
        for line in lines:
            assert line["changed"] is line["task"].startswith(
                ("loop of 100 creations", "creations", "plan")
            ), line
            self._add(line["task"], Seconds(line["seconds"], line["processor_seconds"]))
        self.peaks |= dict.fromkeys(tasks, last["worker_peak"] / 1024)

    def race(self, commands: Mapping[str, tuple[str, ...]], rounds: int = ROUNDS) -> None:
        """Run whole commands in turns, from their start to their end."""
        for _round in range(rounds):
            for name, command in commands.items():
                self._add(name, self.run(*command)[1])

    def run(self, program: str, *arguments: str) -> tuple[str, Seconds]:
        used = os.times()
        start = time.perf_counter()
        command: list[str | Path] = [self._tools / program, *arguments]
        where: dict[str, Any] = {"cwd": self.folder, "env": self._environment}
        done = subprocess.run(command, **where, check=False, capture_output=True, text=True)
        clock = time.perf_counter() - start
        now = os.times()
        if done.returncode:
            sys.exit(f"The bench has stopped: {done.stdout}\n{done.stderr}")
        processor = (
            now.children_user + now.children_system - used.children_user - used.children_system
        )
        return done.stdout, Seconds(clock, processor)

    def _add(self, name: str, seconds: Seconds) -> None:
        self.times.setdefault(name, []).append(seconds)
