# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of a stranger, planned, validated and converged as data: no text of them runs, wherever it
ends up. The same text as a variable runs.

A place is where a file can hold text. The text of each place leaves a file of its own if it runs.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from environments import variables
from folders import write
from player import Play, Player
from sampling import both_ways
from vaults import vaulted, vaulted_value, with_password

from roles import OUTPUTS, outcomes, role

VALIDATE = Path("hosting.platform.validate")


def text_of(place: str) -> str:
    """Without a slash, so that a file can be called so."""
    return f"{{{{ lookup('pipe', 'canary {place}') }}}}"


def host_of(place: str) -> str:
    """The same without white space, as a name of a host."""
    return f"{{{{lookup('pipe','canary${{IFS}}{place}')}}}}"


COMMANDS = (
    "build_command",
    "dev_command",
    "install_command",
    "framework",
    "output_directory",
)
FIELDS = ("buildCommand", "devCommand", "installCommand", "framework", "outputDirectory")
# What a converge takes: by the path of the file, all that it says.
RIGHT: dict[str, Any] = {
    "teams.yml": [{"slug": "acme", "name": text_of("team_name")}],
    f"projects/{text_of('file_name')}.yml": [
        {
            "name": "web",
            "team": "acme",
            **{option: text_of(option) for option in COMMANDS},
            "command_for_ignoring_build_step": text_of("ignoring"),
        }
    ],
    f"{text_of('folder_name')}/defaults.yml": {"projects": {"framework": text_of("default")}},
    f"{text_of('folder_name')}/{text_of('file_of_kinds')}.yml": {
        "projects": [{"name": "other", "team": "acme"}],
        "aliases": [{"alias": "www.example.com", "project": "web", "team": "acme"}],
    },
}
# What YAML knows beside values.
WRITTEN = {
    "projects/written.yml": f"""\
# {text_of("comment")}
- &anchor {{name: written, team: acme, build_command: "{text_of("anchor")}"}}
- <<: *anchor
  name: merged
""",
    "projects/json.yml": json.dumps(
        [{"name": "json", "team": "acme", "build_command": text_of("json")}]
    ),
}
# What names an object.
NAMES: dict[str, Any] = {
    "teams.yml": [{"slug": text_of("slug")}],
    "projects.yml": {
        "team": "acme",
        "projects": [
            {"name": text_of("project_name")},
            {"name": "a", "team": text_of("team"), "previously": [text_of("previously")]},
            {"name": "b", "alias": host_of("alias")},
            {"name": "c", "aliases": [host_of("nested_name"), {"alias": host_of("nested")}]},
        ],
    },
    "more.yml": {
        "aliases": [{"alias": host_of("alias_name"), "project": text_of("project"), "team": "a"}],
        "domains": [{"name": host_of("domain_name"), "own_scope": True}],
        "team_members": [
            {"email": f"{host_of('email')}@example.com", "team": "acme", "role": "MEMBER"},
            {"user_id": text_of("user_id"), "team": "acme", "role": "MEMBER"},
        ],
    },
    "shop/defaults.yml": {"team": text_of("team_of_defaults")},
    "shop/projects.yml": {"team": text_of("team_of_file"), "projects": []},
}
VAULTED = {
    "projects.yml": f"- name: web\n  build_command: {vaulted_value(text_of('vaulted'))}",
    "projects/file.yml": vaulted(yaml.safe_dump([{"name": text_of("vaulted_file")}])),
}
# What is refused, each text in a message.
WRONG: dict[str, Any] = {
    "projects.yml": [
        {"name": text_of("wrong_name"), text_of("option"): text_of("unknown_value")},
        {"name": "a", "source": text_of("wrong_source"), "state": text_of("state")},
        {"name": "b", "own_scope": text_of("own_scope"), "unlisted_fields": text_of("choice")},
        text_of("entry"),
        {"id": [text_of("nested")], "previously": {text_of("wrong_key"): text_of("wrong_list")}},
        {"name": text_of("twice")},
        {"name": text_of("twice")},
    ],
    "teams.yml": text_of("file"),
    "domains.yml": {"domains": text_of("list")},
    "aliases.yml": {text_of("kind"): [], "aliases": []},
    f"{text_of('odd_folder')}/{text_of('odd_file')}.yml": {text_of("kind_of_several"): []},
    f"{text_of('odd_folder')}/{text_of('cut_file')}.yml": "- {name: x",
    f"domains/{text_of('tagged_file')}.yml": f"- name: !{'{{tag}}'} x",
}


def places(value: Any) -> set[str]:
    return set(
        re.findall(
            r"'canary(?: |\$\{IFS\})(\w+)'",
            value if isinstance(value, str) else yaml.safe_dump(value, width=999),
        )
    )


def write_blueprint(player: Player, files: dict[str, Any]) -> None:
    texts = {
        path: content
        if isinstance(content, str)
        else yaml.safe_dump(content, sort_keys=False, width=999)
        for path, content in files.items()
    }
    write(player.folder / "blueprint", **texts)


def ran(player: Player) -> set[str]:
    return {file.name for file in (player.folder / "ran").iterdir()}


