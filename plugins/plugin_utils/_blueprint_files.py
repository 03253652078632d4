# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A directory of files as one blueprint: finding the files, and reading their entries."""

from __future__ import annotations

import dataclasses
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..module_utils._converge.blueprint.entries import Unreadable, label, no_entry
from ..module_utils._model.kind import Kind
from ..module_utils._model.kinds.registry import KINDS
from ..module_utils._text import nearest
from ._yaml_text import FileProblem, item_nodes, key_nodes, misread_numbers

SUFFIXES = (".yml", ".yaml")
DEEPEST = 20
LARGEST = 16 * 1024 * 1024

FOR_NONE = "If that is intended, write an empty list: []"

Entries = list[Any]
# Returns the content of a file with unevaluated templates, and its node; raises FileProblem.
Load = Callable[[Path], tuple[Any, Any]]
# Returns a value with its templates evaluated; raises FileProblem.
Evaluate = Callable[[Any], Any]


class DirectoryError(Exception):
    """Problems of the files of a directory, one per line. ``readable`` contains the entries without problems."""

    def __init__(self, problems: Sequence[str], readable: dict[str, Entries] | None = None) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems
        self.readable = readable or {}


class Tangled(DirectoryError):
    """Links or folders without an end: what else is there is not looked for, as there may be very many ways to it."""


@dataclasses.dataclass(frozen=True)
class BlueprintFile:
    """``name`` is its path below the directory; ``kind`` is ``None`` for a file of several kinds."""

    path: Path
    name: str
    kind: str | None


def gather(directory: Path, load: Load, evaluate: Evaluate) -> dict[str, Entries]:
    """The entries of all files, each with its ``source``.

    Raises DirectoryError, which gives the location of each problem.
    """
    blueprint: dict[str, Entries] = {}
    files, problems = blueprint_files(directory)
    for file in files:
        try:
            _check_file(file)
            lists = _lists(file, *load(file.path), evaluate)
        except FileProblem as problem:
            problems.append(problem.of(file.path))
            continue
        for kind, items in lists.items():
            entries = blueprint.setdefault(kind, [])
            for found, wrong in _read(KINDS[kind], file.name, items, evaluate):
                entries += found
                problems += wrong
    if problems:
        raise DirectoryError(problems, blueprint)
    return blueprint


def blueprint_files(directory: Path) -> tuple[list[BlueprintFile], list[str]]:
    """The files of a directory and its folders, those of a folder behind the file of the same name; and what else is
    there, as problems.
    """
    if not directory.is_dir():
        raise DirectoryError([f"{directory} does not exist or is not a directory."])
    problems: list[str] = []
    found = list(_readable(_below(directory, directory, (directory.resolve(),), problems), directory, problems))
    if not found and not problems:
        raise DirectoryError([f"{directory} contains no files of a blueprint, such as projects.yml."])
    return found, problems


def _readable(files: Iterator[BlueprintFile], path: Path, problems: list[str]) -> Iterator[BlueprintFile]:
    """The files, up to what cannot be read."""
    try:
        yield from files
    except Tangled:
        raise
    except DirectoryError as error:
        problems += error.problems
    except OSError as error:
        problems.append(f"{error.filename or path}: {error.strerror}.")


def _below(
    directory: Path, folder: Path, way: tuple[Path, ...], problems: list[str], kind: str | None = None
) -> Iterator[BlueprintFile]:
    """The directory's files below a folder, that of a ``kind`` perhaps; ``way``: the resolved folders that lead to it,
    from the directory on.
    """
    for path in sorted(_listed(folder), key=None if kind else _place):
        yield from _readable(_at(directory, path, way, problems, kind), path, problems)


def _place(path: Path) -> tuple[str, bool, str]:
    return path.stem, path.is_dir(), path.name


def _at(
    directory: Path, path: Path, way: tuple[Path, ...], problems: list[str], kind: str | None
) -> Iterator[BlueprintFile]:
    real = _real_path(path, way[0])
    if kind or not path.is_dir():
        yield _file(directory, path, kind or (path.stem if path.stem in KINDS else None))
    elif path.name in KINDS:
        yield from _below(directory, path, way, problems, path.name)
    elif real in way:
        raise Tangled([f"{path} is a link back to {real}."])
    elif len(way) > DEEPEST:
        raise Tangled([f"{path} is nested deeper than {DEEPEST} folders."])
    else:
        yield from _below(directory, path, (*way, real), problems)


def _file(directory: Path, path: Path, kind: str | None) -> BlueprintFile:
    if path.is_dir() or path.suffix not in SUFFIXES:
        raise DirectoryError([f"{path}: only files ending in {' or '.join(SUFFIXES)} are expected here."])
    return BlueprintFile(path, path.relative_to(directory).as_posix(), kind)


