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

from ...module_utils._converge.blueprint.entries import LocatedProblem
from ...module_utils._model.kinds.registry import KINDS
from ._blueprint_file import BlueprintFiles, read_file
from ._defaults import DEFAULTS, read_defaults_file
from ._directories import Directory
from ._file_problem import LINK, FileProblem
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
        before = (len(found.files), len(found.located_problems))
        _Walk(directory, found).read_folder(directory.path, None, Inherited({}, {}))
        if (len(found.files), len(found.located_problems)) == before:
            found.located_problems.append(_no_files(directory))
    if not found.entries and not found.located_problems:
        # Defaults alone declare nothing.
        found.located_problems.append(_no_files(directories[0]))
    return found


def _no_files(directory: Directory) -> LocatedProblem:
    return "", str(directory), "it contains no blueprint files, such as projects.yml."


class _Walk:
    """Reads a directory, folder by folder."""

    def __init__(self, directory: Directory, found: BlueprintFiles) -> None:
        self._directory = directory
        self._found = found

    def read_folder(self, folder: Path, kind: str | None, inherited: Inherited) -> None:
        """``kind``: the only one that its files may contain; ``inherited``: from the
        folders above.
        """
        paths = list(self._paths_in(folder, kind))
        defaults = [
            path for path in paths if path.name in DEFAULTS_FILES and not os.path.isdir(path)
        ]
        if len(defaults) > 1:
            names = " and ".join(path.name for path in defaults)
            problem = FileProblem(f"{names} are both there. Remove one of them.")
            self._add_problems(defaults[0], problem)
        elif defaults:
            inherited = self._with_defaults(defaults[0], inherited)
        for path in paths:
            if path in defaults:
                continue
            name = path.name if os.path.isdir(path) else path.stem
            own_kind = kind or (name if name in KINDS else None)
            read = self.read_folder if os.path.isdir(path) else self._read_file
            read(path, own_kind, inherited)

    def _paths_in(self, folder: Path, kind: str | None) -> Iterator[Path]:
        """The files and folders to read in a folder. What else is there becomes a problem."""
        try:
            content = list(folder.iterdir())
        except OSError as error:
            self._add_problems(folder, FileProblem(f"it cannot be read: {error.strerror}."))
            return
        if not content and folder != self._directory.path:
            self._add_problems(folder, FileProblem(EMPTY_FOLDER))
        paths = [path for path in content if not is_left_alone(path.name)]
        for path in sorted(paths, key=None if kind else _sort_key):
            problem = _path_problem(path, kind)
            if problem:
                self._add_problems(path, FileProblem(problem))
            else:
                yield path

    def _with_defaults(self, path: Path, inherited: Inherited) -> Inherited:
        """What holds in a folder with this file of defaults."""
        self._found.files.append(str(path))
        try:
            name = self._directory.file_name(path)
            inherited, problems = read_defaults_file(name, load(path), inherited)
        except FileProblem as problem:
            problems = [problem]
        self._add_problems(path, *problems)
        return inherited

    def _read_file(self, path: Path, kind: str | None, inherited: Inherited) -> None:
        self._found.files.append(str(path))
        try:
            name = self._directory.file_name(path)
            read_file(name, kind, load(path), inherited, self._found)
        except FileProblem as problem:
            self._add_problems(path, problem)

    def _add_problems(self, path: Path, *problems: FileProblem) -> None:
        name = self._directory.file_name(path)
        self._found.located_problems += [problem.at(name) for problem in problems]


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


def _sort_key(path: Path) -> tuple[str, bool, str]:
    return path.stem, os.path.isdir(path), path.name
