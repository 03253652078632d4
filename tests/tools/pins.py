# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the pinned requirement files: the newest versions that work on every Python that uses the
file.
"""

import subprocess
import sys
from pathlib import Path

from environments import EMULATOR, REQUIREMENTS, ROOT
from interpreters import CORES, DEVELOPMENT_PYTHONS, OLDEST_CORE

COMPILE = "pip compile --universal --upgrade --quiet --no-header --no-annotate --no-emit-index-url"
OLDEST_LIBRARIES = "requests==2.25.0\nurllib3==1.26.5"  # as README states them
RELEASE_CANDIDATE = "2.22"  # An unreleased ansible-core; "" once all in the table are released.


def main() -> None:
    emulator = EMULATOR / "pyproject.toml"
    pin("nox", DEVELOPMENT_PYTHONS, [REQUIREMENTS / "nox.in", "--generate-hashes"])
    for name in ("docs", "build"):
        pin(name, DEVELOPMENT_PYTHONS, [REQUIREMENTS / f"{name}.in"])
    for name in ("tests", "lint", "demo", "molecule"):
        pin(name, DEVELOPMENT_PYTHONS, [REQUIREMENTS / f"{name}.in", emulator])
    pin("emulator", DEVELOPMENT_PYTHONS, [emulator, "--extra", "test"])
    pin("oldest", DEVELOPMENT_PYTHONS, ["-"], OLDEST_LIBRARIES)
    for core, pythons in CORES.items():
        # The oldest core represents old environments: distributions still ship urllib3 1.26 with
        # it.
        more = "\nurllib3<2" if core == OLDEST_CORE else ""
        # uv accepts a release candidate only if one is named.
        wanted = f"ansible-core=={core}.*" + (
            f",>={core}.0rc1" if core == RELEASE_CANDIDATE else ""
        )
        pin(f"core-{core}", pythons, [REQUIREMENTS / "core.in", "-"], wanted + more)


def pin(name: str, pythons: tuple[str, ...], sources: list[str | Path], more: str = "") -> None:
    oldest = min(pythons, key=lambda version: int(version.partition(".")[2]))
    target = REQUIREMENTS / f"{name}.txt"
    command = [
        sys.argv[1],
        *COMPILE.split(),
        "--python-version",
        oldest,
        "--output-file",
        target,
        *sources,
    ]
    subprocess.run(command, cwd=ROOT, input=more, text=True, check=True, stdout=subprocess.DEVNULL)
    print(f"wrote {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
