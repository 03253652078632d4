# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The entries of a blueprint, and their problems: by themselves, before the first request, and on a service."""

from __future__ import annotations

import contextlib
import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from .._errors import ApiError, PlatformError
from .._model.kind import Kind, Wanted
from .._model.kinds.registry import KINDS
from .._model.options import ArgumentSpec, WrongType, settle_scope, type_name, type_problems, without_empty_team
from .._model.resource import Resource
from .._text import nearest
from .selectors import NO_SELECTORS, Selectors, source_file

# Where an entry is declared, such as projects/shop.yml:12. Every entry may set it, and it is never sent.
SOURCE_OPTION = ArgumentSpec({"source": {"type": "str"}})
# Placeholders for values of the wrong type while the rest of the entry is checked.
STAND_INS: dict[str, Any] = {"list": [], "dict": {}}


class BlueprintError(PlatformError):
    """The problems of a blueprint, entry by entry; nothing was written."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(f"blueprint: {problems[0]}", *problems[1:])
        self.problems = problems


@dataclasses.dataclass(frozen=True)
class Unreadable:
    """A placeholder for an entry whose problems are already known, so that the others keep their indexes."""

    source: str


@dataclasses.dataclass(frozen=True, eq=False)
class Entry:
    """One object that the blueprint declares. ``index`` is its place among the entries of its kind in its file, or in
    the blueprint if it has no ``source``.
    """

    kind: type[Resource]
    wanted: Wanted
    index: int
    source: str | None = None

    @property
    def team(self) -> str:
        """The id or slug of its team; ``""`` for the caller's own scope."""
        return self.wanted.options.get("team") or ""

    @property
    def name(self) -> str:
        """The name that the user gave it."""
        return str(_name(self.kind, self.wanted.options))

    @property
    def label(self) -> str:
        """The name used in messages."""
        return label(self.kind, self.index, self.wanted.options, self.source)

    @property
    def identity(self) -> tuple[str, ...]:
        """The key that no two entries may share; the id takes precedence."""
        place = (self.kind.plural, self.team)
        return (*place, "id", self.wanted.id) if self.wanted.id else (*place, "name", self.kind.form(self.name))


class Problems:
    """The problems, entry by entry; ``None`` is for the module's own options. ``has``: whether an entry is selected;
    problems of others are ignored.
    """

    def __init__(self, has: Callable[[Entry | None], bool]) -> None:
        self._has = has
        self._of_entry: dict[Entry | None, PlatformError] = {}

    def report(self, entry: Entry | None, error: PlatformError) -> None:
        if isinstance(error, ApiError):
            raise error
        if self._has(entry):
            self._of_entry.setdefault(entry, error)

    @contextlib.contextmanager
    def of(self, entry: Entry | None) -> Iterator[None]:
        """A block that ends at a problem of an entry."""
        try:
            yield
        except PlatformError as error:
            self.report(entry, error)

    def report_clash(self, first: Entry, second: Entry, problem: str) -> None:
        """Report what only one of two entries can have: to the second, unless only the first is selected."""
        entry, other = (second, first) if self._has(second) else (first, second)
        self.report(entry, PlatformError(f"{other.label} {problem}"))

    def why_unplanned(self, kind: type[Kind], team: str, id_or_name: str) -> str | None:
        """The reason why nothing has this id or name, if an entry declares it that has a problem itself."""
        for entry in filter(None, self._of_entry):
            if entry.kind is kind and entry.team == team and id_or_name in (entry.wanted.id, entry.wanted.name):
                return f"{id_or_name} is declared by {entry.label}, which has a problem itself."
        return None

    def raise_if_any(self, entries: Sequence[Entry]) -> None:
        lines = [f"{entry.label}: {self._of_entry[entry]}" for entry in entries if entry in self._of_entry]
        if None in self._of_entry:
            lines.append(str(self._of_entry[None]))
        if lines:
            raise BlueprintError(lines)


def label(kind: type[Kind], index: int, options: Any, source: Any = None) -> str:
    """``projects[3] web (projects/shop.yml)``, as far as an entry says it."""
    name = _name(kind, options) if isinstance(options, dict) else None
    shown = f" {name}" if isinstance(name, (str, int, float)) and name != "" else ""
    return f"{kind.plural}[{index}]{shown}" + (f" ({source})" if source else "")


def _source(item: Any) -> Any:
    return item.get("source") if isinstance(item, dict) else None


def _name(kind: type[Kind], options: Mapping[str, Any]) -> Any:
    given = (options.get(option) for option in (kind.name_field, "id", "user_id"))
    return next((value for value in given if value), None)


def no_entry(item: Any) -> str:
    """The problem with an item that is not a dictionary."""
    return f"must be a dictionary of options, and is {type_name(item)}."


