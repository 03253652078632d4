# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A directory as a blueprint: which files it has, and what no file may be."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from ansible_collections.hosting.platform.plugins.plugin_utils._blueprint_files import (
    LARGEST,
    DirectoryError,
    blueprint_files,
    gather,
)
from ansible_collections.hosting.platform.plugins.plugin_utils._yaml_text import FileProblem, nodes_of


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return folder


def load(path: Path) -> tuple[Any, Any]:
    text = path.read_text()
    node = nodes_of(text)
    return yaml.safe_load(text), node


def as_it_is(value: Any) -> Any:
    return value


def refusal(folder: Path, evaluate: Callable[[Any], Any] = as_it_is) -> str:
    with pytest.raises(DirectoryError) as refused:
        gather(folder, load, evaluate)
    return str(refused.value).replace(f"{folder}/", "")


@pytest.mark.parametrize("content", ["", "---", "# all gone", "false", "0", "''", "{}", "projects:", "projects: ''"])
@pytest.mark.parametrize("name", ["projects.yml", "projects/all.yml", "acme/projects.yml", "acme/shop.yml"])
def test_a_file_without_a_list_is_no_empty_list(tmp_path, name, content):
    said = refusal(write(tmp_path, {name: content}))
    assert said.startswith(f"{name}: ")
    assert said.endswith("If that is intended, write an empty list: []") or "dictionary of them" in said


@pytest.mark.parametrize("content", ["[]", "projects: []", "--- []\n"])
def test_an_empty_list_is_one(tmp_path, content):
    assert gather(write(tmp_path, {"projects.yml": content}), load, as_it_is) == {"projects": []}


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("teams.yml", "aliases: []", "it contains aliases, but by its name it may contain only teams."),
        ("teams.yml", "5", "it must contain a list of entries."),
        ("shop.yml", "project: []", "unknown kind project. Did you mean projects?"),
        ("project.yml", "[]", "unknown kind project. Did you mean projects? A file of several kinds"),
        ("shop.yml", "projects: {name: web}", "projects must contain a list of entries."),
        ("notes.txt", "", "only files ending in .yml or .yaml are expected here."),
        ("projects/notes.txt", "", "only files ending in .yml or .yaml are expected here."),
        ("projects/media/web.yml", "[]", "only files ending in .yml or .yaml are expected here."),
    ],
)
def test_what_is_wrong_is_said_with_the_file(tmp_path, name, content, words):
    file = "projects/media" if "media" in name else name
    assert refusal(write(tmp_path, {name: content})).startswith(f"{file}: {words}")


def test_every_file_that_is_wrong_is_named_at_once(tmp_path):
    files = {"teams.yml": "", "projects.yml": "- {name: a\n", "aliases.yml": "[]", "x/y.yml": "7"}
    folder = write(tmp_path, {**files, "projects/notes.txt": "", "x/notes.txt": ""})
    (folder / "x" / "z.yml").symlink_to("nowhere")
    said = refusal(folder)
    assert [line.split(":")[0] for line in said.splitlines()] == [
        "projects/notes.txt",
        "x/notes.txt",
        "x/z.yml is a broken link.",
        "projects.yml, line 2, column 1",
        "teams.yml",
        "x/y.yml",
    ]


@pytest.mark.parametrize("files", [{}, {"README.md": ""}, {"READMEs/x.txt": ""}, {".keep": ""}, {"acme/.keep": ""}])
def test_a_directory_without_files_is_none(tmp_path, files):
    assert "contains no files of a blueprint" in refusal(write(tmp_path, files))
    assert "nowhere does not exist" in refusal(tmp_path / "nowhere")


