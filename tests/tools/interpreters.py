# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which ansible-core runs on which Python, and where to find Pythons on this machine."""

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from glob import glob
from itertools import chain
from pathlib import Path

# Every supported ansible-core with its Pythons for the control node, the preferred one first.
CORES = {
    "2.16": ("3.10", "3.11", "3.12"),
    "2.17": ("3.10", "3.11", "3.12"),
    "2.18": ("3.11", "3.12", "3.13"),
    "2.19": ("3.11", "3.12", "3.13"),
    "2.20": ("3.13", "3.12", "3.14"),
    "2.21": ("3.13", "3.12", "3.14"),
    "2.22": ("3.13", "3.14", "3.15"),
}
OLDEST_CORE = next(iter(CORES))

# The oldest Python that the modules run on.
OLDEST_MODULE_PYTHON = "3.9"

# The Pythons to try with an unreleased ansible-core, the preferred one first.
CANARY_PYTHONS = ("3.15", "3.14", "3.13")

# The Pythons for the linters, the unit tests and the emulator.
DEVELOPMENT_PYTHONS = ("3.11", "3.12", "3.13")

USUAL_PLACES = (
    "$PYENV_ROOT/versions/*/bin ~/.pyenv/versions/*/bin /usr/bin /usr/local/bin /opt/homebrew/bin"
    " ~/.local/bin "
    "~/.local/share/uv/python/*/bin ~/.asdf/installs/python/*/bin"
)
# Those of matrix and canary. The Makefile passes unset variables as empty strings.
SECTIONS = (os.environ.get("SECTION") or "equivalence integration sanity").split()
RUNNING = "{}.{}".format(*sys.version_info[:2])


class NoPython(Exception):
    """No suitable Python is installed."""


def preferred_python(core: str) -> str:
    """The version of the Python that this machine uses for an ansible-core."""
    if found := next(filter(find_python, CORES[core]), None):
        return found
    raise NoPython(
        f"ansible-core {core} needs one of Python {', '.join(CORES[core])}, with ensurepip and"
        " venv."
    )


def cells() -> Iterator[tuple[str, str, str]]:
    """Every ansible-core with every Python found, for each section; CORE, CORE_PYTHON and SECTION
    select among them.
    """
    cores, pythons = (os.environ.get(name, "").split() for name in ("CORE", "CORE_PYTHON"))
    for core in cores or CORES:
        for number, python in enumerate(filter(find_python, CORES[core])):
            if not pythons or python in pythons or (number == 0 and "preferred" in pythons):
                # ansible-test creates its own environments, so once per core is enough.
                yield from (
                    (core, python, section)
                    for section in SECTIONS
                    if number == 0 or section != "sanity"
                )


def newest_core(*, is_final: bool = False) -> str:
    """The newest ansible-core that a Python on this machine can run. ``is_final``: no release
    candidate.
    """
    for core in reversed(CORES):
        if any(map(find_python, CORES[core])) and not (is_final and "rc" in pinned_core(core)):
            return core
    raise NoPython("No Python was found that runs a supported ansible-core.")


def pinned_core(core: str) -> str:
    """The exact version that the requirements pin for an ansible-core."""
    pins = (Path(__file__).resolve().parents[1] / f"requirements/core-{core}.txt").read_text()
    return pins.partition("ansible-core==")[2].partition("\n")[0]


def chosen_core() -> str:
    """The ansible-core that tests play on: $CORE, or the newest."""
    return os.environ.get("CORE") or newest_core()


@cache
def find_python(version: str) -> Path | None:
    """A working Python of that version, if there is one."""
    usual = [
        sorted(glob(os.path.expandvars(os.path.expanduser(place))))
        for place in USUAL_PLACES.split()
    ]
    candidates = (Path(folder, f"python{version}") for folder in chain(os.get_exec_path(), *usual))
    running = [Path(sys.executable)] if version == RUNNING else []
    # Not the Python of a virtual environment: its base outlives it.
    return next((python.resolve() for python in (*running, *candidates) if _works(python)), None)


def _works(python: Path) -> bool:
    """Check by running the interpreter: version managers have shims even for Pythons that are not
    installed.
    """
    command: list[str | Path] = [python, "-c", "import ensurepip, venv"]
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=30).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
