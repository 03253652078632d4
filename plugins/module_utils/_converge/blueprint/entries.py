# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A blueprint as entries, and all that is wrong with it by itself, before the first request.

``read_blueprint`` judges each entry by itself, and then what entries say of each other.
"""

from __future__ import annotations

import dataclasses
import graphlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..._errors import InvalidOption, PlatformError
from ..._model.kind import Desired, Kind
from ..._model.kinds.registry import KINDS
from ..._model.options import type_name
from ..._model.resource import Resource
from ..._text import suggest_or_list
from .entry_reader import EntryProblems, EntryReader
from .selectors import NO_SELECTORS, Selectors, source_file

# Where an entry is declared, such as projects/shop.yml:12. Never sent.
SOURCE = "source"
# In an entry of a file: where each option stands whose value is not the entry's own.
PLACES = "_places"
# In a blueprint of files: the scopes of those that declare a kind.
SCOPES = "_scopes"


# A file (``""`` if none), the label of an entry or a place in that file, and what is wrong there.
LocatedProblem = tuple[str, str, str]


class BlueprintError(PlatformError):
    """The problems of a blueprint, entry by entry; nothing was written."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(*problems)
        self.problems = problems


@dataclasses.dataclass(frozen=True)
class InvalidEntry:
    """A placeholder for an entry whose problems are already known. The others keep their indexes."""

    source: str


@dataclasses.dataclass(frozen=True, eq=False)
class Entry:
    """One object that the blueprint declares."""

    kind: type[Resource]
    desired: Desired
    # Its place among all entries of its kind.
    position: int
    # Its place in its file, or in the blueprint if it has no source: projects[3].
    place: str
    source: str | None = None
    # Where the options stand whose values are not its own: the team of its file, a default.
    places: Mapping[str, str] = dataclasses.field(default_factory=dict)

    @property
    def team(self) -> str:
        """The id or slug of its team; ``""`` for the caller's own scope."""
        return self.desired.options.get("team") or ""

    @property
    def name(self) -> str:
        """The name that the user gave it."""
        return str(_given_name(self.kind, self.desired.options))

    @property
    def key(self) -> tuple[str, int]:
        """Its key among all entries."""
        return self.kind.plural, self.position

    @property
    def file(self) -> str:
        """The file that declares it, ``""`` if none."""
        return source_file(self.source)

    @property
    def label(self) -> str:
        """The name used in messages."""
        return label(self.kind, self.place, self.desired.options, self.source)

    def locate(self, problem: object) -> LocatedProblem:
        """A problem where its option stands: perhaps not at the entry."""
        return _located(problem, self.places, self.label, self.file)

    @property
    def uniqueness_key(self) -> tuple[str, ...]:
        """The key that no two entries may share; the id takes precedence."""
        scope = (self.kind.plural, self.team)
        if self.desired.id:
            return (*scope, "id", self.desired.id)
        return (*scope, "name", self.kind.normalize(self.name))


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


def label(kind: type[Kind], place: str, options: Any, source: Any = None) -> str:
    """``projects[3] web (projects/shop.yml:12)``, as far as an entry says it."""
    name = _given_name(kind, options) if isinstance(options, dict) else None
    words = [place]
    if name:
        words.append(str(name))
    if source:
        words.append(f"({source})")
    return " ".join(words)


def _located(problem: object, places: Mapping[str, str], own_label: str, file: str) -> LocatedProblem:
    place = ""
    if isinstance(problem, InvalidOption):
        place = places.get(problem.option.partition("[")[0].partition(".")[0], "")
    if place:
        return source_file(place), place, str(problem)
    return file, own_label, str(problem)


def _given_name(kind: type[Kind], options: Mapping[str, Any]) -> Any:
    """A plain value: even looking at a vaulted one may fail."""
    given = (options.get(option) for option in (kind.name_field, "id", "user_id"))
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


def read_entries(
    blueprint: Mapping[str, Any],
    defaults: Mapping[str, Any] | None = None,
    ignore: Selectors = NO_SELECTORS,
) -> Sequence[Entry]:
    """The entries of ``read_blueprint``."""
    return read_blueprint(blueprint, defaults, ignore).entries


def read_blueprint(
    given: Mapping[str, Any],
    defaults: Mapping[str, Any] | None = None,
    ignore: Selectors = NO_SELECTORS,
) -> Blueprint:
    """What the option ``blueprint`` says. Sends no request. Raises BlueprintError with all problems.

    ``defaults``: options for entries that do not set them; ``ignore``: what must not be declared, as
    far as an entry's own names tell.
    """
    reading = _Reading(defaults or {})
    scopes = tuple(_file_scope(scope) for scope in given.get(SCOPES, []))
    lists = {plural: items for plural, items in given.items() if plural != SCOPES}
    problems = list(_list_problems(lists))
    for kind in KINDS.values():
        items = lists.get(kind.plural)
        if isinstance(items, list):
            reading.add_list(kind, items)
    entries = reading.entries
    problems += unique_messages(reading.problems)
    problems += [*_duplicates(entries), *_contradictions(entries)]
    problems += [*_find_previously_conflicts(entries), *_ignored(entries, ignore)]
    if problems:
        raise BlueprintError(problems)
    return Blueprint(entries, frozenset(lists), scopes)


