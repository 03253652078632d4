# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One file of a blueprint: the entries that it lists, each with its source and with all that files
say for it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
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
from ...module_utils._converge.blueprint.nested import nestings
from ...module_utils._converge.blueprint.reading import SCOPES, no_value
from ...module_utils._model.kind import Kind
from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._model.options import type_name
from ...module_utils._text import suggest_or_list
from ._defaults import DEFAULTS
from ._file_problem import FileProblem, place
from ._inherited import SCOPE, Inherited, read_scope_of
from ._template_texts import name_problems, naming_options, template_problem
from ._yaml_nodes import key_lines, key_nodes, line_of, misreadings

# A list with its node.
NodedList = tuple[Sequence[Any], Any]


@dataclasses.dataclass
class BlueprintFiles:
    """What files say."""

    # By the kinds that they name. Each has its source, or is InvalidEntry.
    entries: dict[str, list[Any]] = dataclasses.field(default_factory=dict)
    # The scopes of files that name a kind, each with its source.
    scopes: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    # Their paths.
    files: list[str] = dataclasses.field(default_factory=list)
    # Each with its file, and its line as far as there is one.
    problems: list[str] = dataclasses.field(default_factory=list)

    @property
    def blueprint(self) -> dict[str, Any]:
        """What the module takes, and ``read_blueprint``."""
        return {**self.entries, SCOPES: self.scopes}


def read_file(
    file: str,
    kind: str | None,
    loaded: tuple[Any, Any],
    inherited: Inherited,
    found: BlueprintFiles,
) -> None:
    """Add what a file says. ``file``: its path below the directory; ``kind``: the only one that it
    may contain, if there is one; ``loaded``: its content and its node; ``inherited``: from its
    folder. Raises FileProblem for a file that cannot be read.
    """
    content, node = loaded
    problems: list[FileProblem] = []
    lists: dict[str, NodedList]
    if kind and isinstance(content, list):
        lists = {kind: (content, node)}
    else:
        if content is None:
            content = {}
        if not isinstance(content, Mapping):
            raise FileProblem(_no_mapping(file, kind, content), line_of(node))
        inherited = read_scope_of(content, node, file, inherited)
        lists = _lists_of(content, node, kind, problems)
    scope = {**inherited.scope, SOURCE: inherited.scope_place}
    if inherited.scope and scope not in found.scopes:
        found.scopes.append(scope)
    entry_problems: list[LocatedProblem] = []
    reading = _Entries(file, inherited, entry_problems)
    for plural, (items, list_node) in lists.items():
        entries = reading.read(KINDS[plural], items, list_node)
        found.entries.setdefault(plural, []).extend(entries)
    found.problems += [problem.at(file) for problem in problems]
    found.problems += unique_messages(entry_problems)


def _no_mapping(file: str, kind: str | None, content: Any) -> str:
    """The problem of a file whose content is no mapping, and which may not be a list either."""
    if template_problem(content):
        return template_problem(content)
    if kind:
        return f"it must contain a list of entries, and is {type_name(content)}."
    name = file.rpartition("/")[2].rpartition(".")[0]
    near = suggest_or_list(name, list(KINDS))
    return f"unknown kind {name}.{near} A file of several kinds must contain a dictionary of them."


def _lists_of(
    content: Mapping[str, Any], node: Any, kind: str | None, problems: list[FileProblem]
) -> dict[str, NodedList]:
    """The lists of a mapping. Adds what is wrong with others of its keys to the problems. Raises
    FileProblem if there is none.
    """
    nodes = key_nodes(node)
    lines = key_lines(node)
    lists: dict[str, NodedList] = {}
    words = [word for word in content if word not in SCOPE]
    for word in words:
        try:
            items = _items_of(word, content, kind)
        except FileProblem as wrong:
            problems.append(FileProblem(str(wrong), lines[str(word)]))
        else:
            lists[word] = (items, nodes[word])
    if not words:
        example = kind or "projects"
        problem = f"it declares nothing. Delete it, or write an empty list: {example}: []"
        raise FileProblem(problem, line_of(node))
    return lists


