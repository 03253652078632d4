# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The README, the quick start, the guides to teams and to problems, and that every command of the
pages is played. Blueprints have a file of their own, and so has the inventory.
"""

import re
import shutil
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from emulated import OWNER_TOKEN, ControlledEmulator
from environments import ROOT
from folders import write
from guides import (
    GUIDES,
    blocks,
    commands,
    expected_output,
    is_changed,
    missing_lines,
    play_page,
)
from player import Player

README = ROOT / "README.md"
CONVERGE_README = ROOT / "roles/converge/README.md"
# The pages whose commands of Ansible are played.
PLAYED = [
    *(
        GUIDES[name]
        for name in ("quick_start", "blueprint", "changes", "teams", "migration", "troubleshooting")
    ),
    *(GUIDES[name] for name in ("compatibility", "environments", "limits", "inventory")),
    *(README, CONVERGE_README),
]
# What is not played of a block of shell, and why.
NOT_PLAYED = {
    r"export \w+=|SCHEMAS=|signature=|cd ": "sets what the test has of its own",
    "ansible-galaxy |pip install |python3 -m venv |emulator-venv/": (
        "installs what the test has: see tests/release"
    ),
    "git clone |make demo": "played by test_demo.py",
    "jq |check-jsonschema ": (
        "see test_guides_of_blueprints.py, test_request_log.py and test_schemas.py"
    ),
    r"pytest test_\w+\.py|sh test\.sh|ansible localhost -m hosting\.platform\.user_info": (
        "see test_own_tests.py"
    ),
    "molecule test": "played by make molecule in the same folder",
    r"ansible-playbook setup\.yml |  -e '\{|$|ansible-builder |podman |curl |  \| python3 -c": (
        "needs a controller, or a registry"
    ),
    "gpg ": "needs a signed release",
}


@pytest.fixture
def person(emulator: ControlledEmulator) -> Iterator[None]:
    with emulator.click_login_links():
        yield


def test_the_first_screen_of_the_readme_prints_what_it_shows(player: Player) -> None:
    _install, adopt, blueprint, check, plan, run, outcome, *_others = blocks(
        README, "yaml", "shell", "text"
    )
    assert len(blueprint.text.splitlines()) == 8
    write(player.folder / "blueprint", acme=blueprint.text)
    for command, shown in ((check, plan), (run, outcome)):
        (line,) = commands(command)
        assert missing_lines(shown, expected_output(player, line), player.emulator.base_url) == []
    assert sorted(project["name"] for project in player.emulator.state()["projects"]) == [
        "blog",
        "shop",
    ]
    shutil.rmtree(player.folder / "blueprint")
    exported, proven = (expected_output(player, line) for line in commands(adopt))
    assert is_changed(exported)
    assert "Nothing to do; " in proven
    assert not is_changed(proven)


@pytest.mark.usefixtures("person")
def test_the_quick_start(player: Player) -> None:
    """A newcomer's walk, from the top of the page to its end."""
    playbook = player.folder / "site.yml"
    told: list[str] = []

    def edit(line: str, output: str) -> None:
        told.append(output)
        if line == "ansible-playbook site.yml" and len(told) == 4:
            playbook.write_text(
                playbook.read_text().replace("npm run build", "npm run build:production")
            )

    _login, user, first, again, check, last, plan, applied = play_page(
        player, GUIDES["quick_start"], edit
    )
    assert "owner@example.com" in user
    assert (player.folder / "token").stat().st_mode & 0o777 == 0o600
    outcomes = [is_changed(output) for output in (first, again, check, last, plan, applied)]
    assert outcomes == [True, False, True, True, True, True]
    assert "npm run build:production" in check
    projects = {
        project["name"]: project["buildCommand"] for project in player.emulator.state()["projects"]
    }
    assert projects == {"shop": "npm run build:production", "blog": None}
    core: list[str | Path] = [player.bin / "ansible-playbook", "site.yml"]
    inventory_warnings = dict.fromkeys(
        ("ANSIBLE_LOCALHOST_WARNING", "ANSIBLE_INVENTORY_UNPARSED_WARNING")
    )
    assert "[WARNING]" not in player.execute(core, inventory_warnings, merged=True).stdout, (
        "ansible.cfg ends them"
    )


