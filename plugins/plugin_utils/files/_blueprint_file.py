# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One file of a blueprint: the entries that it lists, each with its source and with all that files
say for it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from ...module_utils._converge.blueprint.entries import (
    PLACES,
    SOURCE,
    InvalidEntry,
    LocatedProblem,
    label,
    unique_messages,
)
from ...module_utils._converge.blueprint.entry_reader import not_a_dictionary
from ...module_utils._converge.blueprint.nested import Nesting, nestings
from ...module_utils._converge.blueprint.reading import SCOPES, no_value
from ...module_utils._model.kind import Kind
from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._model.options import type_name
from ...module_utils._text import suggest_or_list
from ._defaults import DEFAULTS
from ._file_problem import FileProblem, place
from ._inherited import SCOPE, Inherited, read_scope_of
from ._template_texts import name_problems, naming_options, template_problem
from ._yaml_files import Part


@dataclasses.dataclass
class BlueprintFiles:
    """What files say."""

    # By the kinds that they name. Each has its source, or is InvalidEntry.
    entries: dict[str, list[Any]] = dataclasses.field(default_factory=dict)
    # The scopes of files that name a kind, each with its source.
    scopes: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    # Their paths.
    files: list[str] = dataclasses.field(default_factory=list)
    # What is wrong with them.
    located_problems: list[LocatedProblem] = dataclasses.field(default_factory=list)

    @property
    def blueprint(self) -> dict[str, Any]:
        """What the module takes, and ``read_blueprint``."""
        return {**self.entries, SCOPES: self.scopes}

    @property
    def problems(self) -> list[str]:
        """Messages, each with its file, and its line as far as there is one."""
        return unique_messages(self.located_problems)


def read_file(
    file: str, kind: str | None, content: Part, inherited: Inherited, found: BlueprintFiles
) -> None:
    """Add what a file says. ``file``: its path below the directory; ``kind``: the only one that it
    may contain, if there is one; ``inherited``: from its folder. Raises FileProblem for a file that
    cannot be read.
    """
    lists: Mapping[str, Part]
    if kind and isinstance(content.value, list):
        lists = {kind: content}
    elif content.value is None or isinstance(content.value, Mapping):
        parts = content.options()
        inherited = read_scope_of(parts, file, inherited)
        lists = {word: part for word, part in parts.items() if word not in SCOPE}
        if not lists:
            example = kind or "projects"
            problem = f"it declares nothing. Delete it, or write an empty list: {example}: []"
            raise FileProblem(problem, content.line)
    else:
        raise FileProblem(_no_mapping(file, kind, content.value), content.line)
    for option, default in inherited.scope.items():
        scope = {option: default.value, SOURCE: default.place}
        if scope not in found.scopes:
            found.scopes.append(scope)
    reading = _Entries(file, inherited, found.located_problems)
    for word, part in lists.items():
        problem = _list_problem(word, part.value, kind)
        if problem:
            found.located_problems.append(FileProblem(problem, part.line).at(file))
        else:
            found.entries.setdefault(word, []).extend(reading.read(KINDS[word], part))


def _no_mapping(file: str, kind: str | None, content: Any) -> str:
    """The problem of a file whose content is no mapping, and which may not be a list either."""
    if template_problem(content):
        return template_problem(content)
    if kind:
        found = type_name(content)
        return f"it must contain a list of entries, and is {found}. Begin each with a hyphen."
    name = file.rpartition("/")[2].rpartition(".")[0]
    near = suggest_or_list(name, list(KINDS))
    return f"unknown kind {name}.{near} A file of several kinds must contain a dictionary of them."


def _list_problem(word: str, items: Any, kind: str | None) -> str:
    """Why a key of a file with its value is no list of entries; ``""`` if it is one."""
    if word == DEFAULTS:
        return f"{word} stand in a file of their own, {DEFAULTS}.yml of the folder."
    if word not in KINDS:
        return f"unknown key {word}.{suggest_or_list(word, [*([kind] if kind else KINDS), *SCOPE])}"
    if kind and word != kind:
        return f"it contains {word}, but a file of this name must contain only {kind}."
    if items is None:
        return no_value(word)
    if isinstance(items, list):
        return ""
    found = type_name(items)
    problem = f"must contain a list of entries, and is {found}. Begin each with a hyphen."
    return f"{word} {template_problem(items) or problem}"


class _Entries:
    """Reads the entries of a file, and adds what is wrong with them to the problems."""

    def __init__(self, file: str, inherited: Inherited, problems: list[LocatedProblem]) -> None:
        self._file = file
        self._inherited = inherited
        self._problems = problems

    def read(self, kind: type[Kind], items: Part) -> Iterator[Any]:
        """The entries that the items stand for, each with its source, or InvalidEntry."""
        for index, item in enumerate(items.items()):
            path = f"{kind.plural}[{index}]"
            if isinstance(item.value, dict):
                yield self._filled(kind, item, path)
            else:
                source = place(self._file, item.line)
                problem = template_problem(item.value) or not_a_dictionary(kind, item.value)
                self._add_problem(label(kind, path, item.value, source), problem)
                yield InvalidEntry(source)

    def _filled(
        self, kind: type[Kind], entry: Part, path: str, *, is_nested: bool = False
    ) -> dict[str, Any]:
        """An entry with all that files say for it, and those in it. What is wrong with these
        otherwise is said later.
        """
        options = entry.options()
        source = place(self._file, entry.line)
        own_label = label(kind, path, entry.value, source)
        for problem in self._problems_as_written(kind, entry.value, options):
            self._add_problem(own_label, problem)
        for option in naming_options(kind):
            if option in options:
                problems = name_problems(option, options[option])
                self._problems += [problem.at(self._file) for problem in problems]
        filled = self._inherited.fill(kind, entry.value, is_scoped=not is_nested)
        filled[SOURCE] = source
        for plural, nesting in nestings(kind).items():
            if isinstance(entry.value.get(plural), list):
                filled[plural] = [
                    self._nested(nesting, item, f"{path}.{plural}[{index}]")
                    for index, item in enumerate(options[plural].items())
                ]
        return filled

    def _nested(self, nesting: Nesting, item: Part, path: str) -> Any:
        """What an item in an entry stands for."""
        entry = nesting.to_item(item.value)
        if not isinstance(entry, dict):
            return entry
        return self._filled(nesting.kind, item._replace(value=entry), path, is_nested=True)

    def _problems_as_written(
        self, kind: type[Kind], entry: Mapping[str, Any], options: Mapping[str, Part]
    ) -> Iterator[str]:
        """Options that only the reader of a file sets, numbers that YAML reads otherwise, and null
        in the place of a default.
        """
        for option in (PLACES, SOURCE):
            if option in entry:
                yield f"{option} is set automatically. Remove it."
        for option, part in options.items():
            yield from part.misreadings(option)
        yield from self._inherited.null_problems(kind, entry)

    def _add_problem(self, where: str, problem: str) -> None:
        self._problems.append((self._file, where, problem))
