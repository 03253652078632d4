# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Text as YAML's nodes, which know their lines, and nodes as values.

``parse`` refuses whatever would not be read as it is written, ``construct`` makes values of nodes.
The only tag is ``!unsafe``. Everything that is wrong is a FileProblem with its line, and says what
to write.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from typing import Any

import yaml

# Deeper values overflow the stack of the parser, or of what reads them later.
DEEPEST = 100
# Python refuses to write a number of thousands of digits.
LONGEST_NUMBER = 100
YAML = "tag:yaml.org,2002:"
INT, TEXT, MERGE, DATE = (f"{YAML}{name}" for name in ("int", "str", "merge", "timestamp"))
STANDARD_TAGS = [YAML + name for name in ("null", "bool", "int", "float", "seq", "map")]
UNSAFE = "!unsafe"
VAULT_TAGS = ("!vault", "!vault-encrypted")
# What a value is called that cannot be read as what YAML takes it for.
READ_AS = {f"{YAML}bool": "a boolean", INT: "a number", f"{YAML}float": "a number"}
# Plain text that has a meaning of its own in YAML, by its tag.
SPECIAL = {f"{YAML}value": "=", MERGE: "<<"}
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

# A line with a template that no quote precedes.
UNQUOTED_TEMPLATE = re.compile(r"[^'\"]*\{\{")

# What begins an alias, an anchor, a tag or a block of text, or nothing at all.
SIGNS = "*&!|>"
NO_SIGNS = "@`%"

HYPHEN_ADVICE = " If a new entry begins here, write a hyphen before it."

PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class FileProblem(Exception):
    """A problem of a file. ``line``: where it is, 0 if that is unknown."""

    def __init__(self, problem: str, line: int = 0) -> None:
        super().__init__(problem)
        self.line = line

    def at(self, file: str) -> str:
        """The message with its place: ``shop/aliases.yml:1: unknown key taem.``"""
        return f"{place(file, self.line)}: {self}"


class EncryptedValue(FileProblem):
    """A value that Ansible Vault has encrypted."""


def place(file: str, line: int) -> str:
    """``shop/aliases.yml:1``"""
    return f"{file}:{line}" if line else file


def line_of(node: Any) -> int:
    """The line where a node begins, 0 if there is none."""
    return int(node.start_mark.line) + 1 if node else 0


class _Loader(PARSER):  # type: ignore[misc]
    """``texts``: the nodes of text without the tag ``!unsafe``."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.texts: list[Any] = []
        self._depth = 0

    def descend_resolver(self, current_node: Any, _index: Any) -> None:
        """Called at each level; the resolvers by path that this is for are not used here."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise FileProblem(f"it is nested deeper than {DEEPEST} levels.", line_of(current_node))

    def ascend_resolver(self) -> None:
        self._depth -= 1

    def construct_text(self, node: Any) -> str:
        if not isinstance(node, yaml.ScalarNode):
            raise FileProblem(f"the tag {node.tag} is only for text.", line_of(node))
        if node.tag != UNSAFE:
            self.texts.append(node)
        return str(node.value)


_Loader.yaml_constructors = {
    **{tag: yaml.SafeLoader.yaml_constructors[tag] for tag in STANDARD_TAGS},
    TEXT: _Loader.construct_text,
    # A date is the text that is written.
    DATE: _Loader.construct_text,
    UNSAFE: _Loader.construct_text,
    None: yaml.SafeLoader.yaml_constructors[None],
}
# For single values.
READER = _Loader("")


def parse(text: str) -> Any:
    """The node of the whole text; ``None`` if it is empty.

    Raises FileProblem for text that is not YAML or too deep, for a character that hides what is
    written, for a value that cannot be read, and for a key that is no text or that a mapping has
    twice.
    """
    _check_characters(text)
    try:
        root = _Loader(text).get_single_node()
    except yaml.MarkedYAMLError as error:
        raise problem_of(error, text) from None
    except yaml.YAMLError as error:
        raise FileProblem(f"it is not valid YAML: {' '.join(str(error).split())}.") from None
    _check(root, set())
    return root


def check_tags(text: str) -> None:
    """Raises FileProblem for a tag other than ``!unsafe``, EncryptedValue for one of Ansible Vault.

    Nodes do not tell: where YAML's own tags change nothing, they leave no trace.
    """
    if "!" not in text:
        return
    with contextlib.suppress(yaml.YAMLError):  # what parse says
        for token in yaml.scan(text, PARSER):
            if isinstance(token, yaml.TagToken):
                handle, suffix = token.value
                _check_tag(f"{handle or ''}{suffix}", _line(token.start_mark))


def _check_tag(tag: str, line: int) -> None:
    if tag in VAULT_TAGS:
        raise EncryptedValue(tag, line)
    if tag != UNSAFE:
        problem = f"the tag {tag} is not allowed. The only tag allowed is {UNSAFE}."
        advice = "Quote a text that begins with !, and write every other value without a tag."
        raise FileProblem(f"{problem} {advice}", line)


def construct(node: Any) -> tuple[Any, list[Any]]:
    """The value of a node, and the nodes in it of text that is not ``!unsafe``. Raises
    FileProblem.
    """
    if node is None:
        return None, []
    loader = _Loader("")
    try:
        return loader.construct_object(node, deep=True), loader.texts
    except yaml.MarkedYAMLError as error:
        raise problem_of(error, "") from None


def item_nodes(node: Any, count: int) -> Sequence[Any]:
    """The nodes of the items of a list; for a list that is written otherwise, its own node for
    each.
    """
    items = node.value if isinstance(node, yaml.SequenceNode) else ()
    return items if len(items) == count else [node] * count


