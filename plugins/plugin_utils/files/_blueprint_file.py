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
from ._defaults import (
    DEFAULTS,
    SCOPE,
    Defaults,
    Inherited,
    misreadings,
    read_defaults,
    read_scope_of,
)
from ._yaml_files import evaluated_data
from ._yaml_nodes import FileProblem, item_nodes, key_lines, key_nodes, line_of, place

OPTIONS_OF_A_FILE = (*SCOPE, DEFAULTS)

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
    file: str, kind: str | None, loaded: tuple[Any, Any], inherited: Inherited, reader: Any
) -> FileContent:
    """``file``: its path below the directory; ``kind``: the only one that it may contain, if there
    is one; ``loaded``: its content and its node; ``inherited``: from its folder. Raises FileProblem
    for a file that cannot be read.
    """
    content, node = loaded
    content = _evaluated_list(content, node, reader)
    if content is None:
        content = {}
    problems: list[FileProblem] = []
    lists: dict[str, NodedList]
    if kind and isinstance(content, list):
        lists = {kind: (content, node)}
    else:
        if not isinstance(content, Mapping):
            raise FileProblem(_no_mapping(file, kind, content), line_of(node))
        inherited = _with_own(inherited, content, node, file, reader, problems)
        lists = _lists_of(content, node, kind, reader, problems)
    found = FileContent(inherited=inherited, problems=[problem.at(file) for problem in problems])
    entry_problems: list[LocatedProblem] = []
    for plural, (items, list_node) in lists.items():
        entries = _EntryList(KINDS[plural], file, inherited, reader, entry_problems)
        found.entries[plural] = entries.read(items, list_node)
    found.problems += unique_messages(entry_problems)
    return found


def read_defaults_file(
    file: str, loaded: tuple[Any, Any], inherited: Inherited, reader: Any
) -> tuple[Inherited, list[str]]:
    """What holds for a folder with this file, and what is wrong with that. Raises FileProblem."""
    content, node = loaded
    content = _evaluated_list(content, node, reader)
    if not isinstance(content, Mapping):
        found = "empty" if content is None else type_name(content)
        problem = (
            f"it must contain a dictionary of kinds, with the defaults of each, and is {found}."
        )
        raise FileProblem(problem, line_of(node))
    problems: list[FileProblem] = []
    kinds = {key: value for key, value in content.items() if key not in SCOPE}
    inherited = inherited.with_scope(*read_scope_of(content, node, file, reader))
    defaults = read_defaults(kinds, node, file, reader, problems)
    return inherited.with_defaults(defaults), [problem.at(file) for problem in problems]


def _with_own(
    inherited: Inherited,
    content: Mapping[str, Any],
    node: Any,
    file: str,
    reader: Any,
    problems: list[FileProblem],
) -> Inherited:
    """With what the file itself says for its entries."""
    inherited = inherited.with_scope(*read_scope_of(content, node, file, reader))
    if DEFAULTS not in content:
        return inherited
    value_node = key_nodes(node).get(DEFAULTS)
    value = _evaluated_list(content[DEFAULTS], value_node, reader)
    defaults: Defaults | None = read_defaults(value, value_node, file, reader, problems)
    return inherited.with_defaults(defaults)


def _no_mapping(file: str, kind: str | None, content: Any) -> str:
    """The problem of a file whose content is no mapping, and which may not be a list either."""
    if kind:
        return f"it must contain a list of entries, and is {type_name(content)}."
    name = file.rpartition("/")[2].rpartition(".")[0]
    near = suggest_or_list(name, list(KINDS))
    return f"unknown kind {name}.{near} A file of several kinds must contain a dictionary of them."


def _lists_of(
    content: Mapping[str, Any],
    node: Any,
    kind: str | None,
    reader: Any,
    problems: list[FileProblem],
) -> dict[str, NodedList]:
    """The lists of a mapping. Adds what is wrong with others of its keys to the problems. Raises
    FileProblem if there is none.
    """
    nodes = key_nodes(node)
    lines = key_lines(node)
    lists: dict[str, NodedList] = {}
    words = [word for word in content if word not in OPTIONS_OF_A_FILE]
    for word in words:
        try:
            items = _items_of(word, content, nodes.get(word), kind, reader)
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


