# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports only run down the layers that CONTRIBUTING names, and inside a folder never in a circle;
and what is named in texts exists.
"""

import ast
import builtins
import graphlib
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from importlib.util import resolve_name
from itertools import chain
from pathlib import Path, PurePosixPath

import pytest
from environments import ROOT

Imports = dict[PurePosixPath, set[PurePosixPath]]


class Package:
    """A package whose layers are in a table of CONTRIBUTING. ``absolute``: how its files import
    each other by name.
    """

    def __init__(self, folder: str, absolute: str) -> None:
        self._name = folder
        self._folder = ROOT / folder
        self._absolute = absolute

    @cached_property
    def layers(self) -> dict[str, int]:
        """The layer of each folder or file."""
        text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
        table = text[text.index(f"| layer | in `{self._name}/` |") :].partition("\n\n")[0]
        rows = re.findall(r"^\| (\d) \| (.*?) \|", table, re.MULTILINE)
        layers: dict[str, int] = {}
        for layer, places in rows:
            layers |= dict.fromkeys(re.findall(r"`([^`]+)`", places), int(layer))
        return layers

    @cached_property
    def imports(self) -> Imports:
        files = [path for path in self._folder.rglob("*.py") if path.parent.name != "doc_fragments"]
        return {
            PurePosixPath(path.relative_to(self._folder)): set(self._imports_of(path))
            for path in files
        }

    def arrows(self) -> Iterator[tuple[PurePosixPath, PurePosixPath]]:
        """Each file, with each that it imports."""
        for path, targets in self.imports.items():
            yield from ((path, target) for target in targets)

    def row_of(self, path: PurePosixPath) -> str:
        """The row of the table that a file belongs to."""
        return next(str(place) for place in (path, *path.parents) if str(place) in self.layers)

    def imports_at_first(self, path: PurePosixPath) -> set[PurePosixPath]:
        """The files of the package that a file imports before anything in it is called."""
        file = self._folder / path
        return set(self._imported(file, ast.parse(file.read_text(encoding="utf-8")).body))

    def _imports_of(self, path: Path) -> Iterator[PurePosixPath]:
        """The files of the package that a file imports at any time."""
        yield from self._imported(path, ast.walk(ast.parse(path.read_text(encoding="utf-8"))))

    def _imported(self, path: Path, nodes: Iterable[ast.AST]) -> Iterator[PurePosixPath]:
        package = ".".join([self._absolute, *path.relative_to(self._folder).parent.parts])
        for node in nodes:
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


PACKAGES = [
    Package("plugins", "ansible_collections.hosting.platform.plugins"),
    Package("emulator/src/hosting_platform_emulator", "hosting_platform_emulator"),
]
in_each_package = pytest.mark.parametrize("package", PACKAGES, ids=["collection", "emulator"])


@in_each_package
def test_every_file_is_in_a_layer_and_every_layer_exists(package: Package) -> None:
    files = {
        path
        for path in package.imports
        if path.name != "__init__.py" or str(path) in package.layers
    }
    assert {package.row_of(path) for path in files} == set(package.layers)


@in_each_package
def test_layers_import_only_lower_layers(package: Package) -> None:
    wrong = [
        f"{path} imports {target}"
        for path, target in package.arrows()
        if package.layers[package.row_of(target)] > package.layers[package.row_of(path)]
    ]
    assert wrong == []


@in_each_package
def test_imports_have_no_cycle(package: Package) -> None:
    assert list(graphlib.TopologicalSorter(package.imports).static_order())


def test_folders_of_the_control_node_s_side_import_what_contributing_says() -> None:
    side = PurePosixPath("plugin_utils")
    others: dict[str, set[str]] = {}
    for path, targets in PACKAGES[0].imports.items():
        if not path.is_relative_to(side):
            continue
        folders = {target.parts[1] for target in targets if target.is_relative_to(side)}
        others.setdefault(path.parts[1], set()).update(folders - {path.parts[1]})
    assert others == {
        "blueprint": {"files", "reports", "tasks"},
        "files": set(),
        "inventory": set(),
        "reports": set(),
        "tasks": {"files"},
    }


def test_no_step_of_planning_imports_another_and_one_file_knows_all() -> None:
    steps = PurePosixPath("module_utils/_converge/plan")
    collection = PACKAGES[0]
    assert len([path for path in collection.imports if path.parent == steps]) > 7
    knowing = {str(path) for path, target in collection.arrows() if target.parent == steps}
    assert knowing == {"module_utils/_converge/converge.py"}


def test_late_imports_of_modules_are_imported_before_the_fork() -> None:
    """Each worker would import it anew."""
    collection = PACKAGES[0]
    early = {PurePosixPath("plugin_utils/tasks/_in_process.py")}
    left = list(early)
    while left:
        for target in collection.imports_at_first(left.pop()) - early:
            early.add(target)
            left.append(target)
    files = [path for path in collection.imports if path.parts[0] in ("module_utils", "modules")]
    late = {path: collection.imports[path] - collection.imports_at_first(path) for path in files}
    assert len(set().union(*late.values())) > 5
    assert {path: targets - early for path, targets in late.items() if targets - early} == {}


def test_contributing_names_files_that_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(?:[\w./-]*/)?(\w+\.py)`", text))
    folders = ("plugins", "tests", "emulator")
    files = chain.from_iterable((ROOT / folder).rglob("*.py") for folder in folders)
    existing = {path.name for path in files} | {"noxfile.py"}
    assert len(named) > 20
    assert named <= existing


def test_docstrings_name_exceptions_that_exist() -> None:
    trees = [
        ast.parse(file.read_text(encoding="utf-8")) for file in (ROOT / "plugins").rglob("*.py")
    ]
    nodes = list(chain.from_iterable(map(ast.walk, trees)))
    existing = {node.name for node in nodes if isinstance(node, (ast.ClassDef, ast.alias))} | set(
        dir(builtins)
    )
    texts = (
        ast.get_docstring(node)
        for node in nodes
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
    )
    all_texts = "\n".join(filter(None, texts))
    named = set(re.findall(r"\b[Rr]aises ([A-Z]\w+)", all_texts))
    assert len(named) > 5
    assert named <= existing
