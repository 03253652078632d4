# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that a task writes when it has ended; before it begins, it is known that they can be written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

from ..module_utils._errors import PlatformError
from ..module_utils._files import obstacle_of, reason_of
from ._written_files import absolute_path, try_out, write

PLAN, APPROVED = "plan", "approved"


class Outputs:
    """``given``: the paths by their options, as the user wrote them."""

    def __init__(self, given: Mapping[str, str], others: Mapping[str, str], directory: str, prefix: str) -> None:
        """``others``: the paths of files that are no outputs, by what names them; ``directory``: the blueprint's, if
        there is one. Raises PlatformError for what is in the way.
        """
        paths = {option: absolute_path(path) for option, path in given.items()}
        self.given = {option: path for option, path in given.items() if not _is_approved(option, paths, others)}
        self._paths = {option: paths[option] for option in self.given}
        folder = os.path.realpath(absolute_path(directory)) if directory else ""
        self._fail_for(
            [*self._misplaced(others, folder, prefix), *self._unwritable(lambda _option, path: obstacle_of(path))]
        )

    def begin(self, contents: Mapping[str, str]) -> None:
        """Write these files already, and try out whether the others can be written. Raises PlatformError."""
        self._fail_for(self._unwritable(lambda _option, path: _reason(try_out, path)))
        self._fail_for(self.write(contents))

    def write(self, contents: Mapping[str, str]) -> list[str]:
        """Write the files; what went wrong is returned."""

        def reason(option: str, path: str) -> str:
            return _reason(write, path, contents[option]) if option in contents else ""

        return list(self._unwritable(reason))

    def _misplaced(self, others: Mapping[str, str], folder: str, prefix: str) -> Iterator[str]:
        taken = {os.path.realpath(path): name for name, path in others.items()}
        for option, path in self._paths.items():
            real = os.path.realpath(path)
            other = taken.setdefault(real, option)
            if other != option:
                name = f"{prefix}{other}" if other in self._paths or other == APPROVED else other
                yield f"{option} and {name} name the same file, {self.given[option]}."
            for lower, below in self._paths.items():
                if os.path.realpath(below).startswith(f"{real}{os.sep}"):
                    yield f"{option} cannot be a file, as {lower} lies below it: {self.given[option]}."
            if folder and os.path.commonpath([real, folder]) == folder:
                place = f"lies in the directory of the blueprint: {self.given[option]}"
                yield f"{option} {place}. The next run would read it."

    def _unwritable(self, reason_for: Callable[[str, str], str]) -> Iterator[str]:
        for option, path in self._paths.items():
            reason = reason_for(option, path)
            if reason:
                yield f"{option} cannot be written to {self.given[option]}: {reason}."

    @staticmethod
    def _fail_for(problems: Iterator[str] | list[str]) -> None:
        lines = list(problems)
        if lines:
            raise PlatformError(*lines)


def _is_approved(option: str, paths: Mapping[str, str], others: Mapping[str, str]) -> bool:
    """Return whether this is the plan that the run applies: it is read, and no plan is written."""
    return option == PLAN and APPROVED in others and os.path.realpath(paths[PLAN]) == os.path.realpath(others[APPROVED])


def _reason(act: Callable[..., None], *arguments: str) -> str:
    """Why it could not be done; empty if it was."""
    try:
        act(*arguments)
    except OSError as error:
        return reason_of(error)
    return ""
