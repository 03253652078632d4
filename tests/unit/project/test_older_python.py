# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Python 3.6 can read the modules, and what says that it is too old, also where none is there."""

import ast
from pathlib import Path

import pytest
from environments import ROOT
from interpreters import OLDEST_MODULE_PYTHON

from ansible_collections.hosting.platform.plugins.module_utils._interpreter import OLDEST_PYTHON

MODULES = sorted(Path(ROOT, "plugins/modules").glob("*.py"))
CHECK = Path(ROOT, "plugins/module_utils/_interpreter.py")
# What the file may import: they are in Python 3.6, as is all that is used of them.
KNOWN = {"json.dump", "sys.version", "sys.version_info", "sys.executable", "sys.stdout"}
FIRST = ["from ..module_utils._interpreter import check_interpreter", "check_interpreter()"]


def parsed(path: Path) -> ast.Module:
    """The file as Python 3.6 reads it. What that does not know is a SyntaxError."""
    return ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 6))


def imports(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    return [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]


@pytest.mark.parametrize("path", [*MODULES, CHECK], ids=lambda path: path.name)
def test_python_3_6_can_read_it(path):
    assert "__future__" not in [getattr(node, "module", "") for node in imports(parsed(path))]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_imports_nothing_before_it_has_asked(path):
    statements = [
        ast.unparse(node) for node in parsed(path).body if not isinstance(node, ast.Assign)
    ]
    assert statements[:2] == FIRST


def test_the_check_of_the_interpreter_runs_on_python_3_6():
    tree = parsed(CHECK)
    assert {ast.unparse(node) for node in imports(tree)} == {"import json", "import sys"}
    used = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    assert {ast.unparse(node) for node in used if isinstance(node.value, ast.Name)} <= KNOWN
    # Of texts, what is older still.
    assert {node.attr for node in used if not isinstance(node.value, ast.Name)} == {"split"}


def test_package_that_core_ships_empty_is_empty():
    """What stands in it would not be run."""
    assert not Path(ROOT, "plugins/module_utils/__init__.py").exists()


def test_oldest_python_is_that_of_the_documentation():
    assert ".".join(map(str, OLDEST_PYTHON)) == OLDEST_MODULE_PYTHON
    assert f"Python {OLDEST_MODULE_PYTHON} or newer" in CHECK.read_text(encoding="utf-8")
