# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An export as files: whatever the text, it is read back as it was."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from blueprint_files import read_folder
from exported_files import export, exported, written
from hypothesis import given
from hypothesis import strategies as st
from sampling import examples

from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.selectors import (
    is_matched,
    read_selectors,
)
from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    InvalidOption,
    PlatformError,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.registry import KINDS
from ansible_collections.hosting.platform.plugins.module_utils._model.scope import OWN_SCOPE, Scope
from ansible_collections.hosting.platform.plugins.plugin_utils.files._atomic_files import real_path
from ansible_collections.hosting.platform.plugins.plugin_utils.files._export_files import (
    check_directory,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._templates import is_template

HEADER = "#jinja2:variable_start_string:'[[',variable_end_string:']]'\n[[ x ]]"
# No option takes a NUL.
LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
SHORT = st.text(LETTERS, max_size=8).filter(lambda text: not is_template(text))
TEXTS = st.text(LETTERS, min_size=1) | st.sampled_from(
    [
        "yes",
        "~",
        "1e3",
        "010",
        "{{ x }}",
        "a{#b",
        "{%",
        HEADER,
        "#jinja2:",
        f" {HEADER}",
        "<<",
        "long" * 500,
    ]
)
SLUGS = [
    "",
    "acme",
    "ACME",
    "..",
    "../../etc",
    "/etc",
    ".hidden",
    "README",
    "projects",
    "own-scope",
    "a b",
    "x" * 300,
]
LAYOUTS = pytest.mark.parametrize("layout", ["kinds", "teams"])


def test_each_kind_has_a_file_that_names_its_schema(tmp_path):
    assert written(tmp_path, {"teams": [{"slug": "acme"}], "projects": []}) == {
        "teams.yml": exported("teams", '- slug: "acme"\n'),
        "projects.yml": exported("projects", "[]\n"),
    }


def test_each_team_has_a_folder_whose_files_say_it_once(tmp_path):
    files = written(tmp_path, layout="teams")
    of_acme = {f"acme/{kind}.yml" for kind in ("projects", "teams")}
    assert files.keys() == of_acme | {"own-scope/projects.yml", f"{hashed('projects')}/teams.yml"}
    web = '  - name: "web"\n    aliases:\n      - "www.example.com"\n'
    assert files["acme/projects.yml"] == exported("projects", f'team: "acme"\nprojects:\n{web}')
    mine = 'own_scope: true\nprojects:\n  - name: "mine"\n'
    assert files["own-scope/projects.yml"] == exported("projects", mine)


def hashed(slug: str, letters: str = "") -> str:
    return f"{letters or slug}-{hashlib.sha256(slug.encode()).hexdigest()[:8]}"


@pytest.mark.parametrize(
    ("slug", "folder"),
    [
        ("acme", "acme"),
        ("0_a-b", "0_a-b"),
        ("a" * 100, "a" * 100),
        ("com10", "com10"),
        ("acme-12345", "acme-12345"),
        ("acme-1234567g", "acme-1234567g"),
        ("Acme Corp", hashed("Acme Corp", "acme-corp")),
        ("ACME", hashed("ACME", "acme")),
        ("acme.", hashed("acme.", "acme")),
        ("../../etc", hashed("../../etc", "etc")),
        ("a  .. b", hashed("a  .. b", "a-b")),
        ("a" * 101, hashed("a" * 101, "a" * 80)),
        ("日本", hashed("日本", "team")),
        *((name, hashed(name)) for name in ("con", "nul", "com1", "lpt9", "aliases", "own-scope")),
        ("acme-0123abcd", hashed("acme-0123abcd")),
    ],
)
def test_the_folder_of_a_team_depends_on_the_team_alone(tmp_path, slug, folder):
    alone = {"teams": [{"slug": slug}]}
    (name,) = written(tmp_path / "alone", alone, "teams")
    assert name == f"{folder}/teams.yml"
    others = {"teams": [{"slug": other} for other in ("team", slug.lower() + "!", folder + "x")]}
    among = {"teams": [*others["teams"], *alone["teams"]]}
    files = written(tmp_path / "among", among, "teams")
    assert yaml.safe_load(files[name]) == alone["teams"]
    assert len(files) == 4


def test_empty_export_writes_empty_files_unless_declared_elsewhere(tmp_path):
    assert set(written(tmp_path / "a", {"teams": [], "projects": []}, "teams")) == {
        "teams.yml",
        "projects.yml",
    }
    assert written(tmp_path / "b", {"teams": [], "projects": []}, beside=str(tmp_path / "a")) == {}


@LAYOUTS
@examples(50)
@given(
    slugs=st.lists(st.one_of(st.sampled_from(SLUGS), SHORT), unique=True, max_size=6),
    fields=st.dictionaries(st.sampled_from(["framework", "build_command"]), TEXTS),
)
def test_written_files_can_be_read_back(
    layout: str, slugs: list[str], fields: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    projects = [
        {"name": "web", **({"team": slug} if slug else {"own_scope": True}), **fields}
        for slug in slugs
    ]
    blueprint: dict[str, list[Any]] = {
        "teams": [{"slug": slug} for slug in slugs if slug],
        "projects": projects,
    }
    folder = tmp_path_factory.mktemp("export")
    for path in map(Path, export(folder, blueprint, layout).files):
        assert folder in path.resolve().parents
    written(folder, blueprint, layout)
    found = read_folder(folder)

    def in_order(entries: list[Any]) -> list[str]:
        return sorted(
            str(sorted({**entry, "source": None, "_place": "", "_places": {}}.items(), key=str))
            for entry in entries
        )

    assert found.problems == []
    for kind, entries in blueprint.items():
        assert in_order(found.entries.get(kind, [])) == in_order(entries)


def test_an_alias_with_nothing_but_its_name_stands_in_its_project(tmp_path):
    aliases = [
        {"alias": "www.example.com", "project": "web", "team": "acme"},
        {"alias": "*.example.com", "project": "web", "team": "acme"},
        {"alias": "ttl.example.com", "project": "web", "team": "acme", "parameters": {"ttl": 5}},
        {"alias": "mine.example.com", "project": "web", "own_scope": True},
        {"alias": "other.example.com", "project": "declared-elsewhere", "team": "acme"},
    ]
    files = written(tmp_path, {"projects": [{"name": "web", "team": "acme"}], "aliases": aliases})
    assert files["projects.yml"] == exported(
        "projects",
        '- name: "web"\n  team: "acme"\n  aliases:\n    - "www.example.com"\n'
        '    - "*.example.com"\n',
    )
    found = read_folder(tmp_path)
    assert [entry["alias"] for entry in found.entries["aliases"]] == [
        "ttl.example.com",
        "mine.example.com",
        "other.example.com",
    ]


@pytest.mark.parametrize(
    ("defaults", "declared", "is_refused"),
    [
        ("all/live/defaults.yml", (), True),
        ("all/live/defaults.yaml", (), True),
        ("all/live/acme/web/defaults.yml", (), True),
        ("all/defaults.yml", (), True),
        ("defaults.yml", (), False),
        ("defaults.yml", ("all",), False),
        ("all/defaults.yml", ("elsewhere", "all"), True),
        ("defaults.yml", (".",), True),
        ("all/defaults.yml", ("all/live",), False),
        ("all/defaults.yml", ("all/live/acme",), True),
        ("all/beside/defaults.yml", ("all",), False),
        ("all/live/defaults.yml/x", (), False),
    ],
)
def test_directory_in_which_a_default_would_hold_is_refused(
    tmp_path, defaults, declared, is_refused
):
    (tmp_path / defaults).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / defaults).write_text("projects: {framework: astro}")
    directory = str(tmp_path / "all/live")
    directories = [real_path(str(tmp_path / path)) for path in declared]
    if not is_refused:
        check_directory(directory, directories)
        return
    with pytest.raises(InvalidOption) as refused:
        check_directory(directory, directories)
    assert refused.value.text({"directory": "export_directory"}) == (
        f"export_directory: {tmp_path}/{defaults} would change what is exported. Remove it, or"
        " choose another directory."
    )


def test_directory_that_no_blueprint_could_be_read_from_is_refused(tmp_path):
    directory = tmp_path / "caf\udce9" / "live"
    for path in (directory, directory.parent):
        with pytest.raises(InvalidOption, match=r"directory: is below a folder .* UTF-8\. Rename"):
            check_directory(str(path), ())


def test_names_that_files_refuse_are_said_with_what_leaves_them_out(tmp_path):
    blueprint: dict[str, list[dict[str, Any]]] = {
        "teams": [{"slug": "acme", "name": "{{ text }}"}],
        "projects": [
            {"name": "{{ x }}", "team": "acme", "aliases": []},
            {"name": "#jinja2:a*[", "own_scope": True},
            {"name": "web", "team": "acme", "build_command": "{{ text }}"},
        ],
    }
    with pytest.raises(PlatformError) as refused:
        export(tmp_path, blueprint)
    because = "cannot be written into a file, because its name looks like a template."
    *lines, ignore = str(refused.value).split("\n")
    assert lines == [
        f"The project {{{{ x }}}} of acme {because}",
        f"The project #jinja2:a*[ {because}",
    ]
    assert ignore.startswith("ignore: this leaves them out: [")
    selectors = json.loads(ignore.partition(": this leaves them out: ")[2])
    assert not is_template(ignore)
    assert selectors == [
        {"kind": "projects", "team": "acme", "name": "?? x }}"},
        {"kind": "projects", "team": "", "name": "?jinja2:a??"},
    ]
    found = read_selectors({"ignore": selectors})["ignore"]
    scopes = (Scope({"id": None, "slug": "acme"}), OWN_SCOPE)
    for scope, entry in zip(scopes, blueprint["projects"], strict=False):
        assert is_matched(found, KINDS["projects"], [entry["name"]], scope)
    assert list(tmp_path.iterdir()) == []


def test_printable_characters_are_written_unescaped(tmp_path):
    files = written(
        tmp_path,
        {"teams": [{"slug": "\u00fcml\u00e4ut \u6771\u4eac \U0001f680", "name": "a\u202eb\x07"}]},
    )
    shown = '- slug: "\u00fcml\u00e4ut \u6771\u4eac \U0001f680"\n  name: "a\\u202eb\\u0007"\n'
    assert files["teams.yml"] == exported("teams", shown)