LAUGHS = "a: &a [lol, lol]\n" + "".join(
    f"{new}: &{new} [*{old}, *{old}, *{old}]\n" for old, new in zip("abcdefghijklmnop", "bcdefghijklmnopq")
)
MERGES = "a: &a {x: 1}\n" + "".join(
    f"{new}: &{new} {{<<: [*{old}, *{old}, *{old}]}}\n" for old, new in zip("abcdefghijklmnop", "bcdefghijklmnopq")
)


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [
        (LAUGHS, "its aliases make it too large.", 14),
        (MERGES, "its aliases make it too large.", 14),
        ("a: &a\n  b: *a", "*a is inside the value that it refers to.", 2),
        ("- *x", "*x refers to nothing: there is no &x before it.", 1),
        ("[" * 100_000, "it is nested deeper than 100 levels.", 1),
        ("- " * 100_000, "it is nested deeper than 100 levels.", 1),
        ("- name: x\n- name: " + "9" * 5000, "a number has too many digits. Quote it if it is text.", 2),
        ("- 0x" + "f" * 5000, "a number has too many digits. Quote it if it is text.", 1),
        ("- a\n- \x07", "the character #x0007 is not allowed in YAML.", 2),
        ("--- []\n---\n[]", "it contains a second document.", 2),
        ("- a\n- {b\n", "while parsing a flow mapping, did not find expected ',' or '}'.", 3),
        ("- a: b: c", "mapping values are not allowed in this context.", 1),
    ],
)
def test_what_would_break_or_bury_the_reader_is_refused_with_its_place(text, words, line):
    with pytest.raises(FileProblem) as problem:
        nodes_of(text)
    assert re.fullmatch(rf"f, line {line}, column \d+: {re.escape(words)}", problem.value.of(Path("f")))


@pytest.mark.parametrize(
    "text", ["- &a {x: 1}\n- *a", "- {<<: {x: 1}}", "- '" + "9" * 5000 + "'", "- !unsafe '{{ x }}'"]
)
def test_what_is_harmless_is_not(text):
    assert nodes_of(text)


def never(path: Path) -> Any:
    raise AssertionError(f"{path} was read")


def test_what_is_no_regular_file_or_too_large_is_not_even_opened(tmp_path):
    os.mkfifo(tmp_path / "teams.yml")
    with (tmp_path / "projects.yml").open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(DirectoryError) as refused:
        gather(tmp_path, never, as_it_is)
    assert str(refused.value).splitlines() == [
        f"{tmp_path}/projects.yml: it is larger than 16 MiB.",
        f"{tmp_path}/teams.yml: it is not a regular file.",
    ]


@pytest.mark.parametrize(
    ("link", "target", "words"),
    [
        ("projects.yml", "/dev/zero", "is a link that leads out of the directory."),
        ("projects.yml", "../secret.yml", "is a link that leads out of the directory."),
        ("projects/all.yml", "../../secret.yml", "is a link that leads out of the directory."),
        ("acme", "../elsewhere", "is a link that leads out of the directory."),
        ("acme", ".", "is a link back to"),
        ("acme/media", "..", "is a link back to"),
        ("acme", "acme", "is a broken link."),
        ("projects.yml", "gone.yml", "is a broken link."),
    ],
)
def test_links_stay_within_the_directory_and_lead_forward(tmp_path, link, target, words):
    write(tmp_path, {"secret.yml": "[{password: hidden}]", "elsewhere/projects.yml": "[]", "live/teams.yml": "[]"})
    path = tmp_path / "live" / link
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(target)
    with pytest.raises(DirectoryError) as refused:
        gather(tmp_path / "live", never if "teams" in link else load, as_it_is)
    assert str(refused.value).startswith(f"{path} {words}")


def test_folders_that_link_to_each_other_are_one_problem(tmp_path):
    """There are hundreds of ways through these, and the more folders, the more."""
    for folder in "abcde":
        write(tmp_path, {f"{folder}/notes.txt": ""})
        for other in set("abcde") - {folder}:
            (tmp_path / folder / other).symlink_to(f"../{other}")
    assert refusal(tmp_path).count("is a link back to") == 1


def test_links_within_the_directory_and_to_it_are_followed(tmp_path):
    """As a mounted configuration has them."""
    write(tmp_path / "real" / "..data", {"projects.yml": "[{name: web}]"})
    (tmp_path / "real" / "projects.yml").symlink_to("..data/projects.yml")
    (tmp_path / "blueprint").symlink_to("real")
    assert [file.name for file in blueprint_files(tmp_path / "blueprint")[0]] == ["projects.yml"]
    assert gather(tmp_path / "blueprint", load, as_it_is) == {"projects": [{"name": "web", "source": "projects.yml:1"}]}


def test_folders_have_an_end(tmp_path):
    write(tmp_path, {"x/" * 30 + "projects.yml": "[]"})
    assert "is nested deeper than 20 folders" in refusal(tmp_path)
