# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A directory of files as one blueprint: finding the files, and reading their entries."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..module_utils._converge.blueprint.entries import (
    PLACES,
    SCOPES,
    SOURCE,
    InvalidEntry,
    label,
    unique_messages,
)
from ..module_utils._converge.blueprint.entry_reader import not_a_dictionary
from ..module_utils._model.kind import Kind
from ..module_utils._model.kinds.registry import KINDS
from ..module_utils._model.options import SCOPE_OPTIONS, WrongType, validate_values
from ..module_utils._text import suggest_or_list
from ._templates import to_plain_json
from ._yaml_files import FileProblem, item_nodes, key_marks, key_nodes, misread_numbers

SUFFIXES = (".yml", ".yaml")
SCOPE_OPTIONS_OF_A_FILE = ("team", "own_scope")

FOR_NONE = "If that is intended, write an empty list: []"

Entries = list[Any]
EntryNodes = list[tuple[Any, Any]]
YamlMapping = Mapping[str, Any]


@dataclasses.dataclass
class BlueprintFiles:
    """What the files of a directory say."""

    # By the kinds that they name. Each has its source, or is InvalidEntry.
    entries: dict[str, Entries] = dataclasses.field(default_factory=dict)
    # The scopes of files that name a kind, each with its source.
    scopes: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    # Their paths.
    files: list[str] = dataclasses.field(default_factory=list)
    # Each with its file below the directory, and its line as far as there is one.
    problems: list[str] = dataclasses.field(default_factory=list)

    @property
    def blueprint(self) -> dict[str, Any]:
        """What the module takes, and ``read_blueprint``."""
        return {**self.entries, SCOPES: self.scopes}


def read_directory(directory: Path, reader: Any) -> BlueprintFiles:
    """The entries of all files, those of a folder behind the file of the same name. ``reader``: as DataFiles."""
    blueprint = BlueprintFiles()
    for path, kind in _files(directory, None, blueprint.problems, directory):
        blueprint.files.append(str(path))
        name = path.relative_to(directory).as_posix()
        try:
            content, node = reader.load(path)
            lists, scope = _lists_of_file(path.stem, kind, content, node, reader)
        except FileProblem as problem:
            blueprint.problems.append(problem.at(name))
            continue
        if scope:
            mark = next((mark for option, mark in key_marks(node).items() if option in scope), None)
            blueprint.scopes.append({**scope, SOURCE: f"{name}:{mark.line + 1}" if mark else name})
        found: list[tuple[str, str, str]] = []
        for kind, items in lists.items():
            entries = blueprint.entries.setdefault(kind, [])
            place_of_scope = blueprint.scopes[-1][SOURCE] if scope else ""
            for read, place, problems in _read_items(KINDS[kind], name, items, scope, place_of_scope, reader):
                entries += read
                found += [(name, place, problem) for problem in problems]
        blueprint.problems += unique_messages(found)
    if not blueprint.files and not blueprint.problems:
        blueprint.problems.append(f"{directory} contains no blueprint files, such as projects.yml.")
    return blueprint


def _files(folder: Path, kind: str | None, problems: list[str], directory: Path) -> Iterator[tuple[Path, str | None]]:
    """The files of a folder and of those in it, each with its kind, ``None`` for a file of several kinds; what else is
    there becomes a problem.
    """
    try:
        paths = [path for path in folder.iterdir() if not path.name.startswith((".", "README"))]
    except OSError as error:
        problems.append(f"{folder} cannot be read: {error.strerror}.")
        return
    for path in sorted(paths, key=None if kind else _file_sort_key):
        name = path.relative_to(directory).as_posix()
        if path.is_symlink():
            problems.append(f"{name} is a link, and links are not followed. Replace it by the file.")
        elif os.path.isdir(path) and kind is None:
            yield from _files(path, path.name if path.name in KINDS else None, problems, directory)
        elif os.path.isdir(path) or path.suffix not in SUFFIXES:
            problems.append(f"{name}: only {' and '.join(SUFFIXES)} files are allowed here.")
        else:
            yield path, kind or (path.stem if path.stem in KINDS else None)


def _file_sort_key(path: Path) -> tuple[str, bool, str]:
    return path.stem, os.path.isdir(path), path.name


