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
from ...module_utils._converge.blueprint.nested import Nesting, nestings
from ...module_utils._converge.blueprint.reading import no_value
from ...module_utils._model.kind import Kind
from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._model.options import type_name
from ...module_utils._text import suggest_or_list
from ._defaults import DEFAULTS, SCOPE, Inherited, misreadings, read_defaults, read_scope_of
from ._file_problem import FileProblem, place
from ._template_texts import name_problems, naming_options, template_problem
from ._yaml_nodes import item_nodes, key_lines, key_nodes, line_of

# A list with its node.
NodedList = tuple[Sequence[Any], Any]


@dataclasses.dataclass
class FileContent:
    """What a file says."""

    # By the kinds that it names. Each entry has its source, or is InvalidEntry.
    entries: dict[str, list[Any]] = dataclasses.field(default_factory=dict)
    # What holds for its entries: its own, or that of a folder.
    inherited: Inherited = dataclasses.field(default_factory=Inherited)
    # Each with the file and its line, as far as there is one.
    problems: list[str] = dataclasses.field(default_factory=list)


def read_file(
    file: str, kind: str | None, loaded: tuple[Any, Any], inherited: Inherited
) -> FileContent:
    """``file``: its path below the directory; ``kind``: the only one that it may contain, if there
    is one; ``loaded``: its content and its node; ``inherited``: from its folder. Raises FileProblem
    for a file that cannot be read.
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
        inherited = inherited.with_scope(*read_scope_of(content, node, file))
        lists = _lists_of(content, node, kind, problems)
    found = FileContent(inherited=inherited, problems=[problem.at(file) for problem in problems])
    entry_problems: list[LocatedProblem] = []
    for plural, (items, list_node) in lists.items():
        entries = _EntryList(KINDS[plural], file, inherited, entry_problems)
        found.entries[plural] = entries.read(items, list_node)
    found.problems += unique_messages(entry_problems)
    return found


def read_defaults_file(
    file: str, loaded: tuple[Any, Any], inherited: Inherited
) -> tuple[Inherited, list[str]]:
    """What holds for a folder with this file, and what is wrong with that. Raises FileProblem."""
    content, node = loaded
    if not isinstance(content, Mapping):
        found = "empty" if content is None else type_name(content)
        problem = (
            f"it must contain a dictionary of kinds, with the defaults of each, and is {found}."
        )
        raise FileProblem(problem, line_of(node))
    problems: list[FileProblem] = []
    kinds = {key: value for key, value in content.items() if key not in SCOPE}
    inherited = inherited.with_scope(*read_scope_of(content, node, file))
    defaults = read_defaults(kinds, node, file, problems)
    return inherited.with_defaults(defaults), [problem.at(file) for problem in problems]


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
            line = wrong.line or lines.get(str(word), line_of(node))
            problems.append(FileProblem(str(wrong), line))
        else:
            lists[word] = (items, nodes.get(word))
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


class _EntryList:
    """Reads the entries of one kind in a file."""

    def __init__(
        self,
        kind: type[Kind],
        file: str,
        inherited: Inherited,
        problems: list[LocatedProblem],
    ) -> None:
        self._kind = kind
        self._file = file
        self._inherited = inherited
        self._problems = problems

    def read(self, items: Sequence[Any], node: Any) -> list[Any]:
        """The entries that the items stand for, each with its source, or InvalidEntry."""
        entries: list[Any] = []
        for index, (item, item_node) in enumerate(zip(items, item_nodes(node, len(items)))):
            source = place(self._file, line_of(item_node))
            path = f"{self._kind.plural}[{index}]"
            if isinstance(item, dict):
                self._check(self._kind, item, item_node, path)
                entries.append(self._filled(item, item_node, source, path))
            else:
                problem = template_problem(item) or not_a_dictionary(self._kind, item)
                self._add_problem(label(self._kind, path, item, source), problem)
                entries.append(InvalidEntry(source))
        return entries

    def _filled(self, entry: Mapping[str, Any], node: Any, source: str, path: str) -> Any:
        filled = {**self._inherited.fill(self._kind, entry), SOURCE: source}
        for plural, nesting in nestings(self._kind).items():
            items = entry.get(plural)
            if isinstance(items, list):
                list_node = key_nodes(node).get(plural, node)
                filled[plural] = [
                    self._nested(nesting, item, item_node, f"{path}.{plural}[{index}]")
                    for index, (item, item_node) in enumerate(
                        zip(items, item_nodes(list_node, len(items)))
                    )
                ]
        return filled

    def _nested(self, nesting: Nesting, item: Any, node: Any, path: str) -> Any:
        """An entry in another one. What is wrong with it otherwise is said later."""
        entry = nesting.to_item(item)
        if not isinstance(entry, dict):
            return item
        self._check(nesting.kind, entry, node, path)
        filled = self._inherited.fill(nesting.kind, entry, is_scoped=False)
        return {**filled, SOURCE: place(self._file, line_of(node))}

    def _check(self, kind: type[Kind], entry: Mapping[str, Any], node: Any, path: str) -> None:
        """Add what is wrong with an entry as a part of a file."""
        own_label = label(kind, path, entry, place(self._file, line_of(node)))
        for problem in self._problems_as_written(kind, entry, node):
            self._add_problem(own_label, problem)
        for option, value_node in key_nodes(node).items():
            if option in naming_options(kind):
                for line, problem in name_problems(option, value_node):
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
