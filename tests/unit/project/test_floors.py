# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports only run down the floors that CONTRIBUTING names, and inside a folder never in a circle."""

from __future__ import annotations

import ast
import graphlib
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from environments import ROOT

PLUGINS = ROOT / "plugins"
OURS = "ansible_collections.hosting.platform.plugins."
FILES = sorted(
    path for path in PLUGINS.rglob("*.py") if path.name != "__init__.py" and path.parent.name != "doc_fragments"
)


def floors() -> dict[str, int]:
    """The floor of each folder or file, as CONTRIBUTING says it."""
    rows = re.findall(r"^\| (\d) \| (.*?) \|", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.MULTILINE)
    return {place: int(floor) for floor, places in rows for place in re.findall(r"`([^`]+)`", places)}


FLOORS = floors()


def place_of(path: PurePosixPath) -> str:
    """The row of the table that a file belongs to."""
    return next(str(place) for place in (path, *path.parents) if str(place) in FLOORS)


def imports_of(path: Path) -> Iterator[PurePosixPath]:
    """The files of the collection that a file imports at any time, below `plugins`."""
    folder = path.relative_to(PLUGINS).parent
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom):
            continue
        module = node.module or ""
        if node.level:
            base = [folder, *folder.parents][node.level - 1]
        elif module.startswith(OURS):
            base, module = Path(), module.removeprefix(OURS)
        else:
            continue
        target = base.joinpath(*module.split(".")) if module else base
        if (PLUGINS / target).is_dir():
            yield from (PurePosixPath(target / f"{alias.name}.py") for alias in node.names)
        else:
            yield PurePosixPath(f"{target}.py")


IMPORTS = {PurePosixPath(path.relative_to(PLUGINS)): set(imports_of(path)) for path in FILES}


def test_every_file_stands_on_a_floor_and_every_floor_exists():
    assert {place_of(path) for path in IMPORTS} == set(FLOORS)


def test_every_import_is_one_of_a_file_that_exists():
    assert {target for targets in IMPORTS.values() for target in targets} <= set(IMPORTS)


def test_no_import_runs_up():
    wrong = [
        f"{path} imports {target}"
        for path, targets in IMPORTS.items()
        for target in targets
        if FLOORS[place_of(target)] > FLOORS[place_of(path)]
    ]
    assert wrong == []


def test_no_import_runs_in_a_circle():
    assert list(graphlib.TopologicalSorter(IMPORTS).static_order())
