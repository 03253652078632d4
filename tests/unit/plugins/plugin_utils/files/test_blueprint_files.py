# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A directory as a blueprint: which files it has, what no file may be, and that files are data."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from blueprint_files import file_problems, read_folder
from folders import write_files

from ansible_collections.hosting.platform.plugins.plugin_utils.files._blueprint_file import (
    BlueprintFiles,
)


def read(folder: Path, files: dict[str, str]) -> BlueprintFiles:
    return read_folder(write_files(folder, files))


def problems(folder: Path, files: dict[str, str]) -> list[str]:
    return file_problems(write_files(folder, files))


NOTHING = "it declares nothing. Delete it, or write an empty list: projects: []"
NO_LIST = {"false": "a boolean", "0": "a number", "''": "text"}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        *((content, NOTHING) for content in ("", "---", "# all gone")),
        *((content, NOTHING) for content in ("{}", "team: acme")),
        (
            "projects:",
            "projects has no value. If it declares none, write an empty list: projects: []",
        ),
        (
            "projects: ''",
            "projects must contain a list of entries, and is text. Begin each with a hyphen.",
        ),
    ],
)
@pytest.mark.parametrize(
    "name", ["projects.yml", "projects/all.yml", "acme/projects.yml", "acme/shop.yml"]
)
def test_a_file_without_a_list_is_no_empty_list(tmp_path, name, content, problem):
    (said,) = problems(tmp_path, {name: content})
    assert re.sub(r":\d: ", ": ", said) == f"{name}: {problem}"
    if problem.endswith("[]"):
        advice = problem.rpartition(": ")[0].rpartition(": ")[2] + ": []"
        assert problems(tmp_path, {name: advice}) == []


@pytest.mark.parametrize(("content", "found"), NO_LIST.items())
def test_a_file_of_a_kind_is_a_list_or_a_mapping(tmp_path, content, found):
    assert problems(tmp_path, {"projects.yml": content}) == [
        f"projects.yml:1: projects must contain a list of entries, and is {found}. Begin each with"
        " a hyphen."
    ]


@pytest.mark.parametrize("content", ["[]", "projects: []", "--- []\n", "team: acme\nprojects: []"])
def test_an_empty_list_is_one(tmp_path, content):
    found = read(tmp_path, {"projects.yml": content})
    assert (found.entries, found.problems, found.files) == (
        {"projects": []},
        [],
        [f"{tmp_path}/projects.yml"],
    )


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "teams.yml",
            "aliases: []",
            "it contains aliases, but a file of this name must contain only teams.",
        ),
        (
            "teams.yml",
            "5",
            "teams must contain a list of entries, and is a number. Begin each with a hyphen.",
        ),
        ("shop.yml", "project: []", "unknown key project. Did you mean projects?"),
        ("shop.yml", "taem: acme\nprojects: []", "unknown key taem. Did you mean team?"),
        ("projects.yml", "projects: []\ntaem: acme", "2: unknown key taem. Did you mean team?"),
        (
            "project.yml",
            "[]",
            "unknown kind project. Did you mean projects? A file of several kinds",
        ),
        (
            "shop.yml",
            "projects: {name: web}",
            "projects must contain a list of entries, and is a dictionary. Begin each with a"
            " hyphen.",
        ),
        ("notes.txt", "", "only .yml and .yaml files are allowed here."),
        ("projects/media/web.yml", "[]", "only .yml and .yaml files are allowed here."),
        ("shop.yml", "team: true\nprojects: []", "team must be text, and is a boolean."),
        (
            "shop.yml",
            "team: 010\nprojects: []",
            "team must be text, but YAML reads 010 as the number 8. Quote it.",
        ),
        ("shop.yml", "own_scope:\nprojects: []", "own_scope must be true or false, and is null."),
        (
            "shop.yml",
            "own_scope: maybe\nprojects: []",
            "own_scope must be true or false, and is text.",
        ),
        (
            "shop.yml",
            "team: a\nown_scope: true\nprojects: []",
            "it sets both team and own_scope. Remove one of them.",
        ),
        (
            "shop.yml",
            "{'team': '', 'projects': []}",
            "team is empty: a template came out empty? Give it a value, or leave it out. For your own"
            " scope, set own_scope to true.",
        ),
        (
            "shop.yml",
            "team:\nown_scope: false\nprojects: []",
            "team is empty: a template came out empty? Give it a value, or leave it out. For your own"
            " scope, set own_scope to true.",
        ),
        (
            "shop.yml",
            "team: '{{ x }}'\nprojects: []",
            "team {{ x }} looks like a template, and files are data. To have it evaluated, give",
        ),
        (
            "shop.yml",
            "defaults: {projects: {framework: astro}}\nprojects: []",
            "defaults stand in a file of their own, defaults.yml of the folder.",
        ),
        (
            "projects.yml",
            "defaults: null\nprojects: []",
            "defaults stand in a file of their own, defaults.yml of the folder.",
        ),
        ("projects.yml", "- {name: a, source: b.yml:1}", "source is set automatically. Remove it."),
        (
            "projects.yml",
            "- {name: a, _places: b.yml:1}",
            "_places is set automatically. Remove it.",
        ),
    ],
)
def test_problems_name_the_file(tmp_path, name, content, words):
    (said,) = problems(tmp_path, {name: content})
    place = {"projects/media/web.yml": "projects/media"}.get(name, name)
    starts = (
        f"projects[0] a ({place}:1): {words}",
        f"{place}: {words}",
        f"{place}:1: {words}",
        f"{place}:{words}",
    )
    assert said.startswith(starts)


