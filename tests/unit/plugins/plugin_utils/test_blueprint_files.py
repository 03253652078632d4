# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A directory as a blueprint: which files it has, what no file may be, and that files are data."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.hosting.platform.plugins.plugin_utils import _yaml_files
from ansible_collections.hosting.platform.plugins.plugin_utils._blueprint_files import BlueprintFiles, read_directory


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return folder


def read(folder: Path, files: dict[str, str]) -> BlueprintFiles:
    return read_directory(write(folder, files), _yaml_files.DataFiles())


def problems(folder: Path, files: dict[str, str]) -> list[str]:
    return [problem.replace(f"{folder}/", "") for problem in read(folder, files).problems]


@pytest.mark.parametrize(
    "content", ["", "---", "# all gone", "false", "0", "''", "{}", "projects:", "projects: ''", "team: acme"]
)
@pytest.mark.parametrize("name", ["projects.yml", "projects/all.yml", "acme/projects.yml", "acme/shop.yml"])
def test_a_file_without_a_list_is_no_empty_list(tmp_path, name, content):
    (said,) = problems(tmp_path, {name: content})
    assert re.match(rf"{name}(:\d)?: ", said)
    assert said.endswith("If that is intended, write an empty list: []") or "dictionary of them" in said


@pytest.mark.parametrize("content", ["[]", "projects: []", "--- []\n", "team: acme\nprojects: []"])
def test_an_empty_list_is_one(tmp_path, content):
    found = read(tmp_path, {"projects.yml": content})
    assert (found.entries, found.problems, found.files) == ({"projects": []}, [], [f"{tmp_path}/projects.yml"])


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("teams.yml", "aliases: []", "it contains aliases, but a file of this name must contain only teams."),
        ("teams.yml", "5", "it must contain a list of entries."),
        ("shop.yml", "project: []", "unknown key project. Did you mean projects?"),
        ("shop.yml", "taem: acme\nprojects: []", "unknown key taem. Did you mean team?"),
        ("projects.yml", "projects: []\ntaem: acme", "2: unknown key taem. Did you mean team?"),
        ("project.yml", "[]", "unknown kind project. Did you mean projects? A file of several kinds"),
        ("shop.yml", "projects: {name: web}", "projects must contain a list of entries."),
        ("notes.txt", "", "only .yml and .yaml files are allowed here."),
        ("projects/media/web.yml", "[]", "only .yml and .yaml files are allowed here."),
        ("shop.yml", "team: true\nprojects: []", "team must be text, and is a boolean."),
        ("shop.yml", "team: 010\nprojects: []", "team must be text, but YAML reads 010 as the number 8. Quote it."),
        ("shop.yml", "own_scope:\nprojects: []", "own_scope must be true or false, and is null."),
        ("shop.yml", "own_scope: maybe\nprojects: []", "own_scope must be true or false, and is text."),
        ("shop.yml", "team: a\nown_scope: true\nprojects: []", "it sets both team and own_scope. Remove one of them."),
        ("projects.yml", "- {name: a, source: b.yml:1}", "source is set automatically. Remove it."),
        ("projects.yml", "- {name: a, _places: b.yml:1}", "_places is set automatically. Remove it."),
    ],
)
def test_problems_name_the_file(tmp_path, name, content, words):
    (said,) = problems(tmp_path, {name: content})
    place = {"projects/media/web.yml": "projects/media"}.get(name, name)
    starts = (f"{place}: {words}", f"{place}:1: {words}", f"{place}:{words}", f"projects[0] a ({place}:1): {words}")
    assert said.startswith(starts)


@pytest.mark.parametrize("files", [{}, {"README.md": ""}, {"READMEs/x.txt": ""}, {".keep": ""}, {"acme/.keep": ""}])
def test_a_directory_without_files_is_none(tmp_path, files):
    (said,) = problems(tmp_path, files)
    assert said == f"{tmp_path} contains no blueprint files, such as projects.yml."


