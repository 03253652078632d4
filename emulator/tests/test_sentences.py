# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every sentence of the specification is proven by tests that exist."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from hosting_platform_emulator.api.operations import OPERATIONS
from sentences import SENTENCES, Sentence

HERE = Path(__file__).parent


@cache
def functions(name: str) -> frozenset[str]:
    tree = ast.parse((HERE / f"test_{name}.py").read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda sentence: f"{sentence.number}, section {sentence.section}")
def test_sentence_names_tests_that_exist(sentence: Sentence) -> None:
    tests = [test.partition("::") for test in sentence.tests.split()]
    assert tests, sentence.text
    missing = [function for name, _, function in tests if function not in functions(name)]
    assert missing == [], f"{sentence.text} names tests that do not exist"


def test_operations_are_those_of_section_4() -> None:
    specified = {
        *("POST /auth/signin", "GET /auth/verify", "POST /projects", "GET /projects", "GET /projects/{idOrName}"),
        *("PATCH /projects/{idOrName}", "DELETE /projects/{idOrName}", "GET /projects/{idOrName}/domains"),
        *("POST /teams", "GET /teams", "GET /teams/{teamIdOrSlug}", "PATCH /teams/{teamIdOrSlug}"),
        *("DELETE /teams/{teamIdOrSlug}", "POST /teams/{teamId}/members", "GET /teams/{teamId}/join"),
        *("GET /domains", "DELETE /domains/{domain}", "GET /aliases", "GET /aliases/{idOrAlias}"),
        *("POST /{projectName}/alias", "DELETE /aliases/{aliasId}", "GET /user"),
    }
    assert set(OPERATIONS) == specified
