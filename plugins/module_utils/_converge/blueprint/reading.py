# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A blueprint as entries, and all that is wrong with it by itself, before the first request.

``read_blueprint`` judges each entry by itself, and then what entries say of each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from ..._errors import InvalidOption, PlatformError
from ..._model.kinds.registry import KINDS
from ..._model.options import TEXT, Options, WrongType, type_name, validate_values
from ..._model.resource import Resource
from ..._text import suggest_or_list
from .contradictions import contradictions, duplicates, ignored
from .entries import PLACE, PLACES, SOURCE, Entry, LocatedProblem, unique_messages
from .entry_reader import EntryReader
from .nested import nestings
from .selectors import Selectors

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
    given: Options, defaults: Options | None = None, ignore: Selectors = ()
) -> Blueprint:
    """What the option ``blueprint`` says. Sends no request. Raises PlatformError with all problems.

    ``defaults``: options for entries that do not set them; ``ignore``: what must not be declared,
    as far as an entry's own names tell.
    """
    scopes = tuple(
        FileScope(str(scope.get("team") or ""), scope[SOURCE]) for scope in given.get(SCOPES, [])
    )
    lists = {plural: items for plural, items in given.items() if plural != SCOPES}
    # Only the reader of files says where its entries and their options stand.
    keys_of_places = (SOURCE, PLACE, PLACES) if SCOPES in given else (SOURCE,)
    readers = {kind: EntryReader(kind, defaults or {}) for kind in KINDS.values()}
    entries: list[Entry] = []
    found: list[LocatedProblem] = []
    for entry in _written_entries(lists, keys_of_places):
        try:
            entry.desired = readers[entry.kind].read(entry.options)
        except PlatformError as error:
            entry.problems += error.args
        else:
            entry.options = entry.desired.options
            if not entry.goes_along:
                entries.append(entry)
        found += [entry.locate(problem) for problem in entry.problems]
    problems: list[Any] = [*_list_problems(lists), *unique_messages(found)]
    problems += [*duplicates(entries), *contradictions(entries), *ignored(entries, ignore)]
    if problems:
        raise PlatformError(*problems)
    kinds = frozenset([*lists, *(entry.kind.plural for entry in entries)])
    return Blueprint(entries, kinds, scopes)


def _list_problems(lists: Options) -> Iterator[InvalidOption]:
    """What is wrong with the kinds of a blueprint, and with their lists as such."""
    for plural, items in lists.items():
        if plural not in KINDS:
            problem = f"unknown kind {plural}.{suggest_or_list(plural, KINDS)}"
        elif items is None:
            problem = no_value(plural)
        elif isinstance(items, list):
            continue
        else:
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


def _written_entries(lists: Options, keys_of_places: Collection[str]) -> Iterator[Entry]:
    """The entries, and those inside of them behind the others of their kind; none is read."""
    nested: dict[type[Resource], list[Entry]] = defaultdict(list)
    for plural, kind in KINDS.items():
        items = lists.get(plural)
        entries = []
        for position, item in enumerate(items if isinstance(items, list) else []):
            entries.append(_entry(kind, item, f"{plural}[{position}]", keys_of_places))
        for entry in [*entries, *nested[kind]]:
            for inner in _nested_entries(entry, keys_of_places):
                nested[inner.kind].append(inner)
            yield entry


def _nested_entries(outer: Entry, keys_of_places: Collection[str]) -> Iterator[Entry]:
    """Take the entries out of one that holds them, and give them what it hands on: its scope, and
    what it is called. Adds what is wrong with their lists to its problems.
    """
    if not isinstance(outer.options, dict):
        return
    for plural, nesting in nestings(outer.kind).items():
        items = outer.options.pop(plural, None)
        if items is not None and not isinstance(items, list):
            outer.problems.append(WrongType(plural, "a list", items))
            continue
        for index, item in enumerate(items or []):
            place = f"{outer.place}.{plural}[{index}]"
            entry = _entry(nesting.kind, nesting.to_item(item), place, keys_of_places)
            entry.source = entry.source or outer.source
            entry.outer = outer
            if isinstance(entry.options, dict):
                entry.inherit(outer, nesting.option)
            yield entry


def _entry(kind: type[Resource], item: Any, place: str, keys_of_places: Collection[str]) -> Entry:
    if not isinstance(item, dict):
        return Entry(kind, place, item)
    options = {key: value for key, value in item.items() if key not in keys_of_places}
    entry = Entry(kind, place, options)
    if PLACES in keys_of_places:
        entry.place = item.get(PLACE, place)
        entry.places = dict(item.get(PLACES, {}))
    source = item.get(SOURCE)
    entry.problems += validate_values({SOURCE: source}, {SOURCE: TEXT})
    if source is not None and not entry.problems:
        entry.source = str(source)
    return entry
