# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports only run down the floors that CONTRIBUTING names, inside a folder never in a circle; and names are unique."""

from __future__ import annotations

import ast
import graphlib
import re
from collections.abc import Iterator
from functools import cached_property
from importlib.util import resolve_name
from pathlib import Path, PurePosixPath

import pytest
from environments import ROOT

Imports = dict[PurePosixPath, set[PurePosixPath]]


class House:
    """A package whose floors are in a table of CONTRIBUTING. ``absolute``: how its files import each other by name."""

    def __init__(self, folder: str, absolute: str) -> None:
        self._name = folder
        self._folder = ROOT / folder
        self._absolute = absolute

    @cached_property
    def floors(self) -> dict[str, int]:
        """The floor of each folder or file."""
        text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
        table = text[text.index(f"| floor | in `{self._name}/` |") :].partition("\n\n")[0]
        rows = re.findall(r"^\| (\d) \| (.*?) \|", table, re.MULTILINE)
        return {place: int(floor) for floor, places in rows for place in re.findall(r"`([^`]+)`", places)}

    @cached_property
    def imports(self) -> Imports:
        files = [path for path in self._folder.rglob("*.py") if path.parent.name != "doc_fragments"]
        return {PurePosixPath(path.relative_to(self._folder)): set(self._imports_of(path)) for path in files}

    def place_of(self, path: PurePosixPath) -> str:
        """The row of the table that a file belongs to."""
        return next(str(place) for place in (path, *path.parents) if str(place) in self.floors)

    def _imports_of(self, path: Path) -> Iterator[PurePosixPath]:
        """The files of the package that a file imports at any time."""
        package = ".".join([self._absolute, *path.relative_to(self._folder).parent.parts])
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom):
                continue
            name = resolve_name("." * node.level + (node.module or ""), package)
            if not f"{name}.".startswith(f"{self._absolute}."):
                continue
            target = Path(*name.removeprefix(self._absolute).split("."))
            if (self._folder / target).is_dir():
                for alias in node.names:
                    is_file = (self._folder / target / f"{alias.name}.py").exists()
                    yield PurePosixPath(target / (f"{alias.name}.py" if is_file else "__init__.py"))
            else:
                yield PurePosixPath(f"{target}.py")


HOUSES = [
    House("plugins", "ansible_collections.hosting.platform.plugins"),
    House("emulator/src/hosting_platform_emulator", "hosting_platform_emulator"),
]
in_each_house = pytest.mark.parametrize("house", HOUSES, ids=["collection", "emulator"])


@in_each_house
def test_every_file_stands_on_a_floor_and_every_floor_exists(house: House) -> None:
    files = {path for path in house.imports if path.name != "__init__.py" or str(path) in house.floors}
    assert {house.place_of(path) for path in files} == set(house.floors)


@in_each_house
def test_every_import_is_one_of_a_file_that_exists(house: House) -> None:
    assert {target for targets in house.imports.values() for target in targets} <= set(house.imports)


@in_each_house
def test_no_import_runs_up(house: House) -> None:
    wrong = [
        f"{path} imports {target}"
        for path, targets in house.imports.items()
        for target in targets
        if house.floors[house.place_of(target)] > house.floors[house.place_of(path)]
    ]
    assert wrong == []


@in_each_house
def test_no_import_runs_in_a_circle(house: House) -> None:
    assert list(graphlib.TopologicalSorter(house.imports).static_order())


# Names that still have two meanings. Each goes from this list with its renaming.
AMBIGUOUS = {
    "Directory",
    "Done",
    "Entry",
    "Options",
    "Result",
    "Lists",
    "Values",
    "_name",
    "_names",
    "_place",
    "_problem_of",
    "_read",
    "_referred",
    "_selecting_nothing",
    "converge",
    "prune",
    "read_user",
    "scope_of",
    "scopes_of",
}


def test_functions_classes_and_types_have_names_of_their_own() -> None:
    """A type may be named alike in several files if it is defined alike there."""
    definitions: dict[str, set[str]] = {}
    for file in (ROOT / "plugins").rglob("*.py"):
        for name, definition in _definitions(ast.parse(file.read_text(encoding="utf-8")), str(file)):
            definitions.setdefault(name, set()).add(definition)
    required_by_ansible = {"ActionModule", "ModuleDocFragment"}
    ambiguous = {name for name, found in definitions.items() if len(found) > 1} - required_by_ansible
    assert ambiguous - AMBIGUOUS == set()


def _definitions(tree: ast.Module, file: str) -> Iterator[tuple[str, str]]:
    """The functions and types of a file, and all classes. A function or class is defined by its file."""
    yield from ((node.name, file) for node in tree.body if isinstance(node, ast.FunctionDef))
    yield from ((node.name, file) for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(node, ast.Assign) and isinstance(target, ast.Name) and not target.id.isupper():
            yield target.id, ast.unparse(node.value)
