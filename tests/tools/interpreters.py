# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which ansible-core runs on which Python, and where this machine keeps its Pythons."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

# Every supported ansible-core with the Pythons that can control with it, the preferred one first.
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

# What an ansible-core to come is tried with, the preferred one first.
CANARY_PYTHONS = ("3.15", "3.14", "3.13")

# What the linters, the unit tests and the emulator run on.
DEVELOPMENT_PYTHONS = ("3.11", "3.12", "3.13")

USUAL_PLACES = (
    "$PYENV_ROOT/versions/*/bin",
    "~/.pyenv/versions/*/bin",
    "/usr/bin",
    "/usr/local/bin",
    "/opt/homebrew/bin",
    "~/.local/bin",
    "~/.local/share/uv/python/*/bin",
    "~/.asdf/installs/python/*/bin",
)


class NoPython(Exception):
    """None of the Pythons that would do is installed."""


def python_version_for(core: str) -> str:
    """The version of the Python that this machine uses for an ansible-core; that of ``make canary`` is $CORE_PYTHON."""
    if os.environ.get("CANARY"):
        return os.environ["CORE_PYTHON"]
    return _first_found(CORES[core], f"ansible-core {core}")


def python_for(core: str) -> Path:
    """The Python that this machine uses for an ansible-core."""
    return interpreters()[python_version_for(core)]


def development_python() -> Path:
    """The Python that runs the linters, the unit tests and the emulator."""
    running = "{}.{}".format(*sys.version_info[:2])
    preferred = [running] if running in DEVELOPMENT_PYTHONS else []
    return interpreters()[_first_found((*preferred, *DEVELOPMENT_PYTHONS), "development")]


def chosen_core() -> str:
    """The ansible-core that the integration tests play on: $CORE, or the newest."""
    return os.environ.get("CORE") or newest_core()


def newest_core() -> str:
    """The newest ansible-core that a Python of this machine runs."""
    for core, pythons in reversed(CORES.items()):
        if interpreters().keys() & set(pythons):
            return core
    raise NoPython("No Python was found that runs a supported ansible-core.")


@lru_cache(maxsize=1)
def interpreters() -> dict[str, Path]:
    """Every Python that works, by version."""
    found: dict[str, Path] = {}
    for candidate in _candidates():
        version = _version_if_it_works(candidate)
        if version:
            # Not the Python of a virtual environment, should one run this: its base outlives it.
            found.setdefault(version, candidate.resolve())
    return found


def _first_found(versions: Sequence[str], purpose: str) -> str:
    for version in versions:
        if version in interpreters():
            return version
    wanted = ", ".join(dict.fromkeys(versions))
    raise NoPython(f"For {purpose} one of Python {wanted} is needed, with its modules venv and ensurepip.")


def _candidates() -> Iterator[Path]:
    yield Path(sys.executable)
    versions = {OLDEST_MODULE_PYTHON, *CANARY_PYTHONS, *(version for pythons in CORES.values() for version in pythons)}
    names = [f"python{version}" for version in sorted(versions)]
    for folder in (*map(Path, os.get_exec_path()), *_usual_folders()):
        yield from (folder / name for name in names if (folder / name).exists())


def _usual_folders() -> Iterator[Path]:
    for pattern in USUAL_PLACES:
        place = Path(os.path.expandvars(pattern)).expanduser()
        yield from sorted(Path(place.anchor).glob(str(place.relative_to(place.anchor))))


def _version_if_it_works(python: Path) -> str | None:
    """Ask the interpreter itself: the shims of version managers exist for Pythons that they do not run."""
    question = "import sys, ensurepip, venv; print('%d.%d' % sys.version_info[:2])"
    try:
        answer = subprocess.run([str(python), "-c", question], capture_output=True, text=True, check=False, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None