def _items_of(
    word: Any, content: Mapping[str, Any], node: Any, kind: str | None, reader: Any
) -> list[Any]:
    """The list under a key of a file. Raises FileProblem."""
    if word not in KINDS:
        near = suggest_or_list(word, [*([kind] if kind else KINDS), *OPTIONS_OF_A_FILE])
        raise FileProblem(f"unknown key {word}.{near}")
    if kind and word != kind:
        raise FileProblem(f"it contains {word}, but a file of this name must contain only {kind}.")
    items = _evaluated_list(content[word], node, reader)
    if items is None:
        raise FileProblem(no_value(word))
    if not isinstance(items, list):
        raise FileProblem(f"{word} must contain a list of entries, and is {type_name(items)}.")
    return items


def _evaluated_list(value: Any, node: Any, reader: Any) -> Any:
    """The value of a template that stands for many entries; the entries' own are evaluated one by
    one.
    """
    if isinstance(value, (dict, list)):
        return value
    try:
        return reader.evaluate(value)
    except FileProblem as problem:
        raise FileProblem(str(problem), problem.line or line_of(node)) from None


class _EntryList:
    """Reads the entries of one kind in a file."""

    def __init__(
        self,
        kind: type[Kind],
        file: str,
        inherited: Inherited,
        reader: Any,
        problems: list[LocatedProblem],
    ) -> None:
        self._kind = kind
        self._file = file
        self._inherited = inherited
        self._reader = reader
        self._problems = problems

    def read(self, items: Sequence[Any], node: Any) -> list[Any]:
        """The entries that the items stand for, each with its source, or InvalidEntry."""
        entries: list[Any] = []
        for index, (item, item_node) in enumerate(zip(items, item_nodes(node, len(items)))):
            source = place(self._file, line_of(item_node))
            path = f"{self._kind.plural}[{index}]"
            item_label = label(self._kind, path, item, source)
            read, problems = self._entries_of(item, item_node, source, path)
            entries += read
            self._problems += [(self._file, item_label, problem) for problem in problems]
        return entries

    def _entries_of(
        self, item: Any, node: Any, source: str, path: str
    ) -> tuple[list[Any], list[str]]:
        """Several, or none, if the item is a template; and what is wrong with it as a part of a
        file.
        """
        try:
            evaluated = _evaluated(item, self._reader)
        except FileProblem as problem:
            problems = _option_problems(item, self._reader) or [str(problem)]
            return [InvalidEntry(source)], problems
        problems = [
            not_a_dictionary(self._kind, entry)
            for entry in evaluated
            if not isinstance(entry, dict)
        ]
        problems += _problems_as_written(item, node)
        if any(not isinstance(entry, dict) for entry in evaluated):
            return [InvalidEntry(source) for _entry in evaluated], problems
        return [self._filled(entry, node, source, path) for entry in evaluated], problems

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
        source = place(self._file, line_of(node))
        entry = nesting.to_item(item)
        if not isinstance(entry, dict):
            return item
        item_label = label(nesting.kind, path, entry, source)
        for problem in _problems_as_written(item, node):
            self._problems.append((self._file, item_label, problem))
        filled = self._inherited.fill(nesting.kind, entry, is_scoped=False)
        return {**filled, SOURCE: source}


def _problems_as_written(item: Any, node: Any) -> Iterator[str]:
    """Options of an entry that only the reader of a file sets, and numbers that YAML reads
    otherwise.
    """
    for option in (PLACES, SOURCE):
        if isinstance(item, dict) and option in item:
            yield f"{option} is set automatically. Remove it."
    for option, value_node in key_nodes(node).items():
        yield from misreadings(option, value_node)


def _evaluated(item: Any, reader: Any) -> list[Any]:
    """In a list, because a template may leave the whole entry out. Raises FileProblem."""
    return list(evaluated_data(reader, [item]))


def _option_problems(item: Any, reader: Any) -> list[str]:
    """The problems of an entry's templates, by option."""
    problems: list[str] = []
    if not isinstance(item, dict):
        return problems
    for option, value in item.items():
        try:
            reader.evaluate({option: value})
        except FileProblem as problem:
            problems.append(f"{option}: {problem}")
    return problems
