# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The roles: what the outputs of a converge take beside its plan, and an export of many files."""

from __future__ import annotations

from bench_playing import Bench, Task, Times

SIZE = 500
TEAMS = 6
FILES = 3 * TEAMS
ROUNDS = 5

CONVERGE, EXPORT = "hosting.platform.converge : ", "hosting.platform.export : "
PLAN = f"{CONVERGE}Converge the platform"
OUTPUT_TASKS = (
    f"{CONVERGE}Ensure the outputs can be written, before anything is written to the platform",
    f"{CONVERGE}Write the outputs",
)
OUTPUTS, WHOLE_EXPORT = "all outputs", "whole export"
FILES_OF_CONVERGE = {"converge_report": "report.html", "converge_markdown": "report.md", "converge_plan": "plan.json"}


def measure_roles(bench: Bench) -> Times:
    """Times of PLAN and OUTPUTS, of a check in which every entry differs, and of WHOLE_EXPORT, into new folders."""
    bench.emulator.reset()
    bench.emulator.seed(teams=[{"slug": f"team-{team}"} for team in range(TEAMS)], projects=_projects("vite"))
    check = _role("converge", converge_blueprint="{{ wanted }}", **FILES_OF_CONVERGE)
    exports = [_role("export", export_directory=f"live-{turn}", export_layout="teams") for turn in range(ROUNDS)]
    wanted = {"projects": _projects("astro")}
    times = bench.play([{**check, "check_mode": True}] * ROUNDS, wanted=wanted).times
    times.add_together(OUTPUTS, OUTPUT_TASKS)
    exported = bench.play(exports).times
    exported.add_together(WHOLE_EXPORT, [task for task in exported if task.startswith(EXPORT)])
    times.update(exported)
    return times


def _role(name: str, **options: str) -> Task:
    return {"ansible.builtin.import_role": {"name": f"hosting.platform.{name}"}, "vars": options}


def _projects(framework: str) -> list[dict[str, str]]:
    return [
        {"name": f"project-{number}", "team": f"team-{number % TEAMS}", "framework": framework}
        for number in range(SIZE)
    ]