@pytest.mark.parametrize("name", ["projects.yml", "ops/projects.yml", "projects/shop.yml", "all.yml"])
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
    scopes = [("ops", None), ("acme", None), (None, True), ("ops", None), ("ops", False), (False, None)]
    assert [(entry.get("team"), entry.get("own_scope")) for entry in found.entries["projects"]] == scopes
    from_file = [{"team": f"{name}:1"} if team == "ops" else None for team, _own in scopes]
    assert [entry.get("_places") for entry in found.entries["projects"]] == from_file
    assert found.scopes == [{"team": "ops", "source": f"{name}:1"}]


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [
        ("a: &a\n  b: *a", "found unconstructable recursive node.", 1),
        ("- *x", "found undefined alias.", 1),
        ("[" * 100_000, "it is nested deeper than 100 levels.", 1),
        ("--- []\n---\n[]", "expected a single document in the stream, but found another document.", 2),
        ("- a\n- {b\n", "while parsing a flow mapping, did not find expected ',' or '}'.", 3),
        ("- a: b: c", "mapping values are not allowed in this context.", 1),
        ("- a\n- !vault |\n  $ANSIBLE", "the tag !vault is not allowed. The only tag allowed is !unsafe.", 2),
        ("- a\n- !!python/name:os.system a", "the tag tag:yaml.org,2002:python/name:os.system is not allowed.", 2),
        ("- !!str {a: b}", "the tag tag:yaml.org,2002:str is only for text.", 1),
        ("- !unsafe [a]", "the tag !unsafe is only for text.", 1),
        ("- ? [a]\n  : b", "while constructing a mapping, found unhashable key.", 1),
    ],
)
def test_yaml_tags_and_errors_are_rejected_with_their_place(text, words, line):
    with pytest.raises(_yaml_files.FileProblem) as problem:
        _yaml_files.construct(_yaml_files.parse(text))
    assert re.match(rf"f:{line}: (it is not valid YAML: )?{re.escape(words)}", problem.value.at("f"))


@pytest.mark.parametrize(
    "text",
    [
        "- " + "9" * 5000,
        "- 0x" + "f" * 5000,
        "- {0b" + "1" * 101 + ": 1}",
        "- 2020-13-45",
        "- \x07",
        "- !!bool abc",
        "{a: 1, !unsafe a: 2}",
    ],
)
def test_unreadable_yaml_values_are_one_clear_error(text):
    with pytest.raises(
        _yaml_files.FileProblem, match=r"Quote it if it is text|control characters are not allowed|first set in line 1"
    ):
        _yaml_files.construct(_yaml_files.parse(text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("- &a {x: 1}\n- *a", [{"x": 1}, {"x": 1}]),
        ("- {<<: {x: 1}}", [{"x": 1}]),
        ("- '" + "9" * 5000 + "'", ["9" * 5000]),
        ("- !unsafe '{{ x }}'", ["{{ x }}"]),
        ("- !unsafe 010", ["010"]),
        ("- [yes, 1.5, ~, text]", [[True, 1.5, None, "text"]]),
    ],
)
def test_plain_yaml_is_read(text, value):
    assert _yaml_files.construct(_yaml_files.parse(text))[0] == value


def test_dates_are_text(tmp_path):
    assert read(tmp_path, {"projects.yml": "- name: 2026-01-02"}).entries["projects"][0]["name"] == "2026-01-02"


def test_special_and_large_files_are_not_read(tmp_path):
    os.mkfifo(tmp_path / "teams.yml")
    with (tmp_path / "projects.yml").open("wb") as file:
        file.truncate(_yaml_files.LARGEST + 1)
    (tmp_path / "aliases.yml").write_bytes(b"- \xff")
    assert problems(tmp_path, {}) == [
        "aliases.yml: it is not valid UTF-8, at byte 3.",
        "projects.yml: it is larger than 16 MiB.",
        "teams.yml: it is not a regular file.",
    ]


LINKS = [("projects.yml", "/dev/zero"), ("projects/all.yml", "../teams.yml"), ("acme", "../elsewhere"), ("acme", ".")]


@pytest.mark.parametrize(("link", "target"), [*LINKS, ("projects.yml", "teams.yml")])
def test_no_link_is_followed(tmp_path, link, target):
    write(tmp_path, {"secret.yml": "[{password: hidden}]", "elsewhere/projects.yml": "[]", "live/teams.yml": "[]"})
    path = tmp_path / "live" / link
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(target)
    found = read_directory(tmp_path / "live", _yaml_files.DataFiles())
    assert found.problems == [f"{link} is a link, and links are not followed. Replace it by the file."]
    assert found.entries == {"teams": []}


def test_equal_problems_of_a_file_are_said_once(tmp_path):
    entries = "- {name: 010}\n- {name: 010}\n- {name: 020}\n- {name: 010}"
    read_as = "must be text, but YAML reads 0{}0 as the number {}. Quote it."
    found = problems(tmp_path, {"projects.yml": entries, "shop/projects.yml": "- {name: 010}"})
    assert found == [
        f"projects[0] 8 (projects.yml:1): name {read_as.format(1, 8)} The same in 2 more of this file.",
        f"projects[2] 16 (projects.yml:3): name {read_as.format(2, 16)}",
        f"projects[0] 8 (shop/projects.yml:1): name {read_as.format(1, 8)}",
    ]
