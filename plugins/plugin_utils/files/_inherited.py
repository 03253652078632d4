# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What files say for the entries in and below them: a scope, and values of options.

Both are handed down the folders. The nearest scope wins, and of defaults the nearest one of each
option.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ansible.module_utils.parsing.convert_bool import boolean

from ...module_utils._converge.blueprint.entries import PLACES
from ...module_utils._model.kind import Kind
from ...module_utils._model.options import (
    TEXT,
    WrongType,
    empty_problems,
    validate_values,
    without_unused_team,
)
from ._file_problem import FileProblem, place
from ._template_texts import name_problems
from ._yaml_nodes import key_lines, key_nodes, misreadings

SCOPE = ("team", "own_scope")
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


def read_scope_of(content: Mapping[str, Any], node: Any, file: str, above: Inherited) -> Inherited:
    """What holds where a mapping may say ``team`` or ``own_scope``. Raises FileProblem."""
    lines = key_lines(node)
    line = next((lines[option] for option in SCOPE if option in lines), 0)
    given = without_unused_team({key: content[key] for key in SCOPE if key in content})
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
    return above.with_scope(scope, place(file, line))
