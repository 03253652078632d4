# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the tools that the checks are made of."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from environments import ROOT

Command = tuple["str | Path", ...]

PYTEST_SUMMARY = re.compile(r"=+ .* in [\d.]+s.* =+")
COLOR_CODES = re.compile(r"\x1b\[[\d;]*m")

pytest_summaries: list[str] = []


class CheckFailed(Exception):
    """A check found something, and has said what."""


def run_all(commands: Iterable[Command], env: Mapping[str, str], cwd: Path = ROOT) -> None:
    """Run every command, also after one that failed, so that one run shows everything."""
    failed = []
    for command in commands:
        title = " ".join([Path(command[0]).name, *map(str, command[1:])])
        print(f"$ {title}", flush=True)
        if subprocess.run(command, cwd=cwd, env=env, check=False).returncode:
            failed.append(title)
    if failed:
        raise CheckFailed("; ".join(failed))


def run_quietly(command: Command, env: Mapping[str, str], cwd: Path) -> tuple[int, str]:
    """Run one command and keep what it says: return code and output."""
    done = subprocess.run(
        command, cwd=cwd, env=env, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return done.returncode, done.stdout


def run_pytest(python: Path, arguments: Iterable[str], env: Mapping[str, str], cwd: Path = ROOT) -> None:
    """Run pytest, show its output as it comes, and remember its summary line."""
    color = "--color=yes" if sys.stdout.isatty() else "--color=no"
    with subprocess.Popen(
        [python, "-m", "pytest", color, *arguments], cwd=cwd, env=env, text=True, stdout=subprocess.PIPE
    ) as pytest:
        assert pytest.stdout
        for line in pytest.stdout:
            print(line, end="", flush=True)
            if PYTEST_SUMMARY.fullmatch(COLOR_CODES.sub("", line).strip()):
                pytest_summaries.append(line.strip())
    if pytest.returncode:
        raise CheckFailed("pytest")
