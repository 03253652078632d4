# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs ansible-playbook and ansible-inventory. A short play spends most of its time on loading core: once will do."""

from __future__ import annotations

import atexit
import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

SERVER = Path(__file__).with_name("preloaded_ansible.py")
LOADED = ("ansible-inventory", "ansible-playbook")
# Variables that nothing reads while it is loaded. Core reads its own then.
READ_BY_EACH_RUN = ("HOSTING_PLATFORM_", "PYTEST_", "RECORDER_")


class Ansible:
    """The commands in a bin folder. In the usual environment each is a fork of a core that is loaded already."""

    def __init__(self, bin_folder: Path, usual: Mapping[str, str]) -> None:
        self._python = bin_folder / "python"
        self._usual = usual

    def run(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str], *, merged: bool = False
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in a folder; ``merged`` has its errors among its output."""
        is_usual = lasting(environment) == self._usual and not (folder / "ansible.cfg").exists()
        with (
            tempfile.NamedTemporaryFile("r", encoding="utf-8") as output,
            tempfile.NamedTemporaryFile("r", encoding="utf-8") as errors,
        ):
            streams = {"stdout": output.name, "stderr": (output if merged else errors).name}
            if is_usual and Path(command[0]).name in LOADED:
                code = self._fork(command=command, folder=str(folder), environment=environment, **streams)
            else:
                code = _start(command, folder, environment, **streams)
            return subprocess.CompletedProcess(command, code, output.read(), errors.read())

    def _fork(self, **request: object) -> int:
        assert self._server.stdin
        assert self._server.stdout
        self._server.stdin.write(f"{json.dumps(request)}\n")
        self._server.stdin.flush()
        return int(self._server.stdout.readline())

    @cached_property
    def _server(self) -> subprocess.Popen[str]:
        server = subprocess.Popen(
            [self._python, SERVER],
            env=self._usual,
            cwd="/",
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        atexit.register(server.communicate)
        return server


def lasting(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if not name.startswith(READ_BY_EACH_RUN)}


def _start(command: Sequence[str], folder: Path, environment: Mapping[str, str], *, stdout: str, stderr: str) -> int:
    with Path(stdout).open("a") as output, Path(stderr).open("a") as errors:
        started = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            check=False,
        )
    return started.returncode
