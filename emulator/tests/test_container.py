# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The container file: what it says, and its entry point and health check, run without a container."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import OWNER_TOKEN, Api

FILE = (Path(__file__).parents[1] / "Containerfile").read_text(encoding="utf-8")
INSTRUCTIONS = dict(re.findall(r"^(\w+) (.+)$", FILE.replace("\\\n", ""), re.MULTILINE))
STATE = INSTRUCTIONS["VOLUME"]
ENTRYPOINT: list[str] = json.loads(INSTRUCTIONS["ENTRYPOINT"])
HEALTH: list[str] = json.loads(INSTRUCTIONS["HEALTHCHECK"].partition("CMD ")[2])


def test_it_runs_as_a_user_who_owns_nothing_but_the_state() -> None:
    user, group = INSTRUCTIONS["USER"].split(":")
    assert int(user) > 0
    assert f"install -d -o {user} -g {group} -m 0700 {STATE}" in FILE
    assert FILE.index("\nUSER ") > FILE.rindex("\nRUN ")


def test_state_port_and_check_are_those_of_the_command() -> None:
    script = ENTRYPOINT[2]
    assert f"--database {STATE}/" in script
    assert f"--port {INSTRUCTIONS['EXPOSE']} " in script
    assert "--host 0.0.0.0" in script
    assert f":{INSTRUCTIONS['EXPOSE']}/_emulator/" in HEALTH[-1]


@pytest.fixture
def contained(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The entry point with options of the environment and arguments of its own: its process, and its address."""
    here = [part.replace(STATE, str(tmp_path)).replace("--port 8080", "--port 0") for part in ENTRYPOINT]
    environment = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), *os.get_exec_path()]),
        "HOSTING_PLATFORM_EMULATOR_OWNER_TOKEN": OWNER_TOKEN,
        "HOSTING_PLATFORM_EMULATOR_OPTIONS": "--allow-host platform --switch not_found=403",
    }
    command = [*here, "--switch", "list_order=ascending"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield process, process.stdout.readline().split()[-1].replace("0.0.0.0", "127.0.0.1")
        process.kill()


def is_healthy(address: str) -> bool:
    check = [part.replace("http://127.0.0.1:8080", address) for part in HEALTH]
    return subprocess.run([sys.executable, *check[1:]], check=False, capture_output=True).returncode == 0


def test_it_serves_a_job_and_ends_when_it_is_told(contained: tuple[subprocess.Popen[str], str], tmp_path: Path) -> None:
    process, address = contained
    assert is_healthy(address)
    with Api(address, headers={"Host": "platform:8080"}) as api:
        switches = api.get("/_emulator/switches").json()
    assert (switches["not_found"], switches["list_order"]) == (403, "ascending")
    assert [file for file in tmp_path.iterdir() if file.name.startswith("state.db")]
    # Not the shell's process but the emulator's: otherwise a container is killed after ten seconds.
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=8) == 0
    assert not is_healthy(address)
