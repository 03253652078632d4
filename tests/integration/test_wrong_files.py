# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrong files, and what a person reads of them: the file, the line, the entry, the option and the
problem.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from folders import write
from player import Player
from sampling import both_ways

# What ansible-core says around a failure inside the options of a task.
CORES_WORDS = (
    "Finalization of task args",
    "caused by",
    "unhandled",
    "Error while resolving",
    "lookup plugin",
)


FILES = {
    "projects.yml": """
- name: web
- name: '{{ nothing_such }}'
  framework: '{{ nor_this }}'
- name: 010
  framwork: astro
- name: api
  framework: '1_000'
""",
    "teams.yml": "- slug: acme\n  name: Acme\n  name: Ours\n",
    "domains.yml": "- {name: old.example.com, state: gone}\n- 5\n- '{{ nothing_such }}'\n",
    "aliases.yml": "- {alias: www.example.com, projet: web}\n",
}
PROBLEMS = [
    "projects.yml:3: name {{ nothing_such }} looks like a template, and files are data. To have it"
    " evaluated, give the blueprint in a variable (converge_blueprint, or the option blueprint).",
    "projects[2] 8 (projects.yml:5): name must be text, but YAML reads 010 as the number 8."
    " Quote it.",
    "projects[2] 8 (projects.yml:5): unknown option framwork. Did you mean framework?",
    "teams.yml:3: the key name is repeated. It is first set in line 2. Remove one, or begin a new"
    " entry with a hyphen.",
    "domains[0] old.example.com (domains.yml:1): state: must be one of present, absent, not gone.",
    "domains[1] (domains.yml:2): must be a dictionary of options, and is a number.",
    "domains[2] (domains.yml:3): {{ nothing_such }} looks like a template, and files are data. To"
    " have it evaluated, give the blueprint in a variable (converge_blueprint, or the option"
    " blueprint).",
    "aliases[0] www.example.com (aliases.yml:1): unknown option projet. Did you mean project?",
    "aliases[0] www.example.com (aliases.yml:1): state is present but all of the following are"
    " missing: project.",
]


@pytest.mark.parametrize("playbook", ["converge", "validate"])
def test_every_problem_is_said_with_its_place_and_nothing_else(
    player: Player, playbook: str
) -> None:
    write(player.folder / "blueprint", **FILES)
    given = [
        "-e",
        "converge_directory=blueprint",
        "-e",
        "converge_plan=plan.json",
    ]

    play = player.expecting_failure.run_file(Path(f"hosting.platform.{playbook}"), *given)

    (failed,) = [task.result["msg"] for task in play.tasks if task.status == "failed"]
    said = failed.split("\n")
    if playbook == "converge":
        plan = json.loads((player.folder / "plan.json").read_text(encoding="utf-8"))
        assert (plan["failed"], plan["steps"], said) == (True, [], plan["msg"].split("\n"))
    assert sorted(line.replace(f"{player.folder}/", "") for line in said) == sorted(PROBLEMS)
    assert [words for words in (*CORES_WORDS, "failed_when") if words in play.output] == [], (
        play.output
    )
    assert player.emulator.requests() == []


@both_ways
def test_wrong_entries_are_said_before_a_missing_token(player: Player, in_process: str) -> None:
    write(player.folder / "blueprint", projects="- {nme: web}\n")
    environment = {"HOSTING_PLATFORM_ACCESS_TOKEN": None, "HOSTING_PLATFORM_IN_PROCESS": in_process}
    tasks: list[dict[str, Any]] = [
        {"hosting.platform.blueprint": {"directory": f"{player.folder}/blueprint"}},
        {"hosting.platform.blueprint": {"blueprint": {"projects": [{"nme": "web"}]}}},
        {"hosting.platform.blueprint_info": {"undeclared_in": f"{player.folder}/blueprint"}},
    ]
    messages = [result["msg"] for result in player.run(tasks, **environment).results]
    assert [message.split("\n")[0] for message in messages] == [
        "projects[0] (projects.yml:1): unknown option nme. Did you mean name?",
        "projects[0]: unknown option nme. Did you mean name?",
        "projects[0] (projects.yml:1): unknown option nme. Did you mean name?",
    ]


