# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The file of a folder that holds defaults, each of which is judged where it stands."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import Any

from ...module_utils._converge.blueprint.nested import nestings
from ...module_utils._model.kind import Kind
from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._model.options import type_name, validate_values
from ...module_utils._text import suggest_or_list
from ._file_problem import FileProblem, place
from ._inherited import NO_NULL, SCOPE, Default, Inherited, read_scope_of
from ._template_texts import name_problems, naming_options
from ._yaml_files import Part

DEFAULTS = "defaults"


def read_defaults_file(
    file: str, content: Part, above: Inherited
) -> tuple[Inherited, list[FileProblem]]:
    """What holds for a folder with this file, and what is wrong with it. Raises FileProblem.

    ``above``: what holds for the folder above.
    """
    if not isinstance(content.value, Mapping):
        found = "empty" if content.value is None else type_name(content.value)
        problem = "it must contain a dictionary of kinds, with the defaults of each, and is"
        raise FileProblem(f"{problem} {found}.", content.line)
    kinds = content.options()
    inherited = read_scope_of(kinds, file, above)
    problems: list[FileProblem] = []
    for plural, options in kinds.items():
        if plural in SCOPE:
            continue
        if plural in KINDS and isinstance(options.value, Mapping):
            defaults = _read_defaults(KINDS[plural], options, file, problems)
            inherited = inherited.with_defaults(plural, defaults)
        else:
            problems.append(FileProblem(_problem_of_kind(plural, options.value), options.line))
    return inherited, problems


def options_with_defaults(kind: type[Kind]) -> list[str]:
    """What an object holds: not what says which object it is, or to which it belongs, or how it is
    managed.
    """
    identity = {kind.name_field, "id", *chain(*kind.argument_spec.rules.get("required_one_of", ()))}
    held = dict.fromkeys([*kind.fields.writable, *kind.write_only_options])
    return [option for option in held if option not in identity and option not in kind.references]


def _problem_of_kind(plural: str, options: Any) -> str:
    if plural in KINDS:
        return f"{plural} must be a dictionary of options, and is {type_name(options)}."
    return f"unknown kind {plural}.{suggest_or_list(plural, [*KINDS, *SCOPE])}"


def _read_defaults(
    kind: type[Kind], options: Part, file: str, problems: list[FileProblem]
) -> dict[str, Default]:
    """The defaults of a kind that are right. Adds to the problems what is wrong with others."""
    defaults = {}
    for option, part in options.options().items():
        wrong = [FileProblem(problem, part.line) for problem in _problems_of(kind, option, part)]
        problems += wrong
        if not wrong:
            defaults[option] = Default(part.value, place(file, part.line))
    return defaults


def _problems_of(kind: type[Kind], option: str, part: Part) -> Iterator[str]:
    """What is wrong with a default by itself."""
    allowed = options_with_defaults(kind)
    if option not in allowed:
        yield _unknown(kind, option, allowed)
    elif part.value is None:
        yield f"{option} is null. {NO_NULL}"
    else:
        value = part.value
        wrong = list(validate_values({option: value}, kind.argument_spec.options))
        if not wrong and not isinstance(value, dict):
            wrong = list(kind.fields.validate({option: str(value)}))
        yield from map(str, wrong)
        yield from part.misreadings(option)
        if option in naming_options(kind):
            yield from map(str, name_problems(option, part))


def _unknown(kind: type[Kind], option: str, allowed: Collection[str]) -> str:
    if option in (*kind.argument_spec.options, *nestings(kind)) or not allowed:
        return f"{option} can have no default. Set it in each entry."
    return f"unknown option {option}.{suggest_or_list(option, allowed)}"
