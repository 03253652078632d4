# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""YAML in files, as data or with all that ansible-core makes of it.

Of data, text becomes nodes, which know their lines, and nodes become values. The only tag is ``!unsafe``.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jinja2
import yaml

from ._templates import as_trusted, is_template

LARGEST = 16 * 1024 * 1024
# Deeper values overflow the stack of the parser, or of what reads them later.
DEEPEST = 100
# Python refuses to write a number of thousands of digits.
LONGEST_NUMBER = 100
YAML = "tag:yaml.org,2002:"
INT, TEXT, MERGE = f"{YAML}int", f"{YAML}str", f"{YAML}merge"
STANDARD_TAGS = [YAML + name for name in ("null", "bool", "int", "float", "timestamp", "seq", "map")]
UNSAFE = "!unsafe"

PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class FileProblem(Exception):
    """A problem of a file. ``mark``: YAML's for its place, if there is one."""

    def __init__(self, problem: str, mark: Any = None) -> None:
        super().__init__(problem)
        self._line = f":{mark.line + 1}" if mark else ""

    def at(self, file: str) -> str:
        """The message with its place: ``shop/aliases.yml:1: unknown key taem.``"""
        return f"{file}{self._line}: {self}"


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
            mark = current_node and current_node.start_mark
            raise FileProblem(f"it is nested deeper than {DEEPEST} levels.", mark)

    def ascend_resolver(self) -> None:
        self._depth -= 1

    def construct_text(self, node: Any) -> str:
        if not isinstance(node, yaml.ScalarNode):
            raise FileProblem(f"the tag {node.tag} is only for text.", node.start_mark)
        if node.tag != UNSAFE:
            self.texts.append(node)
        return str(node.value)

    def refuse_tag(self, node: Any) -> None:
        raise FileProblem(f"the tag {node.tag} is not allowed. The only tag allowed is {UNSAFE}.", node.start_mark)


_Loader.yaml_constructors = {
    **{tag: yaml.SafeLoader.yaml_constructors[tag] for tag in STANDARD_TAGS},
    TEXT: _Loader.construct_text,
    UNSAFE: _Loader.construct_text,
    None: _Loader.refuse_tag,
}
# For single values.
READER = _Loader("")


def parse(text: str) -> Any:
    """The node of the whole text; ``None`` if it is empty.

    Raises FileProblem for text that is not YAML, or too deep, for a number that is too long, and for duplicate keys in
    a mapping.
    """
    try:
        root = _Loader(text).get_single_node()
    except yaml.YAMLError as error:
        raise _problem_of(error) from None
    _check(root, set())
    return root


def construct(node: Any) -> tuple[Any, list[Any]]:
    """The value of a node, and the nodes in it of text that is not ``!unsafe``. Raises FileProblem for other tags."""
    if node is None:
        return None, []
    loader = _Loader("")
    try:
        return loader.construct_object(node, deep=True), loader.texts
    except yaml.YAMLError as error:
        raise _problem_of(error) from None
    except (KeyError, ValueError) as error:  # no truth value; a number of thousands of digits, or no date
        raise FileProblem(f"a value cannot be read: {error}. Quote it if it is text.") from None


def item_nodes(node: Any, count: int) -> Sequence[Any]:
    """The nodes of the items of a list; for a list that is written otherwise, its own node for each."""
    items = node.value if isinstance(node, yaml.SequenceNode) else ()
    return items if len(items) == count else [node] * count


def key_nodes(node: Any) -> list[tuple[str, Any]]:
    """The keys of a mapping with the nodes of their values; merged ones are among them once it was constructed."""
    return [(str(key.value), value) for key, value in node.value] if isinstance(node, yaml.MappingNode) else []


def key_marks(node: Any) -> dict[str, Any]:
    """The marks of the keys of a mapping."""
    return {str(key.value): key.start_mark for key, _value in node.value} if isinstance(node, yaml.MappingNode) else {}


def misread_numbers(node: Any) -> Iterator[tuple[str, int]]:
    """The whole numbers, in a scalar or a list of scalars, that do not read as written: ``010`` is 8."""
    for scalar in node.value if isinstance(node, yaml.SequenceNode) else [node]:
        if isinstance(scalar, yaml.ScalarNode) and scalar.tag == INT:
            number = READER.construct_yaml_int(scalar)
            if str(number) != scalar.value:
                yield scalar.value, number


