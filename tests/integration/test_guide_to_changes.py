# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide to changes, played: each run's report, what tells drift from a refusal, and the question at a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

from environments import variables
from guides import GUIDES, blocks, is_changed, walk, write_file
from playing import Player


def heading(report: Path) -> tuple[str, str]:
    """Title and verdict of a report."""
    page = report.read_text(encoding="utf-8")
    title, verdict = (re.findall(f"<{tag}[^>]*>([^<]+)<", page)[0].strip() for tag in ("h1", "h2"))
    return title, verdict


def test_the_guide_to_changes(player: Player) -> None:
    """What each run of the playbook reports, and what tells drift from a refusal."""
    reports = []

    def note(line: str, output: str) -> None:
        if line.startswith("ansible-playbook"):
            reports.append((is_changed(output), *heading(player.folder / "report.html")))

    walk(player, GUIDES["changes"], note)
    assert reports == [
        (True, "Plan", "4 of 4 entries differ from the platform."),
        (True, "Run report", "4 changes were made."),
        (False, "Run report", "Nothing had to be changed."),
        (True, "Drift report", "3 of 5 entries differ from the platform."),
        (True, "Run report", "3 changes were made."),
        (
            False,
            "Run report",
            "Refused by converge_limits.delete; nothing was written. 1 of 5 entries differs from the platform.",
        ),
        (False, "Run report", "Nothing had to be changed."),
    ]
    (query,) = [block.text for block in blocks(GUIDES["changes"], "shell") if block.text.startswith("jq ")]
    plans = [json.loads((player.folder / name).read_text()) for name in ("drift.json", "refused.json")]
    assert [(plan["failed"], plan["refused"]) for plan in plans] == [(False, False), (True, True)]
    if shutil.which("jq") or os.environ.get("CI"):
        answers = [
            subprocess.run(
                ["bash", "-c", query.replace("drift.json", name)],
                cwd=player.folder,
                check=True,
                text=True,
                capture_output=True,
            ).stdout
            for name in ("drift.json", "refused.json")
        ]
        assert answers == ["drift\n", "refused\n"]
    projects = {project["name"]: project["framework"] for project in player.emulator.state()["projects"]}
    assert projects == {"shop": "nextjs", "blog": "astro", "experiment": None}


def answered(player: Player, line: str, answer: str) -> tuple[int, str]:
    """Run a command at a terminal, and answer its question: the return code, and all that it shows."""
    program, *arguments = shlex.split(line)
    ours, theirs = pty.openpty()
    # In a session of its own, whose terminal it is.
    command: list[Any] = ["setsid", "--ctty", "--wait", player.bin / program, *arguments]
    given = {**variables(player.bin), **player.environment}
    shown = b""
    with subprocess.Popen(command, cwd=player.folder, env=given, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        for _second in range(60):
            # What is typed before Ansible reads is thrown away: after a second of silence, it is typed again.
            if b"changes nothing: " in shown:
                os.write(ours, f"{answer}\r".encode())
            try:
                while select.select([ours], [], [], 1)[0]:
                    shown += os.read(ours, 4096)
            except OSError:  # it has ended
                break
        else:
            process.kill()
    os.close(ours)
    return process.returncode, shown.decode().replace("\r\n", "\n")


def test_the_question_is_asked_at_a_terminal_and_only_yes_applies(player: Player) -> None:
    page = list(blocks(GUIDES["changes"]))
    for block in page[:2]:
        write_file(player.folder, block)
    (shown,) = [block.text for block in page if block.text.startswith("$ ")]
    line, *lines = shown.removeprefix("$ ").replace("https://api.example.com", player.emulator.base_url).splitlines()
    player.emulator.forget_requests()
    code, said = answered(player, line, "no")
    assert code != 0
    assert [text for text in lines if text.removesuffix("yes") not in said] == [], said
    assert player.emulator.writes == []
    code, said = answered(player, line, " YES ")
    assert code == 0, said
    assert len(player.emulator.state()["projects"]) == 2