def _real_path(path: Path, directory: Path) -> Path:
    """The resolved path. Files outside the directory are not part of it, and messages would quote them."""
    try:
        real = path.resolve(strict=True)
    except (OSError, RuntimeError):
        raise DirectoryError([f"{path} is a broken link."]) from None
    if not real.is_relative_to(directory):
        raise DirectoryError([f"{path} is a link that leads out of the directory."])
    return real


def _listed(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if not path.name.startswith((".", "README"))]


def _check_file(file: BlueprintFile) -> None:
    """Check the file before it is read: some never end, or block until they have a writer."""
    try:
        file.name.encode()  # results contain it, and core can hand on no other text
        status = file.path.stat()
    except UnicodeEncodeError:
        raise FileProblem("its name is not valid UTF-8. Rename it.") from None
    except OSError as error:
        raise FileProblem(f"{error.strerror}.") from None
    if not stat.S_ISREG(status.st_mode):
        raise FileProblem("it is not a regular file.")
    if status.st_size > LARGEST:
        raise FileProblem(f"it is larger than {LARGEST // 1024 // 1024} MiB.")


def _lists(file: BlueprintFile, content: Any, node: Any, evaluate: Evaluate) -> dict[str, list[tuple[Any, Any]]]:
    """The entries of a file with their nodes, by kind."""
    content = _whole(content, evaluate)
    if file.kind is not None and not isinstance(content, dict):
        return {file.kind: _list(content, node, "it")}
    if not isinstance(content, dict):
        raise FileProblem(_no_kind(file.path.stem) + " A file of several kinds must contain a dictionary of them.")
    for kind in content:
        if file.kind is not None and kind != file.kind:
            raise FileProblem(f"it contains {kind}, but by its name it may contain only {file.kind}.")
        if kind not in KINDS:
            raise FileProblem(_no_kind(kind))
    if not content:
        raise FileProblem(f"it declares nothing. {FOR_NONE}")
    nodes = dict(key_nodes(node))
    return {kind: _list(_whole(entries, evaluate), nodes.get(kind, node), kind) for kind, entries in content.items()}


def _whole(value: Any, evaluate: Evaluate) -> Any:
    """The value of a template that stands for many entries; the entries' own are evaluated one by one."""
    return value if isinstance(value, (dict, list)) else evaluate(value)


def _no_kind(word: Any) -> str:
    return f"unknown kind {word}.{nearest(word, KINDS)}"


def _list(entries: Any, node: Any, what: str) -> list[tuple[Any, Any]]:
    """Reject an empty list that was not written as such: with pruning, a truncated file would delete everything."""
    if not isinstance(entries, list):
        raise FileProblem(f"{what} must contain a list of entries." + ("" if entries else f" {FOR_NONE}"))
    return list(zip(entries, item_nodes(node, len(entries))))


def _read(
    kind: type[Kind], file: str, items: Iterable[tuple[Any, Any]], evaluate: Evaluate
) -> Iterator[tuple[Entries, list[str]]]:
    """The entries for which each item stands, each with its source or Unreadable, and the problems of the item."""
    for index, (item, node) in enumerate(items):
        source = f"{file}:{node.start_mark.line + 1}" if node else file
        try:
            # In a list, because a template may leave the whole entry out.
            evaluated = evaluate([item])
            problems = [no_entry(entry) for entry in evaluated if not isinstance(entry, dict)]
        except FileProblem as problem:
            evaluated = [None]
            problems = _of_options(item, evaluate) or [str(problem)]
        entries = [
            Unreadable(source) if problems else {**entry, "source": entry.get("source") or source}
            for entry in evaluated
        ]
        # An entry with a misread number is read all the same, so that its other problems are found.
        problems += _misread(node)
        yield entries, [f"{label(kind, index, _plain(item), source)}: {problem}" for problem in problems]


def _of_options(item: Any, evaluate: Evaluate) -> list[str]:
    """The problems of an entry's templates, by option."""
    problems = []
    for option, value in item.items() if isinstance(item, dict) else ():
        try:
            evaluate({option: value})
        except FileProblem as problem:
            problems.append(f"{option}: {problem}")
    return problems


def _plain(item: Any) -> dict[str, Any]:
    """The plain values of an unevaluated entry: accessing a vaulted value may fail."""
    items = item.items() if isinstance(item, dict) else ()
    return {option: value for option, value in items if isinstance(value, (str, int, float))}


def _misread(node: Any) -> Iterator[str]:
    for option, value in key_nodes(node):
        for written, number, is_unsafe in misread_numbers(value):
            more = " Remove !unsafe, too." if is_unsafe else ""
            yield f"{option} must be text, and {written} is read as the number {number}. Quote it.{more}"
