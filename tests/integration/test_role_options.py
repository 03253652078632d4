# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A misspelled option of a role fails before anything else, wherever it was set; so do two options for one file."""

from __future__ import annotations

import json
import os
import re
from typing import Any

import pytest
import yaml
from environments import ROOT
from playing import Play, Player

Options = dict[str, Any]
GIVEN: dict[str, Options] = {
    "converge": {"converge_blueprint": {"teams": [{"slug": "acme"}]}},
    "export": {"export_path": "live"},
    "login": {"login_email": "owner@example.com", "login_token_name": "job", "login_token_path": "token"},
}
MISSPELLED: dict[str, Options] = {
    "converge": {"converge_approve": [], "converge_protects": ["*"], "converge_limit": {"update": 0}},
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


def include(role: str, **options: Any) -> Options:
    return {"ansible.builtin.include_role": {"name": f"hosting.platform.{role}"}, "vars": {**GIVEN[role], **options}}


def play(player: Player, *tasks: Options, arguments: tuple[str, ...] = (), **more: Any) -> Play:
    return player.run_plays([{"hosts": "localhost", "gather_facts": False, "tasks": list(tasks), **more}], *arguments)


def messages(played: Play) -> list[str]:
    return [task.result["msg"] for task in played.tasks if task.status == "failed"]


@pytest.mark.parametrize("role", GIVEN)
def test_misspelled_option_is_refused_by_name_wherever_it_is_set(player: Player, role: str) -> None:
    wrong = MISSPELLED[role]
    expected = " ".join(
        f"{name} is not an option of the role {role}. Did you mean {NEAREST[name]}?" for name in sorted(wrong)
    )
    inventory = player.folder / "hosts.yml"
    host = {**wrong, "ansible_connection": "local", "ansible_python_interpreter": "{{ ansible_playbook_python }}"}
    inventory.write_text(yaml.safe_dump({"all": {"hosts": {"localhost": host}}}))
    right = include(role)
    some = [{"ansible.builtin.debug": {"msg": "x"}, "register": name} for name in wrong]
    played = [
        play(player, include(role, **wrong)),
        play(player, right, vars=wrong),
        play(player, right, arguments=("-e", json.dumps(wrong))),
        play(player, right, arguments=("-i", str(inventory))),
        play(player, {"ansible.builtin.set_fact": wrong}, right),
        play(player, *some, right),
    ]
    assert [messages(one) for one in played] == [[expected]] * len(played)
    # Of what stands beside the role's name core says so itself.
    by_core = play(player, roles=[{"role": f"hosting.platform.{role}", **GIVEN[role], **wrong}])
    (message,) = messages(by_core)
    assert [name for name in wrong if name not in message] == []
    assert player.emulator.requests() == []
    assert not (player.folder / "live").exists()


def test_variable_like_no_option_is_refused_with_all_of_them(player: Player) -> None:
    (message,) = messages(play(player, include("export", export_zzzzzzzzzzzzzzzzzz=1)))
    assert message.startswith(
        "export_zzzzzzzzzzzzzzzzzz is not an option of the role export. Known names: export_path,"
    )


def test_options_of_a_role_that_there_is_none_of_are_refused(player: Player) -> None:
    asked = {"ansible.builtin.debug": {"msg": "{{ query('hosting.platform.unknown_role_options', 'exports') }}"}}
    (message,) = messages(play(player, asked))
    assert message.endswith("exports is not a role of this collection. Did you mean export?")


def test_what_the_role_hands_on_is_no_misspelled_option(player: Player) -> None:
    """A controller gives the statistics of a node to the next one as variables."""
    played = play(player, include("converge", converge_summary={"create": 1}, converge_approved=[]))
    (message,) = messages(played)[:1]
    assert "not approved" in message


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"converge_plan": "plan.json", "converge_approved": "plan.json"}, "converge_plan and converge_approved"),
        (
            {"converge_plan": "x/../plan.json", "converge_approved": "./plan.json"},
            "converge_plan and converge_approved",
        ),
        (
            {"converge_plan": "{folder}/plan.json", "converge_approved": "plan.json"},
            "converge_plan and converge_approved",
        ),
        ({"converge_plan": "~/plan.json", "converge_approved": "plan.json"}, "converge_plan and converge_approved"),
        ({"converge_plan": "plan.json", "converge_approved": "link"}, "converge_plan and converge_approved"),
        (
            {"converge_plan": "linked/plan.json", "converge_approved": "plan.json"},
            "converge_plan and converge_approved",
        ),
        ({"converge_report": "plan.json", "converge_approved": "plan.json"}, "converge_report and converge_approved"),
        ({"converge_markdown": "link", "converge_approved": "plan.json"}, "converge_markdown and converge_approved"),
        ({"converge_report": "out", "converge_markdown": "./out"}, "converge_report and converge_markdown"),
        ({"converge_markdown": "out", "converge_plan": "linked/out"}, "converge_markdown and converge_plan"),
    ],
)
def test_one_file_for_two_options_is_refused(player: Player, options: dict[str, str], words: str) -> None:
    (player.folder / "link").symlink_to("plan.json")
    (player.folder / "linked").symlink_to(".")
    (player.folder / "x").mkdir()
    given = {name: path.format(folder=player.folder) for name, path in options.items()}
    tasks = [include("converge", **given)]
    home = str(player.folder)
    played = player.run_plays([{"hosts": "localhost", "gather_facts": False, "tasks": tasks}], HOME=home)
    (message,) = messages(played)
    assert message == f"{words} name the same file, {list(given.values())[1]}."
    assert player.emulator.requests() == []
    assert not os.path.lexists(player.folder / "plan.json")


def test_an_empty_path_never_means_the_working_directory(player: Player) -> None:
    mine = player.folder / "projects.yml"
    mine.write_text("- name: web\n")
    converge = {"name": "hosting.platform.converge"}
    read = {"ansible.builtin.include_role": converge, "vars": {"converge_directory": ""}}
    assert messages(play(player, read)) == ["The directory of the blueprint must be a path, and is ''."]
    assert messages(play(player, include("export", export_path=" "))) == [
        "export_path must be a directory, and is empty."
    ]
    assert player.emulator.requests() == []
    assert mine.read_text() == "- name: web\n"


def test_a_path_may_be_a_number(player: Player) -> None:
    played = play(player, include("converge", converge_report=5))
    assert messages(played) == []
    assert (player.folder / "5").read_text().startswith("<!DOCTYPE html>")


def test_no_page_uses_a_name_that_a_role_would_refuse() -> None:
    """Every name of the documentation and the examples that looks like an option of a role is one."""
    pages = [ROOT / "README.md", *(ROOT / "roles").glob("*/README.md"), *(ROOT / "docs/docsite/rst").glob("*.rst")]
    pages += [file for folder in ("examples", "docs/controller") for file in (ROOT / folder).rglob("*.yml")]
    known = {"converge_summary", "converge_by_team", "login_request", "login_verification", "login_requires_bearer"}
    for role in GIVEN:
        specification = yaml.safe_load((ROOT / f"roles/{role}/meta/argument_specs.yml").read_text())
        known |= specification["argument_specs"]["main"]["options"].keys()
    found = {name for page in pages for name in re.findall(r"\b(?:converge|export|login)_[a-z_]+", page.read_text())}
    assert found - known == set()
