# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a parser of YAML finds, in our words: its own quote lines of the file."""

from __future__ import annotations

import re
from typing import Any

import yaml

from ._file_problem import FileProblem
from ._yaml_checks import NO_BREAK_PROBLEM, NO_BREAK_SPACE, UNQUOTED
from ._yaml_nodes import line_at

# A line with a template that no quote precedes.
UNQUOTED_TEMPLATE = re.compile(r"[^'\"]*\{\{")

QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")

# What begins an alias, an anchor, a tag or a block of text, or nothing at all.
SIGNS = "*&!|>"
NO_SIGNS = "@`%"


def parser_problem(error: yaml.MarkedYAMLError, text: str) -> FileProblem:
    """What a parser found, and what to do."""
    mark = error.problem_mark or error.context_mark
    begin = _character(text, error.context_mark or error.problem_mark)
    found = _character(text, mark)
    line = line_at(mark)
    if found == "\t":
        return FileProblem("a tab stands where YAML takes only spaces. Replace it by spaces.", line)
    if NO_BREAK_SPACE in QUOTED.sub("", _line_at(text, mark)):
        return FileProblem(NO_BREAK_PROBLEM, line)
    if error.context and "quoted scalar" in error.context and "end of" in str(error.problem):
        return FileProblem("a quote is opened here, and never closed.", line_at(error.context_mark))
    if _is_sign(error, begin, found):
        sign = begin if begin in SIGNS else found
        return FileProblem(f"a value that begins with {sign} must be quoted.", line)
    if UNQUOTED_TEMPLATE.match(_line_at(text, mark)):
        return FileProblem(f"a value that contains {{{{ {UNQUOTED}", line)
    if "flow" in (error.context or ""):
        sign = "]" if "sequence" in str(error.context) else "}"
        problem = f"a comma, a quote or the closing {sign} is missing. What it closes begins in"
        return FileProblem(f"{problem} line {line_at(error.context_mark)}.", line)
    problem = ", ".join(part for part in (error.context, error.problem) if part)
    return FileProblem(f"it is not valid YAML: {problem}.{_advice_for(problem)}", line)


def _advice_for(problem: str) -> str:
    if "mapping values" in problem:
        return " Quote a value that contains a colon and a space."
    if "while parsing a block" in problem:
        return " Is a line indented wrongly, or is a hyphen or a quote missing?"
    return ""


def _is_sign(error: yaml.MarkedYAMLError, begin: str, found: str) -> bool:
    """True if a character was taken for more than the beginning of a text."""
    if isinstance(error, yaml.constructor.ConstructorError):
        return False
    if begin and begin in SIGNS:
        return not (error.context or "").startswith("while parsing a block")
    return bool(found) and found in NO_SIGNS and "cannot start any token" in str(error.problem)


def _character(text: str, mark: Any) -> str:
    """The character at a mark, ``""`` at the end."""
    return text[mark.index : mark.index + 1] if mark else ""


def _line_at(text: str, mark: Any) -> str:
    """The line of a mark, ``""`` at the end."""
    lines = text.split("\n")
    return lines[mark.line] if mark and mark.line < len(lines) else ""
