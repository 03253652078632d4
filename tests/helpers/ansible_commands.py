# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs commands of Ansible. A short play spends most of its time loading core: once will do."""

import atexit
import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from preloaded_ansible import COMMANDS

SERVER = Path(__file__).with_name("preloaded_ansible.py")
# Variables that nothing reads at load time, unlike core's own.
READ_BY_EACH_RUN = ("HOME", "HOSTING_PLATFORM_", "PATH", "PYTEST_", "RECORDER_")


class Ansible:
    """The commands in a bin folder. In an environment that is reused, each is a fork of a preloaded
    core.
    """

    def __init__(self, bin_folder: Path) -> None:
        self._python = bin_folder / "python"
        self._servers: dict[frozenset[tuple[str, str]], _Server | None] = {}

    def run(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        *,
        merged: bool = False,
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in a folder; ``merged`` redirects stderr to stdout."""
        with (
            tempfile.NamedTemporaryFile("r", encoding="utf-8") as output,
            tempfile.NamedTemporaryFile("r", encoding="utf-8") as errors,
        ):
            streams = {"stdout": output.name, "stderr": (output if merged else errors).name}
            server = (
                None if (folder / "ansible.cfg").exists() else self._server(command, environment)
            )
            if server:
                code = server.fork(
                    command=command, folder=str(folder), environment=environment, **streams
                )
            else:
                code = _start(command, folder, environment, **streams)
            return subprocess.CompletedProcess(command, code, output.read(), errors.read())

    def _server(self, command: Sequence[str], environment: Mapping[str, str]) -> "_Server | None":
        """What forks, from the second command in an environment on."""
        if Path(command[0]).name not in COMMANDS:
            return None
        lasting = {
            name: value
            for name, value in environment.items()
            if not name.startswith(READ_BY_EACH_RUN)
        }
        key = frozenset(lasting.items())
        if key not in self._servers:
            self._servers[key] = None
            return None
        server = self._servers[key] = self._servers[key] or _Server(self._python, lasting)
        return server


class _Server:
    """A process that has loaded core, and forks."""

    def __init__(self, python: Path, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [python, SERVER],
            env=environment,
            cwd="/",
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        atexit.register(self._process.communicate)

    def fork(self, **request: object) -> int:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{json.dumps(request)}\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


def _start(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    *,
    stdout: str,
    stderr: str,
) -> int:
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
