# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The container file: what it says, and its entry point and health check, run without a container."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support import OWNER_TOKEN, Api, started

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


def is_healthy(address: str) -> bool:
    check = [part.replace("http://127.0.0.1:8080", address) for part in HEALTH]
    return subprocess.run([sys.executable, *check[1:]], check=False, capture_output=True).returncode == 0


def test_it_serves_a_job_and_ends_when_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry point, with options of the environment and arguments of its own.

    The signal to end is for the emulator's process and no shell's: otherwise a container is killed after ten seconds.
    """
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), *os.get_exec_path()]))
    monkeypatch.setenv("HOSTING_PLATFORM_EMULATOR_OWNER_TOKEN", OWNER_TOKEN)
    monkeypatch.setenv("HOSTING_PLATFORM_EMULATOR_OPTIONS", "--allow-host platform --switch not_found=403")
    entry = [part.replace(STATE, str(tmp_path)).replace("--port 8080", "--port 0") for part in ENTRYPOINT]
    with started([*entry, "--switch", "list_order=ascending"]) as base_url:
        address = base_url.replace("0.0.0.0", "127.0.0.1")
        assert is_healthy(address)
        with Api(address, headers={"Host": "platform:8080"}) as api:
            switches = api.get("/_emulator/switches").json()
        assert (switches["not_found"], switches["list_order"]) == (403, "ascending")
        assert [file for file in tmp_path.iterdir() if file.name.startswith("state.db")]
    assert not is_healthy(address)
