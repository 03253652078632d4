# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of a stranger, planned, validated and converged as data: no text of them runs, wherever it
ends up.

A place is where a file can hold text. The text of each place leaves a file of its own if it runs.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from environments import variables
from player import Play, Player
from sampling import both_ways
from vaults import vaulted, vaulted_value, with_password

from roles import OUTPUTS, role
from roles import write as write_files

VALIDATE = Path("hosting.platform.validate")


def text_of(place: str) -> str:
    """Without a slash, so that a file can be called so."""
    return f"{{{{ lookup('pipe', 'canary {place}') }}}}"


def host_of(place: str) -> str:
    """The same without white space, as a name of a host."""
    return f"{{{{lookup('pipe','canary${{IFS}}{place}')}}}}"


SLUG = text_of("team_slug")
COMMANDS = (
    "build_command",
    "dev_command",
    "install_command",
    "framework",
    "output_directory",
    "alias",
)
FIELDS = ("buildCommand", "devCommand", "installCommand", "framework", "outputDirectory", "alias")
PROJECT = {
    "name": text_of("project_name"),
    "team": SLUG,
    **{option: text_of(option) for option in COMMANDS},
    "alias": host_of("alias"),
}
# What a converge takes: by the path of the file, all that it says.
RIGHT: dict[str, Any] = {
    "teams.yml": [{"slug": SLUG, "name": text_of("team_name")}],
    f"projects/{text_of('file_name')}.yml": [
        {
            **PROJECT,
            "previously": [text_of("previously")],
            "command_for_ignoring_build_step": text_of("ignoring"),
        }
    ],
    f"{text_of('folder_name')}/{text_of('file_of_kinds')}.yml": {
        "aliases": [{"alias": host_of("alias_name"), "project": PROJECT["name"], "team": SLUG}],
        "domains": [{"name": host_of("domain_name"), "own_scope": True}],
        "team_members": [
            {"email": f"{host_of('email')}@example.com", "team": SLUG, "role": "MEMBER"}
        ],
    },
}
# What YAML and Ansible know beside values.
WRITTEN = {
    "projects/written.yml": f"""\
# {text_of("comment")}
- &anchor {{name: written, team: "{SLUG}", build_command: !unsafe "{text_of("unsafe")}"}}
- <<: *anchor
  name: "{text_of("merged")}"
""",
    "projects/json.yml": json.dumps([{"name": text_of("json"), "team": SLUG}]),
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


def write(player: Player, files: dict[str, Any]) -> None:
    texts = {
        path: content
        if isinstance(content, str)
        else yaml.safe_dump(content, sort_keys=False, width=999)
        for path, content in files.items()
    }
    write_files(player.folder / "blueprint", **texts)


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
    write(player, {**RIGHT, **WRITTEN})
    player.emulator.seed(domains=[{"name": host_of("domain_name")}])

    converge(player, environment, "--check")
    assert player.emulator.writes == []
    (player.folder / "plan.json").rename(player.folder / "approved.json")
    converge(player, environment, converge_approved="approved.json", converge_invite=False)

    assert ran(player) == set()
    state = player.emulator.state()
    (project,) = (one for one in state["projects"] if one["name"] == PROJECT["name"])
    assert [project[field] for field in FIELDS] == [PROJECT[option] for option in COMMANDS]
    names = {"written", *map(text_of, ("project_name", "merged", "json"))}
    assert {one["name"] for one in state["projects"]} == names
    (merged,) = (one for one in state["projects"] if one["name"] == text_of("merged"))
    assert merged["buildCommand"] == text_of("unsafe")
    assert [(one["slug"], one["name"]) for one in state["teams"]] == [(SLUG, text_of("team_name"))]
    assert host_of("alias_name") in {one["alias"] for one in state["aliases"]}
    results = json.loads((player.folder / "plan.json").read_text())["results"]
    sources = {one["source"].rsplit(":", 1)[0] for one in results if one.get("source")}
    assert {*RIGHT, *WRITTEN} == sources


@pytest.mark.core_differences
def test_vaulted_values_are_not_decrypted_without_templates(
    player: Player, environment: dict[str, str]
) -> None:
    """Nothing is decrypted, although the job has the password."""
    write(player, VAULTED)
    refused = converge(player.expecting_failure, environment)
    encrypted = "encrypted with Ansible Vault. To read it, set converge_templates to true, and give"
    assert f"projects.yml:2: the value is {encrypted}" in refused.output
    assert f"projects/file.yml: it is {encrypted}" in refused.output
    assert ran(player) == places(refused.output) == set()
    assert player.emulator.requests() == []


@pytest.mark.core_differences
def test_validate_quotes_wrong_values_as_written(
    player: Player, environment: dict[str, str]
) -> None:
    write(player, WRONG)

    arguments = ("-e", "converge_directory=blueprint")
    validated = player.expecting_failure.run_file(VALIDATE, *arguments, **environment)
    refused = converge(player.expecting_failure, environment)

    assert ran(player) == set()
    told = places(validated.tasks[-1].result["msg"])
    assert places(refused.output) <= told, "which shows the first ten lines"
    in_values = {
        "file",
        "list",
        "nested",
        "unknown_value",
        "wrong_key",
        "wrong_list",
        "wrong_source",
    }
    in_values.add("own_scope")
    assert places(WRONG) - told == in_values, "which no message shows"
    assert player.emulator.requests() == []


def test_texts_run_where_templates_are_evaluated(
    player: Player, environment: dict[str, str]
) -> None:
    """Else the other tests would prove nothing."""
    write(player, RIGHT)
    converge(player.expecting_failure, environment, "--check", converge_templates=True)
    assert ran(player) == places(list(RIGHT.values()))
