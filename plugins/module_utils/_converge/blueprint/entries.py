# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An entry of a blueprint, how messages call it, and where its problems are; and entries inside the
entry to which they refer: the aliases of a project, under ``aliases`` in its entry.

Each of these is an entry as if it stood under its own kind: it refers to the entry around it, and
is in its scope.
"""

from __future__ import annotations

import dataclasses
import functools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..._errors import InvalidOption, PlatformError
from ..._model.kind import Desired, Kind, Name
from ..._model.kinds.registry import KINDS
from ..._model.options import SCOPE_OPTIONS
from ..._model.resource import Resource
from ..._text import visible_name
from .selectors import source_file

# Where an entry is declared, such as projects/shop.yml:12. Never sent.
SOURCE = "source"
# In an entry of a file: its place there, and where each option stands whose value is not its own.
PLACE = "_place"
PLACES = "_places"
# A file (``""`` if none), the label of an entry or a place in that file, and what is wrong there.
LocatedProblem = tuple[str, str, str]


@dataclasses.dataclass(eq=False)
class Entry:
    """One object that the blueprint declares."""

    kind: type[Resource]
    # Its place in its file, or in the blueprint if it has no source: projects[3].
    place: str
    # As they are written, if it is a dictionary; with their types and defaults once they are read.
    options: Any
    source: str | None = None
    # Where the options stand whose values are not its own: the team of its file, a default.
    places: dict[str, str] = dataclasses.field(default_factory=dict)
    # What is wrong with it by itself. Set by `read_blueprint`.
    problems: list[PlatformError] = dataclasses.field(default_factory=list)
    # The entry around it.
    outer: Entry | None = None
    # What it declares. Set by `read_blueprint`.
    desired: Desired = dataclasses.field(init=False)

    @property
    def team(self) -> str:
        """The id or slug of its team; ``""`` for the caller's own scope."""
        return self.options.get("team") or ""

    @functools.cached_property
    def name(self) -> str:
        """The name that the user gave it; ``""`` if that is no plain value."""
        if not isinstance(self.options, dict):
            return ""
        for option in (self.kind.name_field, *self.kind.other_identifiers):
            given = self.options.get(option)
            # Even looking at a vaulted one may fail.
            if isinstance(given, (str, int, float)) and given:
                return str(given)
        return ""

    @property
    def own_name(self) -> str:
        """The name by which guards know it, and no ID."""
        return self.desired.name or "" if self.desired.id else self.name

    @property
    def file(self) -> str:
        """The file that declares it, ``""`` if none."""
        return source_file(self.source)

    @property
    def label(self) -> str:
        """The name used in messages: ``projects[3] web (projects/shop.yml:12)``."""
        words = [self.place]
        if self.name:
            words.append(visible_name(self.name))
        if self.source:
            words.append(f"({self.source})")
        return " ".join(words)

    def locate(self, problem: object) -> LocatedProblem:
        """A problem where its option stands: perhaps not at the entry."""
        option = problem.name if isinstance(problem, InvalidOption) else ""
        if self.outer and option in SCOPE_OPTIONS:
            return self.outer.locate(problem)
        place = self.places.get(option)
        return source_file(place or self.source), place or self.label, str(problem)

    def inherit(self, outer: Entry, option: str) -> None:
        """Take over the source and the scope of the entry around, and refer to it by an option."""
        self.outer = outer
        self.source = self.source or outer.source
        if not isinstance(self.options, dict):
            return
        for inherited in (option, *SCOPE_OPTIONS):
            if inherited in self.options:
                problem = f"{inherited} is that of the entry around it. Remove it."
                self.problems.append(PlatformError(problem))
                del self.options[inherited]
            if inherited in outer.options:
                self.options[inherited] = outer.options[inherited]
        # That it has no name is not said again.
        self.options[option] = outer.name or "?"

    @property
    def uniqueness_key(self) -> Name:
        """What no two entries may share; the id takes precedence."""
        if self.desired.id:
            return Name(self.kind.plural, ("id", self.team), self.desired.id)
        return self.kind.name_at(self.team, self.name)


class Nesting(NamedTuple):
    """A kind whose entries may stand in those of another. ``option`` refers to the entry around."""

    kind: type[Resource]
    option: str

    def to_item(self, item: Any) -> Any:
        """An item of the list as a dictionary: a text is a name. What can be neither is returned as
        it is.
        """
        if item is None or isinstance(item, (dict, list)):
            return item
        return {self.kind.name_field: item}


def nestings(kind: type[Kind]) -> Mapping[str, Nesting]:
    """What the entries of a kind may hold, by the option under which it stands."""
    found = {}
    for other in KINDS.values():
        for option, referred in other.references.items():
            if referred is kind:
                found[other.plural] = Nesting(other, option)
    return found


def unique_messages(found: Iterable[LocatedProblem]) -> Iterator[str]:
    """Messages about problems. Equal ones of one file become one message, about the first entry."""
    labels: dict[tuple[str, str], list[str]] = defaultdict(list)
    for file, label, problem in dict.fromkeys(found):
        labels[file or label, problem].append(label)
    for (_file, problem), (first, *others) in labels.items():
        more = f" The same in {len(others):,} more of this file." if others else ""
        yield f"{first}: {problem}{more}"
