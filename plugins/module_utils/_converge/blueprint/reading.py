# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A blueprint as entries, and all that is wrong with it by itself, before the first request.

``read_blueprint`` judges each entry by itself, and then what entries say of each other.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..._errors import InvalidOption, PlatformError
from ..._model.kinds.registry import KINDS
from ..._model.options import type_name, validate_values
from ..._model.resource import Resource
from ..._text import suggest_or_list
from .contradictions import contradictions, duplicates, ignored
from .entries import (
    PLACES,
    SOURCE,
    BlueprintError,
    Entry,
    InvalidEntry,
    LocatedProblem,
    label,
    locate_problem,
    unique_messages,
)
from .entry_reader import EntryProblems, EntryReader
from .nested import Nesting, nested_list, nestings, outer_options
from .selectors import Selectors, source_file

# In a blueprint of files: the scopes of those that declare a kind.
SCOPES = "_scopes"


@dataclasses.dataclass(frozen=True)
class FileScope:
    """The scope of a file that declares a kind, perhaps without an entry."""

    # An id or a slug; ``""`` for the caller's own scope.
    team: str
    # Where the scope is set, such as acme/projects.yml:1.
    source: str


@dataclasses.dataclass(frozen=True)
class Blueprint:
    """What a blueprint says."""

    # In the order of kinds.
    entries: Sequence[Entry]
    # Those that it names, by their plurals, also with an empty list.
    kinds: frozenset[str]
    # Those of its files.
    scopes: tuple[FileScope, ...]


def read_blueprint(
    given: Mapping[str, Any],
    defaults: Mapping[str, Any] | None = None,
    ignore: Selectors | None = None,
) -> Blueprint:
    """What the option ``blueprint`` says. Sends no request. Raises BlueprintError with all
    problems.

    ``defaults``: options for entries that do not set them; ``ignore``: what must not be declared,
    as far as an entry's own names tell.
    """
    # Only the reader of files says where the options of its entries stand.
    reading = _Reading(defaults or {}, {SOURCE, PLACES} if SCOPES in given else {SOURCE})
    scopes = tuple(_file_scope(scope) for scope in given.get(SCOPES, []))
    lists = {plural: items for plural, items in given.items() if plural != SCOPES}
    problems: list[str | PlatformError] = list(_list_problems(lists))
    for kind in KINDS.values():
        items = lists.get(kind.plural)
        reading.add_list(kind, items if isinstance(items, list) else [])
    entries = reading.entries
    problems += unique_messages(reading.problems)
    problems += [*duplicates(entries), *contradictions(entries)]
    if ignore:
        problems += ignored(entries, ignore)
    if problems:
        raise BlueprintError(problems)
    kinds = frozenset([*lists, *(entry.kind.plural for entry in entries)])
    return Blueprint(entries, kinds, scopes)


def _file_scope(scope: Mapping[str, Any]) -> FileScope:
    return FileScope(str(scope.get("team") or ""), scope[SOURCE])


def _list_problems(lists: Mapping[str, Any]) -> Iterator[InvalidOption]:
    """What is wrong with the kinds of a blueprint, and with their lists as such."""
    for plural, items in lists.items():
        if plural not in KINDS:
            yield InvalidOption(
                "blueprint", f"unknown kind {plural}.{suggest_or_list(plural, KINDS)}"
            )
        elif items is None:
            yield InvalidOption("blueprint", no_value(plural))
        elif not isinstance(items, list):
            problem = f"{plural} must be a list of entries, and is {type_name(items)}."
            yield InvalidOption("blueprint", problem)


def no_value(plural: str) -> str:
    """The problem of a kind without a value. With pruning, a cut blueprint would delete
    everything.
    """
    return f"{plural} has no value. If it declares none, write an empty list: {plural}: []"


def keys_of_files(blueprint: Any) -> Iterator[InvalidOption]:
    """The problem of a task's blueprint that says to be one of files: these hold more."""
    if isinstance(blueprint, dict) and SCOPES in blueprint:
        yield InvalidOption("blueprint", f"unknown kind {SCOPES}.{suggest_or_list(SCOPES, KINDS)}")


