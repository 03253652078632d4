# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The directories of a blueprint: one, or several that together are one blueprint."""

from __future__ import annotations

import dataclasses
import itertools
import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from ...module_utils._file_access import os_error_text
from ...module_utils._model.options import is_encodable
from ._atomic_files import absolute_path


@dataclasses.dataclass(frozen=True)
class Directory:
    """A directory whose files are read."""

    # It is absolute.
    path: Path
    # How the names of its files begin; "" where it is the only directory.
    name: str = ""

    def __str__(self) -> str:
        return self.name or str(self.path)

    def file_name(self, path: Path) -> str:
        """What messages and sources call the directory, or a file or a folder in it."""
        if path == self.path:
            return str(self)
        return PurePosixPath(self.name, path.relative_to(self.path)).as_posix()


def directories_of(paths: Sequence[str]) -> list[Directory]:
    """The directories that an option names. Names of files in several begin with the path as it was
    given.
    """
    is_one = len(paths) == 1
    return [
        Directory(Path(absolute_path(path)), "" if is_one else os.path.normpath(path))
        for path in paths
    ]


def directory_problems(directories: Sequence[Directory]) -> Iterator[str]:
    """What is wrong with directories before a file of theirs is read."""
    yield from filter(None, map(_own_problem, directories))
    for one, other in itertools.combinations(directories, 2):
        places = [os.path.realpath(directory.path) for directory in (one, other)]
        # Their files would be read twice.
        if os.path.commonpath(places) in places:
            problem = "are the same directory, or one lies in the other"
            yield f"{one} and {other} {problem}. Remove one of them."


def _own_problem(directory: Directory) -> str:
    path = directory.path
    if not is_encodable(str(path)):
        return f"{directory} is not valid UTF-8. Rename it."
    if os.path.islink(path):
        advice = "Name the directory to which it leads."
        return f"{directory} is a link, and links are not followed. {advice}"
    if not os.path.exists(path):
        return f"{directory} does not exist."
    try:
        os.scandir(path).close()
    except OSError as error:
        return f"{directory} cannot be read: {os_error_text(error)}."
    return ""
