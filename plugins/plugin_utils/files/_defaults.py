# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The file of a folder that holds defaults, each of which is judged where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from ._yaml_nodes import key_lines, key_nodes, line_of, misreadings

DEFAULTS = "defaults"


def read_defaults_file(
    file: str, loaded: tuple[Any, Any], above: Inherited
) -> tuple[Inherited, list[str]]:
    """What holds for a folder with this file, and what is wrong with that. Raises FileProblem.

    ``loaded``: its content and its node; ``above``: what holds for the folder above.
    """
    content, node = loaded
    if not isinstance(content, Mapping):
        found = "empty" if content is None else type_name(content)
        problem = "it must contain a dictionary of kinds, with the defaults of each, and is"
        raise FileProblem(f"{problem} {found}.", line_of(node))
    defaults: dict[str, dict[str, Default]] = {}
    problems: list[str] = []
    nodes = key_nodes(node)
    lines = key_lines(node)
    for plural, options in content.items():
        if plural in SCOPE:
            continue
        if plural in KINDS and isinstance(options, Mapping):
            reading = _KindDefaults(KINDS[plural], file, problems)
            defaults[plural] = reading.read(options, nodes[plural])
        else:
            wrong = FileProblem(_problem_of_kind(plural, options), lines[str(plural)])
            problems.append(wrong.at(file))
    return read_scope_of(content, node, file, above).with_defaults(defaults), problems


def options_with_defaults(kind: type[Kind]) -> list[str]:
    """What an object holds: not what says which object it is, or to which it belongs, or how it is
    managed.
    """
    identity = {kind.name_field, "id", *chain(*kind.argument_spec.rules.get("required_one_of", ()))}
    held = dict.fromkeys([*kind.fields.writable, *kind.write_only_options])
    return [option for option in held if option not in identity and option not in kind.references]


def _problem_of_kind(plural: Any, options: Any) -> str:
    if plural in KINDS:
        return f"{plural} must be a dictionary of options, and is {type_name(options)}."
    return f"unknown kind {plural}.{suggest_or_list(plural, [*KINDS, *SCOPE])}"


class _KindDefaults:
    """Reads the defaults of one kind, and adds what is wrong with them to the problems."""

    def __init__(self, kind: type[Kind], file: str, problems: list[str]) -> None:
        self._kind = kind
        self._file = file
        self._problems = problems
        self._allowed = options_with_defaults(kind)

    def read(self, options: Mapping[str, Any], node: Any) -> dict[str, Default]:
        """The defaults that are right."""
        nodes = key_nodes(node)
        lines = key_lines(node)
        defaults: dict[str, Default] = {}
        for option, value in options.items():
            where = place(self._file, lines[str(option)])
            problems = list(self._problems_of(option, value, nodes.get(option)))
            self._problems += [
                f"{where}: {DEFAULTS} of {self._kind.plural}: {problem}" for problem in problems
            ]
            if not problems:
                defaults[option] = Default(value, where)
        return defaults

    def _problems_of(self, option: Any, value: Any, node: Any) -> Iterator[str]:
        """What is wrong with a default by itself."""
        if option not in self._allowed:
            yield self._unknown(option)
            return
        if value is None:
            yield f"{option} is null. {NO_NULL}"
            return
        yield from misreadings(option, node)
        wrong = list(validate_values({option: value}, self._kind.argument_spec.options))
        if not wrong and not isinstance(value, dict):
            wrong = list(self._kind.fields.validate({option: str(value)}))
        yield from map(str, wrong)
        if option in naming_options(self._kind):
            yield from (problem for _line, problem in name_problems(option, node))

    def _unknown(self, option: Any) -> str:
        of_entries = {*self._kind.argument_spec.options, *nestings(self._kind)}
        if option in of_entries or not self._allowed:
            return f"{option} can have no default. Set it in each entry."
        return f"unknown option {option}.{suggest_or_list(option, self._allowed)}"