@both_ways
def test_wrong_entries_use_up_no_approved_invitation(player: Player, in_process: str) -> None:
    member = {"team": "acme", "email": "dev@example.com", "role": "VIEWER"}
    options = {"blueprint": {"team_members": [member]}, "invite": True}
    player.emulator.seed(teams=[{"slug": "acme"}])
    task = {"hosting.platform.blueprint": {**options, "plan": f"{player.folder}/plan.json"}}
    player.run([{**task, "check_mode": True}])
    plan = (player.folder / "plan.json").read_text(encoding="utf-8")
    wrong = {"team_members": [member], "projects": [{"nme": "web"}]}
    approved = {**options, "blueprint": wrong, "approved": f"{player.folder}/plan.json"}

    (failed,) = player.run(
        [{"hosting.platform.blueprint": approved}], HOSTING_PLATFORM_IN_PROCESS=in_process
    ).results

    assert "unknown option nme" in failed["msg"]
    assert (player.folder / "plan.json").read_text(encoding="utf-8") == plan


NOT_UTF_8 = os.fsdecode(b"caf\xe9")


def test_names_that_are_not_utf_8_are_refused_before_the_first_request(player: Player) -> None:
    """A file, a folder, the directory, and the paths of outputs; the run would write, and could
    return nothing.
    """
    for name in ("files", "folders", NOT_UTF_8):
        (player.folder / name).mkdir()
    write(
        player.folder / "files",
        **{f"{NOT_UTF_8}.yml": "projects: []\n", "projects": "[{name: web}]\n"},
    )
    write(
        player.folder / "folders",
        **{f"{NOT_UTF_8}__projects": "[]\n", "projects": "[{name: web}]\n"},
    )
    write(player.folder / NOT_UTF_8, projects="[]\n")
    environment = {"CAFE": os.fsdecode(b"caf\xe9")}
    cafe = "{{ lookup('env', 'CAFE') }}"
    wrong: list[dict[str, Any]] = [
        {"hosting.platform.blueprint": {"directory": f"{player.folder}/files"}},
        {"hosting.platform.blueprint": {"directory": f"{player.folder}/folders"}},
        {"hosting.platform.blueprint_validate": {"directory": f"{player.folder}/files"}},
        {"hosting.platform.blueprint_info": {"undeclared_in": f"{player.folder}/folders"}},
    ]
    messages = [result["msg"] for result in player.run(wrong, **environment).results]
    places = [r"caf\udce9.yml", r"caf\udce9", r"caf\udce9.yml", r"caf\udce9"]
    assert messages == [f"{place}: its name is not valid UTF-8. Rename it." for place in places]
    right = f"{player.folder}/right"
    write(player.folder / "right", projects="[{name: web}]\n")
    paths: list[dict[str, Any]] = [
        {"hosting.platform.blueprint": {"directory": right, option: f"{player.folder}/{cafe}.x"}}
        for option in ("report", "markdown", "plan", "approved")
    ]
    paths += [
        {"hosting.platform.blueprint": {"directory": f"{player.folder}/{cafe}"}},
        {
            "hosting.platform.blueprint": {
                "blueprint": {"projects": [{"name": "web", "source": cafe}]}
            }
        },
        {"hosting.platform.project": {"name": cafe}},
    ]
    messages = [result["msg"] for result in player.run(paths, **environment).results]
    options = ["report", "markdown", "plan", "approved", "directory", "blueprint", "name"]
    advice = "is not valid UTF-8. Correct it, or rename the file that it names."
    assert messages == [f"{option}: {advice}" for option in options]
    assert player.emulator.writes == []
