# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The request log of playbooks: the same on both ways of running, and whole from many workers and
hosts at once.
"""

import json
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from emulated import OWNER_TOKEN, ControlledEmulator
from guides import GUIDES, blocks
from inventories import Inventory
from player import Player
from sampling import both_ways

BLUEPRINT = {"projects": [{"name": f"p{number}", "team": "acme"} for number in range(40)]}


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def asked(requests: list[dict[str, Any]]) -> Counter[tuple[str, str]]:
    return Counter((request["operation"], request["path"]) for request in requests)


@both_ways
def test_every_request_of_hosts_at_once_has_its_line(player: Player, in_process: str) -> None:
    player.emulator.seed(teams=[{"slug": "acme"}])
    player.emulator.forget_requests()
    player.emulator.plan_fault("GET /projects", "503", count=1)
    (player.folder / "hosts").write_text(
        "".join(f"h{number} ansible_connection=local\n" for number in range(5))
        + "[all:vars]\nansible_python_interpreter={{ ansible_playbook_python }}\n"
    )
    log = player.folder / "log.jsonl"
    host = "{{ inventory_hostname }}"
    projects = [{"name": f"{host}-{number}", "team": "acme"} for number in range(20)]
    tasks: list[dict[str, Any]] = [
        {
            "hosting.platform.blueprint": {
                "blueprint": {"projects": projects},
                "request_log": str(log),
            }
        },
        {
            "hosting.platform.project": {"name": f"{host} {{{{ item }}}}", "team": "acme"},
            "loop": ["b/c", "\u00fc"],
        },
    ]
    given = {"HOSTING_PLATFORM_REQUEST_LOG": str(log), "HOSTING_PLATFORM_IN_PROCESS": in_process}
    player.run_plays(
        [{"hosts": "all", "gather_facts": False, "tasks": tasks}], "-i", "hosts", **given
    )
    lines = lines_of(log)
    assert asked(lines) == asked(player.emulator.requests())
    failed = [
        (line["status"], line["attempt"], line["error"]) for line in lines if line["status"] >= 500
    ]
    assert failed == [(503, 1, "Service Unavailable")]
    assert log.stat().st_mode & 0o777 == 0o600
    assert OWNER_TOKEN not in log.read_text()


def test_the_inventory_writes_it_too(
    emulator: ControlledEmulator, inventory: Inventory, tmp_path: Path
) -> None:
    emulator.seed(projects=[{"name": "web"}])
    emulator.forget_requests()
    inventory.listed(inventory.source(request_log=str(tmp_path / "log")))
    assert asked(lines_of(tmp_path / "log")) == asked(emulator.requests())


@pytest.mark.skipif(not (shutil.which("jq") or os.environ.get("CI")), reason="jq is not installed")
def test_the_guide_answers_from_the_log_of_a_throttled_run(player: Player) -> None:
    # An empty list would not be believed without one more request.
    player.emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "old", "team": "acme"}])
    player.emulator.plan_fault("POST /projects", "429", count=3, retry_after="0")
    log = player.folder / "requests.jsonl"
    task = {"hosting.platform.blueprint": {"blueprint": BLUEPRINT}}
    player.run([task], HOSTING_PLATFORM_REQUEST_LOG=str(log))

    slowest, by_operation, refused, throttled = guide_answers(player.folder)

    assert len(slowest) == 10
    assert slowest == sorted(slowest, key=lambda row: -row[0])
    asked_for = Counter(request["operation"] for request in player.emulator.requests())
    assert {row["operation"]: row["requests"] for row in by_operation} == asked_for
    assert [row[2] for row in refused].count(429) == 3
    assert {row[-1] for row in refused} == {"/projects"}
    assert throttled[0]["throttled"] == 3
    assert throttled[0]["longest_wait"] == max(line["waited"] for line in lines_of(log))


def guide_answers(folder: Path) -> list[list[Any]]:
    """What the commands of the guide print, line by line."""
    commands = [
        block.text for block in blocks(GUIDES["limits"], "shell") if "requests.jsonl" in block.text
    ]
    queries = [line for line in "".join(commands).splitlines() if line.startswith("jq ")]
    answers = []
    for query in queries:
        done = subprocess.run(
            ["bash", "-c", query], cwd=folder, text=True, capture_output=True, check=True
        )
        answers.append([json.loads(line) for line in done.stdout.splitlines()])
    return answers
