# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A directory of files as one blueprint: finding the files, and reading their entries."""

from __future__ import annotations

import dataclasses
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ansible.module_utils.parsing.convert_bool import boolean

from ..module_utils._converge.blueprint.entries import Unreadable, label, no_entry
from ..module_utils._model.kind import Kind
from ..module_utils._model.kinds.registry import KINDS
from ..module_utils._model.options import SCOPE_OPTIONS, type_problems
from ..module_utils._text import nearest
from ._templates import is_template, json_value
from ._yaml_text import FileProblem, item_nodes, key_nodes, misread_numbers, nodes_of, value_of

SUFFIXES = (".yml", ".yaml")
LARGEST = 16 * 1024 * 1024
SCOPE = ("team", "own_scope")

FOR_NONE = "If that is intended, write an empty list: []"

Entries = list[Any]


class DataFiles:
    """Reads files as data: no template is evaluated, and nothing decrypted.

    ``templated``: the first text that looks like a template, and is not ``!unsafe``.
    """

    templated = ""

    def load(self, path: Path) -> tuple[Any, Any]:
        """The content of a file, and its node. Raises FileProblem."""
        node = nodes_of(text_of(content_of(path)))
        value, texts = value_of(node)
        self.templated = self.templated or next(filter(is_template, texts), "")
        return value, node

    def evaluate(self, value: Any) -> Any:
        return value


@dataclasses.dataclass
class Directory:
    """``entries``: by kind, each with its ``source``, or Unreadable. ``files``: their paths. ``problems``: each with
    its place.
    """

    entries: dict[str, Entries] = dataclasses.field(default_factory=dict)
    files: list[str] = dataclasses.field(default_factory=list)
    problems: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class BlueprintFile:
    """``name`` is its path below the directory; ``kind`` is ``None`` for a file of several kinds."""

    path: Path
    name: str
    kind: str | None


def read_directory(directory: Path, reader: Any) -> Directory:
    """The entries of all files, those of a folder behind the file of the same name. ``reader``: as DataFiles."""
    blueprint = Directory()
    for file in _files(directory, directory, None, blueprint.problems):
        blueprint.files.append(str(file.path))
        try:
            content, node = reader.load(file.path)
            lists, scope = _lists(file, content, node, reader)
        except FileProblem as problem:
            blueprint.problems.append(problem.of(file.path))
            continue
        for kind, items in lists.items():
            entries = blueprint.entries.setdefault(kind, [])
            for read, wrong in _read(KINDS[kind], file.name, items, scope, reader):
                entries += read
                blueprint.problems += wrong
    if not blueprint.files and not blueprint.problems:
        blueprint.problems.append(f"{directory} contains no files of a blueprint, such as projects.yml.")
    return blueprint


def content_of(path: Path) -> bytes:
    """The content of a regular file that is no link. Others may never end, or block until they have a writer."""
    if path.is_symlink():
        raise FileProblem("it is a link, which is not followed.")
    try:
        path.name.encode()  # results contain it, and core can hand on no other text
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with open(path, "rb", opener=lambda name, _flags: os.open(name, flags)) as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FileProblem("it is not a regular file.")
            content = stream.read(LARGEST + 1)
    except UnicodeEncodeError:
        raise FileProblem("its name is not valid UTF-8. Rename it.") from None
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


def _files(directory: Path, folder: Path, kind: str | None, problems: list[str]) -> Iterator[BlueprintFile]:
    """The files of a folder and of those in it; what else is there becomes a problem."""
    try:
        paths = [path for path in folder.iterdir() if not path.name.startswith((".", "README"))]
    except OSError as error:
        problems.append(f"{folder} cannot be read: {error.strerror}.")
        return
    for path in sorted(paths, key=None if kind else _place):
        if path.is_symlink():
            problems.append(f"{path} is a link, which is not followed. Put the file itself there.")
        elif os.path.isdir(path) and kind is None:
            yield from _files(directory, path, path.name if path.name in KINDS else None, problems)
        elif os.path.isdir(path) or path.suffix not in SUFFIXES:
            problems.append(f"{path}: only files ending in {' or '.join(SUFFIXES)} are expected here.")
        else:
            name = path.relative_to(directory).as_posix()
            yield BlueprintFile(path, name, kind or (path.stem if path.stem in KINDS else None))


def _place(path: Path) -> tuple[str, bool, str]:
    return path.stem, os.path.isdir(path), path.name


