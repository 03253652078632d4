# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays the tests on every ansible-core with every Python that is found for it: matrix.py [section ...]."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import sanity
from commands import CheckFailed, pytest_summaries, run_pytest
from environments import development_environment, variables
from interpreters import CORES, interpreters, python_version_for

SECTIONS = ("equivalence", "integration", "sanity")
# From npm: it plays the example pipeline for GitLab.
GITLAB_CI_LOCAL = "4.61.0"
ON_EVERY_CPU = "--numprocesses=auto"


def main(wanted: list[str]) -> int:
    """$CORE leaves a few cores alone to be played; $CORE_PYTHON a few Pythons, or the "preferred" of each core."""
    rows: list[tuple[str, str, str, str]] = []
    failed = False
    for core, python, section in _cells(wanted or list(SECTIONS)):
        print(f"\n##### ansible-core {core}, Python {python}: {section}\n", flush=True)
        start, counted = time.monotonic(), len(pytest_summaries)
        problem = ""
        try:
            _work(core, python, section)()
        except (CheckFailed, subprocess.CalledProcessError) as failure:
            problem, failed = f"FAILED: {failure}", True
        counts = " ".join(summary.strip("= ") for summary in pytest_summaries[counted:])
        rows.append((core, python, section, f"{time.monotonic() - start:6.0f} s  {problem or 'passed'}  {counts}"))
    print("\n##### Matrix\n")
    for core, python, section, outcome in rows:
        print(f"{core:6}{python:6}{section:13}{outcome}", flush=True)
    return failed


def _cells(sections: list[str]) -> Iterator[tuple[str, str, str]]:
    cores = os.environ.get("CORE", "").split()
    chosen = os.environ.get("CORE_PYTHON", "").split()
    for core, pythons in CORES.items():
        found = [python for python in pythons if python in interpreters()]
        if not found or (cores and core not in cores):
            continue
        preferred = python_version_for(core)
        for python in found:
            if chosen and python not in chosen and not (python == preferred and "preferred" in chosen):
                continue
            for section in sections:
                # ansible-test brings its own environments: once for each core.
                if section != "sanity" or python == preferred:
                    yield core, python, section


def _work(core: str, python: str, section: str) -> Callable[[], None]:
    if section == "sanity":
        return lambda: sanity.check_one(core)
    tools = development_environment()
    environment = variables(
        tools,
        CORE=core,
        CORE_PYTHON=python,
        EQUIVALENCE=os.environ.get("EQUIVALENCE", "full"),
        GITLAB_CI_LOCAL=GITLAB_CI_LOCAL,
    )
    arguments = [
        ON_EVERY_CPU,
        "--dist=loadgroup" if section == "equivalence" else "--dist=worksteal",
        f"tests/{section}",
    ]
    return lambda: run_pytest(tools / "python", arguments, environment)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