class _Item(NamedTuple):
    """What is read as an entry, and how messages call it."""

    content: Any
    # Such as projects[3], or projects[0].aliases[1].
    place: str
    source: Any
    places: Mapping[str, str]
    # An item of an entry that is to be absent declares nothing.
    is_declared: bool = True

    @property
    def file(self) -> str:
        return source_file(self.source)


class _Reading:
    """The entries that were read so far, and what is wrong with them by themselves."""

    def __init__(self, defaults: Mapping[str, Any], not_options: Collection[str]) -> None:
        """``not_options``: the keys of an entry that say where it is declared."""
        self.entries: list[Entry] = []
        self._not_options = not_options
        self.problems: list[LocatedProblem] = []
        self._readers = {plural: EntryReader(kind, defaults) for plural, kind in KINDS.items()}
        self._nested: dict[str, list[_Item]] = {plural: [] for plural in KINDS}

    def add_list(self, kind: type[Resource], items: Sequence[Any]) -> None:
        """Add the entries of a kind, and behind them those in entries of kinds that were added
        before.
        """
        counts: Counter[str] = Counter()
        for position, item in enumerate(items):
            source = _source(item)
            file = source_file(source)
            index = counts[file] if file else position
            counts[file] += 1
            if not isinstance(item, InvalidEntry):
                outer = self._item(item, f"{kind.plural}[{index}]", source)
                self._add_problems(kind, outer, list(_source_problems(item)))
                self._add_outer(kind, outer, position)
        position = len(items)
        for nested in self._nested[kind.plural]:
            self._add(kind, nested, position)
            if nested.is_declared:
                position += 1

    def _add_outer(self, kind: type[Resource], item: _Item, position: int) -> None:
        """Add an entry, and keep those in it until their kind is added."""
        content = item.content
        if not isinstance(content, dict) or not nestings(kind).keys() & content.keys():
            self._add(kind, item, position)
            return
        flat = {option: content[option] for option in content if option not in nestings(kind)}
        entry = self._add(kind, item._replace(content=flat), position)
        for plural in nestings(kind).keys() & content.keys():
            nested, problems = nested_list(plural, content[plural])
            self._add_problems(kind, item, problems)
            nesting = nestings(kind)[plural]
            # What is wrong with the entry around them is not said again.
            given = (
                outer_options(nesting, content, entry.desired) if entry else {nesting.option: "?"}
            )
            places = {option: item.places[option] for option in given if option in item.places}
            outer = item._replace(
                content=given,
                places=places,
                is_declared=not (entry and entry.desired.is_absent),
            )
            for index, inner in enumerate(nested):
                self._keep_nested(nesting, inner, f"{item.place}.{plural}[{index}]", outer)

    def _keep_nested(self, nesting: Nesting, inner: Any, place: str, outer: _Item) -> None:
        """``outer``: what the entry around it hands on."""
        item = self._item(nesting.to_item(inner), place, _source(inner) or outer.source)
        problems = [*nesting.problems(item.content), *_source_problems(inner)]
        self._add_problems(nesting.kind, item, problems)
        if isinstance(item.content, dict):
            whole = outer._replace(
                content={**item.content, **outer.content},
                place=place,
                source=item.source,
                places={**item.places, **outer.places},
            )
            self._nested[nesting.kind.plural].append(whole)

    def _item(self, content: Any, place: str, source: Any) -> _Item:
        if not isinstance(content, dict):
            return _Item(content, place, source, {})
        options = {option: content[option] for option in content if option not in self._not_options}
        places = content.get(PLACES, {}) if PLACES in self._not_options else {}
        return _Item(options, place, source, places)

    def _add(self, kind: type[Resource], item: _Item, position: int) -> Entry | None:
        try:
            desired = self._readers[kind.plural].read(item.content)
        except EntryProblems as error:
            self._add_problems(kind, item, error.problems)
            return None
        source = None if item.source is None else str(item.source)
        entry = Entry(kind, desired, position, item.place, source, item.places)
        if item.is_declared:
            self.entries.append(entry)
        return entry

    def _add_problems(
        self, kind: type[Resource], item: _Item, problems: Sequence[PlatformError]
    ) -> None:
        if problems:
            own_label = label(kind, item.place, item.content, item.source)
            self.problems += [
                locate_problem(problem, item.places, own_label, item.file) for problem in problems
            ]


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
