# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What files say for the entries in and below them: the nearest wins, and is judged where it
stands.
"""

from pathlib import Path
from typing import Any

import pytest
from blueprint_files import all_problems, read_folder
from folders import write

from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.reading import (
    read_blueprint,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.registry import KINDS
from ansible_collections.hosting.platform.plugins.plugin_utils.files._blueprint_file import (
    BlueprintFiles,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._inherited import (
    options_with_defaults,
)


def read(folder: Path, **files: str) -> BlueprintFiles:
    return read_folder(write(folder, **files))


def problems(folder: Path, **files: str) -> list[str]:
    return all_problems(write(folder, **files))


def values(found: BlueprintFiles, option: str) -> dict[str, Any]:
    """The values of an option of projects by name; without those that entries lack."""
    assert found.problems == []
    entries = read_blueprint(found.blueprint).entries
    return {
        entry.name: entry.desired.options[option]
        for entry in entries
        if entry.kind.plural == "projects"
    }


def test_the_nearest_default_wins_option_by_option(tmp_path):
    found = read(
        tmp_path,
        defaults="projects: {framework: top, build_command: top, dev_command: top}",
        acme__defaults="projects: {build_command: acme, dev_command: acme}",
        acme__shop="projects: [{name: a}, {name: b, framework: own}]",
        acme__deep__projects="[{name: c}]",
        media__projects="[{name: d, dev_command: ''}]",
    )
    assert values(found, "framework") == {"a": "top", "b": "own", "c": "top", "d": "top"}
    assert values(found, "build_command") == {"a": "acme", "b": "acme", "c": "acme", "d": "top"}
    assert values(found, "dev_command") == {"a": "acme", "b": "acme", "c": "acme", "d": ""}


@pytest.mark.parametrize(
    ("entry", "framework"),
    [
        ("{name: a}", "astro"),
        ("{name: a, framework: ''}", ""),
        ("{name: a, dev_command: null}", "astro"),
        ("{name: a, state: absent}", None),
        ("{name: a, state: absent, framework: null}", None),
        ("{name: a, state: exists}", "astro"),
    ],
)
def test_empty_text_clears_and_absent_entries_get_none(tmp_path, entry, framework):
    found = read(tmp_path, defaults="projects: {framework: astro}", shop=f"projects: [{entry}]")
    assert values(found, "framework") == {"a": framework}


NULL = 'is null, and has a default (defaults.yml:1). Remove it, or write "" to clear the field.'


def test_null_is_refused_in_an_entry_for_what_a_default_gives(tmp_path):
    assert problems(
        tmp_path,
        defaults="{projects: {framework: astro}, aliases: {parameters: {ttl: 5}}}",
        shop="projects:\n- name: a\n  framework:\n  aliases:\n  - {alias: b.c, parameters: null}",
    ) == [
        f"projects[0] a (shop.yml:2): framework {NULL}",
        f"projects[0].aliases[0] b.c (shop.yml:5): parameters {NULL}",
    ]


@pytest.mark.parametrize("name", ["projects__defaults", "acme__projects__defaults"])
def test_a_folder_of_a_kind_may_have_defaults(tmp_path, name):
    found = read(
        tmp_path, **{name: "projects: {framework: astro}", "acme__projects__a": "- name: a"}
    )
    expected = "astro" if name.startswith("acme") else None
    assert values(found, "framework") == {"a": expected}


@pytest.mark.parametrize(
    ("defaults", "shop", "team"),
    [
        ("team: acme", "[{name: a}]", "acme"),
        ("team: acme", "{team: media, projects: [{name: a}]}", "media"),
        ("team: acme", "{own_scope: true, projects: [{name: a}]}", None),
        ("own_scope: true", "{team: media, projects: [{name: a}]}", "media"),
        ("own_scope: true", "[{name: a}]", None),
        ("team: acme", "[{name: a, team: media}]", "media"),
        ("team: acme", "[{name: a, own_scope: true}]", None),
    ],
)
def test_the_nearest_scope_wins_as_one_choice(tmp_path, defaults, shop, team):
    found = read(tmp_path, acme__defaults=defaults, acme__projects=shop)
    assert values(found, "team") == {"a": team}
    assert (
        read_blueprint(found.blueprint, {"team": "task"}).entries[0].desired.options["team"] == team
    )


def test_a_file_has_the_scope_of_its_folder_also_without_entries(tmp_path):
    found = read(
        tmp_path,
        acme__defaults="team: acme",
        acme__projects="[]",
        media__all="team: media\naliases: []",
    )
    assert found.scopes == [
        {"team": "acme", "source": "acme/defaults.yml:1"},
        {"team": "media", "source": "media/all.yml:1"},
    ]
    blueprint = read_blueprint(found.blueprint)
    assert blueprint.kinds == {"projects", "aliases"}
    assert [scope.team for scope in blueprint.scopes] == ["acme", "media"]


def test_defaults_alone_name_no_kind_and_no_scope(tmp_path):
    found = read(tmp_path, acme__defaults="team: acme\nprojects: {framework: astro}")
    assert (found.entries, found.scopes) == ({}, [])
    assert found.problems == [f"{tmp_path}: it contains no blueprint files, such as projects.yml."]


def test_both_names_of_the_file_are_one_too_many(tmp_path):
    (tmp_path / "defaults.yaml").write_text("{}")
    assert problems(tmp_path, defaults="{}", projects="[]") == [
        "defaults.yaml: defaults.yaml and defaults.yml are both there. Remove one of them."
    ]


def test_the_other_name_is_the_same_file(tmp_path):
    (tmp_path / "defaults.yaml").write_text("projects: {framework: astro}")
    assert values(read(tmp_path, projects="[{name: a}]"), "framework") == {"a": "astro"}


DICTIONARY = "it must contain a dictionary of kinds, with the defaults of each, and is"


@pytest.mark.parametrize(
    ("defaults", "problem"),
    [
        ("- name: a", f":1: {DICTIONARY} a list."),
        ("# later", f": {DICTIONARY} empty."),
        ("team: acme\nown_scope: true", ":1: it sets both team and own_scope. Remove one of them."),
        ("team: 010", ":1: team must be text, but YAML reads 010 as the number 8. Quote it."),
        ("project: {}", ":1: unknown kind project. Did you mean projects?"),
        ("projects:", ":1: projects must be a dictionary of options, and is null."),
        (
            "projects:\n  framework:",
            ':2: framework is null. Remove it, or write "" to clear the field.',
        ),
        (
            "projects: {alias: '{{x}}.c'}",
            ":1: alias {{x}}.c looks like a template, and files are data. To"
            " have it evaluated, give the blueprint in a variable (converge_blueprint, or the"
            " option blueprint).",
        ),
        (
            "projects: []",
            ":1: projects must be a dictionary of options, and is a list.",
        ),
        (
            "projects:\n  framwork: x",
            ":2: unknown option framwork. Did you mean framework?",
        ),
        (
            "projects:\n  framework: 1.5",
            ":2: framework must be text, and is a number with a fraction. Quote it.",
        ),
        (
            "projects:\n  framework: 010",
            ":2: framework must be text, but YAML reads 010 as the number 8. Quote it.",
        ),
        (
            "projects:\n  alias: '.'",
            ":2: alias must be a host name.",
        ),
        (
            "team_members:\n  role: ADMIN",
            ":2: role: must be one of OWNER, MEMBER, DEVELOPER,"
            " BILLING, VIEWER, CONTRIBUTOR, not ADMIN.",
        ),
        (
            "domains:\n  xyz: x",
            ":2: xyz can have no default. Set it in each entry.",
        ),
    ],
)
def test_a_problem_of_a_default_is_said_once_at_its_line(tmp_path, defaults, problem):
    files = {
        "defaults": defaults,
        "acme__projects": "[{name: a}, {name: b}]",
        "media__projects": "[{name: c}]",
    }
    assert problems(tmp_path, **files) == [f"defaults.yml{problem}"]


REFUSED = [
    *(
        ("projects", option)
        for option in ("name", "id", "previously", "state", "team", "own_scope", "unlisted_fields")
    ),
    ("projects", "aliases"),
    *(("aliases", option) for option in ("alias", "project", "state", "team")),
    *(("team_members", option) for option in ("email", "user_id", "team")),
    *(("teams", option) for option in ("slug", "id", "write_only_fields")),
    ("domains", "name"),
]


@pytest.mark.parametrize(("kind", "option"), REFUSED)
def test_an_option_that_identifies_an_object_has_no_default(tmp_path, kind, option):
    assert problems(tmp_path, defaults=f"{{{kind}: {{{option}: x}}}}", projects="[]") == [
        f"defaults.yml:1: {option} can have no default. Set it in each entry."
    ]


def test_a_field_of_an_object_may_have_a_default():
    commands = ["build_command", "dev_command", "install_command"]
    others = ["framework", "output_directory", "command_for_ignoring_build_step"]
    assert {plural: options_with_defaults(kind) for plural, kind in KINDS.items()} == {
        "teams": ["name", "description", "email_domain"],
        "team_members": ["role"],
        "projects": ["alias", *commands, *others],
        "aliases": ["parameters"],
        "domains": [],
    }


def test_a_problem_that_a_default_brings_is_said_at_its_line(tmp_path):
    found = problems(
        tmp_path,
        defaults="aliases:\n  parameters: {domain: x.example.com}",
        aliases="[{alias: a.example.com, project: web}, {alias: b.example.com, project: web}]",
    )
    assert found == [
        "defaults.yml:2: parameters: must not set domain to anything but the alias, because it"
        " names what is assigned."
    ]


def test_problems_of_several_defaults_are_said_at_once(tmp_path):
    defaults = "projects:\n  framwork: x\n  name: y\n"
    found = problems(tmp_path, defaults=defaults, shop="projects: [{nme: a}]")
    assert [problem.partition(": ")[0] for problem in found] == [
        "defaults.yml:2",
        "defaults.yml:3",
        "projects[0] (shop.yml:1)",
        "projects[0] (shop.yml:1)",
    ]


@pytest.mark.parametrize("scope", ["team: acme", "own_scope: true"])
def test_the_scope_of_a_file_hides_no_wrong_one_of_an_entry(tmp_path, scope):
    assert problems(tmp_path, shop=f"{scope}\nprojects: [{{name: a, own_scope: maybe}}]") == [
        "projects[0] a (shop.yml:2): own_scope must be true or false, and is text."
    ]


def test_entries_of_a_file_whose_scope_is_wrong_are_no_duplicates(tmp_path):
    project = "projects: [{name: web}]"
    assert problems(tmp_path, a=f"team: 010\n{project}", b=f"team: 020\n{project}") == [
        "a.yml:1: team must be text, but YAML reads 010 as the number 8. Quote it.",
        "b.yml:1: team must be text, but YAML reads 020 as the number 16. Quote it.",
    ]


def test_template_of_a_default_is_said_whatever_else_is_wrong_with_it(tmp_path):
    defaults = "projects: {alias: '{{ x }}', name: '{{ x }}', id: 010}"
    files = {"defaults": defaults, "shop": "projects: []"}
    said = problems(tmp_path, **files)
    assert [problem.partition(" looks")[0] for problem in said] == [
        "defaults.yml:1: alias must be a host name.",
        "defaults.yml:1: alias {{ x }}",
        "defaults.yml:1: name can have no default. Set it in each entry.",
        "defaults.yml:1: id can have no default. Set it in each entry.",
    ]
