# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The entries of a directory: where each begins, and what is wrong with one of them."""

from pathlib import Path

import pytest
from blueprint_files import all_problems, read_folder
from folders import write_files

from ansible_collections.hosting.platform.plugins.plugin_utils.files._blueprint_file import (
    BlueprintFiles,
)


def read(folder: Path, content: str, name: str = "projects.yml") -> BlueprintFiles:
    return read_folder(write_files(folder, {name: content}))


def problems(folder: Path, content: str, name: str = "projects.yml") -> list[str]:
    return all_problems(write_files(folder, {name: content}))


@pytest.mark.parametrize(
    ("content", "sources"),
    [
        ("- name: a\n- name: b\n", ["projects.yml:1", "projects.yml:2"]),
        ("---\n# Ours\n\n-\n  name: a\n\n- {name: b}\n", ["projects.yml:5", "projects.yml:7"]),
        ("projects:\n- {name: a}\n-  name: b", ["projects.yml:2", "projects.yml:3"]),
        ('[\n  {"name": "a"},\n  {"name": "b"}\n]', ["projects.yml:2", "projects.yml:3"]),
        ("- &a {name: a}\n- <<: *a\n  name: b", ["projects.yml:1", "projects.yml:2"]),
        (
            "- name: a\n  build_command: |\n    one\n    two\n- name: b",
            ["projects.yml:1", "projects.yml:5"],
        ),
    ],
)
def test_source_is_the_line_where_the_entry_begins(tmp_path, content, sources):
    assert [
        [entry["source"] for entry in entries]
        for entries in read(tmp_path, content).entries.values()
    ] == [sources]


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("010", 8),
        ("1_000", 1000),
        ("0x1F", 31),
        ("1:30", 90),
        ("+5", 5),
        ("0b11", 3),
    ],
)
def test_whole_number_that_is_read_otherwise_than_written_is_refused(tmp_path, written, number):
    said = problems(tmp_path, f"- name: web\n- framework: vite\n  name: {written}\n")
    read = f"name must be text, but YAML reads {written} as the number {number}. Quote it."
    assert said == [f"projects[1] {number} (projects.yml:2): {read}"]


@pytest.mark.parametrize(
    "written", ["1", "0", "12345", "-7", "'010'", '"1_000"', "0x", "v010", "1e3"]
)
def test_number_that_is_read_as_written_and_text_are_taken(tmp_path, written):
    assert problems(tmp_path, f"- name: {written}\n") == []


def test_misread_numbers_are_found_in_lists_and_merges_and_not_in_data(tmp_path):
    assert problems(
        tmp_path,
        "- &a {name: web, framework: 010}\n- {<<: *a, name: api}\n- {name: x, previously: [007]}",
    ) == [
        "projects[0] web (projects.yml:1): framework must be text, but YAML reads 010 as the"
        " number 8. Quote it. The"
        " same in 1 more of this file.",
        "projects[2] x (projects.yml:3): previously must be text, but YAML reads 007 as the"
        " number 7. Quote it.",
    ]
    (tmp_path / "projects.yml").unlink()
    aliases = "- {alias: a.example.com, project: web, parameters: {ttl: 0x10}}"
    assert problems(tmp_path, aliases, "aliases.yml") == []


@pytest.mark.parametrize(
    ("content", "line", "key", "first"),
    [
        ("- name: a\n  framework: x\n  framework: y", 3, "framework", 2),
        ("- {name: a, name: b}", 1, "name", 1),
        ("- name: a\n  x: {b: 1, c: 2,\n  b: 1}", 3, "b", 2),
        ("- &a {name: a, name: b}\n- *a\n- {name: a, name: b}", 1, "name", 1),
    ],
)
def test_key_that_a_mapping_has_twice_is_an_error(tmp_path, content, line, key, first):
    said = problems(tmp_path, content)
    assert said == [
        f"projects.yml:{line}: the key {key} is repeated. It is first set in line {first}. Remove one,"
        " or begin a new entry with a hyphen."
    ]


def test_keys_of_merged_mappings_may_be_set_again(tmp_path):
    assert problems(tmp_path, "- &a {name: a}\n- &b {name: b}\n- {<<: *a, <<: *b, name: c}") == []


