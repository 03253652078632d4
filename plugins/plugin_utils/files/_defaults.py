# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What files say for the entries in and below them: a scope, and defaults of options.

Both are handed down the folders. The nearest scope wins, and of defaults the nearest one of each
option. A default is judged where it stands.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from ansible.module_utils.parsing.convert_bool import boolean

from ...module_utils._converge.blueprint.entries import PLACES
from ...module_utils._errors import InvalidOption
from ...module_utils._model.kind import Kind
from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._model.options import SCOPE_OPTIONS, WrongType, type_name, validate_values
from ...module_utils._text import suggest_or_list
from ._yaml_files import evaluated_data
from ._yaml_nodes import FileProblem, key_lines, key_nodes, line_of, misread_numbers, place

SCOPE = ("team", "own_scope")
DEFAULTS = "defaults"

GivenOptions = Mapping[str, Any]


class Default(NamedTuple):
    """``value``: ``None`` stops the defaults from further away. ``place``: such as
    ``acme/defaults.yml:3``.
    """

    value: Any
    place: str


# By kind and option. ``None`` for a kind stops all its defaults from further away.
KindDefaults = Mapping[str, Default]
Defaults = Mapping[str, "KindDefaults | None"]


@dataclasses.dataclass(frozen=True)
class Inherited:
    """What holds for the entries of a file or a folder."""

    # The team, or own_scope; empty if nobody says either. And where it is said.
    scope: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    scope_place: str = ""
    defaults: Mapping[str, KindDefaults] = dataclasses.field(default_factory=dict)

    def with_scope(self, scope: Mapping[str, Any], place: str) -> Inherited:
        """With the scope that is said nearer to the entries; if none is, with this one."""
        return dataclasses.replace(self, scope=scope, scope_place=place) if scope else self

    def with_defaults(self, nearer: Defaults | None) -> Inherited:
        """With the defaults that are said nearer to the entries. ``None`` stops all."""
        if nearer is None:
            return dataclasses.replace(self, defaults={})
        merged = dict(self.defaults)
        for plural, options in nearer.items():
            if options is None:
                merged.pop(plural, None)
            else:
                merged[plural] = {**merged.get(plural, {}), **options}
        return dataclasses.replace(self, defaults=merged)

    def fill(
        self, kind: type[Kind], entry: GivenOptions, *, is_scoped: bool = True
    ) -> dict[str, Any]:
        """The entry with all that it does not say itself, and the places of that.

        ``is_scoped``: whether its scope is its own, and not that of an entry around it.
        """
        filled = dict(entry)
        places: dict[str, str] = {}
        if is_scoped and not any(is_set(option, entry.get(option)) for option in SCOPE):
            known = kind.argument_spec.options
            scope = {option: value for option, value in self.scope.items() if option in known}
            filled |= scope
            places |= dict.fromkeys(scope, self.scope_place)
        if entry.get("state") != "absent":
            for option, default in self.defaults.get(kind.plural, {}).items():
                if option not in entry and default.value is not None:
                    filled[option] = default.value
                    places[option] = default.place
        return {**filled, PLACES: places}


def is_set(option: str, value: Any) -> bool:
    """True if a scope is named, perhaps wrongly."""
    if value in (None, ""):
        return False
    if option == "team":
        return True
    try:
        return bool(boolean(value))
    except TypeError:
        return True


def options_with_defaults(kind: type[Kind]) -> list[str]:
    """What an object holds: not what says which object it is, or to which it belongs, or how it is
    managed.
    """
    identity = {kind.name_field, "id", *chain(*kind.argument_spec.rules.get("required_one_of", ()))}
    held = dict.fromkeys([*kind.fields.writable, *kind.write_only_options])
    return [option for option in held if option not in identity and option not in kind.references]


