# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A directory of files as one blueprint: which files there are, and what each of them holds."""

from __future__ import annotations

import dataclasses
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ansible_collections.hosting.platform.plugins.module_utils._resources.kinds import KINDS
from ansible_collections.hosting.platform.plugins.module_utils._text import nearest
from ansible_collections.hosting.platform.plugins.plugin_utils._yaml_text import FileProblem

SUFFIXES = (".yml", ".yaml")
DEEPEST = 20
LARGEST = 16 * 1024 * 1024

FOR_NONE = "If that is intended, write an empty list: []"

Entries = list[Any]


class DirectoryError(Exception):
    """Problems of the files of a directory, a line for each. ``readable`` holds the entries of the other files."""

    def __init__(self, problems: str, readable: dict[str, Entries] | None = None) -> None:
        super().__init__(problems)
        self.readable = readable or {}


@dataclasses.dataclass(frozen=True)
class BlueprintFile:
    """``name`` is its path below the directory; ``kind`` is ``None`` for a file of several kinds."""

    path: Path
    name: str
    kind: str | None


def gather(directory: Path, load: Callable[[Path], Any]) -> dict[str, Entries]:
    """The entries of all files, each with its ``source``. Raises DirectoryError, which names the file of each problem.

    ``load`` reads a file, and raises FileProblem if it cannot.
    """
    blueprint: dict[str, Entries] = {}
    problems = []
    for file in blueprint_files(directory):
        try:
            _check_file(file.path)
            for kind, entries in _entries(file, load(file.path)).items():
                blueprint.setdefault(kind, []).extend(entries)
        except FileProblem as problem:
            problems.append(problem.of(file.path))
    if problems:
        raise DirectoryError("\n".join(problems), blueprint)
    return blueprint


def blueprint_files(directory: Path) -> list[BlueprintFile]:
    """The files of a directory and of its folders, those of a folder after the file beside it."""
    if not directory.is_dir():
        raise DirectoryError(f"{directory} does not exist or is not a directory.")
    try:
        found = list(_Walk(directory).below(directory, (directory.resolve(),)))
    except OSError as error:
        raise DirectoryError(f"{error.filename or directory}: {error.strerror}.") from None
    if not found:
        raise DirectoryError(f"{directory} contains no files of a blueprint, such as projects.yml.")
    return found


class _Walk:
    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._real = directory.resolve()

    def below(self, folder: Path, way: tuple[Path, ...]) -> Iterator[BlueprintFile]:
        """The files below a folder, to which these real folders lead."""
        for path in sorted(_listed(folder), key=lambda path: (path.stem, path.is_dir(), path.name)):
            real = self._real_path(path)
            if not path.is_dir():
                yield self._file(path, path.stem if path.stem in KINDS else None)
            elif path.name in KINDS:
                for file in sorted(_listed(path)):
                    self._real_path(file)
                    yield self._file(file, path.name)
            elif real in way:
                raise DirectoryError(f"{path} is a link back to {real}.")
            elif len(way) > DEEPEST:
                raise DirectoryError(f"{path} is nested deeper than {DEEPEST} folders.")
            else:
                yield from self.below(path, (*way, real))

    def _file(self, path: Path, kind: str | None) -> BlueprintFile:
        if path.is_dir() or path.suffix not in SUFFIXES:
            raise DirectoryError(f"{path}: only files ending in {' or '.join(SUFFIXES)} are expected here.")
        return BlueprintFile(path, path.relative_to(self._directory).as_posix(), kind)

    def _real_path(self, path: Path) -> Path:
        """Where a path leads. Files of elsewhere are no part of the blueprint, and messages would quote them."""
        try:
            real = path.resolve(strict=True)
        except (OSError, RuntimeError):
            raise DirectoryError(f"{path} is a broken link.") from None
        if not real.is_relative_to(self._real):
            raise DirectoryError(f"{path} is a link that leads out of the directory.")
        return real


def _listed(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if not path.name.startswith((".", "README"))]


def _check_file(path: Path) -> None:
    """Before it is read: some files never end, or wait for somebody to write them."""
    try:
        status = path.stat()
    except OSError as error:
        raise FileProblem(f"{error.strerror}.") from None
    if not stat.S_ISREG(status.st_mode):
        raise FileProblem("it is not a regular file.")
    if status.st_size > LARGEST:
        raise FileProblem(f"it is larger than {LARGEST // 1024 // 1024} MiB.")


def _entries(file: BlueprintFile, content: Any) -> dict[str, Entries]:
    """The entries of a file by their kind."""
    if file.kind is not None and not isinstance(content, dict):
        return {file.kind: _list(content, "it", file)}
    if not isinstance(content, dict):
        raise FileProblem(_no_kind(file.path.stem) + " A file of several kinds must contain a dictionary of them.")
    for kind in content:
        if file.kind is not None and kind != file.kind:
            raise FileProblem(f"it contains {kind}, but by its name it may contain only {file.kind}.")
        if kind not in KINDS:
            raise FileProblem(_no_kind(kind))
    if not content:
        raise FileProblem(f"it declares nothing. {FOR_NONE}")
    return {kind: _list(entries, kind, file) for kind, entries in content.items()}


def _no_kind(word: Any) -> str:
    return f"unknown kind {word}.{nearest(word, KINDS)}"


def _list(entries: Any, what: str, file: BlueprintFile) -> Entries:
    """A file that was cut to nothing is no declaration that nothing be there: with pruning, that would delete all."""
    if not isinstance(entries, list):
        raise FileProblem(f"{what} must contain a list of entries." + ("" if entries else f" {FOR_NONE}"))
    return [_with_source(entry, file.name) for entry in entries]


def _with_source(entry: Any, source: str) -> Any:
    return {**entry, "source": source} if isinstance(entry, dict) and not entry.get("source") else entry