def _items_of(word: Any, content: Mapping[str, Any], kind: str | None) -> list[Any]:
    """The list under a key of a file. Raises FileProblem."""
    if word == DEFAULTS:
        raise FileProblem(f"{word} stand in a file of their own, {DEFAULTS}.yml of the folder.")
    if word not in KINDS:
        near = suggest_or_list(word, [*([kind] if kind else KINDS), *SCOPE])
        raise FileProblem(f"unknown key {word}.{near}")
    if kind and word != kind:
        raise FileProblem(f"it contains {word}, but a file of this name must contain only {kind}.")
    items = content[word]
    if items is None:
        raise FileProblem(no_value(word))
    if not isinstance(items, list):
        problem = f"must contain a list of entries, and is {type_name(items)}."
        raise FileProblem(f"{word} {template_problem(items) or problem}")
    return items


class _Entries:
    """Reads the entries of a file, and adds what is wrong with them to the problems."""

    def __init__(self, file: str, inherited: Inherited, problems: list[LocatedProblem]) -> None:
        self._file = file
        self._inherited = inherited
        self._problems = problems

    def read(self, kind: type[Kind], items: Sequence[Any], node: Any) -> Iterator[Any]:
        """The entries that the items stand for, each with its source, or InvalidEntry."""
        for index, (item, item_node) in enumerate(zip(items, node.value)):
            path = f"{kind.plural}[{index}]"
            if isinstance(item, dict):
                yield self._filled(kind, item, item_node, path)
            else:
                source = place(self._file, line_of(item_node))
                problem = template_problem(item) or not_a_dictionary(kind, item)
                self._add_problem(label(kind, path, item, source), problem)
                yield InvalidEntry(source)

    def _filled(
        self,
        kind: type[Kind],
        entry: Mapping[str, Any],
        node: Any,
        path: str,
        *,
        is_nested: bool = False,
    ) -> dict[str, Any]:
        """An entry with all that files say for it, and those in it. What is wrong with these
        otherwise is said later.
        """
        self._check(kind, entry, node, path)
        filled = self._inherited.fill(kind, entry, is_scoped=not is_nested)
        filled[SOURCE] = place(self._file, line_of(node))
        for plural, nesting in nestings(kind).items():
            if not isinstance(entry.get(plural), list):
                continue
            filled[plural] = []
            nodes = key_nodes(node)[plural].value
            for index, (item, item_node) in enumerate(zip(entry[plural], nodes)):
                inner = nesting.to_item(item)
                if isinstance(inner, dict):
                    where = f"{path}.{plural}[{index}]"
                    inner = self._filled(nesting.kind, inner, item_node, where, is_nested=True)
                filled[plural].append(inner)
        return filled

    def _check(self, kind: type[Kind], entry: Mapping[str, Any], node: Any, path: str) -> None:
        """Add what is wrong with an entry as a part of a file."""
        own_label = label(kind, path, entry, place(self._file, line_of(node)))
        for problem in self._problems_as_written(kind, entry, node):
            self._add_problem(own_label, problem)
        nodes = key_nodes(node)
        for option in naming_options(kind):
            for line, problem in name_problems(option, nodes.get(option)):
                self._add_problem(place(self._file, line), problem)

    def _problems_as_written(
        self, kind: type[Kind], entry: Mapping[str, Any], node: Any
    ) -> Iterator[str]:
        """Options that only the reader of a file sets, numbers that YAML reads otherwise, and null
        in the place of a default.
        """
        for option in (PLACES, SOURCE):
            if option in entry:
                yield f"{option} is set automatically. Remove it."
        for option, value_node in key_nodes(node).items():
            yield from misreadings(option, value_node)
        yield from self._inherited.null_problems(kind, entry)

    def _add_problem(self, where: str, problem: str) -> None:
        self._problems.append((self._file, where, problem))
