# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of what is private in ansible-core and used all the same is complete, and each name has a change planted."""

from __future__ import annotations

import ast

from core_changes import CHANGES, PRIVATE_NAMES
from environments import ROOT

FILES = [
    ROOT / "plugins" / name
    for name in ("plugin_utils/_in_process.py", "plugin_utils/_module_process.py", "module_utils/_run.py")
]
TREES = [ast.parse(file.read_text(encoding="utf-8")) for file in FILES]
NODES = [node for tree in TREES for node in ast.walk(tree)]
LAST_NAMES = {name.rpartition(".")[2] for name in PRIVATE_NAMES}


def is_private(name):
    return name.startswith("_") and not name.startswith("__")


def ours():
    """The names that the files and the package define themselves."""
    for node in NODES:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ansible_collections."):
            yield from (alias.name for alias in node.names)


def used():
    """The names that they use: of imports, attributes, and attributes and arguments that stand as text."""
    for node in NODES:
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            yield node.value
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ansible."):
            yield from (alias.name for alias in node.names)


def test_every_private_name_that_is_used_is_listed():
    overridden = {"_execute_module", "_configure_module", "_load_params"}
    assert set(filter(is_private, used())) - (set(ours()) - overridden) <= LAST_NAMES


def test_every_name_that_is_listed_is_used():
    text = "".join(file.read_text(encoding="utf-8") for file in FILES)
    assert [name for name in LAST_NAMES if name not in text] == []


def test_a_change_of_every_name_is_planted():
    names = " ".join(change.name for change in CHANGES)
    assert [name for name in LAST_NAMES if name not in names] == []