def read_scope_of(
    content: Mapping[str, Any], node: Any, file: str, reader: Any
) -> tuple[Mapping[str, Any], str]:
    """The ``team`` or ``own_scope`` that a mapping says for its entries, and its place. Raises
    FileProblem.
    """
    lines = key_lines(node)
    given = {option: content[option] for option in SCOPE if option in content}
    line = next((lines[option] for option in given if option in lines), 0)
    try:
        evaluated = evaluated_data(reader, given)
    except FileProblem as problem:
        raise FileProblem(str(problem), problem.line or line) from None
    scope = {option: value for option, value in evaluated.items() if is_set(option, value)}
    problems = [str(problem) for problem in validate_values(scope, SCOPE_OPTIONS.options)]
    if evaluated.get("own_scope", False) is None:
        problems.append(str(WrongType("own_scope", "true or false", None)))
    problems += misreadings("team", key_nodes(node).get("team"))
    if len(scope) > 1:
        problems.append("it sets both team and own_scope. Remove one of them.")
    if problems:
        raise FileProblem(" ".join(problems), line)
    return scope, place(file, line) if scope else ""


def read_defaults(
    content: Any, node: Any, file: str, reader: Any, problems: list[FileProblem]
) -> Defaults | None:
    """The defaults that a mapping of kinds says. Adds what is wrong with them to the problems."""
    if content is None:
        return None
    if not isinstance(content, Mapping):
        problem = f"{DEFAULTS} must be a dictionary of kinds, and is {type_name(content)}."
        problems.append(FileProblem(problem, line_of(node)))
        return {}
    defaults: dict[str, KindDefaults | None] = {}
    nodes = key_nodes(node)
    lines = key_lines(node)
    for plural, options in content.items():
        line = lines.get(str(plural), 0)
        if plural not in KINDS:
            near = suggest_or_list(plural, list(KINDS))
            problems.append(FileProblem(f"{DEFAULTS}: unknown kind {plural}.{near}", line))
        elif options is None:
            defaults[plural] = None
        elif not isinstance(options, Mapping):
            problem = f"must be a dictionary of options, and is {type_name(options)}."
            problems.append(FileProblem(f"{DEFAULTS} of {plural} {problem}", line))
        else:
            reading = _KindDefaults(KINDS[plural], file, reader, problems)
            defaults[plural] = reading.read(options, nodes.get(plural))
    return defaults


def misreadings(option: str, node: Any) -> Iterator[str]:
    """Problems with whole numbers that YAML reads otherwise than they are written."""
    for written, number in misread_numbers(node):
        yield f"{option} must be text, but YAML reads {written} as the number {number}. Quote it."


class _KindDefaults:
    """Reads the defaults of one kind."""

    def __init__(
        self, kind: type[Kind], file: str, reader: Any, problems: list[FileProblem]
    ) -> None:
        self._kind = kind
        self._file = file
        self._reader = reader
        self._problems = problems
        self._allowed = options_with_defaults(kind)

    def read(self, options: Mapping[str, Any], node: Any) -> KindDefaults:
        """The defaults that are right."""
        nodes = key_nodes(node)
        lines = key_lines(node)
        defaults: dict[str, Default] = {}
        for option, value in options.items():
            line = lines.get(str(option), line_of(node))
            problems = list(self._option_problems(option))
            if not problems:
                problems += misreadings(option, nodes.get(option))
                problems += self._add(option, value, place(self._file, line), defaults)
            for problem in problems:
                text = f"{DEFAULTS} of {self._kind.plural}: {problem}"
                self._problems.append(FileProblem(text, line))
        return defaults

    def _option_problems(self, option: Any) -> Iterator[str]:
        if option in self._allowed:
            return
        if option in self._kind.argument_spec.options or not self._allowed:
            yield f"{option} can have no default. Set it in each entry."
        else:
            yield f"unknown option {option}.{suggest_or_list(option, self._allowed)}"

    def _add(
        self, option: str, value: Any, where: str, defaults: dict[str, Default]
    ) -> Iterator[str]:
        """Add the value that entries get, or say what is wrong with it by itself."""
        try:
            evaluated = evaluated_data(self._reader, {option: value})
        except FileProblem as problem:
            yield f"{option}: {problem}"
            return
        if option not in evaluated:  # a template has left it out
            return
        problems = list(self._value_problems(option, evaluated[option]))
        if not problems:
            defaults[option] = Default(evaluated[option], where)
        yield from map(str, problems)

    def _value_problems(self, option: str, value: Any) -> Iterator[InvalidOption]:
        if value is None:
            return
        problems = list(validate_values({option: value}, self._kind.argument_spec.options))
        yield from problems
        if not problems and not isinstance(value, dict):
            yield from self._kind.fields.validate({option: str(value)})