def read_entries(
    blueprint: Mapping[str, Any], defaults: Mapping[str, Any] | None = None, ignore: Selectors = NO_SELECTORS
) -> list[Entry]:
    """The entries in the order of kinds. Sends no request. Raises BlueprintError, which lists all problems.

    ``defaults``: options for entries that do not set them; ``ignore``: what must not be declared, as far as an entry's
    own names tell.
    """
    problems = [f"unknown kind {kind}.{nearest(kind, KINDS)}" for kind in blueprint if kind not in KINDS]
    entries: list[Entry] = []
    for kind in KINDS.values():
        items = blueprint.get(kind.plural)
        if items is not None and not isinstance(items, list):
            problems.append(f"{kind.plural} must be a list of entries, and is {type_name(items)}.")
            continue
        reader = _Reader(kind, defaults or {})
        counts: Counter[str] = Counter()
        for position, item in enumerate(items or []):
            source = item.source if isinstance(item, Unreadable) else _source(item)
            file = source_file(source)
            index = counts[file] if file else position
            counts[file] += 1
            if isinstance(item, Unreadable):
                continue
            try:
                entries.append(reader.entry(index, item))
            except PlatformError as error:
                problems += [f"{label(kind, index, item, source)}: {line}" for line in str(error).split("\n")]
    problems += [*_duplicates(entries), *_clashing_earlier_names(entries), *_ignored(entries, ignore)]
    if problems:
        raise BlueprintError(problems)
    return entries


class _Reader:
    """Reads the entries of one kind, by the argument specification of its module."""

    def __init__(self, kind: type[Resource], defaults: Mapping[str, Any]) -> None:
        self._kind = kind
        specification = kind.argument_spec | SOURCE_OPTION
        # An entry's options come from the blueprint alone, never from the environment.
        self._spec = {
            option: {key: value for key, value in definition.items() if key != "fallback"}
            for option, definition in specification.options.items()
        }
        self._defaults = {option: value for option, value in defaults.items() if value and option in self._spec}
        self._validator = ArgumentSpecValidator(self._spec, **specification.rules)

    def entry(self, index: int, item: Any) -> Entry:
        """Raises PlatformError with one line per problem."""
        if not isinstance(item, dict):
            raise PlatformError(no_entry(item))
        said = {option: value for option, value in item.items() if value is not None and option in self._spec}
        said = without_empty_team(said, self._kind.argument_spec.options)
        given = {**self._defaults, **said}
        if "team" in said and "own_scope" not in said:
            given.pop("own_scope", None)
        unknown = [option for option in item if option not in self._spec]
        problems = [f"unknown option {option}.{nearest(option, self._spec)}" for option in unknown]
        for wrong in self._wrong_types(given):
            problems.append(str(wrong))
            # Replaced, not removed, so that the checks below find other problems, and not this one again.
            option = wrong.option.partition("[")[0]
            given[option] = STAND_INS.get(self._spec[option]["type"], self._spec[option].get("choices", ["?"])[0])
        result = self._validator.validate(given)
        problems += [f"{message}." for message in result.error_messages]
        options = result.validated_parameters
        problems += map(str, self._kind.fields.problems(options))
        try:
            settle_scope(options, said)
        except PlatformError as error:
            problems.append(str(error))
        if problems:
            raise PlatformError(*problems)
        return Entry(self._kind, self._kind.check(options), index, options.get("source"))

    def _wrong_types(self, given: Mapping[str, Any]) -> Iterator[WrongType]:
        yield from type_problems(dict(given), self._spec)
        for option, value in dict(given).items():
            if self._spec[option]["type"] == "list" and not isinstance(value, list):
                yield WrongType(option, "a list", value)


def _duplicates(entries: Sequence[Entry]) -> Iterator[str]:
    first: dict[tuple[str, ...], Entry] = {}
    for entry in entries:
        same = first.setdefault(entry.identity, entry)
        if same is not entry:
            yield f"{entry.label} is already declared by {same.label}."


def _ignored(entries: Sequence[Entry], ignore: Selectors) -> Iterator[str]:
    for entry in entries:
        names = [name for name in (entry.name, *entry.wanted.previously) if name]
        if ignore.match(entry.kind, names, [entry.team if entry.kind.is_in_team else entry.name]):
            yield f"{entry.label} is ignored. Remove it here, or from ignore."


def _clashing_earlier_names(entries: Sequence[Entry]) -> Iterator[str]:
    """Earlier names that two entries claim, or by which entries would swap their names in every run."""
    heirs: dict[tuple[str, str, str], Entry] = {}
    for entry in entries:
        for name in entry.wanted.previously:
            other = heirs.setdefault((entry.kind.plural, entry.team, name), entry)
            if other is not entry:
                yield f"{entry.label}: previously: {name} is also an earlier name of {other.label}."
    yield from _circles(heirs)


def _circles(heirs: Mapping[tuple[str, str, str], Entry]) -> Iterator[str]:
    told: set[Entry] = set()
    for start in heirs.values():
        passed: list[Entry] = []
        heir: Entry | None = start
        while heir is not None and heir not in passed:
            passed.append(heir)
            heir = heirs.get((heir.kind.plural, heir.team, heir.name))
        if heir is start and start not in told:
            told.update(passed)
            names = ", ".join(entry.label for entry in passed)
            yield (
                f"previously: {names} would exchange their names again in every run. Rename one of them to a third"
                " name first."
            )