def test_entries_are_counted_within_their_file(tmp_path):
    (tmp_path / "projects").mkdir()
    (tmp_path / "projects" / "a.yml").write_text("- {name: a}\n- {name: b}", encoding="utf-8")
    (tmp_path / "projects" / "b.yml").write_text(
        "- {name: c}\n- {name: b}\n- {nme: c}", encoding="utf-8"
    )
    assert problems(tmp_path, "projects: [{name: c}]", "more.yml") == [
        "projects[2] (projects/b.yml:3): unknown option nme. Did you mean name?",
        "projects[2] (projects/b.yml:3): one of the following is required: name, id.",
        "projects[0] c (projects/b.yml:1) is already declared by projects[0] c (more.yml:1).",
        "projects[1] b (projects/b.yml:2) is already declared by projects[1] b (projects/a.yml:2).",
    ]


TEMPLATE = (
    "{} looks like a template, and files are data. To have it evaluated, give the blueprint in a"
    " variable (converge_blueprint, or the option blueprint)."
)


@pytest.mark.parametrize(
    ("file", "content", "line", "named"),
    [
        ("projects", "- name: '{{ x }}'\n", 1, "name {{ x }}"),
        ("projects", "- framework: a\n  name: 'a{% b %}'\n", 2, "name a{% b %}"),
        ("projects", "- name: a\n  team: '{{ x }}'\n", 2, "team {{ x }}"),
        ("projects", "- name: a\n  previously:\n  - b\n  - '{{ x }}'\n", 4, "previously {{ x }}"),
        ("projects", "- name: a\n  alias: '{{x}}.example.com'\n", 2, "alias {{x}}.example.com"),
        ("projects", "- name: a\n  aliases: [b, '{{x}}.c']\n", 2, "aliases {{x}}.c"),
        ("projects", "- name: a\n  aliases:\n  - alias: '{{x}}.c'\n", 3, "alias {{x}}.c"),
        ("aliases", "- alias: '{{x}}.c'\n  project: a\n", 1, "alias {{x}}.c"),
        ("aliases", "- alias: a.c\n  project: '{{ x }}'\n", 2, "project {{ x }}"),
        ("domains", "- name: '#jinja2:x.c'\n", 1, "name #jinja2:x.c"),
        ("teams", "- slug: '{# x #}'\n", 1, "slug {# x #}"),
        ("team_members", "- team: a\n  role: OWNER\n  email: '{{x}}@b.c'\n", 3, "email {{x}}@b.c"),
        ("team_members", "- {team: a, role: OWNER, user_id: '{{x}}'}\n", 1, "user_id {{x}}"),
        ("projects", "- &a\n  name: '{{ x }}'\n- <<: *a\n  team: b\n", 2, "name {{ x }}"),
    ],
)
def test_a_template_where_an_object_is_named_is_refused_with_its_line(
    tmp_path, file, content, line, named
):
    said = [problem for problem in problems(tmp_path, content, f"{file}.yml") if "looks" in problem]
    assert [problem.partition(" The same")[0] for problem in said] == [
        f"{file}.yml:{line}: {TEMPLATE.format(named)}"
    ]


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("'{{ x }}'", "projects.yml:1: projects {{ x }}"),
        ("projects: '{{ x }}'", "projects.yml:1: projects {{ x }}"),
        ("- name: a\n- '{{ x }}'", "projects[1] (projects.yml:2): {{ x }}"),
    ],
)
def test_a_template_in_the_place_of_entries_is_said_to_be_one(tmp_path, content, named):
    assert problems(tmp_path, content) == [TEMPLATE.format(named)]


def test_a_template_elsewhere_is_text(tmp_path):
    content = "- {name: web, build_command: '{{ a }}', framework: '{% b %}'}\n"
    assert problems(tmp_path, content) == []
    assert problems(tmp_path, "- {slug: acme, name: '{{ a }}'}\n", "teams.yml") == []


def test_white_space_at_the_end_of_a_name_is_seen(tmp_path):
    assert problems(tmp_path, "- {name: 'shop ', framwork: x}") == [
        'projects[0] "shop " (projects.yml:1): unknown option framwork. Did you mean framework?'
    ]
