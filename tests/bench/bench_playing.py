# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays tasks side by side and takes their times."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from emulated import Emulated
from environments import variables

PLUGINS = Path(__file__).with_name("bench_plugins")

Task = dict[str, Any]


class Unexpected(Exception):
    """A task did something else than what was to be measured."""


class Seconds(NamedTuple):
    """What something took: seconds of the clock, and of processors, which other work of the machine hardly moves."""

    clock: float
    processor: float


class Times(dict[str, list[Seconds]]):
    """What was done, with what it took round after round.

    A ratio is the median of the rounds' own ratios: a machine that changes its speed between rounds moves both sides
    of each. What was done in fewer rounds is compared in those.
    """

    def add(self, what: str, *rounds: Seconds) -> None:
        self.setdefault(what, []).extend(rounds)

    def add_together(self, whole: str, parts: Sequence[str]) -> None:
        """Add what was done in several tasks of each round."""
        rounds = zip(*(self[part] for part in parts), strict=True)
        self.add(whole, *(Seconds(*map(sum, zip(*seconds, strict=True))) for seconds in rounds))

    def median(self, what: str) -> float:
        return statistics.median(seconds.clock for seconds in self[what])

    def ratio(self, what: str, other: str) -> float:
        rounds = zip(self[what], self[other], strict=False)
        return statistics.median(one.clock / another.clock for one, another in rounds)

    def processor_ratio(self, what: str, other: str) -> float:
        rounds = zip(self[what], self[other], strict=False)
        return statistics.median(one.processor / another.processor for one, another in rounds)


@dataclass
class Run:
    """One run of a command: its output, and what it took."""

    output: str
    seconds: Seconds


@dataclass
class Played:
    """One playbook: the times of its tasks, the run as a whole, and the peak memory of its workers in MB."""

    times: Times
    run: Run
    worker_peak: float


class Bench:
    """``tools``: the bin folder of an ansible-core; ``folder``: where playbooks and the like are written."""

    def __init__(self, tools: Path, emulator: Emulated, folder: Path) -> None:
        self.emulator = emulator
        self.folder = folder
        self._tools = tools
        self._record = folder / "times.jsonl"
        self._environment = {
            **variables(tools),
            "HOSTING_PLATFORM_BASE_URL": emulator.base_url,
            "HOSTING_PLATFORM_ACCESS_TOKEN": emulator.token,
            "ANSIBLE_LIBRARY": str(PLUGINS / "modules"),
            "ANSIBLE_CALLBACK_PLUGINS": str(PLUGINS / "callback"),
            "ANSIBLE_STDOUT_CALLBACK": "timing",
            "ANSIBLE_LOCALHOST_WARNING": "false",
            "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
            "TIMING_FILE": str(self._record),
        }

    def play(self, tasks: Iterable[Task], **extra_vars: Any) -> Played:
        """Play tasks in this order. A task's name says what it does: times of the same name belong together.

        A name that begins with "create" must change something, any other nothing. Tasks of roles may do either.
        """
        play = {
            "hosts": "localhost",
            "gather_facts": False,
            "vars": {"ansible_python_interpreter": "{{ ansible_playbook_python }}"},
            "tasks": list(tasks),
        }
        (self.folder / "playbook.yml").write_text(yaml.safe_dump([play], sort_keys=False))
        (self.folder / "vars.json").write_text(json.dumps(extra_vars))
        self._record.unlink(missing_ok=True)
        run = self.run("ansible-playbook", "playbook.yml", "--extra-vars", "@vars.json")
        *lines, last = map(json.loads, self._record.read_text().splitlines())
        return Played(_times_of(lines), run, last["worker_peak"] / 1024)

    def run(self, program: str, *arguments: str) -> Run:
        """Run a command of Ansible in the bench's folder."""
        command = [str(self._tools / program), *arguments]
        used, start = os.times(), time.perf_counter()
        done = subprocess.run(
            command, cwd=self.folder, env=self._environment, check=False, text=True, capture_output=True
        )
        clock, now = time.perf_counter() - start, os.times()
        if done.returncode:
            raise Unexpected(f"{done.stdout}\n{done.stderr}")
        processor = now.children_user + now.children_system - used.children_user - used.children_system
        return Run(done.stdout, Seconds(clock, processor))


def _times_of(tasks: Iterable[dict[str, Any]]) -> Times:
    times = Times()
    for task in tasks:
        if task["changed"] != task["task"].startswith("create") and not task["task"].startswith("hosting.platform."):
            raise Unexpected(f"{task['task']}: changed is {task['changed']}")
        times.add(task["task"], Seconds(task["seconds"], task["processor_seconds"]))
    return times
