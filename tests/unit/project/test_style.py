# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One thought a line, as far as no linter says it."""

import ast
from collections.abc import Iterator

import pytest
from environments import ROOT

# Each with the lines of its longest function.
FOLDERS = {"plugins": 42, "emulator/src": 42, "emulator/tests": 42, "tests": 66}
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@pytest.mark.parametrize(("folder", "longest"), FOLDERS.items())
def test_a_line_has_one_thought(folder: str, longest: int) -> None:
    found = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            found += [
                f"{path.relative_to(ROOT)}:{line}: {problem}"
                for line, problem in problems(node, longest)
            ]
    assert found == []


def problems(node: ast.AST, longest: int) -> Iterator[tuple[int, str]]:
    """What the style of the project does not want, each with its line."""
    if isinstance(node, COMPREHENSIONS) and len(node.generators) > 1:
        yield node.lineno, "a comprehension with two for"
    if isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.iter, ast.IfExp):
        yield node.iter.lineno, "a loop over a conditional"
    if isinstance(node, ast.Assign):
        target = node.targets[0]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield node.lineno, "an assignment of several values"
    if isinstance(node, FUNCTIONS):
        length = (node.end_lineno or node.lineno) - node.lineno + 1
        if length > longest:
            yield node.lineno, f"a function of {length} lines"
