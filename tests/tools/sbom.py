# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Software bills of materials in CycloneDX's format: of the emulator's wheel, and of the environments of the tools."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from commands import run_all

# The tool would read its schemas anew for each bill, which takes seconds: a unit test validates them all.
OUTPUT = ("--no-validate", "--output-reproducible", "--output-file")


def write(folder: Path, tools: Path, source: Path, environment: Mapping[str, str]) -> None:
    """Write a bill for the folder's wheel, as it is installed, and for each pinned environment of the source."""
    _of_wheel(folder, tools, source, environment)
    run_all(
        [
            (tools / "cyclonedx-py", "requirements", pins, *OUTPUT, folder / f"environment-{pins.stem}.cdx.json")
            for pins in sorted((source / "tests/requirements").glob("*.txt"))
        ],
        environment,
    )


def _of_wheel(folder: Path, tools: Path, source: Path, environment: Mapping[str, str]) -> None:
    (wheel,) = folder.glob("*.whl")
    name, version = wheel.name.split("-")[:2]
    with tempfile.TemporaryDirectory() as installed:
        python = Path(installed, "bin", "python")
        pins = ("--constraint", source / "tests/requirements/demo.txt")
        # By name and not by path, which would be told in the bill.
        install = ("install", "--quiet", *pins, "--find-links", folder, f"{name}=={version}")
        described = ("--pyproject", source / "emulator/pyproject.toml", "--mc-type", "application")
        run_all(
            [
                (tools / "python", "-m", "venv", "--without-pip", installed),
                (tools / "pip", "--python", python, *install),
                (
                    *(tools / "cyclonedx-py", "environment", python, *described),
                    *(*OUTPUT, folder / f"{wheel.name}.cdx.json"),
                ),
            ],
            environment,
        )
