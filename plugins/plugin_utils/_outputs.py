# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that a task writes beside its work: it is known before that they can be written, and where they may not lie."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping

from ..module_utils._errors import PlatformError
from ..module_utils._files import obstacle_of, reason_of
from ._written_files import located, try_out, write


class Outputs:
    """``paths``: the path of each file by its option; ``given``: the same as the user wrote it."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self.given = given
        self.paths = {option: located(path) for option, path in given.items()}

    def check(self, others: Mapping[str, str], directory: str | None, prefix: str) -> None:
        """Raises PlatformError for what is in the way. ``others``: files that no output may be, by their options."""
        problems = [
            *(f"{prefix}{option} cannot be {problem}." for option, problem in self._misplaced(others, directory, prefix)),
            *self._unwritable(obstacle_of),
        ]
        if problems:
            raise PlatformError(*problems)

    def begin(self, contents: Mapping[str, str]) -> None:
        """Write these files, and try out whether the others can be written. Raises PlatformError."""
        problems = list(self._unwritable(lambda path: _reason(try_out, path)))
        problems += self.write(contents) if not problems else []
        if problems:
            raise PlatformError(*problems)

    def write(self, contents: Mapping[str, str]) -> list[str]:
        """Write the files; what went wrong is returned."""
        reasons = {option: _reason(write, self.paths[option], content) for option, content in contents.items()}
        return [self._unwritten(option, reason) for option, reason in reasons.items() if reason]

    def _misplaced(self, others: Mapping[str, str], directory: str | None, prefix: str) -> Iterator[tuple[str, str]]:
        real = {option: os.path.realpath(path) for option, path in self.paths.items()}
        of_others = {option: os.path.realpath(path) for option, path in others.items()}
        for one, other in itertools.combinations(real, 2):
            if real[one] == real[other]:
                yield one, f"the file of {prefix}{other}, too: {self.given[one]}"
        for option, path in real.items():
            for other, its_path in of_others.items():
                if path == its_path and (option, other) != ("plan", "approved"):
                    yield option, f"the file of {other if other not in ('approved',) else prefix + other}"
            if directory and os.path.commonpath([path, os.path.realpath(directory)]) == os.path.realpath(directory):
                yield option, f"in the directory of the blueprint, where the next run would read it: {self.given[option]}"

    def _unwritable(self, obstacle: Callable[[str], str]) -> Iterator[str]:
        for option, path in self.paths.items():
            reason = obstacle(path)
            if reason:
                yield self._unwritten(option, reason)

    def _unwritten(self, option: str, reason: str) -> str:
        return f"{option} cannot be written to {self.given[option]}: {reason}."


def _reason(act: Callable[..., None], *arguments: str) -> str:
    """Why it could not be done; empty if it was."""
    try:
        act(*arguments)
    except OSError as error:
        return reason_of(error)
    return ""
