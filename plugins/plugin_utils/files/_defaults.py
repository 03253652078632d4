# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The file of a folder that holds defaults, each of which is judged where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from ...module_utils._converge.blueprint.entries import LocatedProblem
from ...module_utils._converge.blueprint.nested import nestings
from ...module_utils._model.kind import Kind
from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._model.options import type_name, validate_values
from ...module_utils._text import suggest_or_list
from ._file_problem import FileProblem
from ._inherited import SCOPE, Inherited, read_scope
from ._template_texts import naming_options, text_problems
from ._yaml_files import Part

DEFAULTS = "defaults"
# What to write instead of null, where that could mean either.
NO_NULL = 'Remove it, or write "" to clear the field.'


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


def _defaults_of(
    kind: type[Kind], options: Part, problems: list[LocatedProblem]
) -> dict[str, Part]:
    """The defaults of a kind that are right. Adds what is wrong with others to the problems."""
    defaults = {}
    for option, part in options.options().items():
        wrong = [part.problem(text) for text in _problems_of(kind, option, part.value)]
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
