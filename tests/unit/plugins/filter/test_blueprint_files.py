# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How an export is distributed among files: each entry once, and no name leads anywhere else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from ansible.errors import AnsibleFilterError
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.hosting.platform.plugins.filter.blueprint_files import blueprint_files
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.registry import KINDS
from ansible_collections.hosting.platform.plugins.plugin_utils._blueprint_files import gather
from ansible_collections.hosting.platform.plugins.plugin_utils._schemas import schema_address
from ansible_collections.hosting.platform.plugins.plugin_utils._yaml_text import nodes_of

SLUGS = ["", "acme", "ACME", "..", "../../etc", "/etc", ".hidden", "README", "projects", "own-scope", "a b", "x" * 300]


def content(blueprint: dict[str, Any], layout: str = "kinds") -> dict[str, str]:
    return {file["path"]: file["content"] for file in blueprint_files(blueprint, layout)}


def test_each_kind_has_a_file_that_names_its_schema():
    files = content({"teams": [{"slug": "acme"}], "projects": []})
    assert files == {
        "teams.yml": f'# yaml-language-server: $schema={schema_address("teams")}\n---\n- slug: "acme"\n',
        "projects.yml": f"# yaml-language-server: $schema={schema_address('projects')}\n---\n[]\n",
    }


def test_each_team_has_a_folder():
    blueprint = {
        "teams": [{"slug": "acme"}, {"slug": "projects"}],
        "projects": [{"name": "web", "team": "acme"}, {"name": "mine", "own_scope": True}],
        "aliases": [{"alias": "www.example.com", "project": "web", "team": "acme"}],
    }
    files = content(blueprint, "teams")
    assert sorted(files) == [
        "acme/aliases.yml",
        "acme/projects.yml",
        "acme/teams.yml",
        "own-scope/projects.yml",
        "team/teams.yml",
    ]


def test_nothing_is_said_too():
    assert set(content({"teams": [], "projects": []}, "teams")) == {"teams.yml", "projects.yml"}


def test_unknown_layout_is_refused():
    with pytest.raises(AnsibleFilterError, match="must be kinds or teams"):
        blueprint_files({}, "departments")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("text", "must be a blueprint, and is text."),
        ([{"name": "web"}], "must be a blueprint, and is a list."),
        ({"changed": False, "blueprint": {}}, "must be a blueprint, and changed is no kind of object."),
        ({"../\u202eprojects": []}, "must be a blueprint, and ../\\u202eprojects is no kind of object."),
        ({"projects": {"name": "web"}}, "must be a list of entries, and is a dictionary."),
        ({"projects": "web"}, "must be a list of entries, and is text."),
        ({"projects": None}, "must be a list of entries, and is null."),
        ({"projects": [{"name": "web"}, 5]}, "must be a dictionary, and one is a number."),
    ],
)
@pytest.mark.parametrize("layout", ["kinds", "teams"])
def test_what_is_no_blueprint_is_refused_in_yaml_terms(wrong, said, layout):
    with pytest.raises(AnsibleFilterError, match=re.escape(said)):
        blueprint_files(wrong, layout)


@pytest.mark.parametrize("layout", ["kinds", "teams"])
@given(slugs=st.lists(st.one_of(st.sampled_from(SLUGS), st.text(max_size=8)), unique=True, max_size=6))
def test_what_is_written_is_read_again(layout: str, slugs: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    blueprint: dict[str, list[Any]] = {
        "teams": [{"slug": slug} for slug in slugs if slug],
        "projects": [{"name": "web", "team": slug} for slug in slugs],
    }
    folder = tmp_path_factory.mktemp("export")
    for path, text in content(blueprint, layout).items():
        file = folder / path
        assert folder in file.resolve().parents
        file.parent.mkdir(exist_ok=True)
        assert not file.exists()
        file.write_text(text, encoding="utf-8")

    found = gather(folder, read, lambda value: value)

    def sorted_entries(entries: list[Any]) -> list[str]:
        return sorted(str({**entry, "source": None}) for entry in entries)

    for kind in KINDS:
        assert sorted_entries(found.get(kind, [])) == sorted_entries(blueprint.get(kind, []))


def read(file: Path) -> tuple[Any, Any]:
    text = file.read_text(encoding="utf-8")
    return yaml.safe_load(text.replace("!unsafe ", "")), nodes_of(text)
