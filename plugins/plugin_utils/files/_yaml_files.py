# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""YAML in files, as data or with all that ansible-core makes of it."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jinja2
import yaml

from ...module_utils._file_access import VAULT_HEADER
from ._templates import as_trusted, is_template, to_plain_json
from ._yaml_nodes import (
    DATE,
    EncryptedValue,
    FileProblem,
    check_tags,
    construct,
    line_of,
    parse,
    problem_of,
)

# Why a link is no file, and what to do. A mounted ConfigMap consists of links.
LINK = "it is a link, and links are not followed. Copy the files it leads to: cp -rL SOURCE COPY."


class DataFiles:
    """Reads files as data: no template is evaluated, and nothing decrypted."""

    def __init__(self, trusting_option: str = "templates") -> None:
        """``trusting_option``: what the user sets to have files evaluated and decrypted."""
        # The path, the line and the value of the first text that looks like a template, and is not
        # ``!unsafe``.
        self.first_template: tuple[Path, int, str] | None = None
        self._encrypted = (
            f"encrypted with Ansible Vault. To read it, set {trusting_option} to true, and give"
            " Ansible the password. Templates in the files are then evaluated, too."
        )

    def load(self, path: Path) -> tuple[Any, Any]:
        """The content of a file, and its node. Raises FileProblem."""
        content = content_of(path)
        if content.startswith(VAULT_HEADER.encode()):
            raise FileProblem(f"it is {self._encrypted}")
        text = text_of(content)
        try:
            check_tags(text)
        except EncryptedValue as encrypted:
            raise FileProblem(f"the value is {self._encrypted}", encrypted.line) from None
        node = parse(text)
        value, texts = construct(node)
        if self.first_template is None:
            found = (text for text in texts if is_template(text.value))
            self.first_template = next(((path, line_of(text), text.value) for text in found), None)
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
            trusted = as_trusted(_with_quoted_dates(text, node))
            return self._loader.load(trusted, file_name=str(path), show_content=may_be_shown), node

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
        if isinstance(cause, yaml.MarkedYAMLError):
            return problem_of(cause, "")
        cause = getattr(cause, "orig_exc", None) or cause.__cause__ or cause.__context__
    return FileProblem(_sentence(str(error)))


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _without(omit: str, value: Any) -> Any:
    """The value without the options and items that are the text for which core leaves an option
    out.
    """
    if isinstance(value, dict):
        return {key: _without(omit, part) for key, part in value.items() if part != omit}
    if isinstance(value, list):
        return [_without(omit, part) for part in value if part != omit]
    return value


def _with_quoted_dates(text: str, node: Any) -> str:
    """The text with plain dates in quotes: core would make something else of them, or fail."""
    pieces = []
    end = 0
    for date in sorted(_plain_dates(text, node, set()), key=lambda scalar: scalar.start_mark.index):
        begin = date.start_mark.index
        pieces += [text[end:begin], f'"{date.value}"']
        end = begin + len(date.value)
    return "".join([*pieces, text[end:]])


def _plain_dates(text: str, node: Any, seen: set[int]) -> Iterator[Any]:
    """The dates in a node that have neither a tag nor an anchor, each once."""
    if node is None or id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        begin = node.start_mark.index
        if node.tag == DATE and text.startswith(node.value, begin):
            yield node
        return
    for part in node.value:
        # Of a mapping, key and value.
        nodes = part if isinstance(part, tuple) else [part]
        for inner in nodes:
            yield from _plain_dates(text, inner, seen)


def evaluated_data(reader: DataFiles | TrustedFiles, value: Any) -> Any:
    """The value with its templates evaluated, of JSON's own types. Raises FileProblem."""
    try:
        return to_plain_json(reader.evaluate(value))
    except (TypeError, ValueError) as error:
        raise FileProblem(f"it contains a value that YAML data cannot hold: {error}.") from None


def content_of(path: Path) -> bytes:
    """The content of a regular file that is no link. Others may never end, or block until they have
    a writer.
    """
    try:
        if path.is_symlink():
            raise FileProblem(LINK)
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with open(path, "rb", opener=lambda name, _flags: os.open(name, flags)) as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FileProblem("it is not a regular file.")
            return stream.read()
    except OSError as error:
        raise FileProblem(f"it cannot be read: {error.strerror}.") from None


def text_of(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileProblem(f"it is not valid UTF-8, at byte {error.start + 1}.", line) from None
