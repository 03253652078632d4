# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Software bills of materials in CycloneDX format, for the emulator's wheel and the tools' environments."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

# Not validated here, as the tool takes seconds to load its schemas for each bill: a unit test validates them all.
CYCLONEDX = Path(sys.executable).with_name("cyclonedx-py")
OUTPUT = ("--no-validate", "--output-reproducible", "--output-file")


def write(folder: Path, source: Path, environment: Mapping[str, str]) -> None:
    """Write a bill for the folder's wheel, as it is installed, and for each pinned environment of the source."""
    _of_wheel(folder, source, environment)
    for pins in sorted((source / "tests/requirements").glob("*.txt")):
        bill = folder / f"environment-{pins.stem}.cdx.json"
        subprocess.run([CYCLONEDX, "requirements", pins, *OUTPUT, bill], env=environment, check=True)


def _of_wheel(folder: Path, source: Path, environment: Mapping[str, str]) -> None:
    (wheel,) = folder.glob("*.whl")
    name, version = wheel.name.split("-")[:2]
    with tempfile.TemporaryDirectory() as installed:
        python = Path(installed, "bin", "python")
        pins = ("--constraint", source / "tests/requirements/demo.txt")
        # By name, not by path, which the bill would include.
        wanted = (*pins, "--find-links", folder, f"{name}=={version}")
        described = ("--pyproject", source / "emulator/pyproject.toml", "--mc-type", "application")
        bill = folder / f"{wheel.name}.cdx.json"
        for command in (
            (sys.executable, "-m", "venv", "--without-pip", installed),
            (sys.executable, "-m", "pip", "--python", python, "install", "--quiet", *wanted),
            (CYCLONEDX, "environment", python, *described, *OUTPUT, bill),
        ):
            subprocess.run(command, env=environment, check=True)