def _file_scope(scope: Mapping[str, Any]) -> FileScope:
    return FileScope(str(scope.get("team") or ""), scope[SOURCE])


def _list_problems(lists: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the kinds of a blueprint, and with their lists as such."""
    for plural, items in lists.items():
        if plural not in KINDS:
            yield f"blueprint: unknown kind {plural}.{suggest_or_list(plural, KINDS)}"
        elif items is None:
            yield f"blueprint: {no_value(plural)}"
        elif not isinstance(items, list):
            yield f"blueprint: {plural} must be a list of entries, and is {type_name(items)}."


def no_value(plural: str) -> str:
    """The problem of a kind without a value. With pruning, a cut blueprint would delete everything."""
    return f"{plural} has no value. If it declares none, write an empty list: {plural}: []"


class _Reading:
    """The entries that were read so far, and what is wrong with them by themselves."""

    def __init__(self, defaults: Mapping[str, Any]) -> None:
        self.entries: list[Entry] = []
        self.problems: list[LocatedProblem] = []
        self._readers = {plural: EntryReader(kind, defaults) for plural, kind in KINDS.items()}
        self._counts: Counter[tuple[str, str]] = Counter()

    def add_list(self, kind: type[Resource], items: Sequence[Any]) -> None:
        for position, item in enumerate(items):
            source = _source(item)
            file = source_file(source)
            index = self._counts[kind.plural, file] if file else position
            self._counts[kind.plural, file] += 1
            if not isinstance(item, InvalidEntry):
                self._add(kind, item, position, f"{kind.plural}[{index}]", source)

    def _add(
        self, kind: type[Resource], item: Any, position: int, place: str, source: Any
    ) -> None:
        places: Mapping[str, str] = {}
        if isinstance(item, dict):
            places = item.get(PLACES, {})
            item = {option: item[option] for option in item if option not in (SOURCE, PLACES)}
        try:
            desired = self._readers[kind.plural].read(item)
        except EntryProblems as error:
            own_label = label(kind, place, item, source)
            file = source_file(source)
            self.problems += [_located(problem, places, own_label, file) for problem in error.problems]
        else:
            text = None if source is None else str(source)
            self.entries.append(Entry(kind, desired, position, place, text, places))


def _source(item: Any) -> Any:
    if isinstance(item, InvalidEntry):
        return item.source
    return item.get(SOURCE) if isinstance(item, dict) else None


def _duplicates(entries: Sequence[Entry]) -> Iterator[str]:
    first: dict[tuple[str, ...], Entry] = {}
    for entry in entries:
        same = first.setdefault(entry.uniqueness_key, entry)
        if same is not entry:
            yield f"{entry.label} is already declared by {same.label}."


def _contradictions(entries: Sequence[Entry]) -> Iterator[str]:
    """One message for each entry that wants absent what another entry of its team declares, by itself or as a field."""
    declared: dict[tuple[str, ...], tuple[Entry, str]] = {}
    for entry in entries:
        names = {(entry.kind, "declares the same object"): entry.desired.name}
        if not entry.desired.is_create_only:
            for field, plural in entry.kind.embeds.items():
                names[KINDS[plural], f"declares it as its {field}"] = entry.desired.values.get(field)
        for (kind, declares), name in () if entry.desired.is_absent else names.items():
            declared.setdefault((kind.plural, entry.team, "name", kind.normalize(name or "")), (entry, declares))
    for entry in entries:
        other, declares = declared.get(entry.uniqueness_key, (entry, ""))
        if entry.desired.is_absent and other.uniqueness_key != entry.uniqueness_key:  # else it is a duplicate
            yield f"{entry.label} has state=absent, but {other.label} {declares}. Remove one of the two."


def _ignored(entries: Sequence[Entry], ignore: Selectors) -> Iterator[str]:
    for entry in entries:
        names = [name for name in (entry.name, *entry.desired.previous_names) if name]
        if ignore.match(entry.kind, names, [entry.team if entry.kind.is_in_team else entry.name]):
            yield f"{entry.label} matches a selector of ignore. Remove the entry or the selector."


def _find_previously_conflicts(entries: Sequence[Entry]) -> Iterator[str]:
    """Earlier names that two entries claim, or by which entries would exchange their names in every run."""
    new_owners: dict[tuple[str, str, str], Entry] = {}
    for entry in entries:
        for name in entry.desired.previous_names:
            other = new_owners.setdefault((entry.kind.plural, entry.team, name), entry)
            if other is not entry:
                yield f"{entry.label}: previously: {name} is also a previous name of {other.label}."
    names = {(entry.kind.plural, entry.team, entry.name): entry for entry in entries if not entry.desired.id}
    takes_names_of = {entry: {new_owners[key]} for key, entry in names.items() if key in new_owners}
    try:
        graphlib.TopologicalSorter(takes_names_of).prepare()
    except graphlib.CycleError as error:
        cycle = ", ".join(entry.label for entry in sorted(error.args[1][1:], key=lambda entry: entry.position))
        yield f"previously: {cycle} would swap names in every run. Rename one of them to an unused name first."
