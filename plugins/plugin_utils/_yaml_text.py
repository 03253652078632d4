# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checking that YAML is safe to load: valid, with limited nesting and numbers, and not huge once aliases are expanded.

Its nodes tell where a value is and how it is written, which a loaded value no longer shows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

DEEPEST = 100
# In characters, with every alias expanded; each node counts as a few.
LARGEST = 32 * 1024 * 1024
NODE = 8
# Numbers that Python parses in more than linear time, or not at all.
LONG_NUMBER = re.compile(r"[-+]?[0-9][0-9a-fA-FoxXb_:.]{100,}")

INT = "tag:yaml.org,2002:int"
MERGE = "tag:yaml.org,2002:merge"
UNSAFE = "!unsafe"

PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# For single values.
READER: Any = yaml.SafeLoader("")


class FileProblem(Exception):
    """A problem of a file, and its place, if there is one: line and column, both from 0."""

    def __init__(self, problem: str, place: tuple[int, int] | None = None) -> None:
        super().__init__(problem)
        self._place = f", line {place[0] + 1}, column {place[1] + 1}" if place else ""

    def of(self, path: Path) -> str:
        return f"{path}{self._place}: {self}"


def nodes_of(text: str, tags: Collection[str] | None = None) -> Any:
    """The node of the whole text; ``None`` if it is empty. ``tags``: those that it may contain; ``None`` for any.

    Raises FileProblem for text that is not YAML, for what would exhaust time or memory, for duplicate keys in a
    mapping, and for any other tag.
    """
    _check(text, tags)
    root = yaml.compose(text, Loader=PARSER)
    for node in _below(root):
        if isinstance(node, yaml.MappingNode):
            _check_keys(node)
    return root


def item_nodes(node: Any, count: int) -> Sequence[Any]:
    """The nodes of the items of a list; for a list that is written otherwise, its own node for each."""
    items = node.value if isinstance(node, yaml.SequenceNode) else ()
    return items if len(items) == count else [node] * count


def key_nodes(node: Any) -> Iterator[tuple[str, Any]]:
    """The keys of a mapping with the nodes of their values, including merged ones; empty for any other node."""
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if key.tag == MERGE:
            for merged in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                yield from key_nodes(merged)
        else:
            yield str(key.value), value


def misread_numbers(node: Any) -> Iterator[tuple[str, int, bool]]:
    """The integers, in a scalar or a list of scalars, that do not read as written: ``010`` is 8. Each with whether it
    has the tag ``!unsafe``: since ansible-core 2.19, quotes make no difference to the value behind that.
    """
    for one in node.value if isinstance(node, yaml.SequenceNode) else [node]:
        if isinstance(one, yaml.ScalarNode):
            is_unsafe = one.tag == UNSAFE
            tag = READER.resolve(yaml.ScalarNode, one.value, (True, False)) if is_unsafe else one.tag
            number = READER.construct_yaml_int(one) if tag == INT else one.value
            if str(number) != one.value:
                yield one.value, number, is_unsafe


def _check(text: str, tags: Collection[str] | None) -> None:
    forbidden = yaml.reader.Reader.NON_PRINTABLE.search(text)
    if forbidden:
        lines = text[: forbidden.start()].split("\n")
        problem = f"the character #x{ord(forbidden.group()):04x} is not allowed in YAML."
        raise FileProblem(problem, (len(lines) - 1, len(lines[-1])))
    check = _Bounds(tags)
    try:
        for event in yaml.parse(text, Loader=PARSER):
            check.see(event)
    except yaml.YAMLError as error:
        raise problem_of(error) from None


def _below(root: Any) -> Iterator[Any]:
    """The collections from a node downwards, each once, however often aliases repeat it."""
    seen: set[int] = set()
    left = [root]
    while left:
        node = left.pop()
        if id(node) in seen or not isinstance(node, yaml.CollectionNode):
            continue
        seen.add(id(node))
        yield node
        is_mapping = isinstance(node, yaml.MappingNode)
        parts = [part for pair in node.value for part in pair] if is_mapping else node.value
        left += reversed(parts)


def _check_keys(mapping: Any) -> None:
    first: dict[tuple[str, str], Any] = {}
    for key, _value in mapping.value:
        if isinstance(key, yaml.ScalarNode) and key.tag != MERGE:
            other = first.setdefault((key.tag, key.value), key)
            if other is not key:
                line = other.start_mark.line + 1
                raise FileProblem(f"the key {key.value} is already in line {line} of the same mapping.", _place(key))


def problem_of(error: BaseException) -> FileProblem:
    """The message of a YAML parser, without the lines of the file, which may be secret."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return FileProblem(str(error))
    said = ", ".join(filter(None, (error.context, error.problem)))
    mark = error.problem_mark or error.context_mark
    return FileProblem(f"{said}.", (mark.line, mark.column) if mark else None)


class _Bounds:
    """Follows the events of a parser. ``_open``: the anchors of the enclosing collections, and their sizes so far."""

    def __init__(self, tags: Collection[str] | None) -> None:
        self._tags = tags
        self._open: list[tuple[str | None, int]] = [(None, 0)]
        self._sizes: dict[str, int] = {}
        self._has_document = False

    def see(self, event: Any) -> None:
        tag = getattr(event, "tag", None)
        if self._tags is not None and tag is not None and tag not in self._tags:
            raise FileProblem(f"the tag {tag} is not allowed here, only {' and '.join(self._tags)}.", _place(event))
        if isinstance(event, yaml.DocumentStartEvent):
            if self._has_document:
                raise FileProblem("it contains a second document.", _place(event))
            self._has_document = True
        elif isinstance(event, yaml.CollectionStartEvent):
            self._open.append((event.anchor, NODE))
            if len(self._open) > DEEPEST:
                raise FileProblem(f"it is nested deeper than {DEEPEST} levels.", _place(event))
        elif isinstance(event, yaml.CollectionEndEvent):
            self._add(*self._open.pop(), event)
        elif isinstance(event, yaml.ScalarEvent):
            if (event.implicit[0] or event.tag == UNSAFE) and LONG_NUMBER.fullmatch(event.value):
                raise FileProblem("a number has too many digits. Quote it if it is text.", _place(event))
            self._add(event.anchor, NODE + len(event.value), event)
        elif isinstance(event, yaml.AliasEvent):
            self._add_alias(event)

    def _add_alias(self, event: Any) -> None:
        if any(anchor == event.anchor for anchor, _size in self._open):
            raise FileProblem(f"*{event.anchor} is inside the value that it refers to.", _place(event))
        if event.anchor not in self._sizes:
            raise FileProblem(
                f"*{event.anchor} refers to nothing: there is no &{event.anchor} before it.", _place(event)
            )
        self._add(None, self._sizes[event.anchor], event)

    def _add(self, anchor: str | None, size: int, event: Any) -> None:
        if anchor is not None:
            self._sizes[anchor] = size
        around, before = self._open[-1]
        if before + size > LARGEST:
            raise FileProblem("its aliases make it too large.", _place(event))
        self._open[-1] = (around, before + size)


def _place(event: Any) -> tuple[int, int]:
    return event.start_mark.line, event.start_mark.column
