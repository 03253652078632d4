# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every message that the page on troubleshooting quotes is one of the code, under its kind."""

import ast
import re
from collections.abc import Iterator
from itertools import chain

import pytest
from environments import ROOT
from guides import GUIDES

from ansible_collections.hosting.platform.plugins.module_utils._converge.guards.table import GUARDS

PAGE = GUIDES["troubleshooting"].read_text(encoding="utf-8")
PLUGINS = ROOT / "plugins"
# A kind of messages: a table of those that need more than they say.
KIND = re.compile(r"^  Message \| What it does not say\n(?P<table>(?:  .+\n)+)", re.MULTILINE)
ROW = re.compile(r"^  ``(?P<message>.+?)`` \| .+$", re.MULTILINE)
# What is made of an option and a sentence.
NAMED = ("InvalidOption", "MissingOption")
SELECTED = "invalid"
VARIABLE = "\0"  # what a message has in the place of a name or a number
ELLIPSIS = "\u2026"  # the same on the page


def text_of(node: ast.expr) -> str:
    """The text of a literal, with a mark for each of its variable parts."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else VARIABLE
    if isinstance(node, ast.JoinedStr):
        return "".join(
            text_of(part) if isinstance(part, ast.Constant) else VARIABLE for part in node.values
        )
    return VARIABLE


def messages_of(source: str) -> Iterator[str]:
    """The texts of some code, without its documentation."""
    tree = ast.parse(source)
    documentation = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) or (isinstance(node, ast.Assign) and is_documentation(node))
    ]
    for node in ast.walk(tree):
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and node not in documentation:
            yield text_of(node)
        elif isinstance(node, ast.Call):
            yield message_of_call(node)


def message_of_call(call: ast.Call) -> str:
    """What a call makes of an option or a selector and a sentence; empty for other calls."""
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    separators = [
        str(text_of(keyword.value)) for keyword in call.keywords if keyword.arg == "separator"
    ]
    if name == SELECTED:
        return f"{VARIABLE}: {VARIABLE} {text_of(call.args[0])}"
    if len(call.args) == 2 and (separators or name in NAMED):
        return (separators or [": "])[0].join(map(text_of, call.args))
    return ""


def is_documentation(assignment: ast.Assign) -> bool:
    names = [getattr(target, "id", "") for target in assignment.targets]
    return any(name in ("DOCUMENTATION", "EXAMPLES", "RETURN") for name in names)


def is_among(quoted: str, messages: set[str]) -> bool:
    literal = rf"{VARIABLE}(?: ?{VARIABLE})*".join(map(re.escape, quoted.split(ELLIPSIS)))
    return any(re.search(literal, message) for message in messages)


SOURCES = [file.read_text(encoding="utf-8") for file in PLUGINS.rglob("*.py")]
MESSAGES = set(chain.from_iterable(map(messages_of, SOURCES)))
KINDS = list(KIND.finditer(PAGE))
ROWS = chain.from_iterable(ROW.finditer(kind["table"]) for kind in KINDS)
QUOTED = [found["message"] for found in ROWS]


@pytest.mark.parametrize("quoted", QUOTED)
def test_message_of_the_page_is_one_of_the_code(quoted: str) -> None:
    assert is_among(quoted, MESSAGES)


def test_page_quotes_many_messages_of_each_kind_and_none_twice() -> None:
    assert len(QUOTED) == len(set(QUOTED)) > 60
    assert len(KINDS) == 4
    assert len(QUOTED) == PAGE.partition("\nMessages\n")[2].count("\n  ``")


def test_every_guard_is_described() -> None:
    table = (
        GUIDES["changes"]
        .read_text(encoding="utf-8")
        .partition("  Guard | It refuses\n")[2]
        .partition("\n\n")[0]
    )
    guards = [row.partition(" | ")[0] for row in table.splitlines()]
    described = set(re.findall(r"``(\w+)``", "\n".join(guards)))
    assert described == {name.partition(".")[0] for name in GUARDS} | {"confirm"}
