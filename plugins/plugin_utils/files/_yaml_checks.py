# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What YAML takes, and nobody means: it would not be read as it is written. Each is refused with
its line, and with what to write.
"""

from __future__ import annotations

import contextlib
import re
from typing import Any

import yaml

from ...module_utils._model.options import is_encodable
from ._file_problem import ENCRYPTED, FileProblem
from ._yaml_nodes import INT, MERGE, PARSER, YAML, line_at, line_of, misread_number, scalar_value

# Python refuses to write a number of thousands of digits.
LONGEST_NUMBER = 100
VAULT_TAGS = ("!vault", "!vault-encrypted")
# What a value is called that cannot be read as what YAML takes it for.
READ_AS = {f"{YAML}bool": "a boolean", INT: "a number", f"{YAML}float": "a number"}
# Plain text that has a meaning of its own in YAML.
SPECIAL_TAGS = (f"{YAML}value", MERGE)
# What YAML reads keys as that are no text.
NO_TEXT = {
    f"{YAML}bool": "a boolean",
    f"{YAML}null": "null",
    f"{YAML}float": "a number with a fraction",
}

# YAML refuses these, or ends a line at them where no editor does. A carriage return alone is one of
# them.
HIDDEN = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|\r(?!\n)"
)
# How git begins a conflict that nobody has resolved yet.
CONFLICT = re.compile(r"^<<<<<<< ", re.MULTILINE)
# Where a space that does not break a line is no part of a text without quotes.
NO_BREAK_SPACE = "\xa0"
MISTAKEN_SPACE = re.compile(rf"^{NO_BREAK_SPACE}|:{NO_BREAK_SPACE}|{NO_BREAK_SPACE}$")
NO_BREAK_PROBLEM = "a non-breaking space stands where YAML takes only spaces. Replace it by spaces."

# Of braces that begin a dictionary for YAML.
UNQUOTED = "must be quoted, and is text: files are data."
HYPHEN_ADVICE = " If a new entry begins here, write a hyphen before it."


def check_text(text: str) -> None:
    """Raises FileProblem for a conflict, a character that hides what is written, or a tag."""
    _check_conflict(text)
    _check_characters(text)
    if "!" in text:
        _check_tags(text)


def _check_conflict(text: str) -> None:
    found = CONFLICT.search(text)
    if found:
        problem = "a conflict of git is not resolved. Keep what is right, and remove the lines that"
        line = text.count("\n", 0, found.start()) + 1
        raise FileProblem(f"{problem} begin with <<<<<<<, ======= and >>>>>>>.", line)


def _check_characters(text: str) -> None:
    found = HIDDEN.search(text)
    if found:
        code = ord(found[0])
        escape = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
        problem = f"it contains the character U+{code:04X}, which most editors do not show"
        advice = f"Remove it, or write it as {escape} in double quotes."
        line = text.count("\n", 0, found.start()) + 1
        raise FileProblem(f"{problem}. {advice}", line)


def _check_tags(text: str) -> None:
    """Nodes do not tell: where YAML's own tags change nothing, they leave no trace."""
    with contextlib.suppress(yaml.YAMLError):  # what the parser says
        for token in yaml.scan(text, PARSER):
            if isinstance(token, yaml.TagToken):
                handle, suffix = token.value
                _refuse_tag(f"{handle or ''}{suffix}", line_at(token.start_mark))


def _refuse_tag(tag: str, line: int) -> None:
    if tag in VAULT_TAGS:
        raise FileProblem(f"the value is {ENCRYPTED}", line)
    problem = f"the tag {tag} is not allowed, because files are data. Remove it."
    raise FileProblem(f"{problem} Quote a text that begins with !.", line)


def check_node(root: Any) -> None:
    """Raises FileProblem for values that cannot be read, and for a key that is no text or that a
    mapping has twice.
    """
    _check(root, set())


def _check(node: Any, seen: set[int], *, is_item: bool = False) -> None:
    """``seen``: the nodes that were checked, because YAML's aliases repeat them. ``is_item``:
    whether the node is one of a list.
    """
    if isinstance(node, yaml.ScalarNode):
        _check_scalar(node)
    if id(node) in seen or not isinstance(node, yaml.CollectionNode):
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _check(item, seen, is_item=True)
        return
    first: dict[str, Any] = {}
    advice = "" if node.flow_style or not is_item else HYPHEN_ADVICE
    for key, value in node.value:
        _check_key(key, first, advice)
        _check(value, seen)


def _check_scalar(node: Any) -> None:
    line = line_of(node)
    if node.tag == INT and len(node.value) > LONGEST_NUMBER:
        problem = f"a number has {len(node.value)} characters. Quote it if it is text."
        raise FileProblem(problem, line)
    if node.tag in SPECIAL_TAGS:
        problem = f"{node.value} alone has a meaning of its own in YAML. Quote it."
        raise FileProblem(problem, line)
    if not node.style and MISTAKEN_SPACE.search(node.value):
        raise FileProblem(NO_BREAK_PROBLEM, line)
    if not is_encodable(node.value):
        raise FileProblem("a text is not valid UTF-8. Correct its escapes.", line)
    if node.tag in READ_AS:
        try:
            scalar_value(node)
        except (KeyError, ValueError):
            problem = f"{node.value} cannot be read as {READ_AS[node.tag]}. Quote it if it is text."
            raise FileProblem(problem, line) from None


def _check_key(key: Any, first: dict[str, Any], advice: str) -> None:
    """``first``: the keys of the same mapping so far; ``advice``: for the first one, if it is
    repeated.
    """
    line = line_of(key)
    if isinstance(key, yaml.MappingNode) and key.flow_style:
        raise FileProblem(f"a value that begins with {{{{ {UNQUOTED}", line)
    if not isinstance(key, yaml.ScalarNode):
        raise FileProblem("a key is no text, but a list or a dictionary.", line)
    if key.tag == MERGE:
        return
    _check_scalar(key)
    if not key.style and NO_BREAK_SPACE in key.value:
        raise FileProblem(NO_BREAK_PROBLEM, line)
    read_as = NO_TEXT.get(key.tag)
    number = misread_number(key)
    if number is not None:
        read_as = f"the number {number}"
    if read_as:
        name = key.value or "without a name"
        raise FileProblem(f"YAML reads the key {name} as {read_as}. Quote it.", line)
    if first.setdefault(key.value, key) is not key:
        earlier = line_of(first[key.value])
        problem = f"the key {key.value} is repeated. It is first set in line {earlier}."
        may_begin_entry = key.value == next(iter(first))
        raise FileProblem(f"{problem}{advice if may_begin_entry else ''}", line)