@pytest.mark.usefixtures("person")
def test_every_playbook(player: Player) -> None:
    """All of them in one run, one page after the other."""
    pages = [
        *(GUIDES[name] for name in ("teams", "troubleshooting", "limits", "testing", "security")),
        README,
    ]
    of_pages = chain.from_iterable(blocks(page, "yaml") for page in pages)
    playbooks = [block for block in of_pages if block.is_playbook and not block.file]
    text = "\n".join(block.text.removeprefix("---\n") for block in playbooks)
    playbook = player.folder / "playbook.yml"
    playbook.write_text(text.replace("https://api.example.com", player.emulator.base_url))
    given = f"platform_url={player.emulator.base_url} platform_token={OWNER_TOKEN}"
    play = player.run_file(playbook, "--extra-vars", given, HOSTING_PLATFORM_MAX_RETRY_DELAY="5")
    assert "[WARNING]" not in play.output
    assert len(playbooks) == 13


def test_the_guide_to_teams_can_be_played_again(player: Player) -> None:
    """Its renames find what they look for under the old name, under the new one, or not at all."""
    page = [block.text for block in blocks(GUIDES["teams"], "yaml") if block.is_playbook]
    playbook = player.folder / "teams.yml"
    playbook.write_text("\n".join(page))
    player.emulator.seed(
        teams=[{"slug": "press"}], projects=[{"name": "magazine", "team": "press"}]
    )
    first, again = (player.run_file(playbook) for _time in range(2))
    assert [len(task.writes) for task in first.tasks if "is called" in task.name] == [1, 1]
    assert {task.name for task in again.tasks if task.writes} == {"Ensure the developer is invited"}
    assert sorted(team["slug"] for team in player.emulator.state()["teams"]) == [
        "media",
        "newsroom",
        "web-team",
    ]
    assert sorted(project["name"] for project in player.emulator.state()["projects"]) == [
        "journal",
        "podcast",
        "shop",
    ]


def test_the_guide_to_teams_invites_one_new_member(player: Player) -> None:
    player.emulator.seed(teams=[{"slug": "web-team"}])
    write(
        player.folder / "blueprint",
        others="team_members: [{team: web-team, email: a@example.com, role: VIEWER}]\n",
    )
    members = player.emulator.state()["members"]
    (invited,) = play_page(player, GUIDES["teams"])
    assert "Done: 1 invited." in invited
    added = [member for member in player.emulator.state()["members"] if member not in members]
    assert [(member["email"], member["role"]) for member in added] == [
        ("grace@example.com", "DEVELOPER")
    ]


def test_first_look_at_a_problem(player: Player) -> None:
    """The commands at the top of the page on troubleshooting."""
    write(player.folder / "blueprint", projects="[]\n")
    who, _files = play_page(player, GUIDES["troubleshooting"])
    assert "owner@example.com" in who


@pytest.mark.parametrize(
    "page",
    [GUIDES["compatibility"], GUIDES["inventory"], CONVERGE_README],
    ids=lambda page: page.stem,
)
def test_commands_of_a_page_succeed_with_a_blueprint(player: Player, page: Path) -> None:
    write(player.folder / "blueprint", projects="[]\n")
    assert len(play_page(player, page)) == 2


def test_every_command_is_played_or_cannot_be() -> None:
    pages = [*GUIDES.values(), README, *(ROOT / "roles").glob("*/README.md")]
    lines: list[tuple[Path, str]] = []
    for page in pages:
        text = "".join(block.text for block in blocks(page, "shell"))
        lines += [(page, line) for line in text.splitlines()]
    played: set[tuple[Path, str]] = set()
    for page in PLAYED:
        played |= {(page, line) for line in chain.from_iterable(map(commands, blocks(page)))}
    cannot_be = re.compile("|".join(NOT_PLAYED))
    assert [
        line for page, line in lines if (page, line) not in played and not cannot_be.match(line)
    ] == []


def test_the_rescue_copes_with_what_ansible_itself_refuses(player: Player) -> None:
    """The result of a task with a variable of the wrong type holds no ``failure``."""
    rescue, *_others = blocks(GUIDES["troubleshooting"], "yaml")
    playbook = player.folder / "rescue.yml"
    playbook.write_text(rescue.text)
    play = player.expecting_failure.run_file(playbook, HOSTING_PLATFORM_TIMEOUT="soon")
    assert [task.status for task in play.tasks] == ["failed", "failed"]
    assert "failure" not in play.tasks[0].result
    assert "HOSTING_PLATFORM_TIMEOUT must be a number" in play.tasks[1].result["msg"]
