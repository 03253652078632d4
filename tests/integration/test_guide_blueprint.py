# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide to blueprints, played: its files are written and its commands run, in its order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from guides import GUIDES, blocks
from playing import Player

# What each playbook of the guide leaves: whether it changed anything, and what its report says.
OUTCOMES = {
    "blueprint": [
        (False, "", ""),  # the look at the files, which needs no platform
        (True, "", ""),  # the export, which writes files and no report
        (False, "", ""),  # what was exported, without a report
        (True, "Plan", "5 of 5 entries differ from the platform."),
        (True, "Run report", "5 changes were made."),
        (False, "Run report", "Nothing had to be changed."),
        (True, "Drift report", "3 of 6 entries differ from the platform."),
        (True, "Run report", "3 changes were made."),
        (True, "Run report", "1 change was made."),
        (True, "Run report", "1 change was made."),
        (False, "Run report", "Nothing had to be changed."),
        (False, "Run report", "Nothing had to be changed."),
        (
            False,
            "Run report",
            "Refused by converge_limits.delete; nothing was written. 1 of 7 entries differs from the platform.",
        ),
    ],
    "renames": [
        (True, "Run report", "3 changes were made."),
        (True, "Run report", "2 changes were made."),
        (False, "Run report", "Nothing had to be changed."),
    ],
}
LEFT = {
    "blueprint": {
        "shop": "nextjs",
        "shop-admin": "vite",
        "journal": "astro",
        "handbook": "astro",
        "experiment": "",
    },
    "renames": {"storefront": ""},
}


def shown(report: Path) -> tuple[str, str]:
    """Title and verdict of a report, if there is one."""
    page = report.read_text(encoding="utf-8") if report.exists() else "<h1> <<h2> <"
    title, verdict = (re.findall(f"<{tag}[^>]*>([^<]+)<", page)[0].strip() for tag in ("h1", "h2"))
    return title, verdict


@pytest.mark.parametrize("guide", OUTCOMES)
def test_every_step_of_the_guide(player: Player, guide: str) -> None:
    outcomes = []
    for block in blocks(GUIDES[guide]):
        if block.file:
            path = player.folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        for command in block.text.splitlines() if block.language == "shell" else []:
            # The test has an address and a token of its own.
            if command.startswith("export "):
                continue
            output = player.run_line(command)
            if command.startswith("ansible-playbook"):
                outcomes.append(("changed=0" not in output, *shown(player.folder / "report.html")))
    assert outcomes == OUTCOMES[guide]
    projects = player.emulator.state()["projects"]
    assert {project["name"]: project["framework"] or "" for project in projects} == LEFT[guide]
    assert "www.example.com" in [alias["alias"] for alias in player.emulator.state()["aliases"]]
