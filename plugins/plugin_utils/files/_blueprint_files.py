# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Directories of files as one blueprint: which files they have, and what their folders say for
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._model.options import is_encodable
from ._blueprint_file import BlueprintFiles, read_file
from ._directories import Directory
from ._file_problem import LINK, FileProblem, place
from ._inherited import DEFAULTS, Inherited, read_defaults
from ._yaml_files import load

SUFFIXES = (".yml", ".yaml")
# Such as a submodule of git that was not checked out. With pruning, all that it declared would be
# deleted.
EMPTY_FOLDER = (
    "it is an empty folder. Get the files that belong in it, or remove it. If it is meant to be"
    " empty, put a README into it."
)
NO_FILES = "it contains no blueprint files, such as projects.yml."
# A folder has one of them.
DEFAULTS_FILES = (f"{DEFAULTS}.yml", f"{DEFAULTS}.yaml")


def read_directories(directories: Sequence[Directory]) -> BlueprintFiles:
    """The entries of all files, those of a folder behind the file of the same name."""
    found = BlueprintFiles()
    for directory in directories:
        before = (len(found.files), len(found.located_problems))
        walk = _Walk(directory, found)
        walk.read_folder(directory.path, None, Inherited({}, {}))
        if (len(found.files), len(found.located_problems)) == before:
            walk.add_problem(directory.path, NO_FILES)
    if not found.entries and not found.located_problems:
        # Defaults alone declare nothing.
        _Walk(directories[0], found).add_problem(directories[0].path, NO_FILES)
    return found


class _Walk:
    """Reads a directory, folder by folder."""

    def __init__(self, directory: Directory, found: BlueprintFiles) -> None:
        self._directory = directory
        self._found = found

    def read_folder(self, folder: Path, kind: str | None, inherited: Inherited) -> None:
        """``kind``: the only one that its files may contain; ``inherited``: from the
        folders above.
        """
        for path in self._paths_in(folder, kind):
            name = path.name if path.is_dir() else path.stem
            own_kind = kind or (name if name in KINDS else None)
            if path.is_dir():
                self.read_folder(path, own_kind, inherited)
            else:
                inherited = self._read_file(path, own_kind, inherited)

    def _paths_in(self, folder: Path, kind: str | None) -> Iterator[Path]:
        """The files and folders to read in a folder, its defaults first. What else is there becomes
        a problem.
        """
        try:
            content = sorted(folder.iterdir(), key=_sort_key)
        except OSError as error:
            self.add_problem(folder, f"it cannot be read: {error.strerror}.")
            return
        if not content and folder != self._directory.path:
            self.add_problem(folder, EMPTY_FOLDER)
        for path in content:
            if is_left_alone(path.name):
                continue
            problem = _path_problem(path, kind)
            if problem:
                self.add_problem(path, problem)
            else:
                yield path

    def _read_file(self, path: Path, kind: str | None, inherited: Inherited) -> Inherited:
        """Add what a file says; what holds for those behind it in its folder."""
        self._found.files.append(str(path))
        try:
            content = load(path, self._directory.file_name(path))
            if path.name in DEFAULTS_FILES:
                return read_defaults(content, inherited, self._found.located_problems)
            read_file(content, kind, inherited, self._found)
        except FileProblem as problem:
            self.add_problem(path, str(problem), problem.line)
        return inherited

    def add_problem(self, path: Path, problem: str, line: int = 0) -> None:
        name = self._directory.file_name(path)
        self._found.located_problems.append((name, place(name, line), problem))


def _path_problem(path: Path, kind: str | None) -> str:
    """What is wrong with a file or a folder before it is read; ``""`` if nothing is."""
    if not is_encodable(path.name):
        return "its name is not valid UTF-8. Rename it."
    if path.is_symlink():
        return LINK
    if path.is_dir() and kind is None:
        return ""
    if path.is_dir() or path.suffix not in SUFFIXES:
        return f"only {' and '.join(SUFFIXES)} files are allowed here."
    first, other = DEFAULTS_FILES
    if path.name == other and path.with_name(first).is_file():
        return f"{other} and {first} are both there. Remove one of them."
    return ""


def is_left_alone(name: str) -> bool:
    """True if a file or a folder of this name is not read."""
    return name.startswith((".", "README"))


def _sort_key(path: Path) -> tuple[bool, str, bool, str]:
    return path.name not in DEFAULTS_FILES, path.stem, path.is_dir(), path.name
