# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An entry of a blueprint, how messages call it, and where its problems are."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..._errors import InvalidOption, PlatformError
from ..._model.kind import Desired, Kind
from ..._model.resource import Resource
from ..._text import visible_name
from .selectors import source_file

# Where an entry is declared, such as projects/shop.yml:12. Never sent.
SOURCE = "source"
# In an entry of a file: where each option stands whose value is not the entry's own.
PLACES = "_places"
# A file (``""`` if none), the label of an entry or a place in that file, and what is wrong there.
LocatedProblem = tuple[str, str, str]


class BlueprintError(PlatformError):
    """The problems of a blueprint, entry by entry; nothing was written."""

    def __init__(self, problems: Sequence[str | PlatformError]) -> None:
        super().__init__(*problems)
        self.problems = problems


@dataclasses.dataclass(frozen=True)
class InvalidEntry:
    """A placeholder for an entry whose problems are already known. The others keep their
    indexes.
    """

    source: str


# What an entry declares whose options are not read, or cannot be.
UNREAD = Desired({}, {}, None)


@dataclasses.dataclass(eq=False)
class Entry:
    """One object that the blueprint declares."""

    kind: type[Resource]
    # As they are written, if it is a dictionary; with their types and defaults once they are read.
    options: Any
    # Its place in its file, or in the blueprint if it has no source: projects[3].
    place: str = ""
    source: str | None = None
    # Where the options stand whose values are not its own: the team of its file, a default.
    places: dict[str, str] = dataclasses.field(default_factory=dict)
    # What is wrong with it by itself. Set by `read_blueprint`.
    problems: list[PlatformError] = dataclasses.field(default_factory=list)
    # True inside of an entry whose object is to be absent: it says nothing.
    goes_along: bool = False
    # What it declares. Set by `read_blueprint`.
    desired: Desired = UNREAD

    @property
    def team(self) -> str:
        """The id or slug of its team; ``""`` for the caller's own scope."""
        return self.options.get("team") or ""

    @functools.cached_property
    def name(self) -> str:
        """The name that the user gave it."""
        return str(_given_name(self.kind, self.options))

    @property
    def file(self) -> str:
        """The file that declares it, ``""`` if none."""
        return source_file(self.source)

    @property
    def label(self) -> str:
        """The name used in messages."""
        return label(self.kind, self.place, self.options, self.source)

    def locate(self, problem: object) -> LocatedProblem:
        """A problem where its option stands: perhaps not at the entry."""
        place = self.places.get(problem.name) if isinstance(problem, InvalidOption) else None
        return source_file(place or self.source), place or self.label, str(problem)

    @functools.cached_property
    def uniqueness_key(self) -> tuple[str, ...]:
        """The key that no two entries may share; the id takes precedence."""
        scope = (self.kind.plural, self.team)
        if self.desired.id:
            return (*scope, "id", self.desired.id)
        return (*scope, "name", self.kind.normalize(self.name))


def label(kind: type[Kind], place: str, options: Any, source: Any = None) -> str:
    """``projects[3] web (projects/shop.yml:12)``, as far as an entry says it."""
    name = _given_name(kind, options) if isinstance(options, dict) else None
    words = [place]
    if name:
        words.append(visible_name(name))
    if source:
        words.append(f"({source})")
    return " ".join(words)


def _given_name(kind: type[Kind], options: Mapping[str, Any]) -> Any:
    """A plain value: even looking at a vaulted one may fail."""
    given = (options.get(option) for option in (kind.name_field, *kind.other_identifiers))
    return next((value for value in given if isinstance(value, (str, int, float)) and value), None)


def unique_messages(found: Iterable[LocatedProblem]) -> list[str]:
    """Messages about problems. Equal ones of one file become one message, about the first entry."""
    labels: dict[tuple[str, str], dict[str, None]] = {}
    for file, name, problem in found:
        labels.setdefault((file or name, problem), {})[name] = None
    messages = []
    for (_file, problem), names in labels.items():
        message = f"{next(iter(names))}: {problem}"
        if len(names) > 1:
            message += f" The same in {len(names) - 1:,} more of this file."
        messages.append(message)
    return messages
