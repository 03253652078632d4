# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands in a blueprint as an entry, rewritten into one flat list for each kind: an entry
inside another one stands behind those of its kind, with what the one around hands on.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ..._errors import PlatformError
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS
from ..._model.options import SCOPE_OPTIONS, WrongType, validate_values
from .entries import PLACES, SOURCE, InvalidEntry, LocatedProblem, label, locate_problem
from .nested import nestings
from .selectors import source_file


@dataclasses.dataclass(eq=False)
class WrittenEntry:
    """What is to be read as an entry, and how messages call it."""

    kind: type[Kind]
    # Its options, if it is a dictionary.
    content: Any
    source: Any = None
    # Its place in its file, or in the blueprint if it has no source: projects[3].
    place: str = ""
    # Where the options stand whose values are not its own.
    places: dict[str, str] = dataclasses.field(default_factory=dict)
    # What is wrong with it because of where it stands.
    problems: list[PlatformError] = dataclasses.field(default_factory=list)
    # The entry around it.
    outer: WrittenEntry | None = None
    # True once it could not be read.
    is_invalid: bool = False

    @property
    def file(self) -> str:
        return source_file(self.source)

    @property
    def is_declared(self) -> bool:
        """False in an absent entry: what is in it goes along."""
        return self.outer is None or self.outer.content.get("state") != "absent"

    def inherit(self) -> None:
        """Take what the entry around hands on: its scope, and what it is called."""
        outer = self.outer
        if outer is None or not isinstance(self.content, dict):
            return
        option = nestings(outer.kind)[self.kind.plural].option
        if outer.is_invalid:  # what is wrong with it is not said again
            self.content[option] = "?"
            return
        for scope in SCOPE_OPTIONS.options:
            if scope in outer.content:
                self.content[scope] = outer.content[scope]
            if scope in outer.places:
                self.places[scope] = outer.places[scope]
        name = outer.content.get(outer.kind.name_field)
        self.content[option] = outer.content.get("id") if name is None else name

    def locate(self, problem: PlatformError) -> LocatedProblem:
        own_label = label(self.kind, self.place, self.content, self.source)
        return locate_problem(problem, self.places, own_label, self.file)


def flat_lists(
    lists: Mapping[str, Any], keys_of_places: Collection[str]
) -> Mapping[str, list[WrittenEntry]]:
    """What stands under each kind. ``keys_of_places``: those of an entry that say where it is."""
    found: dict[str, list[WrittenEntry]] = {}
    inner: dict[str, list[WrittenEntry]] = {plural: [] for plural in KINDS}
    for kind in KINDS.values():
        given = lists.get(kind.plural)
        own = list(_entries(kind, given if isinstance(given, list) else [], keys_of_places))
        for outer in own:
            for nested in _nested_entries(outer, keys_of_places):
                inner[nested.kind.plural].append(nested)
        found[kind.plural] = own + inner[kind.plural]
    return found


def _entries(
    kind: type[Kind], items: list[Any], keys_of_places: Collection[str]
) -> Iterator[WrittenEntry]:
    counts: Counter[str] = Counter()
    for position, item in enumerate(items):
        written = _written(kind, item, keys_of_places)
        index = counts[written.file] if written.file else position
        written.place = f"{kind.plural}[{index}]"
        counts[written.file] += 1
        if not isinstance(item, InvalidEntry):
            yield written


def _nested_entries(outer: WrittenEntry, keys_of_places: Collection[str]) -> Iterator[WrittenEntry]:
    """Takes what is nested out of an entry, and what is wrong with the lists to its problems."""
    for plural, nesting in nestings(outer.kind).items():
        items = outer.content.pop(plural, None) if isinstance(outer.content, dict) else None
        if not isinstance(items, (list, type(None))):
            outer.problems.append(WrongType(plural, "a list", items))
            continue
        for index, item in enumerate(items or []):
            entry = nesting.to_item(item)
            nested = _written(nesting.kind, entry, keys_of_places)
            nested.place = f"{outer.place}.{plural}[{index}]"
            nested.source = nested.source or outer.source
            nested.problems = [*nesting.problems(entry), *nested.problems]
            nested.outer = outer
            yield nested


def _written(kind: type[Kind], item: Any, keys_of_places: Collection[str]) -> WrittenEntry:
    if isinstance(item, InvalidEntry):
        return WrittenEntry(kind, None, item.source)
    if not isinstance(item, dict):
        return WrittenEntry(kind, item)
    content = {option: item[option] for option in item if option not in keys_of_places}
    source = item.get(SOURCE)
    written = WrittenEntry(kind, content, source)
    if PLACES in keys_of_places:
        written.places = dict(item.get(PLACES, {}))
    if source is not None:
        written.problems += validate_values({SOURCE: source}, {SOURCE: {"type": "str"}})
    if written.problems:
        written.source = None
    return written
