# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guides to blueprints, changes, environments, large platforms and moving here, played from top
to bottom.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from emulated import running_emulator
from environments import variables
from folders import write
from guides import (
    EXAMPLE_URL,
    GUIDES,
    blocks,
    commands,
    expected_output,
    is_changed,
    play_page,
    write_file,
)
from player import Player


def heading(report: Path) -> tuple[str, str]:
    """Title and outcome of a report."""
    page = report.read_text(encoding="utf-8")
    title, outcome = (re.findall(f"<{tag}[^>]*>([^<]+)<", page)[0].strip() for tag in ("h1", "h2"))
    return title, outcome


def test_the_guide_to_changes(player: Player) -> None:
    """What each run of the playbook reports, and what tells drift from a refusal."""
    reports = []

    def note(line: str, output: str) -> None:
        if line.startswith("ansible-playbook"):
            reports.append((is_changed(output), *heading(player.folder / "report.html")))

    play_page(player, GUIDES["changes"], note)
    assert reports == [
        (True, "Plan", "4 to create (1 team, 2 projects, 1 alias)."),
        (True, "Run report", "Done: 4 created."),
        (False, "Run report", "Nothing to do; 4 unchanged."),
        (
            False,  # a task that fails does not count as changed
            "Drift report",
            "1 to create (1 alias), 1 to change (1 project), 1 to delete (1 project) and 1 along"
            " with them;"
            " 2 unchanged.",
        ),
        (
            True,
            "Run report",
            "Done: 1 created, 1 changed, 1 deleted and 1 along with them; 2 unchanged.",
        ),
        (False, "Run report", "Nothing to do; 1 unchanged."),
        *[(False, "Run report", "Refused: nothing was changed.")]
        * 2,  # the last command writes no report
    ]
    (query,) = [
        block.text for block in blocks(GUIDES["changes"], "shell") if block.text.startswith("jq ")
    ]
    plans = [
        json.loads((player.folder / name).read_text()) for name in ("drift.json", "refused.json")
    ]
    assert [(plan["failed"], plan["refused"]) for plan in plans] == [(False, False), (True, True)]
    if shutil.which("jq") or os.environ.get("CI"):
        queries = [query.replace("drift.json", name) for name in ("drift.json", "refused.json")]
        command = ["bash", "-c", "\n".join(queries)]
        done = subprocess.run(
            command, cwd=player.folder, check=True, text=True, capture_output=True
        )
        assert done.stdout == "drift\nrefused\n"
    projects = {
        project["name"]: project["framework"] for project in player.emulator.state()["projects"]
    }
    assert projects == {"shop": "nextjs", "blog": "astro", "experiment": None}


def commands_of(page: Path) -> list[str]:
    """The commands of all blocks of shell of a page."""
    return list(chain.from_iterable(map(commands, blocks(page, "shell"))))


@pytest.mark.thorough
def test_moving_here(player: Player) -> None:
    """The module finds what the request has created, an export does not drift, and the rest is
    adopted.
    """
    requested, described = (block for block in blocks(GUIDES["migration"], "yaml"))
    by_request = player.folder / "request.yml"
    by_module = player.folder / "module.yml"
    by_request.write_text(requested.text)
    by_module.write_text(described.text)
    player.run_file(by_request)
    (unchanged,) = player.run_file(by_module).tasks
    assert (unchanged.result["changed"], unchanged.writes) == (False, [])
    export, check, adopt, adopted = commands_of(GUIDES["migration"])
    assert [is_changed(expected_output(player, line)) for line in (export, check)] == [True, False]
    alias = {"alias": "www.example.com", "project": "web", "team": "acme"}
    player.emulator.seed(
        teams=[{"slug": "acme"}], projects=[{"name": "web", "team": "acme"}], aliases=[alias]
    )
    assert [is_changed(expected_output(player, line)) for line in (adopt, adopted, adopt)] == [
        True,
        False,
        False,
    ]
    assert [project["name"] for project in player.emulator.state()["projects"]] == [
        "landing-page",
        "web",
    ]


