# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What files say for the entries in and below them: a scope, and values of options.

Both are handed down the folders. The nearest scope wins, and of defaults the nearest one of each
option. Defaults stand in a file of their folder, and each is judged there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from ansible.module_utils.parsing.convert_bool import boolean

from ...module_utils._converge.blueprint.entries import LocatedProblem, nestings
from ...module_utils._model.kind import Kind
from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._model.options import (
    TEXT,
    Options,
    WrongType,
    empty_problems,
    type_name,
    validate_values,
    without_unused_team,
)
from ...module_utils._text import suggest_or_list
from ._file_problem import FileProblem
from ._template_texts import naming_options, text_problems
from ._yaml_files import Part, Parts

DEFAULTS = "defaults"
# What to write instead of null, where that could mean either.
NO_NULL = 'Remove it, or write "" to clear the field.'
SCOPE = ("team", "own_scope")
# No variable sets them.
FILE_OPTIONS = {"team": TEXT, "own_scope": {"type": "bool"}}


class Inherited(NamedTuple):
    """What holds for the entries of a file or a folder."""

    # The team, or own_scope, for those that say neither; empty if nobody says either.
    scope: Parts
    # By kind and option.
    defaults: Mapping[str, Parts]

    def scope_for(self, kind: type[Kind], entry: Options) -> Parts:
        """The scope of an entry that says none."""
        if _says_scope(entry):
            return {}
        known = kind.argument_spec.options
        return {option: part for option, part in self.scope.items() if option in known}

    def defaults_for(self, kind: type[Kind], entry: Options) -> Parts:
        """The defaults of a kind, which do nothing to absent entries."""
        return {} if entry.get("state") == "absent" else self.defaults.get(kind.plural, {})


def _says_scope(entry: Options) -> bool:
    """True also if it says a wrong one."""
    if "team" in entry:
        return True
    try:
        return bool(boolean(entry.get("own_scope") or False))
    except TypeError:
        return True


def read_scope(
    options: Parts, above: Inherited, problems: list[LocatedProblem]
) -> Inherited | None:
    """What holds where a mapping may say ``team`` or ``own_scope``. Adds what is wrong with them to
    the problems, and is None then.
    """
    given = {option: options[option].value for option in SCOPE if option in options}
    given = without_unused_team(given)
    wrong = [*empty_problems(given, FILE_OPTIONS), *validate_values(given, FILE_OPTIONS)]
    if given.get("own_scope", False) is None:
        wrong.append(WrongType("own_scope", "true or false", None))
    found = [options[problem.name].problem(str(problem)) for problem in wrong]
    if "team" in given:
        found += text_problems("team", options["team"], is_name=True)
    if not found and not boolean(given.get("own_scope", False)):
        given.pop("own_scope", None)
    if not found and len(given) > 1:
        both = "it sets both team and own_scope. Remove one of them."
        found.append(options["team"].problem(both))
    problems += found
    if found:
        return None
    scope = {option: options[option] for option in given}
    return above._replace(scope=scope) if scope else above


def read_defaults(content: Part, above: Inherited, problems: list[LocatedProblem]) -> Inherited:
    """What holds for a folder with this file. Adds what is wrong with it to the problems. Raises
    FileProblem if it is no such file.

    ``above``: what holds for the folder above.
    """
    if not isinstance(content.value, Mapping):
        found = "empty" if content.value is None else type_name(content.value)
        problem = "it must contain a dictionary of kinds, with the defaults of each, and is"
        raise FileProblem(f"{problem} {found}.", content.line)
    kinds = content.options()
    inherited = read_scope(kinds, above, problems) or above
    defaults = dict(above.defaults)
    for plural, options in kinds.items():
        if plural in SCOPE:
            continue
        if plural not in KINDS:
            near = suggest_or_list(plural, [*KINDS, *SCOPE])
            problems.append(options.problem(f"unknown kind {plural}.{near}"))
        elif not isinstance(options.value, Mapping):
            found = type_name(options.value)
            problem = f"{plural} must be a dictionary of options, and is {found}."
            problems.append(options.problem(problem))
        else:
            nearer = _defaults_of(KINDS[plural], options, problems)
            defaults[plural] = {**defaults.get(plural, {}), **nearer}
    return inherited._replace(defaults=defaults)


def options_with_defaults(kind: type[Kind]) -> list[str]:
    """What an object holds: not what says which object it is, or to which it belongs, or how it is
    managed.
    """
    identity = {kind.name_field, "id", *chain(*kind.argument_spec.rules.get("required_one_of", ()))}
    held = dict.fromkeys([*kind.fields.writable, *kind.write_only_options])
    return [option for option in held if option not in identity and option not in kind.references]


def _defaults_of(kind: type[Kind], options: Part, problems: list[LocatedProblem]) -> Parts:
    """The defaults of a kind that are right. Adds what is wrong with others to the problems."""
    defaults = {}
    for option, part in options.options().items():
        wrong = [part.problem(text) for text in _problems_of(kind, option, part.value)]
        if option in options_with_defaults(kind):
            wrong += text_problems(option, part, is_name=option in naming_options(kind))
        if not wrong:
            defaults[option] = part
        problems += wrong
    return defaults


def _problems_of(kind: type[Kind], option: str, value: Any) -> Iterator[str]:
    """What is wrong with a default by itself."""
    allowed = options_with_defaults(kind)
    if option not in allowed:
        if option in (*kind.argument_spec.options, *nestings(kind)) or not allowed:
            yield f"{option} can have no default. Set it in each entry."
        else:
            yield f"unknown option {option}.{suggest_or_list(option, allowed)}"
    elif value is None:
        yield f"{option} is null. {NO_NULL}"
    else:
        wrong = list(validate_values({option: value}, kind.argument_spec.options))
        if not wrong and not isinstance(value, dict):
            wrong = list(kind.fields.validate({option: str(value)}))
        yield from map(str, wrong)
