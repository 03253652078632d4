# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which ansible-core runs on which Python, and where this machine keeps its Pythons."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

# Every supported ansible-core with the Pythons that can control with it, the preferred one first.
CORES = {
    "2.16": ("3.10", "3.11", "3.12"),
    "2.17": ("3.10", "3.11", "3.12"),
    "2.18": ("3.11", "3.12", "3.13"),
    "2.19": ("3.11", "3.12", "3.13"),
    "2.20": ("3.13", "3.12"),
    "2.21": ("3.13", "3.12"),
}
OLDEST_CORE = next(iter(CORES))

# What the linters, the unit tests and the emulator run on.
DEVELOPMENT_PYTHONS = ("3.11", "3.12", "3.13")

USUAL_PLACES = (
    "/usr/bin",
    "/usr/local/bin",
    "/opt/homebrew/bin",
    "~/.local/bin",
    "~/.local/share/uv/python/*/bin",
    "~/.asdf/installs/python/*/bin",
)


class NoPython(Exception):
    """None of the Pythons that would do is installed."""


def python_for(core: str) -> Path:
    """The Python that this machine uses for an ansible-core."""
    return _first_found(CORES[core], f"ansible-core {core}")


def development_python() -> Path:
    """The Python that runs the linters, the unit tests and the emulator."""
    running = "{}.{}".format(*sys.version_info[:2])
    preferred = [running] if running in DEVELOPMENT_PYTHONS else []
    return _first_found((*preferred, *DEVELOPMENT_PYTHONS), "development")


def newest_core() -> str:
    """The newest ansible-core that a Python of this machine runs."""
    found = interpreters()
    runnable = [core for core, pythons in CORES.items() if found.keys() & set(pythons)]
    if not runnable:
        raise NoPython(f"No ansible-core from {OLDEST_CORE} on runs on the Pythons found: {', '.join(found) or 'none'}.")
    return runnable[-1]


@lru_cache(maxsize=1)
def interpreters() -> dict[str, Path]:
    """Every Python that works, by version."""
    found: dict[str, Path] = {}
    for candidate in _candidates():
        version = _version_if_it_works(candidate)
        if version:
            found.setdefault(version, candidate)
    return found


def _first_found(versions: tuple[str, ...], purpose: str) -> Path:
    found = interpreters()
    for version in versions:
        if version in found:
            return found[version]
    wanted = ", ".join(sorted(set(versions), key=versions.index))
    raise NoPython(f"Python for {purpose}: one of {wanted} is needed, with the modules venv and ensurepip.")


def _candidates() -> Iterator[Path]:
    yield Path(sys.executable)
    wanted = {version for pythons in CORES.values() for version in pythons}
    for folder in (*os.get_exec_path(), *_pyenv_folders(), *_usual_folders()):
        for version in sorted(wanted):
            candidate = Path(folder) / f"python{version}"
            if candidate.exists():
                yield candidate


def _pyenv_folders() -> list[Path]:
    if not shutil.which("pyenv"):
        return []
    root = subprocess.run(["pyenv", "root"], capture_output=True, text=True, check=False).stdout.strip()
    return sorted(Path(root).glob("versions/*/bin")) if root else []


def _usual_folders() -> Iterator[Path]:
    for pattern in USUAL_PLACES:
        place = Path(pattern).expanduser()
        yield from sorted(Path(place.anchor).glob(str(place.relative_to(place.anchor))))


def _version_if_it_works(python: Path) -> str | None:
    """Ask the interpreter itself: the shims of version managers exist for Pythons that they do not run."""
    question = "import sys, ensurepip, venv; print('%d.%d' % sys.version_info[:2])"
    try:
        answer = subprocess.run([str(python), "-c", question], capture_output=True, text=True, check=False, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None