def test_the_guide_to_blueprints(player: Player) -> None:
    """Each command's outcome, and what is there at the end: renamed, moved and left to others
    without loss.
    """
    ids: list[dict[str, str]] = []

    def note(_line: str, _output: str) -> None:
        ids.append(
            {project["name"]: project["id"] for project in player.emulator.state()["projects"]}
        )

    outcomes = [is_changed(output) for output in play_page(player, GUIDES["blueprint"], note)]
    assert outcomes == [
        *(False, True, True),  # the look at the files, the plan, the first run
        True,  # defaults, and aliases in their project
        *(True, False),  # the rename
        *(True, False),  # the move by a task, after which the plan is empty
        True,  # the plan of a team's deletion
        *(True, True, False),  # what others change is left
        *(True, False),  # the export is what exists
    ]
    assert ids[-1]["storefront"] == ids[2]["shop"]
    assert ids[-1]["podcast"] == ids[2]["podcast"]
    state = player.emulator.state()
    slugs = {team["id"]: team["slug"] for team in state["teams"]}
    projects = {
        project["name"]: (slugs[project["teamId"]], project["framework"])
        for project in state["projects"]
    }
    others = {"podcast": ("media", "astro"), "handbook": ("acme", "astro")}
    others |= {"magazine": ("media", "hugo"), "radio": ("media", "astro")}
    assert projects == {"storefront": ("acme", "nextjs"), **others}
    assert "www.example.com" in [alias["alias"] for alias in state["aliases"]]


def test_the_guide_to_two_environments(player: Player) -> None:
    """Each command's outcome by host, and what is on each platform at the end."""
    with running_emulator() as staging:
        addresses = {
            "https://api.staging.example.com": staging.base_url,
            EXAMPLE_URL: player.emulator.base_url,
        }
        tokens = {"STAGING_TOKEN": staging.token, "PRODUCTION_TOKEN": player.emulator.token}
        environment = {
            **tokens,
            "HOSTING_PLATFORM_BASE_URL": None,
            "HOSTING_PLATFORM_ACCESS_TOKEN": None,
        }
        outcomes = []
        for block in blocks(GUIDES["environments"]):
            if block.file:
                text = re.sub("|".join(addresses), lambda found: addresses[found[0]], block.text)
                write_file(player.folder, block._replace(text=text))
            for line in commands(block):
                program, *arguments = shlex.split(line)
                done = player.execute([player.bin / program, *arguments], environment, merged=True)
                assert done.returncode == 0, done.stdout
                outcomes.append(
                    dict(
                        re.findall(
                            r"^(staging|production) +: .*changed=(\d)", done.stdout, re.MULTILINE
                        )
                    )
                )
                shown = done.stdout
            if block.language == "text":
                for address, own in addresses.items():
                    shown = shown.replace(own, address)
                assert [line for line in block.text.splitlines() if line not in shown] == [], shown
        both = {"staging": "1", "production": "1"}
        assert outcomes == [
            both,
            both,
            *([{"staging": "1"}] * 2),
            *([{"production": "1"}] * 2),
            {"staging": "1", "production": "0"},
            both,
        ]
        names = [
            sorted(project["name"] for project in emulator.state()["projects"])
            for emulator in (staging, player.emulator)
        ]
    assert names == [["blog", "shop"], ["blog", "shop"]]


TEAMS = ("acme", "media", "tools")


@pytest.mark.thorough
def test_slices_of_a_large_platform_prune_nothing_that_another_declares(player: Player) -> None:
    """The recipe of the page on limits: ansible-runner plays the hosts of each slice, as a
    controller divides them.
    """
    project = player.folder / "runner/project"
    for block in blocks(GUIDES["limits"], "yaml"):
        if block.file:
            write_file(project, block)
    for team in TEAMS:
        text = f"team: {team}\nteams: [{{slug: {team}}}]\nprojects: [{{name: web}}]\n"
        write(project / "blueprint", **{f"{team}__all": text})
    old = [{"name": "old", "team": team} for team in TEAMS]
    player.emulator.seed(teams=[{"slug": team} for team in TEAMS], projects=old)
    teams = {team["id"]: team["slug"] for team in player.emulator.state()["teams"]}

    def left() -> set[tuple[str, str]]:
        return {
            (teams[found["teamId"]], found["name"]) for found in player.emulator.state()["projects"]
        }

    def launch(hosts: list[str]) -> None:
        runner = Path(sys.executable).with_name("ansible-runner")
        command: list[Any] = [runner, "run", project.parent, "--playbook", "by_team.yml"]
        options: list[Any] = ["--inventory", project / "teams.yml", "--limit", ",".join(hosts)]
        given = {**variables(player.bin), **player.environment}
        done = subprocess.run(
            [*command, *options], env=given, check=False, text=True, capture_output=True
        )
        assert done.returncode == 0, done.stdout + done.stderr

    launch(sorted(TEAMS)[0::2])
    assert left() == {("acme", "web"), ("media", "old"), ("tools", "web")}
    launch(sorted(TEAMS)[1::2])
    assert left() == {("acme", "web"), ("media", "web"), ("tools", "web")}
    assert sorted(path.name for path in (project / "reports").iterdir()) == [
        "acme.html",
        "media.html",
        "tools.html",
    ]
    shutil.copytree(project, player.folder, dirs_exist_ok=True)
    (command,) = commands_of(GUIDES["limits"])
    assert not is_changed(expected_output(player, command))
