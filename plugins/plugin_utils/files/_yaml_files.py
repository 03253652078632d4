# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of YAML as values that know their lines. They are data: nothing of them is evaluated or
decrypted. What YAML takes, and nobody means, is refused with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from ...module_utils._converge.blueprint.entries import LocatedProblem
from ...module_utils._file_access import VAULT_HEADER
from ._file_problem import ENCRYPTED, FileProblem, content_of, place

# Deeper values overflow the stack of the parser, or of what reads them later.
DEEPEST = 100
YAML = "tag:yaml.org,2002:"
INT, TEXT, MERGE, DATE = (f"{YAML}{name}" for name in ("int", "str", "merge", "timestamp"))
VAULT_TAGS = ("!vault", "!vault-encrypted")
BYTE_ORDER_MARK = "\ufeff"
QUOTE_IT = "Quote a text that begins with !."

# YAML refuses these, or ends a line at them where no editor does. A carriage return alone is one of
# them, and a non-breaking space where YAML wants a space.
HIDDEN = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|\r(?!\n)"
    "|^[ -]*\xa0|: *\xa0|\xa0(?=\r?$)",
    re.MULTILINE,
)
# How git begins a conflict that nobody has resolved yet.
CONFLICT = re.compile(r"^<<<<<<< ", re.MULTILINE)
NOT_RESOLVED = (
    "a conflict of git is not resolved. Keep what is right, and remove the lines that begin with"
    " <<<<<<<, ======= and >>>>>>>."
)
# What to do, by the words of the parser. The first match counts.
ADVICE = {
    "mapping values": "Quote a value that holds a colon and a space. Is a line indented wrongly?",
    "cannot start any token": "Quote a value that begins with a sign. Replace tabs by spaces.",
    "tab character": "Replace tabs by spaces.",
    "escape": "Write a backslash in double quotes twice, or use single quotes.",
    "single document": "Remove the line ---, or write a file for each document.",
    "expected ':'": "Is a colon behind a key missing?",
    "block sequence": "Begin a list on a line of its own. Quote a value that begins with a hyphen.",
    "alias|anchor|block scalar": "Quote a value that begins with a sign.",
    "quoted scalar": "Is the quote at its end missing?",
    "flow": "Quote a value that contains braces. Is a comma, a quote or a bracket missing?",
    "parsing a block": "Is a line indented wrongly, or a hyphen or a quote around braces missing?",
}

PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(PARSER):  # type: ignore[misc]
    """A safe loader that refuses what is nested too deeply, a key that is no text or that a mapping
    has twice, and numbers that are none; it reads dates as text.
    """

    # How many levels the parser is in.
    _depth = 0

    def descend_resolver(self, current_node: Any, _index: Any) -> None:
        """Called at each level; the resolvers by path that this is for are not used here."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise FileProblem(f"it is nested deeper than {DEEPEST} levels.", line_of(current_node))

    def ascend_resolver(self) -> None:
        self._depth -= 1

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except ValueError:
            problem = f"{node.value} cannot be read as a number. Quote it if it is text."
            raise FileProblem(problem, line_of(node)) from None

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        first: dict[str, Any] = {}
        for key, _value in node.value:
            if key.tag == MERGE:
                continue
            if key.tag not in (TEXT, DATE):
                problem = "a key is no text for YAML. Quote it, or a value that begins with braces."
                raise FileProblem(problem, line_of(key))
            if first.setdefault(key.value, key) is not key:
                earlier = line_of(first[key.value])
                problem = f"the key {key.value} is repeated. It is first set in line {earlier}."
                problem += " Remove one, or begin a new entry with a hyphen."
                raise FileProblem(problem, line_of(key))
        return super().construct_mapping(node, deep)


# A date, and = alone, is the text that is written.
for tag in (DATE, f"{YAML}value"):
    _Loader.add_constructor(tag, yaml.SafeLoader.construct_yaml_str)


class Part(NamedTuple):
    """A value of a file, and where it stands."""

    # What messages call the file.
    file: str
    value: Any
    # How YAML writes it; None for a file without any value.
    node: Any
    # Where it begins, or the key before it does; 0 if that is unknown.
    line: int

    @property
    def place(self) -> str:
        """``shop/aliases.yml:1``"""
        return place(self.file, self.line)

    def problem(self, text: str) -> LocatedProblem:
        """What is wrong with it."""
        return self.file, self.place, text

    def items(self) -> Iterator[Part]:
        """The parts of a list; anything else is its only one."""
        if not isinstance(self.value, list):
            yield self
            return
        for value, node in zip(self.value, self.node.value):
            yield Part(self.file, value, node, line_of(node))

    def options(self) -> Parts:
        """The parts of a dictionary by their keys, with those that it merges."""
        pairs = self.node.value if isinstance(self.node, yaml.MappingNode) else ()
        return {
            key.value: Part(self.file, self.value[key.value], node, line_of(key))
            for key, node in pairs
        }

    @property
    def is_misread(self) -> bool:
        """True for a whole number that YAML reads otherwise than it is written: ``010`` is 8."""
        return bool(self.node.tag == INT and str(self.value) != self.node.value)


# Those of a dictionary by their keys.
Parts = Mapping[str, Part]


def load(path: Path, file: str) -> Part:
    """The content of a file, which messages call so. Raises FileProblem."""
    content = content_of(path)
    try:
        text = content.decode("utf-8").removeprefix(BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileProblem(f"it is not valid UTF-8, at byte {error.start + 1}.", line) from None
    if text.startswith(VAULT_HEADER):
        raise FileProblem(f"it is {ENCRYPTED}")
    return parse(text, file)


def parse(text: str, file: str = "") -> Part:
    """The value of YAML. Raises FileProblem for text that is not YAML, or that would not be read as
    it is written.
    """
    _check_text(text)
    try:
        if "!" in text:
            _check_tags(text)
        loader = _Loader(text)
        node = loader.get_single_node()
        value = loader.construct_object(node, deep=True) if node else None
        return Part(file, value, node, line_of(node))
    except yaml.MarkedYAMLError as error:
        raise _parser_problem(error) from None


def _check_text(text: str) -> None:
    """Raises FileProblem for what the parser would not say, or not so clearly."""
    conflict = CONFLICT.search(text)
    if conflict:
        raise FileProblem(NOT_RESOLVED, _line_at(text, conflict))
    hidden = HIDDEN.search(text)
    if hidden:
        code = ord(hidden[0][-1])
        problem = f"it contains the character U+{code:04X}, which most editors do not show"
        advice = f"Remove it, or write it as \\u{code:04x} in double quotes."
        raise FileProblem(f"{problem}. {advice}", _line_at(text, hidden))


def _line_at(text: str, found: re.Match[str]) -> int:
    return text.count("\n", 0, found.start()) + 1


def _check_tags(text: str) -> None:
    """Nodes do not tell: where YAML's own tags change nothing, they leave no trace."""
    for token in yaml.scan(text, PARSER):
        if isinstance(token, yaml.TagToken):
            tag = "".join(filter(None, token.value))
            problem = f"the tag {tag} is not allowed, because files are data. Remove it. {QUOTE_IT}"
            if tag in VAULT_TAGS:
                problem = f"the value is {ENCRYPTED}"
            raise FileProblem(problem, line_of(token))


def line_of(node: Any) -> int:
    """The line where a node or a token begins, 0 if there is none."""
    return int(node.start_mark.line) + 1 if node else 0


def _parser_problem(error: yaml.MarkedYAMLError) -> FileProblem:
    """What a parser found, and what to do."""
    context = error.context
    if context and error.context_mark:
        context += f" (from line {error.context_mark.line + 1})"
    problem = ", ".join(filter(None, (context, error.problem)))
    advice = next((text for words, text in ADVICE.items() if re.search(words, problem)), "")
    line = error.problem_mark.line + 1 if error.problem_mark else 0
    return FileProblem(f"it is not valid YAML: {problem}. {advice}".rstrip(), line)
