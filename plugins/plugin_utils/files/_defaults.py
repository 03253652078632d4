# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What files say for the entries in and below them: a scope, and in ``defaults.yml`` values of
options.

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
from ...module_utils._model.kind import Kind
from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._model.options import (
    TEXT,
    WrongType,
    empty_problems,
    type_name,
    validate_values,
    without_unused_team,
)
from ...module_utils._text import suggest_or_list
from ._file_problem import FileProblem, place
from ._template_texts import name_problems, naming_options
from ._yaml_nodes import key_lines, key_nodes, line_of, misread_numbers

SCOPE = ("team", "own_scope")
DEFAULTS = "defaults"
# No variable sets them.
FILE_OPTIONS = {"team": TEXT, "own_scope": {"type": "bool"}}
# What to write instead of null, where that could mean either.
NO_NULL = 'Remove it, or write "" to clear the field.'

GivenOptions = Mapping[str, Any]


class Default(NamedTuple):
    """The value of an option for entries that do not say it themselves."""

    value: Any
    # Such as ``acme/defaults.yml:3``.
    place: str


# By kind and option.
Defaults = Mapping[str, Mapping[str, Default]]


@dataclasses.dataclass(frozen=True)
class Inherited:
    """What holds for the entries of a file or a folder."""

    # The team, or own_scope; empty if nobody says either.
    scope: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    # Where that is said.
    scope_place: str = ""
    defaults: Defaults = dataclasses.field(default_factory=dict)

    def with_scope(self, scope: Mapping[str, Any], place: str) -> Inherited:
        """With the scope that is said nearer to the entries; if none is, with this one."""
        return dataclasses.replace(self, scope=scope, scope_place=place) if scope else self

    def with_defaults(self, nearer: Defaults) -> Inherited:
        """With the defaults that are said nearer to the entries."""
        merged = dict(self.defaults)
        for plural, options in nearer.items():
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
        if is_scoped and "team" not in entry and not is_set("own_scope", entry.get("own_scope")):
            known = kind.argument_spec.options
            scope = {option: value for option, value in self.scope.items() if option in known}
            filled |= scope
            places |= dict.fromkeys(scope, self.scope_place)
        for option, default in self._defaults_for(kind, entry).items():
            if option not in entry:
                filled[option] = default.value
                places[option] = default.place
        return {**filled, PLACES: places}

    def null_problems(self, kind: type[Kind], entry: GivenOptions) -> Iterator[str]:
        """The options that an entry says to be null, although a default gives them."""
        for option, default in self._defaults_for(kind, entry).items():
            if option in entry and entry[option] is None:
                yield f"{option} is null, and has a default ({default.place}). {NO_NULL}"

    def _defaults_for(self, kind: type[Kind], entry: GivenOptions) -> Mapping[str, Default]:
        return {} if entry.get("state") == "absent" else self.defaults.get(kind.plural, {})


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
    content: Mapping[str, Any], node: Any, file: str
) -> tuple[Mapping[str, Any], str]:
    """The ``team`` or ``own_scope`` that a mapping says for its entries, and its place. Raises
    FileProblem.
    """
    lines = key_lines(node)
    given = {option: content[option] for option in SCOPE if option in content}
    line = next((lines[option] for option in given if option in lines), 0)
    given = without_unused_team(given)
    scope = {option: value for option, value in given.items() if is_set(option, value)}
    problems = [str(problem) for problem in empty_problems(given, FILE_OPTIONS)]
    problems += [str(problem) for problem in validate_values(scope, FILE_OPTIONS)]
    if given.get("own_scope", False) is None:
        problems.append(str(WrongType("own_scope", "true or false", None)))
    team = key_nodes(node).get("team")
    problems += misreadings("team", team)
    problems += [problem for _line, problem in name_problems("team", team)]
    if len(scope) > 1:
        problems.append("it sets both team and own_scope. Remove one of them.")
    if problems:
        raise FileProblem(" ".join(problems), line)
    return scope, place(file, line) if scope else ""


def read_defaults(
    content: Mapping[str, Any], node: Any, file: str, problems: list[FileProblem]
) -> Defaults:
    """The defaults that a mapping of kinds says. Adds what is wrong with them to the problems."""
    defaults: dict[str, Mapping[str, Default]] = {}
    nodes = key_nodes(node)
    lines = key_lines(node)
    for plural, options in content.items():
        line = lines.get(str(plural), 0)
        if plural not in KINDS:
            near = suggest_or_list(plural, [*KINDS, *SCOPE])
            problems.append(FileProblem(f"unknown kind {plural}.{near}", line))
        elif not isinstance(options, Mapping):
            problem = f"must be a dictionary of options, and is {type_name(options)}."
            problems.append(FileProblem(f"{plural} {problem}", line))
        else:
            reading = _KindDefaults(KINDS[plural], file, problems)
            defaults[plural] = reading.read(options, nodes.get(plural))
    return defaults


def misreadings(option: str, node: Any) -> Iterator[str]:
    """Problems with whole numbers that YAML reads otherwise than they are written."""
    for written, number in misread_numbers(node):
        yield f"{option} must be text, but YAML reads {written} as the number {number}. Quote it."


class _KindDefaults:
    """Reads the defaults of one kind."""

    def __init__(self, kind: type[Kind], file: str, problems: list[FileProblem]) -> None:
        self._kind = kind
        self._file = file
        self._problems = problems
        self._allowed = options_with_defaults(kind)

    def read(self, options: Mapping[str, Any], node: Any) -> Mapping[str, Default]:
        """The defaults that are right."""
        nodes = key_nodes(node)
        lines = key_lines(node)
        defaults: dict[str, Default] = {}
        for option, value in options.items():
            line = lines.get(str(option), line_of(node))
            problems = list(self._problems_of(option, value, nodes.get(option)))
            for problem in problems:
                text = f"{DEFAULTS} of {self._kind.plural}: {problem}"
                self._problems.append(FileProblem(text, line))
            if not problems:
                defaults[option] = Default(value, place(self._file, line))
        return defaults

    def _problems_of(self, option: Any, value: Any, node: Any) -> Iterator[str]:
        """What is wrong with a default by itself."""
        if option not in self._allowed:
            yield self._unknown(option)
        elif value is None:
            yield f"{option} is null. {NO_NULL}"
        else:
            yield from misreadings(option, node)
            yield from self._value_problems(option, value, node)

    def _unknown(self, option: Any) -> str:
        if option in self._kind.argument_spec.options or not self._allowed:
            return f"{option} can have no default. Set it in each entry."
        return f"unknown option {option}.{suggest_or_list(option, self._allowed)}"

    def _value_problems(self, option: str, value: Any, node: Any) -> Iterator[str]:
        problems = list(validate_values({option: value}, self._kind.argument_spec.options))
        if not problems and not isinstance(value, dict):
            problems = list(self._kind.fields.validate({option: str(value)}))
        yield from map(str, problems)
        if option in naming_options(self._kind):
            yield from (problem for _line, problem in name_problems(option, node))
