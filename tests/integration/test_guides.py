# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guides and the README, played from top to bottom. That of the inventory has a test of its own."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import requests
from emulated import OWNER_TOKEN, Emulated
from environments import ROOT, variables
from guides import GUIDES, Block, blocks, is_plan
from playing import Player

from roles import write

README = ROOT / "README.md"


def said(player: Player, line: str) -> str:
    """All that a command prints. One that is followed by ``||`` must fail."""
    command, alternative, _fallback = line.partition(" || ")
    program, *arguments = shlex.split(command)
    done = player.execute([player.bin / program, *arguments], {}, merged=True)
    assert bool(done.returncode) == bool(alternative), f"{line}\n{done.stdout}"
    return done.stdout


def commands(block: Block) -> list[str]:
    """Those of Ansible. The test has an installation, an address and a token of its own."""
    lines = block.text.splitlines() if block.language == "shell" else []
    return [line for line in lines if re.match("ansible(?!-galaxy)", line)]


def walk(player: Player, page: Path, between: Callable[[str, str], None] = lambda _line, _output: None) -> list[str]:
    """Write the files of a page and run its commands, one after the other. A plan that it shows was printed before."""
    printed: list[str] = []
    for block in blocks(page):
        if block.file:
            write_file(player.folder, block)
        for line in commands(block):
            printed.append(said(player, line))
            between(line, printed[-1])
        if is_plan(block):
            there = {line.strip() for line in "\n".join(printed[-2:]).splitlines()}
            assert [line for line in block.text.splitlines() if line not in there] == [], printed[-2:]
    return printed


def write_file(folder: Path, block: Block) -> None:
    path = folder / str(block.file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")


def is_changed(output: str) -> bool:
    return bool(re.search(r"changed=[1-9]|\| CHANGED", output))


@pytest.fixture
def person(emulator: Emulated) -> Iterator[None]:
    """Somebody who clicks the link of every login."""
    stop = threading.Event()

    def click() -> None:
        while not stop.wait(0.1):
            for mail in requests.get(f"{emulator.control_url}/outbox", timeout=10).json():
                if not mail["clicked"]:
                    requests.get(mail["link"], timeout=10)

    clicking = threading.Thread(target=click)
    clicking.start()
    yield
    stop.set()
    clicking.join()


def test_the_first_screen_of_the_readme_prints_what_it_shows(player: Player) -> None:
    blueprint, command, shown, *_others = blocks(README, "yaml", "shell", "text")
    write(player.folder / "blueprint", acme=blueprint.text)
    (line,) = commands(command)
    printed = said(player, line).splitlines()
    assert [text for text in shown.text.splitlines() if text not in printed] == []
    assert is_changed(said(player, line.removesuffix(" --check")))
    assert sorted(project["name"] for project in player.emulator.state()["projects"]) == ["blog", "shop"]


@pytest.mark.usefixtures("person")
def test_the_quick_start(player: Player) -> None:
    """A newcomer's walk, from the top of the page to its end."""
    playbook = player.folder / "site.yml"
    told: list[str] = []

    def edit(line: str, output: str) -> None:
        told.append(output)
        if line == "ansible-playbook site.yml" and len(told) == 4:
            playbook.write_text(playbook.read_text().replace("npm run build", "npm run build:production"))

    _login, user, first, again, check, last, plan, applied = walk(player, GUIDES["quick_start"], edit)
    assert "owner@example.com" in user
    assert (player.folder / "token").stat().st_mode & 0o777 == 0o600
    outcomes = [is_changed(output) for output in (first, again, check, last, plan, applied)]
    assert outcomes == [True, False, True, True, True, True]
    assert "npm run build:production" in check
    projects = {project["name"]: project["buildCommand"] for project in player.emulator.state()["projects"]}
    assert projects == {"shop": "npm run build:production", "blog": None}


@pytest.mark.usefixtures("person")
def test_every_playbook(player: Player) -> None:
    """All of them in one run, one page after the other."""
    pages = [*(GUIDES[name] for name in ("teams", "troubleshooting", "limits", "testing", "security")), README]
    playbooks = [block for page in pages for block in blocks(page, "yaml") if block.is_playbook and not block.file]
    text = "\n".join(block.text.removeprefix("---\n") for block in playbooks)
    playbook = player.folder / "playbook.yml"
    playbook.write_text(text.replace("https://api.example.com", player.emulator.base_url))
    given = f"platform_url={player.emulator.base_url} platform_token={OWNER_TOKEN}"
    play = player.run_file(playbook, "--extra-vars", given, HOSTING_PLATFORM_MAX_RETRY_DELAY="5")
    assert "[WARNING]" not in play.output
    assert len(playbooks) == 11


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
    export, check, adopt, adopted = (
        line for block in blocks(GUIDES["migration"], "shell") for line in commands(block)
    )
    assert [is_changed(said(player, line)) for line in (export, check)] == [True, False]
    alias = {"alias": "www.example.com", "project": "web", "team": "acme"}
    player.emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "web", "team": "acme"}], aliases=[alias])
    assert [is_changed(said(player, line)) for line in (adopt, adopted, adopt)] == [True, False, False]
    assert [project["name"] for project in player.emulator.state()["projects"]] == ["landing-page", "web"]


