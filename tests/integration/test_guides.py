# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guides and the README, played. That of the inventory has a test of its own."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
import requests
from emulated import OWNER_TOKEN, Emulated
from environments import ROOT
from guides import GUIDES, Block, blocks
from playing import Player

from roles import write


def run_commands(player: Player, block: Block) -> list[str]:
    """The output of each command of a block. The test has an installation, an address and a token of its own."""
    commands = [line for line in block.text.splitlines() if not re.match(r"export |pip |ansible-galaxy ", line)]
    return [player.run_line(command) for command in commands]


def test_the_quick_start(player: Player) -> None:
    """A newcomer's walk, from the top of the page to its end."""
    playbook = player.folder / "site.yml"
    printed = []
    for block in blocks(GUIDES["quick_start"]):
        if block.language == "yaml":
            playbook.write_text(block.text)
        printed += run_commands(player, block) if block.language == "shell" else []
        if len(printed) == 3:
            playbook.write_text(playbook.read_text().replace("npm run build", "npm run build:production"))
    user, first, again, check, last = printed
    assert "owner@example.com" in user
    assert [re.findall(r"changed=(\d)", output) for output in (first, again, check, last)] == [
        ["2"],
        ["0"],
        ["1"],
        ["1"],
    ]
    assert "npm run build:production" in check
    assert [project["buildCommand"] for project in player.emulator.state()["projects"]] == ["npm run build:production"]


def click_every_link(emulator: Emulated, stop: threading.Event) -> None:
    """The person who confirms logins."""
    while not stop.wait(0.1):
        for mail in requests.get(f"{emulator.control_url}/outbox", timeout=10).json():
            if not mail["clicked"]:
                requests.get(mail["link"], timeout=10)


def test_every_playbook(player: Player) -> None:
    """All of them in one run, one page after the other."""
    pages = [*(GUIDES[name] for name in ("login", "teams", "errors", "performance", "emulator")), ROOT / "README.md"]
    playbooks = [block for page in pages for block in blocks(page, "yaml") if block.is_playbook]
    text = "\n".join(block.text.removeprefix("---\n") for block in playbooks)
    playbook = player.folder / "playbook.yml"
    playbook.write_text(text.replace("https://api.example.com", player.emulator.base_url))
    stop = threading.Event()
    person = threading.Thread(target=click_every_link, args=(player.emulator, stop))
    person.start()
    try:
        play = player.run_file(
            playbook,
            "--extra-vars",
            f"platform_url={player.emulator.base_url} platform_token={OWNER_TOKEN}",
            DEPLOYMENT_TOKEN=OWNER_TOKEN,
            # One of the plays is throttled, for a second at a time.
            HOSTING_PLATFORM_MAX_RETRY_DELAY="5",
        )
    finally:
        stop.set()
        person.join()
    assert "[WARNING]" not in play.output
    assert len(playbooks) == 13


def test_the_guide_to_teams_can_be_played_again(player: Player) -> None:
    """Its renames find what they look for under the old name, under the new one, or not at all."""
    page = [block.text for block in blocks(GUIDES["teams"], "yaml")]
    playbook = player.folder / "teams.yml"
    playbook.write_text("\n".join(page))
    player.emulator.seed(teams=[{"slug": "press"}], projects=[{"name": "magazine", "team": "press"}])
    first, again = (player.run_file(playbook) for _time in range(2))
    assert [len(task.writes) for task in first.tasks if "is called" in task.name] == [1, 1]
    assert {task.name for task in again.tasks if task.writes} == {"Ensure the developer is invited"}
    assert sorted(team["slug"] for team in player.emulator.state()["teams"]) == ["media", "newsroom", "web-team"]
    assert sorted(project["name"] for project in player.emulator.state()["projects"]) == ["journal", "podcast", "shop"]


@pytest.mark.thorough
def test_moving_here(player: Player) -> None:
    """The module finds what the request has created, an export does not drift, and the rest is adopted."""
    requested, described = (block for block in blocks(GUIDES["migration"], "yaml"))
    by_request, by_module = player.folder / "request.yml", player.folder / "module.yml"
    by_request.write_text(requested.text)
    by_module.write_text(described.text)
    player.run_file(by_request)
    (unchanged,) = player.run_file(by_module).tasks
    assert (unchanged.result["changed"], unchanged.writes) == (False, [])
    export, check, adoption = blocks(GUIDES["migration"], "shell")
    exported, checked = (run_commands(player, block)[0] for block in (export, check))
    assert "changed=1" in exported
    assert "changed=0" in checked
    alias = {"alias": "www.example.com", "project": "web", "team": "acme"}
    player.emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "web", "team": "acme"}], aliases=[alias])
    adopted, checked = run_commands(player, adoption)
    assert "Wrote 1 team, 1 project and 1 alias to blueprint/adopted" in " ".join(adopted.split())
    assert "changed=0" in checked
    again, _checked = run_commands(player, adoption)
    assert "(0 files, 0 changed)" in " ".join(again.split())
    assert [project["name"] for project in player.emulator.state()["projects"]] == ["landing-page", "web"]


def test_first_look_at_a_problem(player: Player) -> None:
    """The commands at the top of the page on troubleshooting."""
    write(player.folder / "blueprint", projects="[]\n")
    who, files = (run_commands(player, block)[0] for block in blocks(GUIDES["troubleshooting"], "shell"))
    assert "owner@example.com" in who
    assert "No problems were found" in files


def test_the_rescue_copes_with_what_ansible_itself_refuses(player: Player) -> None:
    """The result of a task with an option of the wrong type holds no ``failure``."""
    rescue, *_others = blocks(GUIDES["errors"], "yaml")
    playbook = player.folder / "rescue.yml"
    playbook.write_text(rescue.text)
    play = player.failing.run_file(playbook, HOSTING_PLATFORM_TIMEOUT="soon")
    assert [task.status for task in play.tasks] == ["failed", "failed"]
    assert "failure" not in play.tasks[0].result
    assert "timeout" in play.tasks[1].result["msg"]


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