def _problem_of(error: yaml.YAMLError) -> FileProblem:
    """The message of a YAML parser, without the lines of the file, which may be secret."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return FileProblem(f"it is not valid YAML: {' '.join(str(error).split())}.")
    problem = ", ".join(filter(None, (error.context, error.problem)))
    return FileProblem(f"it is not valid YAML: {problem}.", error.problem_mark or error.context_mark)


def _check(node: Any, seen: set[int]) -> None:
    """Raises FileProblem for a key that a mapping has twice, and for a number that is too long. ``seen``: the nodes
    that were checked, because YAML's aliases repeat them.
    """
    if isinstance(node, yaml.ScalarNode) and node.tag == INT and len(node.value) > LONGEST_NUMBER:
        raise FileProblem(f"a number has {len(node.value)} characters. Quote it if it is text.", node.start_mark)
    if id(node) in seen or not isinstance(node, yaml.CollectionNode):
        return
    seen.add(id(node))
    first: dict[str, Any] = {}
    for part in node.value:
        key, value = part if isinstance(node, yaml.MappingNode) else (None, part)
        if isinstance(key, yaml.ScalarNode) and key.tag != MERGE and first.setdefault(key.value, key) is not key:
            line = first[key.value].start_mark.line + 1
            raise FileProblem(f"the key {key.value} is repeated. It is first set in line {line}.", key.start_mark)
        _check(key, seen)
        _check(value, seen)


class DataFiles:
    """Reads files as data: no template is evaluated, and nothing decrypted.

    ``first_template``: the path, the line and the value of the first text that looks like a template, and is not
    ``!unsafe``; ``None`` if there is none.
    """

    first_template: tuple[Path, int, str] | None = None

    def load(self, path: Path) -> tuple[Any, Any]:
        """The content of a file, and its node. Raises FileProblem."""
        node = parse(text_of(content_of(path)))
        value, texts = construct(node)
        found = ((path, text.start_mark.line + 1, text.value) for text in texts if is_template(text.value))
        self.first_template = self.first_template or next(found, None)
        return value, node

    def evaluate(self, value: Any) -> Any:
        return value


class TrustedFiles:
    """Reads files with ansible-core's own loader and templar."""

    first_template = None  # no warning: what looks like a template is one

    def __init__(self, loader: Any, templar: Any, omit: Any) -> None:
        self._loader = loader
        self._templar = templar
        self._omit = omit

    def load(self, path: Path) -> tuple[Any, Any]:
        """The content of a file, decrypted if it is vaulted, and its node. Raises FileProblem."""
        content_of(path)
        with _file_problems():
            data, may_be_shown = self._loader._get_file_contents(str(path))
            text = text_of(data)
            node = parse(text)
            return self._loader.load(as_trusted(text), file_name=str(path), show_content=may_be_shown), node

    def evaluate(self, value: Any) -> Any:
        with _file_problems():
            evaluated = self._templar.template(value)
            # Since ansible-core 2.19, the templar itself omits it.
            return _without(self._omit, evaluated) if isinstance(self._omit, str) else evaluated


@contextlib.contextmanager
def _file_problems() -> Iterator[None]:
    """Convert any reader's error to FileProblem, so that the user learns where it is."""
    try:
        yield
    except FileProblem:
        raise
    except Exception as error:  # noqa: BLE001 (templates may run anything)
        raise _problem(error) from None


def _problem(error: BaseException) -> FileProblem:
    """The message of core, or of its cause if that is more concise."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, jinja2.TemplateError) and cause.message:
            return FileProblem(_sentence(cause.message))
        cause = getattr(cause, "orig_exc", None) or cause.__cause__ or cause.__context__
    return FileProblem(_sentence(str(error)))


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _without(omit: str, value: Any) -> Any:
    """The value without the options and items that are the text for which core leaves an option out."""
    if isinstance(value, dict):
        return {key: _without(omit, part) for key, part in value.items() if part != omit}
    if isinstance(value, list):
        return [_without(omit, part) for part in value if part != omit]
    return value


def content_of(path: Path) -> bytes:
    """The content of a regular file that is no link. Others may never end, or block until they have a writer."""
    try:
        if path.is_symlink():
            raise FileProblem("it is a link, and links are not followed.")
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with open(path, "rb", opener=lambda name, _flags: os.open(name, flags)) as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FileProblem("it is not a regular file.")
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise FileProblem(f"it cannot be read: {error.strerror}.") from None
    if len(content) > LARGEST:
        raise FileProblem(f"it is larger than {LARGEST // 1024 // 1024} MiB.")
    return content


def text_of(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileProblem(f"it is not valid UTF-8, at byte {error.start + 1}.") from None
