# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every sentence of the specification is proven by tests that exist."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
SECTIONS: dict[str, dict[str, str]] = yaml.safe_load((HERE / "sentences.yml").read_text(encoding="utf-8"))
SENTENCES = [(section, *sentence) for section, sentences in SECTIONS.items() for sentence in sentences.items()]


@cache
def functions(name: str) -> frozenset[str]:
    tree = ast.parse((HERE / f"test_{name}.py").read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        pytest.param(text, named, id=f"{number}, section {section}")
        for number, (section, text, named) in enumerate(SENTENCES, start=1)
    ],
)
def test_sentence_names_tests_that_exist(text: str, named: str) -> None:
    tests = [test.partition("::") for test in named.split()]
    assert tests, text
    missing = [function for name, _, function in tests if function not in functions(name)]
    assert missing == [], f"{text} names tests that do not exist"
