# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrong files, and what a person reads of them: the file, the line, the entry, the option and the problem."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from playing import Player

from roles import Options, caught, messages_of_caught, play_on, role, write

# What ansible-core says around a failure inside the options of a task.
CORES_WORDS = ("Finalization of task args", "caused by", "unhandled", "Error while resolving", "lookup plugin")
APPROVAL = "The approval must be a list of step ids or a plan file"


def asked(directory: str, **options: Any) -> Options:
    """A task that shows what the role and the playbook validate show, which ask the same."""
    problems = "{{ query('hosting.platform.blueprint_problems', directory, **options) | join('\n') }}"
    return {"ansible.builtin.debug": {"msg": problems}, "vars": {"directory": directory, "options": options}}


def test_wrong_options_are_named(player: Player) -> None:
    blueprint = str(write(player.folder / "blueprint", projects="[]"))
    cases: list[tuple[Options, str]] = [
        (
            {"converge_directory": blueprint, "converge_blueprint": {}},
            "one of converge_directory and converge_blueprint",
        ),
        ({}, "one of converge_directory and converge_blueprint"),
        ({"converge_blueprint": {}, "converge_limits": {"delet": 1}}, "converge_limits.delet"),
        ({"converge_blueprint": {}, "converge_limits": {"invite": -1}}, "limits: invite must be a whole number"),
        ({"converge_blueprint": {}, "converge_prune": ["teams"]}, "must be one or more of"),
        ({"converge_directory": blueprint, "converge_approved": ""}, f"converge_approved: {APPROVAL}"),
    ]

    play = play_on(player, *(caught(role("converge", **options)) for options, _words in cases))

    for message, (_options, words) in zip(messages_of_caught(play), cases, strict=True):
        assert words in message
    assert [words for words in CORES_WORDS if words in play.output] == [], play.output
    assert player.emulator.requests() == []


FILES = {
    "projects.yml": """
- name: web
- name: '{{ nothing_such }}'
  framework: '{{ nor_this }}'
- name: 010
  framwork: astro
- name: api
  framework: !unsafe '1_000'
""",
    "teams.yml": "- slug: acme\n  name: Acme\n  name: Ours\n",
    "domains.yml": "- {name: old.example.com, state: gone}\n- 5\n- '{{ nothing_such }}'\n",
    "aliases.yml": "- {alias: www.example.com, projet: web}\n",
}
PROBLEMS = [
    "projects[1] {{ nothing_such }} (projects.yml:3): name: 'nothing_such' is undefined.",
    "projects[1] {{ nothing_such }} (projects.yml:3): framework: 'nor_this' is undefined.",
    "projects[2] 8 (projects.yml:5): name must be text, and 010 is read as the number 8. Quote it.",
    "projects[2] 8 (projects.yml:5): unknown option framwork. Did you mean framework?",
    "projects[3] api (projects.yml:7): framework must be text, and 1_000 is read as the number 1000."
    " Quote it. Remove !unsafe, too.",
    "blueprint/teams.yml, line 3, column 3: the key name is already in line 2 of the same mapping.",
    "domains[0] old.example.com (domains.yml:1): value of state must be one of: present, absent, got: gone.",
    "domains[1] (domains.yml:2): must be a dictionary of options, and is a number.",
    "domains[2] (domains.yml:3): 'nothing_such' is undefined.",
    "aliases[0] www.example.com (aliases.yml:1): unknown option projet. Did you mean project?",
    "aliases[0] www.example.com (aliases.yml:1): state is present but all of the following are missing: project.",
]


@pytest.mark.parametrize("playbook", ["converge", "validate"])
def test_every_problem_is_said_with_its_place_and_nothing_else(player: Player, playbook: str) -> None:
    write(player.folder / "blueprint", **FILES)
    given = ("-e", "converge_directory=blueprint", "-e", "converge_plan=plan.json")

    play = player.failing.run_file(Path(f"hosting.platform.{playbook}"), *given)

    (failed,) = [task.result["msg"] for task in play.tasks if task.status == "failed"]
    if playbook == "validate":
        assert failed == f"{len(PROBLEMS)} problems in blueprint/"
        said = play.tasks[0].result["msg"]
    else:
        plan = json.loads((player.folder / "plan.json").read_text(encoding="utf-8"))
        assert (plan["failed"], plan["steps"], failed) == (True, [], plan["msg"])
        said = failed.split("\n")
    assert sorted(line.replace(f"{player.folder}/", "") for line in said) == sorted(PROBLEMS)
    assert [words for words in (*CORES_WORDS, "failed_when") if words in play.output] == [], play.output
    assert player.emulator.requests() == []


def test_wrong_approvals_are_named(player: Player) -> None:
    """What else a file may hold that is no approval, the tests of plan files know."""
    os.mkfifo(player.folder / "pipe")
    write(player.folder, blueprint__projects="[]", **{"text.json": "Ours"})
    cases: list[tuple[Any, str]] = [
        ("nowhere.json", "/nowhere.json does not exist or is not a file."),
        (".", " does not exist or is not a file."),
        ("text.json", f"/text.json: {APPROVAL}, and is not JSON: "),
        ("pipe", "pipe does not exist or is not a file. It is to be the approved plan."),
        ([5], f"converge_approved: {APPROVAL}"),
    ]

    play = play_on(player, *(asked("blueprint", approved=given) for given, _words in cases))

    for result, (_given, words) in zip(play.results, cases, strict=True):
        assert words in result["msg"]
        assert result["msg"].endswith("."), "as other words follow it"
    assert [words for words in CORES_WORDS if words in play.output] == [], play.output


@pytest.mark.parametrize(
    ("base_url", "words"),
    [
        ({"base_url": "https://other.example.com"}, " The plan is for https://other.example.com, and this run for {}."),
        ({"base_url": "\x1b[31m{{ 7 * 7 }}"}, " The plan is for \\u001b[31m{{{{ 7 * 7 }}}}, and this run for {}."),
        ({}, " not approved: project web"),
    ],
    ids=["another", "hostile", "none"],
)
def test_plan_of_another_platform_is_said_to_be_one(player: Player, base_url: Options, words: str) -> None:
    plan = {"format": 1, **base_url, "refused": False, "failed": False, "results": []}
    write(
        player.folder,
        **{"other.json": json.dumps({**plan, "steps": ["another"]}), "blueprint__projects": "[{name: web}]"},
    )

    play = play_on(player.failing, role("converge", converge_directory="blueprint", converge_approved="other.json"))

    (failed,) = [task.result["msg"] for task in play.tasks if task.status == "failed"]
    assert words.format(player.emulator.base_url) in failed
    assert player.emulator.writes == []