def _lists_of_file(
    name: str, kind: str | None, content: Any, node: Any, reader: Any
) -> tuple[dict[str, EntryNodes], YamlMapping]:
    """The entries of a file with their nodes, by kind; and the scope of those that name none. ``kind``: the only one
    that the file may contain, if there is one.
    """
    content = _evaluate_list(content, reader)
    if kind and not isinstance(content, dict):
        return {kind: _check_list(content, node, "it")}, {}
    if not isinstance(content, dict):
        near = suggest_or_list(name, list(KINDS))
        raise FileProblem(f"unknown kind {name}.{near} A file of several kinds must contain a dictionary of them.")
    nodes, marks = dict(key_nodes(node)), key_marks(node)
    given = {option: content[option] for option in SCOPE_OPTIONS_OF_A_FILE if option in content}
    scope = _scope_of_file(given, nodes, marks, reader)
    lists = {word: entries for word, entries in content.items() if word not in SCOPE_OPTIONS_OF_A_FILE}
    for word in lists:
        if word not in KINDS:
            near = suggest_or_list(word, [*([kind] if kind else KINDS), *SCOPE_OPTIONS_OF_A_FILE])
            raise FileProblem(f"unknown key {word}.{near}", marks.get(str(word)))
        if kind and word != kind:
            raise FileProblem(f"it contains {word}, but a file of this name must contain only {kind}.", marks.get(word))
    if not lists:
        raise FileProblem(f"it declares nothing. {FOR_NONE}")
    evaluated = ((word, _evaluate_list(items, reader)) for word, items in lists.items())
    return {word: _check_list(items, nodes.get(word, node), word) for word, items in evaluated}, scope


def _scope_of_file(given: YamlMapping, nodes: YamlMapping, marks: YamlMapping, reader: Any) -> YamlMapping:
    """The ``team`` or ``own_scope`` of a file."""
    evaluated = reader.evaluate(dict(given))
    scope = {option: value for option, value in evaluated.items() if _is_set(option, value)}
    problems = [str(problem) for problem in validate_values(scope, SCOPE_OPTIONS.options)]
    if evaluated.get("own_scope", False) is None:
        problems.append(str(WrongType("own_scope", "true or false", None)))
    problems += _misread("team", nodes.get("team"))
    if len(scope) > 1:
        problems.append("it sets both team and own_scope. Remove one of them.")
    if problems:
        raise FileProblem(" ".join(problems), next((marks[option] for option in given if option in marks), None))
    return scope


def _evaluate_list(value: Any, reader: Any) -> Any:
    """The value of a template that stands for many entries; the entries' own are evaluated one by one."""
    return value if isinstance(value, (dict, list)) else reader.evaluate(value)


def _check_list(entries: Any, node: Any, what: str) -> EntryNodes:
    """Refuse an empty list that was not written as such: with pruning, a truncated file would delete everything."""
    if not isinstance(entries, list):
        mark = getattr(node, "start_mark", None)
        raise FileProblem(f"{what} must contain a list of entries." + ("" if entries else f" {FOR_NONE}"), mark)
    return list(zip(entries, item_nodes(node, len(entries))))


def _read_items(
    kind: type[Kind], file: str, items: EntryNodes, scope: YamlMapping, place_of_scope: str, reader: Any
) -> Iterator[tuple[Entries, str, list[str]]]:
    """The entries that each item stands for, each with its source or InvalidEntry; the item's label and problems."""
    scope = {option: value for option, value in scope.items() if option in kind.argument_spec.options}
    if scope:
        scope[PLACES] = dict.fromkeys(scope, place_of_scope)
    for index, (item, node) in enumerate(items):
        source = f"{file}:{node.start_mark.line + 1}" if node else file
        try:
            evaluated = _evaluated(item, reader)
            problems = [not_a_dictionary(entry) for entry in evaluated if not isinstance(entry, dict)]
        except FileProblem as problem:
            evaluated = [None]
            problems = _option_problems(item, reader) or [str(problem)]
        entries = [InvalidEntry(source) if problems else _filled_in(entry, scope, source) for entry in evaluated]
        # An entry with these problems is read all the same, so that its other problems are found.
        given = {SOURCE, PLACES} & item.keys() if isinstance(item, dict) else ()
        problems += [f"{option} is set automatically. Remove it." for option in sorted(given)]
        problems += [problem for option, value in key_nodes(node) for problem in _misread(option, value)]
        yield entries, label(kind, f"{kind.plural}[{index}]", item, source), problems


def _evaluated(item: Any, reader: Any) -> Entries:
    """In a list, because a template may leave the whole entry out. Raises FileProblem."""
    try:
        return list(to_plain_json(reader.evaluate([item])))
    except (TypeError, ValueError) as error:
        raise FileProblem(f"it contains a value that YAML data cannot hold: {error}.") from None


def _filled_in(entry: YamlMapping, scope: YamlMapping, source: str) -> YamlMapping:
    is_scoped = any(_is_set(option, entry.get(option)) for option in SCOPE_OPTIONS_OF_A_FILE)
    return {**entry, **({} if is_scoped else scope), "source": source}


def _is_set(option: str, value: Any) -> bool:
    """True if a scope is named, perhaps wrongly."""
    return value is not None and value != "" and (option == "team" or value is not False)


def _option_problems(item: Any, reader: Any) -> list[str]:
    """The problems of an entry's templates, by option."""
    problems = []
    for option, value in item.items() if isinstance(item, dict) else ():
        try:
            reader.evaluate({option: value})
        except FileProblem as problem:
            problems.append(f"{option}: {problem}")
    return problems


def _misread(option: str, node: Any) -> Iterator[str]:
    for written, number in misread_numbers(node):
        yield f"{option} must be text, but YAML reads {written} as the number {number}. Quote it."
