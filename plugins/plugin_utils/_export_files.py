# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A live platform as the files of a blueprint directory: unambiguous YAML, in which nothing is a template."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..module_utils._errors import PlatformError
from ..module_utils._file_access import os_error_text, why_not_writable
from ..module_utils._model.kinds.registry import KINDS
from ..module_utils._text import escape_line, join_some
from ..module_utils._version import VERSION
from ._atomic_files import write_atomically
from ._templates import is_template

ExportedEntry = Mapping[str, Any]
ExportedBlueprint = Mapping[str, list[ExportedEntry]]

FIRST_LINE = "# Written by an export of hosting.platform, which overwrites it."
OWN_SCOPE = "own-scope"
# The JSON schemas of this version. An unreleased one, such as 1.0.0-dev0, has no tag.
PUBLISHED = "main" if "-" in VERSION else VERSION
SCHEMAS = f"https://raw.githubusercontent.com/hosting-platform/hosting.platform/{PUBLISHED}/docs/schemas"
GOOD_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}")


def schema_address(name: str) -> str:
    """``name``: a kind, ``blueprint`` or ``plan``."""
    return f"{SCHEMAS}/{name}.schema.json"


class ExportFiles:
    """The files of a blueprint in a directory. ``files``: their paths; ``changed``: of those new or different."""

    def __init__(self, blueprint: ExportedBlueprint, layout: str, directory: str, declared_directory: str) -> None:
        """``declared_directory``: another directory, none of whose files is touched, if there is one; then only files
        that have an entry are written. Raises PlatformError for what is in the way.
        """
        self._directory = Path(directory)
        self._declared_directory = Path(os.path.realpath(declared_directory)) if declared_directory else None
        blueprint = {kind: entries for kind, entries in blueprint.items() if entries or not declared_directory}
        files = _files_by_team(blueprint) if layout == "teams" else _files_by_kind(blueprint)
        # If there are no entries, empty files say so: an empty directory is not a blueprint.
        files = files or _files_by_kind(blueprint)
        self._contents = {str(self._directory / name): content for name, content in files.items()}
        self.files = list(self._contents)
        self.changed = [path for path, content in self._contents.items() if _content_of(path) != content]
        problems = [problem for path in self.changed for problem in self._obstacles(path)]
        if problems:
            raise PlatformError(*problems, "Nothing was written.")

    @property
    def warnings(self) -> list[str]:
        """About the files of an earlier export that are not part of this one."""
        existing = sorted(self._directory.rglob("*.yml")) if self._directory.is_dir() else []
        others = [path for path in existing if str(path) not in self._contents and not self._is_declared_file(path)]
        paths = [str(path) for path in others if _is_exported(str(path))]
        old = "Files of an earlier export that are not part of this one would still be read"
        return [f"{old}: {join_some(paths)}. Remove them."] if paths else []

    def write(self) -> None:
        """Raises PlatformError."""
        for path in self.changed:
            try:
                write_atomically(path, self._contents[path])
            except OSError as error:
                raise PlatformError(f"{path} cannot be written: {os_error_text(error)}.") from None

    def _obstacles(self, path: str) -> Iterator[str]:
        folders = (folder for folder in Path(path).parents if self._directory in folder.parents)
        link = next(filter(Path.is_symlink, folders), None)
        if link:
            yield f"{link} is a link, and links are not followed."
        elif why_not_writable(path):
            yield f"{path} cannot be written: {why_not_writable(path)}."
        elif os.path.lexists(path) and (self._is_declared_file(Path(path)) or not _is_exported(path)):
            yield f"{path} exists and was not written by an export. Remove it, or choose another directory."

    def _is_declared_file(self, path: Path) -> bool:
        """True if it is a file of the other directory."""
        return self._declared_directory is not None and self._declared_directory in Path(os.path.realpath(path)).parents


def _content_of(path: str) -> str | None:
    try:
        return None if os.path.islink(path) else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _is_exported(path: str) -> bool:
    return (_content_of(path) or "").startswith(f"{FIRST_LINE}\n")


def _files_by_kind(blueprint: ExportedBlueprint) -> dict[str, str]:
    texts = {kind: "\n".join(map(_block, entries)) or "[]" for kind, entries in blueprint.items()}
    return {f"{kind}.yml": _content(kind, text) for kind, text in texts.items()}


def _files_by_team(blueprint: ExportedBlueprint) -> dict[str, str]:
    teams: dict[str, dict[str, list[ExportedEntry]]] = {}
    for kind, entries in blueprint.items():
        for entry in entries:
            team = str(entry["slug"] if kind == "teams" else entry.get("team") or "")
            teams.setdefault(team, {}).setdefault(kind, []).append(entry)
    names = _folder_names(teams)
    return {
        f"{names[team]}/{kind}.yml": _content(kind, _team_file(team, kind, entries))
        for team, kinds in teams.items()
        for kind, entries in kinds.items()
    }


def _team_file(team: str, kind: str, entries: Iterable[ExportedEntry]) -> str:
    """A mapping that says the team once, unless the entries are the team itself."""
    if not KINDS[kind].is_in_team:
        return "\n".join(map(_block, entries))
    scope = f"team: {_inline(team)}" if team else "own_scope: true"
    unscoped = ({key: value for key, value in entry.items() if key not in ("team", "own_scope")} for entry in entries)
    lines = "\n".join(map(_block, unscoped)).split("\n")
    return "\n".join([scope, f"{kind}:", *(f"  {line}" for line in lines)])


def _folder_names(teams: Iterable[str]) -> dict[str, str]:
    """A unique folder name for each team: slugs are untrusted text, and the name of a kind would mean that kind."""
    names: dict[str, str] = {}
    for team in teams:
        good = team if GOOD_NAME.fullmatch(team) and team not in KINDS else "team"
        name = preferred = good if team else OWN_SCOPE
        number = 1
        while name in names.values():
            number += 1
            name = f"{preferred}-{number}"
        names[team] = name
    return names


def _content(kind: str, text: str) -> str:
    return f"{FIRST_LINE}\n# yaml-language-server: $schema={schema_address(kind)}\n---\n{text}\n"


def _block(entry: ExportedEntry) -> str:
    return "- " + "\n  ".join(f"{option}: {_inline(value)}" for option, value in entry.items())


def _inline(value: Any) -> str:
    """A value in one line. Text is quoted, with all but printable characters escaped."""
    if isinstance(value, str):
        tag = "!unsafe " if is_template(value) else ""
        return tag + escape_line(json.dumps(value, ensure_ascii=False))
    return json.dumps(value)
