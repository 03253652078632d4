# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A blueprint as entries, and all that is wrong with it by itself, before the first request.

``read_blueprint`` judges each entry by itself, and then what entries say of each other.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..._errors import InvalidOption, PlatformError
from ..._model.kinds.registry import KINDS
from ..._model.options import type_name
from ..._text import suggest_or_list
from .contradictions import contradictions, duplicates, ignored
from .entries import PLACES, SOURCE, BlueprintError, Entry, LocatedProblem, unique_messages
from .entry_reader import EntryProblems, EntryReader
from .selectors import Selectors
from .written import WrittenEntry, flat_lists

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
    scopes = tuple(_file_scope(scope) for scope in given.get(SCOPES, []))
    lists = {plural: items for plural, items in given.items() if plural != SCOPES}
    problems: list[str | PlatformError] = list(_list_problems(lists))
    # Only the reader of files says where the options of its entries stand.
    keys_of_places = {SOURCE, PLACES} if SCOPES in given else {SOURCE}
    entries, found = _read_entries(flat_lists(lists, keys_of_places), defaults or {})
    problems += unique_messages(found)
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


def _read_entries(
    lists: Mapping[str, Sequence[WrittenEntry]], defaults: Mapping[str, Any]
) -> tuple[list[Entry], list[LocatedProblem]]:
    """The entries, in the order of kinds, and what is wrong with each by itself."""
    entries = []
    problems: list[LocatedProblem] = []
    for kind in KINDS.values():
        reader = EntryReader(kind, defaults)
        for written in lists[kind.plural]:
            written.inherit()
            found = list(written.problems)
            try:
                desired = reader.read(written.content)
            except EntryProblems as error:
                written.is_invalid = True
                # A nested entry that is none has said so already.
                found += error.problems if isinstance(written.content, dict) or not found else []
            else:
                source = None if written.source is None else str(written.source)
                entry = Entry(kind, desired, written.place, source, written.places)
                if written.is_declared:
                    entries.append(entry)
            problems += [written.locate(problem) for problem in found]
    return entries, problems
