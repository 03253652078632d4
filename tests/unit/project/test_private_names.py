# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the collection uses of other people's private names: what plugins use by convention, and
nothing else.
"""

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from itertools import chain

from environments import ROOT

PACKAGE = "ansible_collections.hosting.platform.plugins"
PRIVATE = re.compile(r"_(?!_)\w+")
BY_CONVENTION = {
    # Action plugins
    "_task",
    "_connection",
    "_play_context",
    "_templar",
    "_loader",
    # All that an action needs, for another one of the same kind
    "_shared_loader_obj",
    "_execute_module",
    # Connection plugins: the documented method that every one of them has
    "_connect",
    # Inventory plugins, as the guide to them says
    "_read_config_data",
    "_set_composite_vars",
    "_add_host_to_composed_groups",
    "_add_host_to_keyed_groups",
    "_cache",
}
ELSEWHERE = {
    # How core's own lookup plugins read a file that may be vaulted
    "_get_file_contents",
    # Where core's own arguments that are no name=value are kept
    "_raw_params",
    # Documented by Python
    "_exit",
    "_replace",
    # No names: the end of one, and how those of core's own arguments begin
    "_id",
    "_ansible_",
    # What only the files of a blueprint say to its module
    "_places",
    "_scopes",
    # What a module says only to its action plugin
    "_drift_alone",
    "_result",
    "_report",
}
TREES = [
    ast.parse(file.read_text(encoding="utf-8")) for file in sorted((ROOT / "plugins").rglob("*.py"))
]
NODES = list(chain.from_iterable(map(ast.walk, TREES)))


def defined(node: ast.AST) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.alias):
        yield node.asname or node.name
    elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store):
        yield node.id if isinstance(node, ast.Name) else node.attr


def used(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value  # of getattr and its like
    elif isinstance(node, ast.ImportFrom) and not node.level:
        yield from (node.module or "").split(".")
        yield from (alias.name for alias in node.names)


def test_only_conventional_names_are_private_to_others():
    own = set(chain.from_iterable(map(defined, NODES)))
    names = chain.from_iterable(map(used, NODES))
    private = {name for name in names if PRIVATE.fullmatch(name)}
    assert private - own - BY_CONVENTION - ELSEWHERE == set()


def classes_of_plugins() -> Iterator[type]:
    for file in sorted((ROOT / "plugins").rglob("*.py")):
        parts = file.relative_to(ROOT / "plugins").with_suffix("").parts
        module = importlib.import_module(".".join([PACKAGE, *parts]).removesuffix(".__init__"))
        values = vars(module).values()
        yield from (
            value for value in values if str(getattr(value, "__module__", "")).startswith(PACKAGE)
        )


def test_no_private_method_of_others_is_overridden():
    found = set()
    for kind in filter(inspect.isclass, classes_of_plugins()):
        bases = [base for base in kind.__mro__ if not str(base.__module__).startswith(PACKAGE)]
        others = set(chain.from_iterable(map(vars, bases)))
        own = {
            name
            for name, value in vars(kind).items()
            if str(getattr(value, "__module__", "")).startswith(PACKAGE)
        }
        found |= {name for name in own & others if PRIVATE.fullmatch(name)}
    assert found == set()
