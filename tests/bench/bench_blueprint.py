# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The module blueprint: a thousand projects and ten thousand, unchanged and created."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bench_playing import Bench, Task, Times

TEAMS = 10
SIZES = (1_000, 10_000)
SIZE = SIZES[0]
ROUNDS = 5
SIZE_ROUNDS = 3
CREATING_ROUNDS = 3
CREATING_LATENCY_MS = 20
WORKERS = (1, 8)

DEBUG = "debug"
URI = "uri"
UNCHANGED = "blueprint"


@dataclass
class Blueprints:
    """``side_by_side``: one task each, in one playbook. ``by_size``: of both sizes. ``creating``: of both numbers of
    workers. ``worker_peaks``: MB that a worker of ``debug`` and of ``blueprint`` had at most, by size.
    """

    side_by_side: Times
    by_size: Times
    creating: Times
    worker_peaks: dict[int, dict[str, float]]


def of_size(size: int) -> str:
    return f"{UNCHANGED} of {size}"


def with_workers(workers: int) -> str:
    return f"create, {workers} workers"


def measure_blueprints(bench: Bench) -> Blueprints:
    """The sizes are in playbooks of their own: a worker's memory begins with what its playbook's variables take."""
    teams = [{"slug": f"{size}-{team}"} for size in SIZES for team in range(TEAMS)]
    bench.emulator.reset()
    bench.emulator.seed(teams=teams, projects=[project for size in SIZES for project in _projects(size)])
    unchanged = {"name": UNCHANGED, "hosting.platform.blueprint": {"blueprint": "{{ wanted }}"}}
    debug = {"name": DEBUG, "ansible.builtin.debug": {"msg": "{{ wanted | length }}"}}
    side_by_side = bench.play([unchanged, _uri(bench), debug] * ROUNDS, wanted=_wanted(SIZE)).times
    by_size, worker_peaks = Times(), {}
    for _round in range(SIZE_ROUNDS):
        for size in SIZES:
            played = bench.play([{**unchanged, "name": of_size(size)}], wanted=_wanted(size))
            by_size.add(of_size(size), *played.times[of_size(size)])
            beside = bench.play([debug], wanted=_wanted(size))
            worker_peaks[size] = {UNCHANGED: played.worker_peak, DEBUG: beside.worker_peak}
    return Blueprints(side_by_side, by_size, _creating(bench), worker_peaks)


def _creating(bench: Bench) -> Times:
    """Every task creates in teams of its own."""
    bench.emulator.reset()
    tasks, wanted = [], {}
    for turn in range(CREATING_ROUNDS):
        for workers in WORKERS:
            name = f"wanted_{turn}_{workers}"
            projects = [{**project, "team": f"{name}-{project['team']}"} for project in _projects(SIZE)]
            bench.emulator.seed(teams=[{"slug": slug} for slug in sorted({project["team"] for project in projects})])
            wanted[name] = {"projects": projects}
            arguments = {"blueprint": f"{{{{ {name} }}}}", "workers": workers}
            tasks.append({"name": with_workers(workers), "hosting.platform.blueprint": arguments})
    bench.emulator.switch(latency_ms=CREATING_LATENCY_MS)
    times = bench.play(tasks, **wanted).times
    bench.emulator.behave_normally()
    return times


def _wanted(size: int) -> dict[str, Any]:
    return {"projects": _projects(size)}


def _projects(size: int) -> list[dict[str, str]]:
    return [
        {"name": f"project-{number}", "team": f"{size}-{number % TEAMS}", "framework": "astro"}
        for number in range(size)
    ]


def _uri(bench: Bench) -> Task:
    headers = {"Authorization": f"Bearer {bench.emulator.token}"}
    return {"name": URI, "ansible.builtin.uri": {"url": f"{bench.emulator.base_url}/user", "headers": headers}}
