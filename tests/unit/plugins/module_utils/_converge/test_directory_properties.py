# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random directories with defaults at every level and aliases in their projects: the same as all of
it spelled out.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from blueprints import converge
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from sampling import examples
from schemas import schemas

from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.reading import (
    read_blueprint,
)
from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.plugin_utils.files._blueprint_file import (
    BlueprintFiles,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._blueprint_files import (
    read_directories,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._directories import (
    directories_of,
)

Json = dict[str, Any]

FOLDERS = ["", "acme", "acme/deep", "media"]
OPTIONS = ["framework", "build_command", "dev_command"]
SCOPES: list[Json] = [
    {},
    {"team": "acme"},
    {"team": "media"},
    {"own_scope": True},
    {"own_scope": True, "team": ""},
    {"own_scope": False},
]
VALUES = st.sampled_from(["hugo", "astro", "", 7])
SETTINGS = st.dictionaries(st.sampled_from(OPTIONS), VALUES, max_size=2)
PARAMETERS = st.dictionaries(st.just("parameters"), st.sampled_from([{"ttl": 5}, {}]), max_size=1)
KIND_DEFAULTS = st.fixed_dictionaries({}, optional={"projects": SETTINGS, "aliases": PARAMETERS})
STATES = st.sampled_from([{}, {}, {"state": "absent"}, {"state": "present"}])


class Directory(NamedTuple):
    """``files``: content by path; ``projects`` and ``aliases``: the entries that they come to,
    spelled out.
    """

    files: dict[str, Any]
    projects: list[Json]
    aliases: list[Json]


def resolved(own: Json, sayings: list[Any], kind: str) -> Json:
    """An entry's options under the defaults from far to near, by a rule for each option."""
    result = dict(own)
    if own.get("state") == "absent":
        return result
    for option in (*OPTIONS, "parameters"):
        said = [saying[kind][option] for saying in sayings if option in saying.get(kind, {})]
        if said and option not in own:
            result[option] = said[-1]
    return result


def scope_of(candidates: list[Json]) -> Json:
    """The nearest scope that says something, from far to near."""
    said = [scope for scope in candidates if scope.get("team") or scope.get("own_scope")]
    return said[-1] if said else {}


@st.composite
def directories(draw: st.DrawFn) -> Directory:
    files: dict[str, Any] = {}
    projects: list[Json] = []
    aliases: list[Json] = []
    number = 0
    above: dict[str, tuple[list[Any], list[Json]]] = {}
    for folder in FOLDERS:
        sayings, scopes = above.get(folder.rpartition("/")[0], ([], [])) if folder else ([], [])
        if draw(st.booleans()):
            defaults = draw(KIND_DEFAULTS)
            scope = draw(st.sampled_from(SCOPES))
            files[f"{folder}/defaults.yml".lstrip("/")] = {**scope, **defaults}
            sayings = [*sayings, defaults]
            scopes = [*scopes, scope]
        above[folder] = (sayings, scopes)
        for name in draw(st.lists(st.sampled_from(["all", "more"]), unique=True)):
            content: Json = {"projects": [], "aliases": []}
            scope = draw(st.sampled_from(SCOPES))
            content |= scope
            file_scopes = [*scopes, scope]
            for _project in range(draw(st.integers(0, 2))):
                number += 1
                own = {
                    "name": f"p{number}",
                    **draw(SETTINGS),
                    **draw(STATES),
                    **draw(st.sampled_from(SCOPES)),
                }
                entry_scope = scope_of([*file_scopes, own])
                flat = {
                    key: value for key, value in own.items() if key not in ("team", "own_scope")
                }
                projects.append(
                    {**resolved(flat, sayings, "projects"), **entry_scope_of(entry_scope)}
                )
                nested = []
                for _alias in range(draw(st.integers(0, 2))):
                    number += 1
                    alias = {"alias": f"h{number}.example.com", **draw(PARAMETERS), **draw(STATES)}
                    nested.append(alias["alias"] if len(alias) == 1 else alias)
                    if own.get("state") != "absent":
                        spelled = resolved(alias, sayings, "aliases")
                        aliases.append(
                            {**spelled, "project": own["name"], **entry_scope_of(entry_scope)}
                        )
                content["projects"].append({**own, "aliases": nested} if nested else own)
            files[f"{folder}/{name}.yml".lstrip("/")] = content
    return Directory(files, projects, aliases)


def entry_scope_of(scope: Json) -> Json:
    return {key: value for key, value in scope.items() if key in ("team", "own_scope") and value}


def read(files: dict[str, Any]) -> BlueprintFiles:
    """A directory with these files, and one without entries."""
    with TemporaryDirectory() as folder:
        for name, content in {"projects.yml": [], **files}.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(content), encoding="utf-8")
        return read_directories(directories_of([folder]))


def declared(blueprint: Json) -> list[tuple[str, Json]]:
    entries = read_blueprint(blueprint).entries
    found = [(entry.kind.plural, dict(entry.desired.options)) for entry in entries]
    return sorted(found, key=str)


@given(made=directories())
@examples(400)
def test_a_directory_declares_what_it_comes_to_spelled_out(made: Directory) -> None:
    spelled_out = {"projects": made.projects, "aliases": made.aliases}
    found = read(made.files)
    assert found.problems == []
    assert declared(found.blueprint) == declared(spelled_out)


@given(made=directories())
@examples(20)
def test_a_directory_plans_the_steps_of_all_that_is_spelled_out(
    in_process: Any, made: Directory
) -> None:
    in_process.reset()
    in_process.seed(teams=[{"slug": "acme"}, {"slug": "media"}])
    in_process.seed(projects=[{"name": "p1", "team": "acme", "framework": "hugo"}, {"name": "p2"}])
    spelled_out = {"projects": made.projects, "aliases": made.aliases}
    plans = [
        converge(in_process.base_url, blueprint, True)
        for blueprint in (read(made.files).blueprint, spelled_out)
    ]
    assert sorted(plans[0]["steps"]) == sorted(plans[1]["steps"])


VALIDATORS = {
    name.removesuffix(".schema.json"): Draft202012Validator(json.loads(text))
    for name, text in schemas().items()
}
WRONG: list[Any] = ["nonsense", "{{ x }}", 1.5, True, {"x": 1}, ["x"], "x" * 101, 0]
PLACES = [
    "framework",
    "name",
    "state",
    "aliases",
    "team",
    "own_scope",
    "defaults",
    "projects",
    "framwork",
    "alias",
]


def dictionaries(value: Any) -> Iterator[Json]:
    """All in a value, but for those that may hold anything."""
    if isinstance(value, list):
        for item in value:
            yield from dictionaries(item)
    if isinstance(value, dict):
        yield value
        for key, part in value.items():
            if key != "parameters":
                yield from dictionaries(part)


@given(made=directories(), data=st.data())
@examples(400)
def test_editor_and_validation_agree_on_directories(made: Directory, data: st.DataObject) -> None:
    """Right ones, and those with one thing that is wrong or may be."""
    files = json.loads(json.dumps(made.files))
    if files and data.draw(st.booleans()):
        spoiled = data.draw(st.sampled_from(sorted(files)))
        parts = list(dictionaries(files[spoiled]))
        if parts:
            part = data.draw(st.sampled_from(parts))
            part[data.draw(st.sampled_from(PLACES))] = data.draw(st.sampled_from(WRONG))
    is_valid = True
    for name, content in files.items():
        schema = "defaults" if name.endswith("defaults.yml") else "blueprint"
        is_valid = is_valid and VALIDATORS[schema].is_valid(content)
    found = read(files)
    problems = [str(problem) for problem in found.problems]
    try:
        read_blueprint(found.blueprint, {"team": "task"})
    except PlatformError as error:
        problems += [str(problem) for problem in error.args]
    # What several entries say of each other is not for an editor.
    problems = [
        problem
        for problem in problems
        if "already declared" not in problem and "state=absent" not in problem
    ]
    assert is_valid is (problems == []), problems
