# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide to blueprints, played: its files are written and its commands run, in its order."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from textwrap import dedent

from environments import ROOT, collection_tree, variables
from playing import DEPRECATION, Player

GUIDE = ROOT / "docs/docsite/rst/guide_blueprint.rst"
# What each playbook of the guide leaves: whether it changed anything, and what its report says.
OUTCOMES = [
    (True, "Drift report", "5 of 5 entries differ from the platform."),
    (True, "Run report", "5 changes were made."),
    (False, "Run report", "Nothing had to be changed."),
    (True, "Drift report", "3 of 6 entries differ from the platform."),
    (True, "Run report", "3 changes were made."),
    (True, "Run report", "3 changes were made."),  # the export, which writes files and no report
    (False, "Run report", "3 changes were made."),  # what was exported, without a report
]


def blocks() -> Iterator[tuple[str, str]]:
    """The guide's code blocks: their language and their text."""
    found = re.findall(r"^\.\. code-block:: (\w+)\n\n((?:  .*\n|\n)+)", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    for language, text in found:
        yield language, dedent(text).strip() + "\n"


def test_every_step_of_the_guide(player: Player) -> None:
    environment = {**variables(player.bin, collection_tree()), **player.environment, "ANSIBLE_NOCOLOR": "true"}
    outcomes = []
    for language, text in blocks():
        if language == "yaml":
            path = player.folder / text.partition("\n")[0].removeprefix("# ")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        for command in text.splitlines() if language == "shell" else []:
            # The test has an address and a token of its own.
            if command.startswith("export "):
                continue
            done = subprocess.run(
                ["bash", "-c", command], cwd=player.folder, env=environment, check=False, text=True, capture_output=True
            )
            assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
            assert DEPRECATION not in done.stderr
            if command.startswith("ansible-playbook"):
                page = (player.folder / "report.html").read_text(encoding="utf-8")
                title, verdict = (re.findall(f"<{tag}[^>]*>([^<]+)<", page)[0].strip() for tag in ("h1", "h2"))
                outcomes.append(("changed=0" not in done.stdout, title, verdict))
    assert outcomes == OUTCOMES
    assert {project["name"]: project["framework"] for project in player.emulator.state["projects"]} == {
        "shop": "nextjs",
        "shop-admin": "vite",
        "blog": "astro",
    }
    assert "www.example.com" in [alias["alias"] for alias in player.emulator.state["aliases"]]
