# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A misspelled option of a role fails before anything else, wherever it was set; one that is null
counts as left out; and settings are given with an at sign.
"""

import json
import re
from typing import Any

import pytest
import yaml
from environments import ROOT
from folders import write
from player import Play, Player
from sampling import both_ways

from roles import GIVEN, Options, include, messages_of_caught, play_on, role, with_rescue

MISSPELLED: dict[str, Options] = {
    "converge": {
        "converge_approve": [],
        "converge_protects": ["*"],
        "converge_limit": {"update": 0},
    },
    "export": {"export_layouts": "teams"},
    "login": {"login_wait_time_out": 1},
}
NEAREST = {
    "converge_approve": "converge_approved",
    "converge_protects": "converge_protect",
    "converge_limit": "converge_limits",
    "export_layouts": "export_layout",
    "login_wait_time_out": "login_wait_timeout",
}


NOT_NULLABLE = (
    "only",
    "ignore",
    "protect",
    "limits",
    "prune",
    "prune_limit",
    "approved",
)
LOCAL = {
    "ansible_connection": "local",
    "ansible_python_interpreter": "{{ ansible_playbook_python }}",
}


def messages(played: Play) -> list[str]:
    return [task.result["msg"] for task in played.tasks if task.status == "failed"]


@pytest.mark.parametrize("name", GIVEN)
def test_misspelled_option_is_refused_by_name_wherever_it_is_set(player: Player, name: str) -> None:
    """Each host has it from another place."""
    wrong = MISSPELLED[name]
    expected = "\n".join(
        f"{option} is not an option of the role {name}. Did you mean {NEAREST[option]}?"
        for option in sorted(wrong)
    )
    right = with_rescue(include(name))
    some = [{"ansible.builtin.debug": {"msg": "x"}, "register": option} for option in wrong]
    plays: list[Options] = [
        {"hosts": "of_include", "tasks": [with_rescue(include(name, **wrong))]},
        {"hosts": "of_play", "vars": wrong, "tasks": [right]},
        {"hosts": "of_inventory", "tasks": [right]},
        {"hosts": "of_fact", "tasks": [{"ansible.builtin.set_fact": wrong}, right]},
        {"hosts": "of_register", "tasks": [*some, right]},
        # Of what stands beside the role's name core says so itself.
        {
            "hosts": "of_core",
            "roles": [{"role": f"hosting.platform.{name}", **GIVEN[name], **wrong}],
        },
    ]
    hosts = {play["hosts"]: wrong if play["hosts"] == "of_inventory" else {} for play in plays}
    inventory = player.folder / "hosts.yml"
    inventory.write_text(yaml.safe_dump({"all": {"vars": LOCAL, "hosts": hosts}}))
    plays = [{**play, "gather_facts": False} for play in plays]
    played = player.expecting_failure.run_plays(plays, "-i", str(inventory))
    *by_role, by_core = messages(played)
    assert by_role == [expected] * 5, played.output
    assert [option for option in wrong if option not in by_core] == []

    play = {"hosts": "localhost", "gather_facts": False, "tasks": [right]}
    assert messages(player.run_plays([play], "-e", json.dumps(wrong))) == [expected]
    assert player.emulator.requests() == []
    assert not (player.folder / "live").exists()


def test_roles_reject_unknown_options_and_empty_paths(player: Player) -> None:
    """A name that is like no option's, and paths that come out empty.

    The working directory is never meant. What a node hands to the next one of a workflow is no
    misspelled option.
    """
    mine = player.folder / "projects.yml"
    mine.write_text("- name: web\n")
    unlike = (
        "export_zzzzzzzzzzzzzzzzzz is not an option of the role export. Known names:"
        " export_directory,"
    )
    cases: list[tuple[Options, str]] = [
        (include("export", export_zzzzzzzzzzzzzzzzzz=1), unlike),
        (
            role("converge", converge_directory=""),
            "converge_directory: must be a path, and is empty.",
        ),
        (
            role("converge", converge_directory="$EMPTY"),
            "converge_directory: must be a path, and is empty.",
        ),
        (
            include("export", export_directory=" "),
            "export_directory: must be a path, and is empty.",
        ),
        (
            include("export", export_directory=None),
            "export_directory: must be a path, and is empty.",
        ),
        (
            include("export", export_directory="$EMPTY"),
            "export_directory: must be a path, and is empty.",
        ),
        (
            include("converge", converge_summary={"create": 1}, converge_approved=[]),
            "converge_approved: ",
        ),
    ]
    played = play_on(player, *(with_rescue(task) for task, _words in cases), EMPTY="")
    for message, (_task, words) in zip(messages_of_caught(played), cases, strict=True):
        assert words in message
        assert "Neither" not in message, "one sentence for one mistake"
    assert sum(bool(task.requests) for task in played.tasks) == 1, (
        "of the last one alone, which makes a plan"
    )
    assert player.emulator.writes == []
    assert mine.read_text() == "- name: web\n"


@both_ways
def test_an_option_that_is_null_counts_as_left_out_unless_it_is_a_guard(
    player: Player, in_process: str
) -> None:
    for name in ("converge", "export"):
        path = ROOT / f"roles/{name}/meta/argument_specs.yml"
        specification = yaml.safe_load(path.read_text(encoding="utf-8"))["argument_specs"]["main"]
        options = specification["options"].keys() - GIVEN[name]
        guards = sorted(
            option for option in options if option.removeprefix(f"{name}_") in NOT_NULLABLE
        )
        tasks = [include(name, **dict.fromkeys(options.difference(guards)))]
        tasks += [include(name, **{guard: None}) for guard in guards]
        played = play_on(player, *map(with_rescue, tasks), HOSTING_PLATFORM_IN_PROCESS=in_process)
        refused = [f"{guard} is null or empty. To disable it, omit it." for guard in guards]
        assert messages_of_caught(played) == refused
    assert [team["slug"] for team in player.emulator.state()["teams"]] == ["acme"]
    assert (player.folder / "live").is_dir()


def test_no_page_uses_a_name_that_a_role_would_refuse() -> None:
    """Every name of the documentation and the examples that looks like an option of a role
    is one.
    """
    pages = [
        ROOT / "README.md",
        *(ROOT / "roles").glob("*/README.md"),
        *(ROOT / "docs/docsite/rst").glob("*.rst"),
    ]
    for folder in ("examples", "docs/controller"):
        pages += (ROOT / folder).rglob("*.yml")
    known = {
        "converge_summary",
        "converge_result",
        "converge_by_team",
        "login_request",
        "login_verification",
        "login_requires_bearer",
    }
    known |= {"converge_protects"}  # the misspelled one of a guide
    known |= {
        "converge_base_url",
        "export_base_url",
        "login_user",
    }  # pages say that they are no options
    for name in GIVEN:
        specification = yaml.safe_load((ROOT / f"roles/{name}/meta/argument_specs.yml").read_text())
        known |= specification["argument_specs"]["main"]["options"].keys()
    text = "\n".join(page.read_text() for page in pages)
    found = set(re.findall(r"\b(?:converge|export|login)_[a-z_]+", text))
    assert found - known == set()


@pytest.mark.parametrize("name", [*GIVEN, "validate"])
def test_settings_without_an_at_sign_fail(player: Player, name: str) -> None:
    """Nobody would know that a guard of the file does not hold."""
    write(player.folder, settings="converge_protect: [prod-api]\n", blueprint__projects="[]\n")
    playbook = f"hosting.platform.{name}"
    given = json.dumps(GIVEN.get(name, {}))
    command: list[Any] = [*player.command, playbook]
    refused = {
        "settings.yml": "-e 'settings.yml' sets no variable. Write -e @settings.yml.",
        "elsewhere.yml x=1": "-e 'elsewhere.yml' sets no variable. Write -e name=value.",
    }
    player.emulator.forget_requests()
    for extra, message in refused.items():
        done = player.execute([*command, "-e", given, "-e", extra], {}, merged=True)
        assert done.returncode == 2
        assert message in done.stdout
    assert player.emulator.requests() == []


def test_settings_with_an_at_sign_are_read_and_blank_ones_left_out(player: Player) -> None:
    write(player.folder, settings="converge_directory: blueprint\n", blueprint__projects="[]\n")
    command: list[Any] = [*player.command, "hosting.platform.validate", "-e", "@settings.yml"]
    done = player.execute([*command, "-e", " "], {}, merged=True)
    assert (done.returncode, "0 entries in 1 file are valid." in done.stdout) == (0, True)