def key_nodes(node: Any) -> dict[str, Any]:
    """The nodes of the values of a mapping. Constructing it adds those that it merges."""
    if not isinstance(node, yaml.MappingNode):
        return {}
    return {str(key.value): value for key, value in node.value}


def key_lines(node: Any) -> dict[str, int]:
    """The lines of the keys of a mapping."""
    if not isinstance(node, yaml.MappingNode):
        return {}
    return {str(key.value): line_of(key) for key, _value in node.value}


def misread_numbers(node: Any) -> Iterator[tuple[str, int]]:
    """The whole numbers, in a scalar or a list of scalars, that do not read as written: ``010`` is
    8.
    """
    scalars = node.value if isinstance(node, yaml.SequenceNode) else [node]
    for scalar in scalars:
        number = _misread(scalar)
        if number is not None:
            yield scalar.value, number


def _misread(scalar: Any) -> int | None:
    """What a whole number reads as, if that is not what is written."""
    if not isinstance(scalar, yaml.ScalarNode) or scalar.tag != INT:
        return None
    number: int = READER.construct_yaml_int(scalar)
    return None if str(number) == scalar.value else number


def problem_of(error: yaml.MarkedYAMLError, text: str) -> FileProblem:
    """What a YAML parser found, and what to do. Its message quotes lines of the file, which may be
    secret.
    """
    mark = error.problem_mark or error.context_mark
    begin = _character(text, error.context_mark or error.problem_mark)
    found = _character(text, mark)
    if found == "\t":
        return FileProblem(
            "a tab stands where YAML takes only spaces. Replace it by spaces.", _line(mark)
        )
    if error.context and "quoted scalar" in error.context and "end of" in str(error.problem):
        return FileProblem("a quote is opened here, and never closed.", _line(error.context_mark))
    if _is_sign(error, begin, found):
        sign = begin if begin in SIGNS else found
        return FileProblem(f"a value that begins with {sign} must be quoted.", _line(mark))
    if UNQUOTED_TEMPLATE.match(_line_at(text, mark)):
        return FileProblem("a value that contains {{ must be quoted.", _line(mark))
    if "flow" in (error.context or ""):
        sign = "]" if "sequence" in str(error.context) else "}"
        problem = f"a comma, a quote or the closing {sign} is missing. What it closes begins in"
        return FileProblem(f"{problem} line {_line(error.context_mark)}.", _line(mark))
    problem = ", ".join(part for part in (error.context, error.problem) if part)
    return FileProblem(f"it is not valid YAML: {problem}.{_advice_for(problem)}", _line(mark))


def _advice_for(problem: str) -> str:
    if "mapping values" in problem:
        return " Quote a value that contains a colon and a space."
    if "while parsing a block" in problem:
        return " Is a line indented wrongly, or is a hyphen or a quote missing?"
    return ""


def _is_sign(error: yaml.MarkedYAMLError, begin: str, found: str) -> bool:
    """True if a character was taken for more than the beginning of a text."""
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


def _line(mark: Any) -> int:
    return int(mark.line) + 1 if mark else 0


def _check_characters(text: str) -> None:
    found = HIDDEN.search(text)
    if found:
        code = ord(found[0])
        escape = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
        problem = f"it contains the character U+{code:04X}, which most editors do not show"
        advice = f"Remove it, or write it as {escape} in double quotes."
        line = text.count("\n", 0, found.start()) + 1
        raise FileProblem(f"{problem}. {advice}", line)


def _check(node: Any, seen: set[int], *, is_item: bool = False) -> None:
    """Raises FileProblem for values that cannot be read, and for wrong keys. ``seen``: the nodes
    that were checked, because YAML's aliases repeat them. ``is_item``: whether the node is one of a
    list.
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
    if node.tag == INT and len(node.value) > LONGEST_NUMBER:
        problem = f"a number has {len(node.value)} characters. Quote it if it is text."
        raise FileProblem(problem, line_of(node))
    if node.tag in SPECIAL:
        problem = f"{node.value} alone has a meaning of its own in YAML. Quote it."
        raise FileProblem(problem, line_of(node))
    if node.tag in READ_AS:
        try:
            _Loader.yaml_constructors[node.tag](READER, node)
        except (KeyError, ValueError):
            problem = f"{node.value} cannot be read as {READ_AS[node.tag]}. Quote it if it is text."
            raise FileProblem(problem, line_of(node)) from None


def _check_key(key: Any, first: dict[str, Any], advice: str) -> None:
    """``first``: the keys of the same mapping so far; ``advice``: for the first one, if it is
    repeated.
    """
    if isinstance(key, yaml.MappingNode) and key.flow_style:
        raise FileProblem("a value that begins with {{ must be quoted.", line_of(key))
    if not isinstance(key, yaml.ScalarNode):
        raise FileProblem("a key is no text, but a list or a dictionary.", line_of(key))
    if key.tag == MERGE:
        return
    _check_scalar(key)
    read_as = NO_TEXT.get(key.tag)
    number = _misread(key)
    if number is not None:
        read_as = f"the number {number}"
    if read_as:
        name = key.value or "without a name"
        raise FileProblem(f"YAML reads the key {name} as {read_as}. Quote it.", line_of(key))
    if first.setdefault(key.value, key) is not key:
        earlier = line_of(first[key.value])
        problem = f"the key {key.value} is repeated. It is first set in line {earlier}."
        may_begin_entry = key.value == next(iter(first))
        raise FileProblem(f"{problem}{advice if may_begin_entry else ''}", line_of(key))
