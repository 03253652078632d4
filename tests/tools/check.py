# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the checks, section by section: check.py [section ...], all of them when none is named."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable

import build
import documentation
import sanity
from commands import CheckFailed, pytest_summaries, run_all, run_pytest
from environments import (
    EMULATOR,
    ROOT,
    ansible_environment,
    collection_tree,
    development_environment,
    molecule_environment,
    oldest_libraries,
    variables,
)
from interpreters import OLDEST_CORE, NoPython, newest_core

TESTS = os.environ.get("TEST", "").split()
ON_EVERY_CPU = ("--numprocesses=auto", "--dist=worksteal")
# What shares a long play is a group: in another process it would be played anew.
ON_EVERY_CPU_IN_GROUPS = ("--numprocesses=auto", "--dist=loadgroup")
TESTS_OF_HTTP = [
    f"tests/unit/plugins/module_utils/{file}.py"
    for file in (
        "_client/test_http_bounds",
        "_client/test_http_certainty",
        "_client/test_http_framing",
        "_client/test_http_named",
        "_client/test_http_retries",
        "_client/test_http_security",
        "_client/test_http_throttling",
        "_client/test_http_wire",
        "_resources/test_other_faults",
        "_resources/test_resource_faults",
    )
]


def environments() -> None:
    """Prepare the requirements of every later section."""
    development_environment()
    for core in (OLDEST_CORE, newest_core()):
        ansible_environment(core)


def lint() -> None:
    tools = development_environment()
    # ansible-lint has the modules look at their options, two of which are required.
    placeholders = {"HOSTING_PLATFORM_BASE_URL": "https://api.example.com", "HOSTING_PLATFORM_ACCESS_TOKEN": "none"}
    commands = [
        (tools / "ruff", "check", "--output-format=concise"),
        (tools / "ruff", "format", "--check"),
        (tools / "mypy",),
        (tools / "mypy", "--config-file=emulator/pyproject.toml", "emulator"),
        (tools / "ansible-lint", "--nocolor"),
        (tools / "reuse", "lint", "--lines"),
    ]
    run_all(commands, variables(tools) | placeholders)


def unit() -> None:
    tools = development_environment()
    run_pytest(tools / "python", TESTS or [*ON_EVERY_CPU, "tests/unit"], variables(tools))
    if not TESTS:
        print("The oldest requests and urllib3", flush=True)
        path = os.pathsep.join([str(oldest_libraries()), str(collection_tree())])
        environment = variables(tools, PYTHONPATH=path, REQUESTS="2.25.0", URLLIB3="1.26.5")
        # That urllib3 leaves it to Python to close its connections.
        run_pytest(tools / "python", [*ON_EVERY_CPU, "-Wignore::ResourceWarning", *TESTS_OF_HTTP], environment)


def emulator() -> None:
    tools = development_environment()
    run_pytest(tools / "python", TESTS or ON_EVERY_CPU, variables(tools), cwd=EMULATOR)


def integration() -> None:
    _on_each_core(*ON_EVERY_CPU, "tests/integration")


def equivalence() -> None:
    _on_each_core(*ON_EVERY_CPU_IN_GROUPS, "tests/equivalence")


def _on_each_core(*arguments: str) -> None:
    tools = development_environment()
    chosen = os.environ.get("CORE")
    for core in [chosen] if chosen else dict.fromkeys((OLDEST_CORE, newest_core())):
        print(f"ansible-core {core}", flush=True)
        left_out = () if core in (chosen, newest_core()) else ("-m", "not newest_core")
        run_pytest(tools / "python", [*(TESTS or arguments), *left_out], variables(tools, CORE=core))


def molecule() -> None:
    tools = molecule_environment()
    run_all([(tools / "molecule", "test", "--all")], variables(tools))
    # The example for tests of playbooks of one's own.
    run_all([(tools / "molecule", "test")], variables(tools), ROOT / "examples/own_tests")


SECTIONS: dict[str, Callable[[], None]] = {
    "environments": environments,
    "lint": lint,
    "unit": unit,
    "emulator": emulator,
    "integration": integration,
    "equivalence": equivalence,
    "molecule": molecule,
    "sanity": sanity.main,
    "docs": documentation.main,
    "build": build.main,
}


def main(names: list[str]) -> int:
    results = [(name, *_run(name)) for name in names or SECTIONS]
    print("\n##### Summary\n")
    for name, seconds, problem in results:
        print(f"{name:14}{seconds:6.1f} s  {'FAILED: ' + problem if problem else 'passed'}")
    print("\n" + "\n".join(pytest_summaries), flush=True)
    return any(problem for _name, _seconds, problem in results)


def _run(name: str) -> tuple[float, str]:
    """Run one section: the seconds it took, and what failed."""
    print(f"\n##### {name}\n", flush=True)
    start = time.monotonic()
    problem = ""
    try:
        SECTIONS[name]()
    except (CheckFailed, NoPython, subprocess.CalledProcessError) as failure:
        problem = str(failure)
    return time.monotonic() - start, problem


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
