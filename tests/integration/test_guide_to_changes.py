# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide to changes, played: each run's report, what tells drift from a refusal, and what answers from its files."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from guides import GUIDES, blocks, is_changed, walk
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
        (True, "Plan", "4 objects differ from the blueprint."),
        (True, "Run report", "4 changes were made."),
        (False, "Run report", "Nothing had to be changed."),
        (True, "Drift report", "3 objects differ from the blueprint."),
        (True, "Run report", "3 changes were made."),
        (
            False,
            "Run report",
            "Refused by converge_limits.delete; the platform was not changed. 1 object differs from the blueprint.",
        ),
        (False, "Run report", "Nothing had to be changed."),
    ]
    (query,) = [block.text for block in blocks(GUIDES["changes"], "shell") if block.text.startswith("jq ")]
    plans = [json.loads((player.folder / name).read_text()) for name in ("drift.json", "refused.json")]
    assert [(plan["failed"], plan["refused"]) for plan in plans] == [(False, False), (True, True)]
    if shutil.which("jq") or os.environ.get("CI"):
        queries = [query.replace("drift.json", name) for name in ("drift.json", "refused.json")]
        command = ["bash", "-c", "\n".join(queries)]
        done = subprocess.run(command, cwd=player.folder, check=True, text=True, capture_output=True)
        assert done.stdout == "drift\nrefused\n"
    projects = {project["name"]: project["framework"] for project in player.emulator.state()["projects"]}
    assert projects == {"shop": "nextjs", "blog": "astro", "experiment": None}