@pytest.fixture
def environment(player: Player) -> dict[str, str]:
    """In which the command canary leaves a file that is named by its argument."""
    (player.folder / "ran").mkdir()
    command = player.folder / "bin/canary"
    command.parent.mkdir()
    command.write_text(f"#!/bin/sh\ntouch '{player.folder}/ran/'$1\n")
    command.chmod(0o755)
    return {"PATH": f"{command.parent}:{variables(player.bin)['PATH']}"}


def converge(player: Player, environment: dict[str, str], *arguments: str, **options: Any) -> Play:
    given = {"converge_directory": "blueprint", **OUTPUTS, **options}
    play = {"hosts": "localhost", "gather_facts": False, "tasks": [role("converge", **given)]}
    arguments = ("-vvv", "--diff", *with_password(player.folder), *arguments)
    return player.run_plays([play], *arguments, **environment)


@both_ways
def test_texts_of_every_place_are_planned_approved_and_stored_as_they_are(
    player: Player, environment: dict[str, str], in_process: str
) -> None:
    environment["HOSTING_PLATFORM_IN_PROCESS"] = in_process
    write_blueprint(player, {**RIGHT, **WRITTEN})

    converge(player, environment, "--check")
    assert player.emulator.writes == []
    (player.folder / "plan.json").rename(player.folder / "approved.json")
    converge(player, environment, converge_approved="approved.json", converge_invite=False)

    assert ran(player) == set()
    state = player.emulator.state()
    projects = {one["name"]: one for one in state["projects"]}
    assert projects.keys() == {"web", "other", "written", "merged", "json"}
    assert projects["other"]["framework"] == text_of("default")
    assert [projects["web"][field] for field in FIELDS] == [text_of(option) for option in COMMANDS]
    assert projects["merged"]["buildCommand"] == text_of("anchor")
    assert [(one["slug"], one["name"]) for one in state["teams"]] == [
        ("acme", text_of("team_name"))
    ]
    results = json.loads((player.folder / "plan.json").read_text())["results"]
    sources = {one["source"].rsplit(":", 1)[0] for one in results if one.get("source")}
    assert {*RIGHT, *WRITTEN} - {f"{text_of('folder_name')}/defaults.yml"} == sources


def test_text_that_looks_like_a_template_draws_one_warning_before_it_is_sent(
    player: Player, environment: dict[str, str]
) -> None:
    write_blueprint(player, RIGHT)
    warning = (
        f"teams.yml:1: name {text_of('team_name')} looks like a template, and is sent as text,"
        " because files are data. To have it evaluated, give the blueprint in a variable"
        " (converge_blueprint, or the option blueprint)."
    )
    check = converge(player, environment, "--check")
    run = converge(player, environment)
    again = converge(player, environment)
    for play, count in ((check, 1), (run, 1), (again, 0)):
        (result,) = outcomes(play)
        assert result["text"].count("looks like a template") == count
        assert (f"Warning: {warning}" in result["text"]) is bool(count)


@pytest.mark.core_differences
def test_a_template_in_what_names_an_object_is_refused_with_its_line(
    player: Player, environment: dict[str, str]
) -> None:
    write_blueprint(player, NAMES)
    arguments = ("-e", "converge_directory=blueprint")
    validated = player.expecting_failure.run_file(VALIDATE, *arguments, **environment)
    problems = validated.tasks[-1].result["msg"].split("\n")
    refused = [problem for problem in problems if "looks like a template" in problem]
    assert places("".join(refused)) == places(list(NAMES.values()))
    assert [problem for problem in refused if not re.match(r"[\w/]+\.yml:\d+: ", problem)] == []
    converge(player.expecting_failure, environment)
    assert ran(player) == set()
    assert player.emulator.requests() == []


@pytest.mark.core_differences
def test_vaulted_values_are_not_decrypted(player: Player, environment: dict[str, str]) -> None:
    """Nothing is decrypted, although the job has the password."""
    write_blueprint(player, VAULTED)
    refused = converge(player.expecting_failure, environment)
    encrypted = "encrypted with Ansible Vault, and files are data. Decrypt it, or give"
    assert f"projects.yml:2: the value is {encrypted}" in refused.output
    assert f"projects/file.yml: it is {encrypted}" in refused.output
    assert ran(player) == places(refused.output) == set()
    assert player.emulator.requests() == []


def test_validate_quotes_wrong_values_as_written(
    player: Player, environment: dict[str, str]
) -> None:
    write_blueprint(player, WRONG)

    arguments = ("-e", "converge_directory=blueprint")
    validated = player.expecting_failure.run_file(VALIDATE, *arguments, **environment)
    refused = converge(player.expecting_failure, environment)

    assert ran(player) == set()
    told = places(validated.tasks[-1].result["msg"])
    assert places(refused.output) <= told, "which shows the first ten lines"
    in_values = {
        "file",
        "own_scope",
        "unknown_value",
        "wrong_key",
        "wrong_list",
        "wrong_source",
    }
    assert places(WRONG) - told == in_values, "which no message shows"
    assert player.emulator.requests() == []


def test_the_same_texts_run_in_a_variable(player: Player, environment: dict[str, str]) -> None:
    """Else the other tests would prove nothing."""
    projects = RIGHT[f"projects/{text_of('file_name')}.yml"]
    converge(
        player.expecting_failure,
        environment,
        "--check",
        converge_directory=None,
        converge_blueprint={"projects": projects},
    )
    assert ran(player) == places(projects)
