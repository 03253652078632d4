# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A blueprint as entries, and all that is wrong with it by itself, before the first request.

``read_blueprint`` judges each entry by itself, and then what entries say of each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..._errors import InvalidOption
from ..._model.kinds.registry import KINDS
from ..._model.options import SCOPE_OPTIONS, WrongType, type_name, validate_values
from ..._model.resource import Resource
from ..._text import suggest_or_list
from .contradictions import contradictions, duplicates, ignored
from .entries import (
    PLACES,
    SOURCE,
    UNREAD,
    BlueprintError,
    Entry,
    InvalidEntry,
    LocatedProblem,
    unique_messages,
)
from .entry_reader import EntryProblems, EntryReader
from .nested import Nesting, nestings
from .selectors import Selectors, source_file

# In a blueprint of files: the scopes of those that declare a kind.
SCOPES = "_scopes"


class FileScope(NamedTuple):
    """The scope of a file that declares a kind, perhaps without an entry; or that of the task."""

    # An id or a slug; ``""`` for the caller's own scope.
    team: str
    # Where the scope is set, such as acme/projects.yml:1; ``""`` for the task.
    source: str = ""


class Blueprint(NamedTuple):
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
    scopes = tuple(
        FileScope(str(scope.get("team") or ""), scope[SOURCE]) for scope in given.get(SCOPES, [])
    )
    lists = {plural: items for plural, items in given.items() if plural != SCOPES}
    problems: list[Any] = list(_list_problems(lists))
    # Only the reader of files says where the options of its entries stand.
    keys_of_places = {SOURCE, PLACES} if SCOPES in given else {SOURCE}
    entries: list[Entry] = []
    found: list[LocatedProblem] = []
    # Those inside of other entries, by their kinds. They stand behind the others.
    nested: dict[str, list[Entry]] = {plural: [] for plural in KINDS}
    for plural, kind in KINDS.items():
        reader = EntryReader(kind, defaults or {})
        written = _entries(kind, lists.get(plural), keys_of_places)
        for entry in [*written, *nested[plural]]:
            inner = list(_take_nested(entry))
            _read(entry, reader)
            for nesting, items in inner:
                nested[nesting.kind.plural] += _nested_entries(
                    entry, nesting, items, keys_of_places
                )
            found += [entry.locate(problem) for problem in entry.problems]
            if entry.desired is not UNREAD and not entry.goes_along:
                entries.append(entry)
    problems += unique_messages(found)
    problems += [*duplicates(entries), *contradictions(entries)]
    if ignore:
        problems += ignored(entries, ignore)
    if problems:
        raise BlueprintError(problems)
    kinds = frozenset([*lists, *(entry.kind.plural for entry in entries)])
    return Blueprint(entries, kinds, scopes)


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


def _entries(kind: type[Resource], items: Any, keys_of_places: Collection[str]) -> Iterator[Entry]:
    counts: Counter[str] = Counter()
    for position, item in enumerate(items if isinstance(items, list) else []):
        if isinstance(item, InvalidEntry):
            counts[source_file(item.source)] += 1
            continue
        entry = _entry(kind, item, keys_of_places)
        index = counts[entry.file] if entry.file else position
        entry.place = f"{kind.plural}[{index}]"
        counts[entry.file] += 1
        yield entry


def _take_nested(entry: Entry) -> Iterator[tuple[Nesting, list[Any]]]:
    """Takes what is nested out of an entry, and what is wrong with such a list to its problems."""
    if not isinstance(entry.options, dict):
        return
    for plural, nesting in nestings(entry.kind).items():
        items = entry.options.pop(plural, None)
        if isinstance(items, list):
            yield nesting, items
        elif items is not None:
            entry.problems.append(WrongType(plural, "a list", items))


def _nested_entries(
    outer: Entry, nesting: Nesting, items: Sequence[Any], keys_of_places: Collection[str]
) -> Iterator[Entry]:
    """The entries inside of one that is read."""
    for index, item in enumerate(items):
        options = nesting.to_item(item)
        entry = _entry(nesting.kind, options, keys_of_places)
        entry.place = f"{outer.place}.{nesting.kind.plural}[{index}]"
        entry.source = entry.source or outer.source
        entry.problems = [*nesting.problems(options), *entry.problems]
        entry.goes_along = outer.desired.is_absent
        if isinstance(entry.options, dict):
            _inherit(entry, outer, nesting.option)
        yield entry


def _entry(kind: type[Resource], item: Any, keys_of_places: Collection[str]) -> Entry:
    entry = Entry(kind, item)
    if isinstance(item, dict):
        entry.options = {key: value for key, value in item.items() if key not in keys_of_places}
        if PLACES in keys_of_places:
            entry.places = dict(item.get(PLACES, {}))
        source = item.get(SOURCE)
        entry.problems += validate_values({SOURCE: source}, {SOURCE: {"type": "str"}})
        if source is not None and not entry.problems:
            entry.source = str(source)
    return entry


def _inherit(entry: Entry, outer: Entry, option: str) -> None:
    """Give an entry what the one around hands on: its scope, and what it is called."""
    if outer.desired is UNREAD:  # what is wrong with it is not said again
        entry.options[option] = "?"
        return
    for scope in SCOPE_OPTIONS:
        if outer.options[scope]:
            entry.options[scope] = outer.options[scope]
        if scope in outer.places:
            entry.places[scope] = outer.places[scope]
    entry.options[option] = outer.name


def _read(entry: Entry, reader: EntryReader) -> None:
    """Set what an entry declares, or add what is wrong with it to its problems."""
    try:
        entry.desired = reader.read(entry.options)
        entry.options = entry.desired.options
    except EntryProblems as error:
        # A nested entry that is none has said so already.
        if isinstance(entry.options, dict) or not entry.problems:
            entry.problems += error.problems
