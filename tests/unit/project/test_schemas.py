# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON schemas: what an editor accepts, a run accepts; and what the page on editors shows is
said.
"""

import json
import os
import re
import subprocess
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from entry_schemas import is_accepted
from environments import ROOT, development_environment
from guides import GUIDES, blocks
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from sampling import examples
from schemas import FOLDER, schemas

from ansible_collections.hosting.platform.plugins.module_utils._converge.result import (
    ACTIONS,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.registry import KINDS
from ansible_collections.hosting.platform.plugins.plugin_utils.files._blueprint_files import (
    read_directories,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._directories import Directory

SCHEMAS = {name.removesuffix(".schema.json"): json.loads(text) for name, text in schemas().items()}
VALIDATORS = {name: Draft202012Validator(schema) for name, schema in SCHEMAS.items()}
SPECS = {kind: resource.entry_options() for kind, resource in KINDS.items()}
OPTIONS = sorted(set(chain.from_iterable(SPECS.values())))

DEFAULTS = "defaults"
CONTENTS_OF_DEFAULTS: list[Any] = [
    *(
        None,
        {},
        {"projects": None},
        {"projects": {}},
        {"projects": {"framework": None}},
        {"projects": []},
        {"no": {}},
    ),
    *({"projects": {"framework": framework}} for framework in ("", "hugo", 7, 1.5, True)),
    {"projects": {"framework": []}},
    *(
        {"projects": {option: "a"}}
        for option in ("name", "state", "alias", "build_command", "team", "nonsense")
    ),
    *({"team_members": {"role": role}} for role in ("OWNER", "KING", None)),
    {"aliases": {"parameters": {}}},
    {"aliases": {"parameters": {"a": [1]}}},
    {"aliases": {"parameters": "a"}},
    {"teams": {"description": "x" * 141}},
]
LONG_TEXTS = ["\u00fc" * 100, "x" * 101, "y" * 257]
HOSTS = [
    "..",
    "www.example.com",
    "*.a.b.",
    "a..b",
    "https://a.b/",
    "a b",
    "a.b\n",
    "b\u3002c",
    "\u00a0",
]
EMAILS = ["a@b", "a@b@c", "@b", "a @b", "a@b\n"]
texts = st.sampled_from(
    ["", "a", "web", "present", "absent", "OWNER", " ", "0", *LONG_TEXTS, *HOSTS, *EMAILS]
)
# A JSON Schema takes 1.0 for an integer, and a run does not. JSON has no NaN.
fractions = st.floats(allow_nan=False, allow_infinity=False).filter(
    lambda number: not number.is_integer()
)
scalars = st.one_of(texts, st.none(), st.booleans(), st.integers(-(2**63), 2**63), fractions)
values = st.one_of(
    scalars,
    st.lists(scalars, max_size=2),
    st.dictionaries(st.sampled_from("ab"), scalars, max_size=1),
)

ONE_IN_TEN = st.integers(0, 9).map(lambda number: number == 9)


nested_aliases = st.one_of(
    st.sampled_from(["www.example.com", 7]),
    st.fixed_dictionaries(
        {"alias": st.sampled_from(["a.example.com", "b.example.com"])},
        optional={
            "state": st.sampled_from(["absent", "present", "gone"]),
            "team": st.just("a"),
            "parameters": st.just({}),
        },
    ),
    scalars,
)


@st.composite
def entries(draw: st.DrawFn) -> tuple[str, Any]:
    """Mostly what may be right, as an entry of arbitrary values is hardly ever accepted."""
    kind = draw(st.sampled_from(sorted(KINDS)))
    entry = {}
    for option, spec in SPECS[kind].items():
        if draw(st.booleans()):
            continue
        good = (
            st.sampled_from(spec["choices"])
            if "choices" in spec
            else st.sampled_from(["a", "web", 7, *(["a@b"] if option == "email" else [])])
        )
        good = st.booleans() if spec["type"] == "bool" else good
        good = st.just({"a": 1}) if spec["type"] == "dict" else good
        good = st.lists(st.sampled_from(["old", 7]), max_size=2) if spec["type"] == "list" else good
        entry[option] = draw(values if draw(ONE_IN_TEN) else good)
    if kind == "projects" and draw(st.booleans()):
        # Duplicates are what several entries say.
        entry["aliases"] = draw(st.one_of(st.lists(nested_aliases, max_size=1), st.none()))
    if draw(ONE_IN_TEN):
        entry[draw(st.sampled_from([*OPTIONS, "aliases", "nonsense"]))] = draw(values)
    return kind, draw(values) if draw(ONE_IN_TEN) else entry


def test_schemas_are_those_of_the_collection():
    committed = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.iterdir()}
    assert committed == schemas(), "run make schemas"


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_is_one(name):
    Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["$id"].endswith(f"/docs/schemas/{name}.schema.json")


def test_plan_file_counts_every_action():
    assert {*ACTIONS} < {*SCHEMAS["plan"]["properties"]["summary"]["required"]}


@given(made=entries())
@example(made=("projects", {"name": "web", "framework": "x" * 500}))
@example(made=("projects", {"name": "web", "previously": [""]}))
@example(made=("projects", {"name": "web", "build_command": "echo ******** "}))
@example(made=("projects", {"name": "*********"}))
@example(made=("aliases", {"alias": "a.example.com", "project": "********"}))
@example(made=("team_members", {"team": "VALUE_SPECIFIED_IN_NO_LOG_PARAMETER", "email": "a@b"}))
@examples(1000)
def test_editor_accepts_what_a_run_accepts(made: tuple[str, Any]) -> None:
    kind, entry = made
    accepted = is_accepted(kind, entry)
    assert VALIDATORS[kind].is_valid([entry]) is accepted, entry
    assert VALIDATORS[kind].is_valid({kind: [entry]}) is accepted
    assert VALIDATORS["blueprint"].is_valid({kind: [entry]}) is accepted


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("template", ["{{x}}", "{%x%}", "{#x#}", "#jinja2:x"])
def test_editor_refuses_a_template_where_a_run_does(kind, template, tmp_path):
    entry: dict[str, Any]
    for option, spec in SPECS[kind].items():
        if spec["type"] in ("dict", "bool") or "choices" in spec:
            continue
        entry = {"project": "a", "role": "OWNER", KINDS[kind].name_field: "a@b", "team": "a"}
        entry = {known: value for known, value in entry.items() if known in SPECS[kind]}
        entry[option] = [template] if spec["type"] == "list" else template
        (tmp_path / f"{kind}.yml").write_text(json.dumps([entry]))
        is_read = not read_directories([Directory(tmp_path)]).problems
        assert VALIDATORS[kind].is_valid([entry]) is (is_read and is_accepted(kind, entry)), entry


@pytest.mark.parametrize("kind", KINDS)
def test_editor_accepts_the_files_that_a_run_reads(kind, tmp_path):
    scopes: list[Any] = [
        {"team": "a"},
        {"team": ""},
        {"team": True},
        {"own_scope": True},
        {"own_scope": "x"},
    ]
    scopes += [{"own_scope": None}, {"team": None}]
    scopes += [{"own_scope": True, "team": "a"}, {"own_scope": False, "team": "a"}]
    contents: list[Any] = [
        None,
        [],
        {},
        {kind: None},
        {kind: []},
        {key: [] for key in KINDS},
        5,
        "a",
        {"no": []},
    ]
    contents += [{kind: {}}, {"team": "a"}, *({**scope, kind: []} for scope in scopes)]
    contents += [{DEFAULTS: {"projects": {"framework": "hugo"}}, kind: []}]
    contents += [{"team": "{{ x }}", kind: []}, {"team": "", "own_scope": True, kind: []}]
    contents += [{"team": None, "own_scope": False, kind: []}]
    for name, schema in ((kind, kind), ("several", "blueprint")):
        for content in contents:
            file = tmp_path / f"{name}.yml"
            file.write_text(json.dumps(content))
            is_read = not read_directories([Directory(tmp_path)]).problems
            assert VALIDATORS[schema].is_valid(content) is is_read, (name, content)
            file.unlink()


@pytest.mark.parametrize(
    "content", [*CONTENTS_OF_DEFAULTS, {"team": "a"}, {"team": "a", "own_scope": True}, []]
)
def test_editor_accepts_the_defaults_that_a_run_reads(content: Any, tmp_path: Path) -> None:
    (tmp_path / "projects.yml").write_text("[]")
    (tmp_path / "defaults.yml").write_text(json.dumps(content))
    is_read = not read_directories([Directory(tmp_path)]).problems
    assert VALIDATORS[DEFAULTS].is_valid(content) is is_read


@given(
    defaults=st.dictionaries(
        st.sampled_from([*KINDS, "no"]),
        st.dictionaries(st.sampled_from(OPTIONS), scalars, max_size=2),
    )
)
@examples(300)
def test_editor_accepts_the_values_of_defaults_that_a_run_reads(defaults: Any) -> None:
    with TemporaryDirectory() as folder:
        (Path(folder) / "projects.yml").write_text("[]")
        (Path(folder) / "defaults.yml").write_text(json.dumps(defaults))
        is_read = not read_directories([Directory(Path(folder))]).problems
    assert VALIDATORS[DEFAULTS].is_valid(defaults) is is_read


PAGE = GUIDES["blueprint"].read_text(encoding="utf-8")
(COMMANDS,) = (
    block.text for block in blocks(GUIDES["blueprint"], "shell") if "check-jsonschema" in block.text
)
WRONG = "- name: shop\n  framwork: nextjs\n- name: 1.10\n"


def checked(folder: Path, content: str) -> subprocess.CompletedProcess[str]:
    """The commands of the page, for one file; this collection is installed where the page looks for
    it.
    """
    (folder / "blueprint/projects").mkdir(parents=True, exist_ok=True)
    (folder / "blueprint/projects/shop.yml").write_text(content, encoding="utf-8")
    installed = folder / ".ansible/collections/ansible_collections/hosting/platform"
    installed.parent.mkdir(parents=True)
    installed.symlink_to(ROOT)
    there = {
        **os.environ,
        "HOME": str(folder),
        "PATH": f"{development_environment()}:{os.environ['PATH']}",
    }
    command = ["bash", "-c", COMMANDS]
    return subprocess.run(
        command, cwd=folder, env=there, check=False, text=True, capture_output=True
    )


def test_validation_output_equals_the_guide(tmp_path: Path) -> None:
    done = checked(tmp_path, WRONG)
    assert done.returncode == 1
    said = [line.strip() for line in done.stdout.splitlines() if "::$" in line]
    shown = re.findall(r"^  (blueprint/projects/shop\.yml::.*)$", PAGE, re.MULTILINE)
    assert said == shown
    assert len(shown) == 2
