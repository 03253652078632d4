# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The problems of a blueprint on this service, collected and reported together."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence

from .._common.errors import ApiError, PlatformError
from .._resources.kind import Kind
from .entries import BlueprintError, Entry


class Problems:
    """The problems, entry by entry; ``None`` is for the module's own options. ``has``: whether an entry is selected;
    problems of others are ignored.
    """

    def __init__(self, has: Callable[[Entry | None], bool]) -> None:
        self._has = has
        self._of_entry: dict[Entry | None, PlatformError] = {}

    def report(self, entry: Entry | None, error: PlatformError) -> None:
        if isinstance(error, ApiError):
            raise error
        if self._has(entry):
            self._of_entry.setdefault(entry, error)

    @contextlib.contextmanager
    def of(self, entry: Entry | None) -> Iterator[None]:
        """A block that ends at a problem of an entry."""
        try:
            yield
        except PlatformError as error:
            self.report(entry, error)

    def report_clash(self, first: Entry, second: Entry, problem: str) -> None:
        """Report what only one of two entries can have: to the second, unless only the first is selected."""
        entry, other = (second, first) if self._has(second) else (first, second)
        self.report(entry, PlatformError(f"{other.label} {problem}"))

    def why_unplanned(self, kind: type[Kind], team: str, id_or_name: str) -> str | None:
        """The reason why nothing has this id or name, if an entry declares it that has a problem itself."""
        for entry in filter(None, self._of_entry):
            if entry.kind is kind and entry.team == team and id_or_name in (entry.wanted.id, entry.wanted.name):
                return f"{id_or_name} is declared by {entry.label}, which has a problem itself."
        return None

    def raise_if_any(self, entries: Sequence[Entry]) -> None:
        lines = [f"{entry.label}: {self._of_entry[entry]}" for entry in entries if entry in self._of_entry]
        if None in self._of_entry:
            lines.append(str(self._of_entry[None]))
        if lines:
            raise BlueprintError(lines)
