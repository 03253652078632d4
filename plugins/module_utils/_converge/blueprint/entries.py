# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The entries of a blueprint, and all that is wrong with them by themselves, before the first request."""

from __future__ import annotations

import dataclasses
import graphlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ..._errors import PlatformError
from ..._model.kind import Desired, Kind
from ..._model.kinds.registry import KINDS
from ..._model.options import ArgumentSpec, WrongType, apply_own_scope, drop_empty_team, type_name, validate_values
from ..._model.resource import Resource
from ..._text import suggest_or_list
from .selectors import NO_SELECTORS, Selectors, source_file

# Where an entry, and its team if it names none itself, are declared, such as projects/shop.yml:12. Never sent.
SOURCE_OPTIONS = ArgumentSpec({"source": {"type": "str"}, "team_source": {"type": "str"}})
# Placeholders for values of the wrong type while the rest of the entry is checked.
STAND_INS: dict[str, Any] = {"list": [], "dict": {}, "bool": False}


class BlueprintError(PlatformError):
    """The problems of a blueprint, entry by entry; nothing was written."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(*problems)
        self.problems = problems


@dataclasses.dataclass(frozen=True)
class InvalidEntry:
    """A placeholder for an entry whose problems are already known, so that the others keep their indexes."""

    source: str


@dataclasses.dataclass(frozen=True, eq=False)
class Entry:
    """One object that the blueprint declares. ``position``: its place among all entries of its kind; ``index``: among
    those of its file, or in the blueprint if it has no ``source``.
    """

    kind: type[Resource]
    desired: Desired
    position: int
    index: int
    source: str | None = None

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
        return label(self.kind, self.index, self.desired.options, self.source)

    def label_for(self, problem: str) -> str:
        """The name used in a message about a problem: if it is that of the file's team, the place of that."""
        team_source = self.desired.options.get("team_source")
        return str(team_source) if team_source and problem.startswith("team: ") else self.label

    @property
    def uniqueness_key(self) -> tuple[str, ...]:
        """The key that no two entries may share; the id takes precedence."""
        scope = (self.kind.plural, self.team)
        return (*scope, "id", self.desired.id) if self.desired.id else (*scope, "name", self.kind.normalize(self.name))


def label(kind: type[Kind], index: int, options: Any, source: Any = None) -> str:
    """``projects[3] web (projects/shop.yml)``, as far as an entry says it."""
    name = _given_name(kind, options) if isinstance(options, dict) else None
    return f"{kind.plural}[{index}]{f' {name}' if name else ''}{f' ({source})' if source else ''}"


def _source(item: Any) -> Any:
    return item.get("source") if isinstance(item, dict) else None


def _given_name(kind: type[Kind], options: Mapping[str, Any]) -> Any:
    """A plain value: even looking at a vaulted one may fail."""
    given = (options.get(option) for option in (kind.name_field, "id", "user_id"))
    return next((value for value in given if isinstance(value, (str, int, float)) and value), None)


def not_a_dictionary(item: Any) -> str:
    """The problem with an item that is not a dictionary."""
    return f"must be a dictionary of options, and is {type_name(item)}."


def unique_messages(found: Iterable[tuple[str, str, str]]) -> list[str]:
    """Messages about problems, each given with its file (``""`` if none) and the label of its entry.

    Equal problems of one file become one message, about the first entry.
    """
    labels: dict[tuple[str, str], dict[str, None]] = {}
    for file, name, problem in found:
        labels.setdefault((file or name, problem), {})[name] = None
    return [
        f"{next(iter(names))}: {problem}"
        + (f" The same in {len(names) - 1:,} more of this file." if len(names) > 1 else "")
        for (_file, problem), names in labels.items()
    ]


def read_entries(
    blueprint: Mapping[str, Any], defaults: Mapping[str, Any] | None = None, ignore: Selectors = NO_SELECTORS
) -> list[Entry]:
    """The entries in the order of kinds. Sends no request. Raises BlueprintError, which lists all problems.

    ``defaults``: options for entries that do not set them; ``ignore``: what must not be declared, as far as an entry's
    own names tell.
    """
    unknown = (kind for kind in blueprint if kind not in KINDS)
    problems = [f"blueprint: unknown kind {kind}.{suggest_or_list(kind, KINDS)}" for kind in unknown]
    entries: list[Entry] = []
    found: list[tuple[str, str, str]] = []
    for kind in KINDS.values():
        items = blueprint.get(kind.plural)
        if items is not None and not isinstance(items, list):
            problems.append(f"blueprint: {kind.plural} must be a list of entries, and is {type_name(items)}.")
            continue
        reader = _Reader(kind, defaults or {})
        counts: Counter[str] = Counter()
        for position, item in enumerate(items or []):
            source = item.source if isinstance(item, InvalidEntry) else _source(item)
            file = source_file(source)
            index = counts[file] if file else position
            counts[file] += 1
            if isinstance(item, InvalidEntry):
                continue
            try:
                entries.append(reader.entry(position, index, item))
            except PlatformError as error:
                found += [(file, label(kind, index, item, source), line) for line in str(error).split("\n")]
    problems += [*unique_messages(found), *_duplicates(entries), *_contradictions(entries)]
    problems += [*_find_previously_conflicts(entries), *_ignored(entries, ignore)]
    if problems:
        raise BlueprintError(problems)
    return entries


class _Reader:
    """Reads the entries of one kind, by the argument specification of its module."""

    def __init__(self, kind: type[Resource], defaults: Mapping[str, Any]) -> None:
        self._kind = kind
        specification = kind.argument_spec | SOURCE_OPTIONS
        # An entry's options come from the blueprint alone, never from the environment.
        self._spec = {
            option: {key: value for key, value in definition.items() if key != "fallback"}
            for option, definition in specification.options.items()
        }
        self._defaults = {option: value for option, value in defaults.items() if value and option in self._spec}
        self._validator = ArgumentSpecValidator(self._spec, **specification.rules)

    def entry(self, position: int, index: int, item: Any) -> Entry:
        """Raises PlatformError with one line per problem."""
        if not isinstance(item, dict):
            raise PlatformError(not_a_dictionary(item))
        explicit = {option: value for option, value in item.items() if value is not None and option in self._spec}
        explicit = drop_empty_team(explicit, self._kind.argument_spec.options)
        given = {**self._defaults, **explicit}
        if "team" in explicit and "own_scope" not in explicit:
            given.pop("own_scope", None)
        unknown = [option for option in item if option not in self._spec]
        problems = [f"unknown option {option}.{suggest_or_list(option, self._spec)}" for option in unknown]
        lists = [option for option in given if self._spec[option]["type"] == "list"]
        # As a module, ansible-core would take text for a list.
        texts = (WrongType(name, "a list", given[name]) for name in lists if not isinstance(given[name], list))
        for wrong in chain(validate_values(given, self._spec), texts):
            problems.append(str(wrong))
            # Replaced, not removed, so that the checks below find other problems, and not this one again.
            option = wrong.option.partition("[")[0]
            given[option] = STAND_INS.get(self._spec[option]["type"], self._spec[option].get("choices", ["?"])[0])
        result = self._validator.validate(given)
        problems += [f"{message}." for message in result.error_messages]
        options = result.validated_parameters
        problems += map(str, self._kind.fields.validate(options))
        try:
            apply_own_scope(options, explicit)
        except PlatformError as error:
            problems.append(str(error))
        if problems:
            raise PlatformError(*problems)
        return Entry(self._kind, self._kind.check(options), position, index, options.get("source"))


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
