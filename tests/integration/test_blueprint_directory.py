# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lookup of a blueprint's directory, with core's own reader of files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from playing import Player
from vaults import vaulted, vaulted_value, with_password

from roles import write

LOOKUP = "{{ lookup('hosting.platform.blueprint_directory', '%s') }}"
# What else breaks a file, the unit tests of its reading know.
BROKEN: dict[str, tuple[str | bytes, str]] = {
    "syntax": (
        "- name: web\n- {name: shop\n",
        ", line 3, column 1: while parsing a flow mapping, did not find expected",
    ),
    "tab": ("- name: web\n\tteam: acme", ", line 2, column 1: "),
    "tag": ("- name: web\n- name: !odd x", ", line 2, column 9: could not determine a constructor for the tag '!odd'"),
    "python": (
        "- !!python/object/apply:os.system ['touch x']",
        ", line 1, column 3: could not determine a constructor",
    ),
    "key": ("- {[a]: b}", ", line 1, column "),
    "latin": ("- name: \u00fcber".encode("latin-1"), ": it is not valid UTF-8, at byte 9."),
    "date": ("- name: 2024-13-45", ": month must be in 1..12"),
    "binary": ("- name: !!binary d2Vi", "(projects.yml:1): name must be text, and is binary data."),
    "vault": ("$ANSIBLE_VAULT;1.1;AES256\n6162\n", ": "),
    "whole_value": ("!vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  6162\n", ": "),
    "list_value": ("projects: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  6162\n", ": "),
    "json": ('[{"name": {"__ansible_vault": "x"}}]', "projects[0] (projects.yml:1): name: "),
    "template": ("- team: acme\n  name: '{{ nothing_such }}'", "(projects.yml:1): name: 'nothing_such' is undefined."),
    "templated": ("'{{ {} | string }}'", ": it must contain a list of entries."),
}


def looked_up(player: Player, directories: list[Path]) -> list[Any]:
    """The outcome of each directory, a blueprint or the message of the failure."""
    tasks = [{"ansible.builtin.set_fact": {"given": LOOKUP % directory}} for directory in directories]
    results = player.run(tasks, *with_password(player.folder)).results
    return [result.get("ansible_facts", {}).get("given") or result["msg"] for result in results]


def test_broken_files_are_named_with_their_place(player: Player) -> None:
    folders = []
    for name, (content, _words) in BROKEN.items():
        folders.append(player.folder / name)
        folders[-1].mkdir()
        data = content if isinstance(content, bytes) else content.encode()
        (folders[-1] / "projects.yml").write_bytes(data)

    for message, folder, (_content, words) in zip(looked_up(player, folders), folders, BROKEN.values(), strict=True):
        assert f"{folder}/projects.yml" in message or "(projects.yml:1): " in message
        assert words in message
        assert "unhandled" not in message


NO_PATHS = {"''": "", "'  '": "  ", "a number": 5, "null": None, "a list": ["blueprint"], "a dictionary": {"a": 1}}


def test_what_is_no_path_is_refused_and_never_the_working_directory(player: Player) -> None:
    (player.folder / "projects.yml").write_text("- name: web\n")
    lookup = "{{ lookup('hosting.platform.blueprint_directory', path) }}"
    tasks = [{"ansible.builtin.set_fact": {"given": lookup}, "vars": {"path": path}} for path in NO_PATHS.values()]
    play = player.run(tasks)
    for said, result in zip(NO_PATHS, play.results, strict=True):
        assert f"The directory of the blueprint must be a path, and is {said}." in result["msg"]


def test_files_of_every_kind_of_place_make_one_blueprint(player: Player) -> None:
    files = {
        "teams.yml": "- {slug: acme, name: '{{ team_name }}'}",
        "shop.yml": "projects: [{name: shop, team: acme}]\naliases: [{alias: a.example.com, project: shop}]",
        "departments/media/projects/site.yml": "- {name: site, build_command: !unsafe 'echo {{ team_name }}'}",
        "departments/media/more.yml": vaulted("projects:\n- {name: news, framework: '{{ team_name }}'}"),
        "departments/projects/more.yml": "projects: [{name: more}]",
        "departments/projects.yaml": "- name: api\n  dev_command: " + vaulted_value("run api"),
        "domains.yml": "[]",
        "README.md": "Ours",
        ".hidden.yml": "x",
    }
    directory = write(player.folder / "blueprint", **files)
    written = player.folder / "written.json"
    # Read from a file: what callbacks see of a value from the vault is masked by core since 2.22.
    copy = {"content": "{{ given | to_json(vault_to_text=true) }}", "dest": str(written)}
    tasks = [{"ansible.builtin.copy": copy, "vars": {"given": LOOKUP % directory}}]
    player.run(tasks, "-e", '{"team_name": "Acme & Co"}', *with_password(player.folder))

    assert json.loads(written.read_text(encoding="utf-8")) == {
        "projects": [
            {"name": "news", "framework": "Acme & Co", "source": "departments/media/more.yml:2"},
            {
                "name": "site",
                "build_command": "echo {{ team_name }}",
                "source": "departments/media/projects/site.yml:1",
            },
            {"name": "api", "dev_command": "run api", "source": "departments/projects.yaml:1"},
            {"name": "more", "source": "departments/projects/more.yml:1"},
            {"name": "shop", "team": "acme", "source": "shop.yml:1"},
        ],
        "domains": [],
        "aliases": [{"alias": "a.example.com", "project": "shop", "source": "shop.yml:2"}],
        "teams": [{"slug": "acme", "name": "Acme & Co", "source": "teams.yml:1"}],
    }


@pytest.mark.core_differences
def test_options_and_entries_can_be_omitted(player: Player) -> None:
    (player.folder / "blueprint").mkdir()
    (player.folder / "blueprint" / "projects.yml").write_text(
        "- {name: web, team: acme, state: '{{ omit }}', own_scope: '{{ omit }}', previously: ['{{ omit }}', site]}\n"
        "- {name: api, team: acme, previously: '{{ nothing_such | default(omit) }}'}\n"
        "- '{{ omit }}'\n"
    )
    (blueprint,) = looked_up(player, [player.folder / "blueprint"])
    assert blueprint == {
        "projects": [
            {"name": "web", "team": "acme", "previously": ["site"], "source": "projects.yml:1"},
            {"name": "api", "team": "acme", "source": "projects.yml:2"},
        ]
    }


def test_file_whose_name_is_no_text_is_refused_before_anything_is_written(player: Player) -> None:
    """Its name is in the results, which core would refuse after the run."""
    folder = os.fsencode(player.folder) + b"/blueprint"
    os.makedirs(folder + b"/projects")
    Path(os.fsdecode(folder + b"/projects/\xff.yml")).write_text("- name: web\n")

    play = player.failing.run_file(Path("hosting.platform.converge"), "-e", "converge_directory=blueprint")

    (failed,) = [task.result["msg"] for task in play.tasks if task.status == "failed"]
    assert failed.endswith("/projects/\\udcff.yml: its name is not valid UTF-8. Rename it.")
    assert player.emulator.requests() == []