def test_first_look_at_a_problem(player: Player) -> None:
    """The commands at the top of the page on troubleshooting."""
    write(player.folder / "blueprint", projects="[]\n")
    who, _files = walk(player, GUIDES["troubleshooting"])
    assert "owner@example.com" in who


def test_the_rescue_copes_with_what_ansible_itself_refuses(player: Player) -> None:
    """The result of a task with an option of the wrong type holds no ``failure``."""
    rescue, *_others = blocks(GUIDES["troubleshooting"], "yaml")
    playbook = player.folder / "rescue.yml"
    playbook.write_text(rescue.text)
    play = player.failing.run_file(playbook, HOSTING_PLATFORM_TIMEOUT="soon")
    assert [task.status for task in play.tasks] == ["failed", "failed"]
    assert "failure" not in play.tasks[0].result
    assert "timeout" in play.tasks[1].result["msg"]


def test_the_guide_to_blueprints(player: Player) -> None:
    """Each command's outcome, and what is there at the end: renamed, moved and left to others without loss."""
    ids: list[dict[str, str]] = []

    def note(_line: str, _output: str) -> None:
        ids.append({project["name"]: project["id"] for project in player.emulator.state()["projects"]})

    outcomes = [is_changed(output) for output in walk(player, GUIDES["blueprint"], note)]
    assert outcomes == [
        *(False, True, True),  # the look at the files, the plan, the first run
        *(True, False),  # the rename
        *(True, True),  # the move, planned and made
        *(True, True, False),  # what others change is left
        *(True, False),  # the export is what exists
    ]
    assert ids[-1]["storefront"] == ids[2]["shop"]
    assert ids[-1]["podcast"] == ids[2]["podcast"]
    state = player.emulator.state()
    slugs = {team["id"]: team["slug"] for team in state["teams"]}
    assert {project["name"]: (slugs[project["teamId"]], project["framework"]) for project in state["projects"]} == {
        "storefront": ("acme", "nextjs"),
        "podcast": ("media", "astro"),
        "handbook": ("acme", "astro"),
    }
    assert "www.example.com" in [alias["alias"] for alias in state["aliases"]]


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
    command = ["setsid", "--ctty", "--wait", player.bin / program, *arguments]
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


TEAMS = ("acme", "media", "tools")


def test_slices_of_a_large_platform_prune_nothing_that_another_declares(player: Player) -> None:
    """The recipe of the page on limits, with ansible-runner and the hosts of each slice, as a controller divides them."""
    project = player.folder / "runner/project"
    for block in blocks(GUIDES["limits"], "yaml"):
        if block.file:
            write_file(project, block)
    for team in TEAMS:
        write(project / f"blueprint/{team}", **{team: f"team: {team}\nteams: [{{slug: {team}}}]\nprojects: [{{name: web}}]\n"})
    old = [{"name": "old", "team": team} for team in TEAMS]
    player.emulator.seed(teams=[{"slug": team} for team in TEAMS], projects=old)
    teams = {team["id"]: team["slug"] for team in player.emulator.state()["teams"]}

    def left() -> set[tuple[str, str]]:
        return {(teams[found["teamId"]], found["name"]) for found in player.emulator.state()["projects"]}

    def launch(hosts: list[str]) -> None:
        command = [Path(sys.executable).with_name("ansible-runner"), "run", project.parent, "--playbook", "by_team.yml"]
        options = ["--inventory", project / "teams.yml", "--limit", ",".join(hosts)]
        given = {**variables(player.bin), **player.environment}
        done = subprocess.run([*command, *options], env=given, check=False, text=True, capture_output=True)
        assert done.returncode == 0, done.stdout + done.stderr

    launch(sorted(TEAMS)[0::2])
    assert left() == {("acme", "web"), ("media", "old"), ("tools", "web")}
    launch(sorted(TEAMS)[1::2])
    assert left() == {("acme", "web"), ("media", "web"), ("tools", "web")}
    assert sorted(path.name for path in (project / "reports").iterdir()) == ["acme.html", "media.html", "tools.html"]
