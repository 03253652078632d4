# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What files say for the entries in and below them: a scope, and values of options.

Both are handed down the folders. The nearest scope wins, and of defaults the nearest one of each
option.
"""

from __future__ import annotations

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
from ._yaml_files import Part

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


class Inherited(NamedTuple):
    """What holds for the entries of a file or a folder."""

    # The team, or own_scope, as a default; empty if nobody says either.
    scope: Mapping[str, Default]
    defaults: Defaults

    def with_defaults(self, plural: str, nearer: Mapping[str, Default]) -> Inherited:
        """With the defaults of a kind that are said nearer to the entries."""
        merged = {**self.defaults.get(plural, {}), **nearer}
        return self._replace(defaults={**self.defaults, plural: merged})

    def fill(
        self, kind: type[Kind], entry: GivenOptions, *, is_scoped: bool = True
    ) -> dict[str, Any]:
        """The entry with all that it does not say itself, and the places of that.

        ``is_scoped``: whether its scope is its own, and not that of an entry around it.
        """
        added: dict[str, Default] = {}
        if is_scoped and "team" not in entry and not is_set("own_scope", entry.get("own_scope")):
            known = kind.argument_spec.options
            added |= {option: part for option, part in self.scope.items() if option in known}
        defaults = self._defaults_for(kind, entry).items()
        added |= {option: default for option, default in defaults if option not in entry}
        values = {option: default.value for option, default in added.items()}
        return {
            **entry,
            **values,
            PLACES: {option: default.place for option, default in added.items()},
        }

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


def read_scope_of(content: Mapping[str, Part], file: str, above: Inherited) -> Inherited:
    """What holds where a mapping may say ``team`` or ``own_scope``. Raises FileProblem."""
    said = {option: content[option] for option in SCOPE if option in content}
    given = without_unused_team({option: part.value for option, part in said.items()})
    problems: list[object] = [*empty_problems(given, FILE_OPTIONS)]
    problems += validate_values(given, FILE_OPTIONS)
    if given.get("own_scope", False) is None:
        problems.append(WrongType("own_scope", "true or false", None))
    if "team" in said:
        problems += said["team"].misreadings("team")
        problems += name_problems("team", said["team"])
    scope = {
        option: Default(value, place(file, said[option].line))
        for option, value in given.items()
        if is_set(option, value)
    }
    if len(scope) > 1:
        problems.append("it sets both team and own_scope. Remove one of them.")
    if problems:
        raise FileProblem(" ".join(map(str, problems)), next(iter(said.values())).line)
    return above._replace(scope=scope) if scope else above
