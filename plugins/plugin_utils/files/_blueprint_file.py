# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One file of a blueprint: the entries that it lists, each with its source and with all that files
say for it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from ...module_utils._converge.blueprint.entries import (
    PLACE,
    PLACES,
    SOURCE,
    Entry,
    LocatedProblem,
    Nesting,
    nestings,
    unique_messages,
)
from ...module_utils._converge.blueprint.entry_reader import not_a_dictionary
from ...module_utils._converge.blueprint.reading import SCOPES, no_value
from ...module_utils._model.fields import Values
from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._model.options import type_name
from ...module_utils._model.resource import Resource
from ...module_utils._text import suggest_or_list
from ._file_problem import FileProblem
from ._inherited import DEFAULTS, NO_NULL, SCOPE, Inherited, read_scope
from ._template_texts import naming_options, template_problem, text_problems
from ._yaml_files import Part, Parts


@dataclasses.dataclass
class BlueprintFiles:
    """What files say."""

    # By the kinds that they name. Each has its source, and its place in its file.
    entries: dict[str, list[Any]] = dataclasses.field(default_factory=dict)
    # The scopes of files that name a kind, each with its source.
    scopes: list[Values] = dataclasses.field(default_factory=list)
    # Their paths.
    files: list[str] = dataclasses.field(default_factory=list)
    # What is wrong with them.
    located_problems: list[LocatedProblem] = dataclasses.field(default_factory=list)

    @property
    def blueprint(self) -> Values:
        """What the module takes, and ``read_blueprint``."""
        return {**self.entries, SCOPES: self.scopes}

    @property
    def problems(self) -> list[str]:
        """Messages, each with its file, and its line as far as there is one."""
        return list(unique_messages(self.located_problems))


def read_file(content: Part, kind: str | None, above: Inherited, found: BlueprintFiles) -> None:
    """Add what a file says. ``kind``: the only one that it may contain, if there is one;
    ``above``: what holds for its folder. Raises FileProblem for a file that cannot be read.
    """
    options = _options_of(content, kind)
    inherited = read_scope(options, above, found.located_problems)
    if inherited is None:
        return  # nobody knows what its entries are
    lists = {key: part for key, part in options.items() if key not in SCOPE}
    if not lists:
        example = kind or "projects"
        problem = f"it declares nothing. Delete it, or write an empty list: {example}: []"
        raise FileProblem(problem, content.line)
    for option, default in inherited.scope.items():
        scope = {option: default.value, SOURCE: default.place}
        if scope not in found.scopes:
            found.scopes.append(scope)
    reading = _Entries(inherited, found.located_problems)
    for key, part in lists.items():
        wrong = _list_problem(key, part.value, kind)
        if wrong:
            found.located_problems.append(part.problem(wrong))
        else:
            found.entries.setdefault(key, []).extend(reading.read(KINDS[key], part))


def _options_of(content: Part, kind: str | None) -> Parts:
    """What a file says by its keys. A file of a kind may be its list. Raises FileProblem."""
    value = content.value
    if value is None or isinstance(value, Mapping):
        return content.options()
    if kind:
        return {kind: content}
    name = PurePosixPath(content.file).stem
    near = suggest_or_list(name, list(KINDS))
    unknown = f"unknown kind {name}.{near} A file of several kinds must contain a dictionary"
    raise FileProblem(template_problem(value) or f"{unknown} of them.", content.line)


def _list_problem(key: str, items: Any, kind: str | None) -> str:
    """Why a key of a file with its value is no list of entries; ``""`` if it is one."""
    if key == DEFAULTS:
        return f"{key} stand in a file of their own, {DEFAULTS}.yml of the folder."
    if key not in KINDS:
        return f"unknown key {key}.{suggest_or_list(key, [*([kind] if kind else KINDS), *SCOPE])}"
    if kind and key != kind:
        return f"it contains {key}, but a file of this name must contain only {kind}."
    if items is None:
        return no_value(key)
    if isinstance(items, list):
        return ""
    found = type_name(items)
    problem = f"must contain a list of entries, and is {found}. Begin each with a hyphen."
    return f"{key} {template_problem(items) or problem}"


class _Entries:
    """Reads the entries of a file, and adds what is wrong with them to the problems."""

    def __init__(self, inherited: Inherited, problems: list[LocatedProblem]) -> None:
        self._inherited = inherited
        self._problems = problems

    def read(self, kind: type[Resource], items: Part) -> Iterator[Any]:
        """The entries that the items stand for, each with its source, and its place in its file."""
        for index, item in enumerate(items.items()):
            place = f"{kind.plural}[{index}]"
            if isinstance(item.value, dict):
                scope = self._inherited.scope_for(kind, item.value)
                yield self._filled(kind, item, place, scope)
            else:
                problem = template_problem(item.value) or not_a_dictionary(kind, item.value)
                self._problems.append((item.file, f"{place} ({item.place})", problem))

    def _filled(self, kind: type[Resource], entry: Part, place: str, scope: Parts) -> Values:
        """An entry with all that files say for it, and those in it. What is wrong with these
        otherwise is said later. ``scope``: that of its file, unless it says one.
        """
        given = entry.value
        options = entry.options()
        names = naming_options(kind)
        label = Entry(kind, place, given, entry.place).label
        for option, part in options.items():
            self._problems += text_problems(option, part, is_name=option in names, entry=label)
            if option in (PLACE, PLACES, SOURCE):
                problem = f"{option} is set automatically. Remove it."
                self._problems.append((entry.file, label, problem))
        added = dict(scope)
        for option, default in self._inherited.defaults_for(kind, given).items():
            if option not in given:
                added[option] = default
            elif given[option] is None:
                problem = f"{option} is null, and has a default ({default.place}). {NO_NULL}"
                self._problems.append((entry.file, label, problem))
        values = {option: default.value for option, default in added.items()}
        places = {option: default.place for option, default in added.items()}
        filled = {**given, **values, SOURCE: entry.place, PLACE: place, PLACES: places}
        for plural, nesting in nestings(kind).items():
            if isinstance(given.get(plural), list):
                filled[plural] = [
                    self._nested(nesting, item, f"{place}.{plural}[{index}]")
                    for index, item in enumerate(options[plural].items())
                ]
        return filled

    def _nested(self, nesting: Nesting, item: Part, place: str) -> Any:
        """What an item in an entry stands for."""
        entry = nesting.to_item(item.value)
        if not isinstance(entry, dict):
            return entry
        return self._filled(nesting.kind, item._replace(value=entry), place, {})
