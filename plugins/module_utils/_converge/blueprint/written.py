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

from ..._errors import InvalidOption, PlatformError
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
    # Its place in its file, or in the blueprint if it has no source: projects[3].
    place: str
    source: Any
    # Where the options stand whose values are not its own.
    places: Mapping[str, str]
    # What is wrong with it because of where it stands.
    problems: list[PlatformError]
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
        # What is wrong with the entry around is not said again.
        given = {option: "?"}
        if not outer.is_invalid:
            given = {
                scope: outer.content[scope]
                for scope in SCOPE_OPTIONS.options
                if scope in outer.content
            }
            name = outer.content.get(outer.kind.name_field)
            given[option] = outer.content.get("id") if name is None else name
        self.content.update(given)
        places = {
            given_option: outer.places[given_option]
            for given_option in given
            if given_option in outer.places
        }
        self.places = {**self.places, **places}

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
        source = _source(item)
        file = source_file(source)
        index = counts[file] if file else position
        counts[file] += 1
        if not isinstance(item, InvalidEntry):
            yield _written(kind, item, f"{kind.plural}[{index}]", source, keys_of_places)


def _nested_entries(outer: WrittenEntry, keys_of_places: Collection[str]) -> Iterator[WrittenEntry]:
    """Takes what is nested out of an entry, and what is wrong with the lists to its problems."""
    if not isinstance(outer.content, dict):
        return
    for plural, nesting in nestings(outer.kind).items():
        items = outer.content.pop(plural, None) or []
        if not isinstance(items, list):
            outer.problems.append(WrongType(plural, "a list", items))
            continue
        for index, item in enumerate(items):
            entry = nesting.to_item(item)
            source = _source(item) or outer.source
            place = f"{outer.place}.{plural}[{index}]"
            nested = _written(nesting.kind, entry, place, source, keys_of_places)
            nested.problems[:0] = nesting.problems(entry)
            nested.outer = outer
            yield nested


def _written(
    kind: type[Kind], item: Any, place: str, source: Any, keys_of_places: Collection[str]
) -> WrittenEntry:
    problems: list[PlatformError] = list(_source_problems(item))
    if not isinstance(item, dict):
        return WrittenEntry(kind, item, place, source, {}, problems)
    places = item.get(PLACES, {}) if PLACES in keys_of_places else {}
    content = {option: item[option] for option in item if option not in keys_of_places}
    return WrittenEntry(kind, content, place, source, places, problems)


def _source(item: Any) -> Any:
    """What an item says of its source, unless that is no text."""
    if isinstance(item, InvalidEntry):
        return item.source
    return None if any(_source_problems(item)) else _given_source(item)


def _source_problems(item: Any) -> Iterator[InvalidOption]:
    source = _given_source(item)
    if source is not None:
        yield from validate_values({SOURCE: source}, {SOURCE: {"type": "str"}})


def _given_source(item: Any) -> Any:
    return item.get(SOURCE) if isinstance(item, dict) else None