@pytest.mark.parametrize(
    "name", ["projects.yml", "ops/projects.yml", "projects/shop.yml", "all.yml"]
)
def test_the_team_of_a_file_is_that_of_its_entries_that_name_none(tmp_path, name):
    given: list[dict[str, Any]] = [
        {},
        {"team": "acme"},
        {"own_scope": True},
        {"team": ""},
        {"own_scope": False},
        {"team": False},
    ]
    entries = [{"name": f"p{number}", **scope} for number, scope in enumerate(given)]
    content = json.dumps({"team": "ops", "projects": entries})
    found = read(tmp_path, {name: content})
    assert found.problems == []
    scopes = [
        ("ops", None),
        ("acme", None),
        (None, True),
        ("", None),
        ("ops", False),
        (False, None),
    ]
    assert [
        (entry.get("team"), entry.get("own_scope")) for entry in found.entries["projects"]
    ] == scopes
    from_file = [{"team": f"{name}:1"} if team == "ops" else {} for team, _own in scopes]
    assert [entry.get("_places") for entry in found.entries["projects"]] == from_file
    assert found.scopes == [{"team": "ops", "source": f"{name}:1"}]


def test_dates_are_text(tmp_path):
    assert (
        read(tmp_path, {"projects.yml": "- name: 2026-01-02"}).entries["projects"][0]["name"]
        == "2026-01-02"
    )


def test_a_byte_order_mark_is_no_part_of_a_file(tmp_path):
    found = read(tmp_path, {"projects.yml": "\ufeff- name: shop\n"})
    assert (found.problems, found.entries["projects"][0]["name"]) == ([], "shop")


def test_a_file_has_no_limit_of_size(tmp_path):
    found = read(tmp_path, {"projects.yml": "- name: shop\n" + " " * 20 * 1024**2 + "\n"})
    assert (found.problems, len(found.entries["projects"])) == ([], 1)


def test_equal_problems_of_a_file_are_said_once(tmp_path):
    entries = "- {name: 010}\n- {name: 010}\n- {name: 020}\n- {name: 010}"
    read_as = "must be text, but YAML reads 0{}0 as the number {}. Quote it."
    found = problems(tmp_path, {"projects.yml": entries, "shop/projects.yml": "- {name: 010}"})
    assert found == [
        f"projects[0] 8 (projects.yml:1): name {read_as.format(1, 8)} The same in 2 more of this"
        " file.",
        f"projects[2] 16 (projects.yml:3): name {read_as.format(2, 16)}",
        f"projects[0] 8 (shop/projects.yml:1): name {read_as.format(1, 8)}",
    ]


def test_all_wrong_keys_of_a_file_are_said_and_hide_no_entry(tmp_path):
    found = read(tmp_path, {"shop.yml": "taem: acme\nprjects: []\nprojects: [{nmae: web}]"})
    assert [problem.replace(f"{tmp_path}/", "") for problem in found.problems] == [
        "shop.yml:1: unknown key taem. Did you mean team?",
        "shop.yml:2: unknown key prjects. Did you mean projects?",
    ]
    assert [entry["nmae"] for entry in found.blueprint["projects"]] == ["web"]


def test_an_empty_team_beside_own_scope_counts_as_left_out(tmp_path):
    found = read(tmp_path, {"projects.yml": "own_scope: true\nteam:\nprojects: []"})
    assert found.scopes == [{"own_scope": True, "source": "projects.yml:1"}]
