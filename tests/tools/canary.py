# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays the tests on an ansible-core to come, and reports: canary.py [section ...].

That is the newest on the index, released or not, or the checkout of $CORE_SOURCE. It is a report and no check: whatever
it finds, a release of the collection does not depend on it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import sanity
from commands import CheckFailed, pytest_summaries, run_pytest
from environments import CANARY, REQUIREMENTS, development_environment, variables
from interpreters import CANARY_PYTHONS, NoPython, interpreters

TESTS: dict[str, list[str]] = {
    "integration": ["--numprocesses=auto", "--dist=worksteal", "tests/integration"],
    "equivalence": ["--numprocesses=auto", "--dist=loadgroup", "tests/equivalence/test_equivalence.py"],
    "secrets": ["tests/integration/test_secrets.py", "tests/integration/test_repeated_secrets.py"],
}
SECTIONS = (*TESTS, "sanity")


def main(wanted: list[str]) -> int:
    """$TEST holds arguments of pytest that take the place of a section's."""
    python = _installed()
    version = _version()
    # Like the others: by its first two numbers.
    core = ".".join(version.split(".")[:2])
    os.environ.update(CANARY="true", CORE=core, CORE_PYTHON=python)
    report = [f"ansible-core {version}, Python {python}"]
    for section in wanted or SECTIONS:
        print(f"\n##### ansible-core {version}: {section}\n", flush=True)
        report.append(f"{section:13}{outcome(lambda section=section: _play(section, core))}")  # type: ignore[misc]
    print("\n##### Canary: a report, whatever it says\n\n" + "\n".join(report), flush=True)
    return 0


def outcome(play: Callable[[], None]) -> str:
    """The outcome of a section, in a line."""
    counted = len(pytest_summaries)
    try:
        play()
        said = "passed"
    except (CheckFailed, subprocess.CalledProcessError) as failure:
        said = f"FAILED: {failure}"
    return "  ".join([said, *(summary.strip("= ") for summary in pytest_summaries[counted:])])


def _play(section: str, core: str) -> None:
    if section == "sanity":
        sanity.check_one(core)
    else:
        tools = development_environment()
        arguments = os.environ.get("TEST", "").split() or TESTS[section]
        run_pytest(tools / "python", arguments, variables(tools))


def _installed() -> str:
    """Install it with the first of the Pythons that runs it; the version of that Python."""
    source = os.environ.get("CORE_SOURCE")
    for version in CANARY_PYTHONS:
        python = interpreters().get(version)
        if python and _has_installed(python, str(Path(source).resolve()) if source else _newest(python)):
            return version
    raise NoPython(f"For an ansible-core to come one of Python {', '.join(CANARY_PYTHONS)} is needed.")


def _newest(python: Path) -> str:
    """The newest version that the index has for that Python, released or not."""
    command: list[str | Path] = [python, "-m", "pip", "index", "versions", "--pre", "ansible-core"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.match(r"ansible-core \(([^)]+)\)", said)
    if not found:
        raise CheckFailed(f"pip index versions: {said}")
    return f"ansible-core=={found[1]}"


def _has_installed(python: Path, what: str) -> bool:
    print(f"Installing {what} with {python} ...", flush=True)
    shutil.rmtree(CANARY, ignore_errors=True)
    subprocess.run([python, "-m", "venv", CANARY], check=True)
    install: list[str | Path] = [CANARY / "bin" / "pip", "install", "--quiet", "--quiet", what]
    return subprocess.run([*install, "--requirement", REQUIREMENTS / "core.in"], check=False).returncode == 0


def _version() -> str:
    command: list[str | Path] = [CANARY / "bin" / "python", "-c", "import ansible.release as r; print(r.__version__)"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