def _lists(
    file: BlueprintFile, content: Any, node: Any, reader: Any
) -> tuple[dict[str, list[tuple[Any, Any]]], Mapping[str, Any]]:
    """The entries of a file with their nodes, by kind; and the scope of those that name none."""
    content = _whole(content, reader)
    if file.kind is not None and not isinstance(content, dict):
        return {file.kind: _list(content, node, "it")}, {}
    if not isinstance(content, dict):
        raise FileProblem(_no_kind(file.path.stem) + " A file of several kinds must contain a dictionary of them.")
    nodes = dict(key_nodes(node))
    scope = _scope({option: content[option] for option in SCOPE if option in content}, nodes, reader)
    kinds = {kind: entries for kind, entries in content.items() if kind not in SCOPE}
    for kind in kinds:
        if file.kind is not None and kind != file.kind:
            raise FileProblem(f"it contains {kind}, but by its name it may contain only {file.kind}.")
        if kind not in KINDS:
            raise FileProblem(_no_kind(kind))
    if not kinds:
        raise FileProblem(f"it declares nothing. {FOR_NONE}")
    return {kind: _list(_whole(items, reader), nodes.get(kind, node), kind) for kind, items in kinds.items()}, scope


def _scope(said: Mapping[str, Any], nodes: Mapping[str, Any], reader: Any) -> Mapping[str, Any]:
    """The ``team`` or ``own_scope`` of a file."""
    scope = {option: value for option, value in reader.evaluate(dict(said)).items() if _is_said(option, value)}
    problems = [str(problem) for problem in type_problems(scope, SCOPE_OPTIONS.options)]
    problems += _misread("team", nodes.get("team"))
    if scope.get("own_scope", True) is not True:
        problems.append("own_scope must be true or false.")
    if len(scope) > 1:
        problems.append("it says both team and own_scope. Keep one of them.")
    if problems:
        raise FileProblem(" ".join(problems))
    return scope


def _whole(value: Any, reader: Any) -> Any:
    """The value of a template that stands for many entries; the entries' own are evaluated one by one."""
    return value if isinstance(value, (dict, list)) else reader.evaluate(value)


def _no_kind(word: Any) -> str:
    return f"unknown kind {word}.{nearest(word, [*KINDS, *SCOPE])}"


def _list(entries: Any, node: Any, what: str) -> list[tuple[Any, Any]]:
    """Reject an empty list that was not written as such: with pruning, a truncated file would delete everything."""
    if not isinstance(entries, list):
        raise FileProblem(f"{what} must contain a list of entries." + ("" if entries else f" {FOR_NONE}"))
    return list(zip(entries, item_nodes(node, len(entries))))


def _read(
    kind: type[Kind], file: str, items: Iterable[tuple[Any, Any]], scope: Mapping[str, Any], reader: Any
) -> Iterator[tuple[Entries, list[str]]]:
    """The entries for which each item stands, each with its source or Unreadable, and the problems of the item."""
    scope = {option: value for option, value in scope.items() if option in kind.argument_spec.options}
    for index, (item, node) in enumerate(items):
        source = f"{file}:{node.start_mark.line + 1}" if node else file
        try:
            evaluated = _evaluated(item, reader)
            problems = [no_entry(entry) for entry in evaluated if not isinstance(entry, dict)]
        except FileProblem as problem:
            evaluated = [None]
            problems = _of_options(item, reader) or [str(problem)]
        entries = [
            Unreadable(source) if problems else {**_in_scope(entry, scope), "source": source} for entry in evaluated
        ]
        # An entry with these problems is read all the same, so that its other problems are found.
        if isinstance(item, dict) and "source" in item:
            problems.append("source is filled in, with the file and the line. Remove it.")
        problems += [problem for option, value in key_nodes(node) for problem in _misread(option, value)]
        yield entries, [f"{label(kind, index, _scalars(item), source)}: {problem}" for problem in problems]


def _evaluated(item: Any, reader: Any) -> Entries:
    """In a list, because a template may leave the whole entry out. Raises FileProblem."""
    try:
        return list(json_value(reader.evaluate([item])))
    except (TypeError, ValueError) as error:
        raise FileProblem(f"it has a value that is neither text, number nor boolean: {error}.") from None


def _in_scope(entry: Mapping[str, Any], scope: Mapping[str, Any]) -> Mapping[str, Any]:
    return entry if any(_is_said(option, entry.get(option)) for option in SCOPE) else {**entry, **scope}


def _is_said(option: str, value: Any) -> bool:
    """Return whether a scope is named, perhaps wrongly."""
    if value is None or value == "":
        return False
    try:
        return option != "own_scope" or bool(boolean(value))
    except TypeError:
        return True


def _of_options(item: Any, reader: Any) -> list[str]:
    """The problems of an entry's templates, by option."""
    problems = []
    for option, value in item.items() if isinstance(item, dict) else ():
        try:
            reader.evaluate({option: value})
        except FileProblem as problem:
            problems.append(f"{option}: {problem}")
    return problems


def _scalars(item: Any) -> dict[str, Any]:
    """The plain values of an unevaluated entry: accessing a vaulted value may fail."""
    items = item.items() if isinstance(item, dict) else ()
    return {option: value for option, value in items if isinstance(value, (str, int, float))}


def _misread(option: str, node: Any) -> Iterator[str]:
    for written, number in misread_numbers(node):
        yield f"{option} must be text, and {written} is read as the number {number}. Quote it."
