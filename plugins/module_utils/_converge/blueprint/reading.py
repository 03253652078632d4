# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A blueprint as entries, and all that is wrong with it by itself, before the first request.

``read_blueprint`` judges each entry by itself, and then what entries say of each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..._errors import InvalidOption, PlatformError
from ..._model.kinds.registry import KINDS
from ..._model.options import TEXT, Options, type_name, validate_values
from ..._model.resource import Resource
from ..._text import suggest_or_list
from .contradictions import contradictions, duplicates, ignored
from .entries import PLACE, PLACES, SOURCE, Entry, LocatedProblem, nestings, unique_messages
from .entry_reader import EntryReader
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
    readers = {kind: EntryReader(kind, defaults or {}) for kind in KINDS.values()}
    entries: list[Entry] = []
    found: list[LocatedProblem] = []
    for entry in _written_entries(lists, is_of_files=SCOPES in given):
        try:
            entry.desired = readers[entry.kind].read(entry.options)
        except PlatformError as error:
            entry.problems += error.args
        else:
            entry.options = entry.desired.options
            # Inside of an entry whose object is to be absent, it says nothing.
            if entry.outer is None or entry.outer.options.get("state") != "absent":
                entries.append(entry)
        found += [entry.locate(problem) for problem in entry.problems]
    problems: list[str | PlatformError] = [
        *_list_problems(lists),
        *unique_messages(found),
        *duplicates(entries),
        *contradictions(entries),
        *ignored(entries, ignore),
    ]
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
        yield from _list_problems({SCOPES: blueprint[SCOPES]})


def _written_entries(lists: Options, *, is_of_files: bool) -> list[Entry]:
    """The entries, and those inside of them behind the others of their kind; none is read.

    ``is_of_files``: true if a reader of files says where they and their options stand.
    """
    found: list[Entry] = []
    for plural, kind in KINDS.items():
        items = lists.get(plural)
        for position, item in enumerate(items if isinstance(items, list) else []):
            entry = _entry(kind, item, f"{plural}[{position}]", is_of_files=is_of_files)
            found += [entry, *_nested_entries(entry, is_of_files=is_of_files)]
    order = list(KINDS.values())
    return sorted(found, key=lambda entry: (order.index(entry.kind), entry.outer is not None))


def _nested_entries(outer: Entry, *, is_of_files: bool) -> Iterator[Entry]:
    """Take the entries out of one that holds them, and give them what it hands on: its scope, and
    what it is called. What is no list of them is judged with its other options.
    """
    for plural, nesting in nestings(outer.kind).items():
        items = outer.options.get(plural) if isinstance(outer.options, dict) else None
        if not isinstance(items, list):
            continue
        del outer.options[plural]
        for index, item in enumerate(items):
            place = f"{outer.place}.{plural}[{index}]"
            entry = _entry(nesting.kind, nesting.to_item(item), place, is_of_files=is_of_files)
            entry.inherit(outer, nesting.option)
            yield entry
            yield from _nested_entries(entry, is_of_files=is_of_files)


def _entry(kind: type[Resource], item: Any, place: str, *, is_of_files: bool) -> Entry:
    entry = Entry(kind, place, item)
    if not isinstance(item, dict):
        return entry
    entry.options = dict(item)
    if is_of_files:
        entry.place = entry.options.pop(PLACE, place)
        entry.places = entry.options.pop(PLACES, {})
    source = entry.options.pop(SOURCE, None)
    entry.problems += validate_values({SOURCE: source}, {SOURCE: TEXT})
    if source is not None and not entry.problems:
        entry.source = str(source)
    return entry
