# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Directories of files as one blueprint: which files they have, and what their folders say for
them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...module_utils._model.kinds.registry import KINDS
from ._blueprint_file import BlueprintFiles, read_file
from ._defaults import DEFAULTS, read_defaults_file
from ._directories import Directory
from ._file_content import LINK
from ._file_problem import FileProblem
from ._inherited import Inherited
from ._yaml_files import load

SUFFIXES = (".yml", ".yaml")
# Such as a submodule of git that was not checked out. With pruning, all that it declared would be
# deleted.
EMPTY_FOLDER = (
    "it is an empty folder. Get the files that belong in it, or remove it. If it is meant to be"
    " empty, put a README into it."
)
DEFAULTS_FILES = tuple(DEFAULTS + suffix for suffix in SUFFIXES)


def read_directories(directories: Sequence[Directory]) -> BlueprintFiles:
    """The entries of all files, those of a folder behind the file of the same name."""
    found = BlueprintFiles()
    for directory in directories:
        before = (len(found.files), len(found.problems))
        _Walk(directory, found).read_folder(directory.path, None, Inherited())
        if (len(found.files), len(found.problems)) == before:
            found.problems.append(_no_files(directory))
    if not found.entries and not found.problems:
        # Defaults alone declare nothing.
        found.problems.append(_no_files(directories[0]))
    return found


def _no_files(directory: Directory) -> str:
    return f"{directory} contains no blueprint files, such as projects.yml."


class _Walk:
    """Reads a directory, folder by folder."""

    def __init__(self, directory: Directory, found: BlueprintFiles) -> None:
        self.found = found
        self._directory = directory

    def read_folder(self, folder: Path, kind: str | None, inherited: Inherited) -> None:
        """``kind``: the only one that its files may contain; ``inherited``: from the
        folders above.
        """
        paths = list(self._paths_in(folder, kind))
        inherited = self._with_defaults_of(
            [path for path in paths if _is_defaults(path)], inherited
        )
        for path in paths:
            if _is_defaults(path):
                continue
            if os.path.isdir(path):
                self.read_folder(path, path.name if path.name in KINDS else None, inherited)
            else:
                self._read_file(
                    path, kind or (path.stem if path.stem in KINDS else None), inherited
                )

    def _paths_in(self, folder: Path, kind: str | None) -> Iterator[Path]:
        """The files and folders to read in a folder. What else is there becomes a problem."""
        try:
            content = list(folder.iterdir())
        except OSError as error:
            self._add_problem(folder, f"it cannot be read: {error.strerror}.")
            return
        if not content and folder != self._directory.path:
            self._add_problem(folder, EMPTY_FOLDER)
        paths = [path for path in content if not is_left_alone(path.name)]
        for path in sorted(paths, key=None if kind else _sort_key):
            problem = _path_problem(path, kind)
            if problem:
                self._add_problem(path, problem)
            else:
                yield path

    def _with_defaults_of(self, paths: list[Path], inherited: Inherited) -> Inherited:
        """What holds in a folder with these files of defaults."""
        if len(paths) > 1:
            names = " and ".join(path.name for path in paths)
            self._add_problem(paths[0], f"{names} are both there. Remove one of them.")
            return inherited
        for path in paths:
            self.found.files.append(str(path))
            try:
                name = self._name(path)
                inherited, problems = read_defaults_file(name, load(path), inherited)
                self.found.problems += problems
            except FileProblem as problem:
                self.found.problems.append(problem.at(self._name(path)))
        return inherited

    def _read_file(self, path: Path, kind: str | None, inherited: Inherited) -> None:
        self.found.files.append(str(path))
        name = self._name(path)
        try:
            read_file(name, kind, load(path), inherited, self.found)
        except FileProblem as problem:
            self.found.problems.append(problem.at(name))

    def _name(self, path: Path) -> str:
        return self._directory.file_name(path)

    def _add_problem(self, path: Path, problem: str) -> None:
        self.found.problems.append(FileProblem(problem).at(self._name(path)))


def _path_problem(path: Path, kind: str | None) -> str:
    """What is wrong with a file or a folder before it is read; ``""`` if nothing is."""
    try:
        path.name.encode()
    except UnicodeEncodeError:
        return "its name is not valid UTF-8. Rename it."
    if path.is_symlink():
        return LINK
    is_folder = os.path.isdir(path)
    if is_folder and kind is None:
        return ""
    if is_folder or path.suffix not in SUFFIXES:
        return f"only {' and '.join(SUFFIXES)} files are allowed here."
    return ""


def is_left_alone(name: str) -> bool:
    """True if a file or a folder of this name is not read."""
    return name.startswith((".", "README"))


def _is_defaults(path: Path) -> bool:
    return path.name in DEFAULTS_FILES and not os.path.isdir(path)


def _sort_key(path: Path) -> tuple[str, bool, str]:
    return path.stem, os.path.isdir(path), path.name
