# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A live platform as the files of a blueprint directory: unambiguous YAML, in which nothing is a
template.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...module_utils._converge.blueprint.nested import Nesting, nestings
from ...module_utils._errors import PlatformError
from ...module_utils._file_access import os_error_text, why_not_writable
from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._text import escape_line, join_some
from ...module_utils._version import VERSION
from ._atomic_files import write_atomically
from ._blueprint_files import DEFAULTS_FILES, is_left_alone
from ._defaults import DEFAULTS, SCOPE
from ._templates import is_template

ExportedEntry = Mapping[str, Any]
ExportedBlueprint = Mapping[str, Sequence[ExportedEntry]]
# The name and the team of an entry.
OuterKey = tuple[str, str]

FIRST_LINE = "# Written by an export of hosting.platform, which overwrites it."
OWN_SCOPE = "own-scope"
# The JSON schemas of this version. An unreleased one, such as 1.0.0-dev0, has no tag.
PUBLISHED = "main" if "-" in VERSION else VERSION
SCHEMAS = (
    f"https://raw.githubusercontent.com/hosting-platform/hosting.platform/{PUBLISHED}/docs/schemas"
)
# What may be the name of a folder on every system, and those of them that mean something else: a
# device of Windows, or the name that another team would get.
GOOD_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}")
TAKEN_NAME = re.compile(r"con|prn|aux|nul|com[1-9]|lpt[1-9]|own-scope|.*-[0-9a-f]{8}")
OTHER_CHARACTERS = re.compile(r"[^a-z0-9_-]+")


def schema_address(name: str) -> str:
    """``name``: a kind, ``blueprint`` or ``plan``."""
    return f"{SCHEMAS}/{name}.schema.json"


class ExportFiles:
    """The files of a blueprint in a directory. ``files``: their paths; ``changed``: of those new or
    different.

    An alias that has nothing but its name stands in the entry of its project. Where a folder has
    defaults, the files below it say that they are not for them: an export is what exists.
    """

    def __init__(
        self,
        blueprint: ExportedBlueprint,
        layout: str,
        directory: str,
        declared_directories: Sequence[str],
    ) -> None:
        """``declared_directories``: others, none of whose files is touched; if there is one, only
        files that have an entry are written. Raises PlatformError for what is in the way.
        """
        self._directory = Path(directory)
        self._declared_directories = [
            Path(os.path.realpath(declared)) for declared in declared_directories
        ]
        real = Path(os.path.realpath(directory))
        # The directory with which the files are read.
        self._top = next(
            (path for path in self._declared_directories if path in real.parents), real
        )
        blueprint = with_nested_entries(blueprint)
        blueprint = {
            kind: entries
            for kind, entries in blueprint.items()
            if entries or not declared_directories
        }
        files = _files_by_team(blueprint) if layout == "teams" else _files_by_kind(blueprint)
        # If there are no entries, empty files say so: an empty directory is not a blueprint.
        files = files or _files_by_kind(blueprint)
        self._contents = {}
        for name, file in files.items():
            path = self._directory / name
            self._contents[str(path)] = file.content(stops_defaults=self._has_defaults(path.parent))
        self.files = list(self._contents)
        self.changed = [
            path for path, content in self._contents.items() if not _is_written(path, content)
        ]
        problems: list[str] = []
        for changed in self.changed:
            problems += self._obstacles(changed)
        if problems:
            raise PlatformError(*problems, "Nothing was written.")

    @property
    def warnings(self) -> Iterator[str]:
        """About files of an earlier export, which are read with those of this one."""
        old = [
            str(path)
            for path in sorted(self._directory.rglob("*.yml"))
            if str(path) not in self._contents
            and _is_exported(str(path))
            and not self._is_declared_file(path)
            and not any(map(is_left_alone, path.relative_to(self._directory).parts))
        ]
        if old:
            yield (
                "Files of an earlier export that are not part of this one would still be read:"
                f" {join_some(old)}. Remove them."
            )

    def write(self) -> None:
        """Raises PlatformError."""
        for path in self.changed:
            try:
                write_atomically(path, self._contents[path])
            except OSError as error:
                raise PlatformError(f"{path} cannot be written: {os_error_text(error)}.") from None

    def _has_defaults(self, folder: Path) -> bool:
        """True if the defaults of a folder, or of one above it, are read with its files."""
        for path in (folder, *folder.parents):
            if any(os.path.exists(path / name) for name in DEFAULTS_FILES):
                return True
            if os.path.realpath(path) == str(self._top):
                break
        return False

    def _obstacles(self, path: str) -> Iterator[str]:
        folders = (folder for folder in Path(path).parents if self._directory in folder.parents)
        link = next(filter(os.path.islink, folders), None)
        if link:
            yield f"{link} is a link, and links are not followed."
        elif why_not_writable(path):
            yield f"{path} cannot be written: {why_not_writable(path)}."
        elif os.path.lexists(path) and (
            self._is_declared_file(Path(path)) or not _is_exported(path)
        ):
            yield (
                f"{path} exists and was not written by an export. Remove it, or choose another"
                " directory."
            )

    def _is_declared_file(self, path: Path) -> bool:
        """True if it is a file of another directory."""
        folders = Path(os.path.realpath(path)).parents
        return any(declared in folders for declared in self._declared_directories)


def _content_of(path: str) -> str | None:
    try:
        return None if os.path.islink(path) else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _is_exported(path: str) -> bool:
    return (_content_of(path) or "").startswith(f"{FIRST_LINE}\n")


def _is_written(path: str, content: str) -> bool:
    """True if an export has written the content, perhaps that of another version, whose schema has
    another address.
    """
    return _is_exported(path) and _body(_content_of(path) or "") == _body(content)


def _body(content: str) -> str:
    return content.partition("\n---\n")[2]


@dataclasses.dataclass(frozen=True)
class _KindFile:
    """A file to be written. ``scope``: the lines that set the team of its entries, once."""

    kind: str
    entries: Sequence[ExportedEntry]
    scope: Sequence[str] = ()

    def content(self, *, stops_defaults: bool) -> str:
        """Its text: a mapping if it says more than its entries."""
        head = [*self.scope, *([f"{DEFAULTS}: null"] if stops_defaults else [])]
        lines: list[str] = []
        for entry in self.entries:
            lines += _entry_lines(entry)
        if not head:
            return _content(self.kind, lines or ["[]"])
        if not lines:
            return _content(self.kind, [*head, f"{self.kind}: []"])
        return _content(self.kind, [*head, f"{self.kind}:", *(f"  {line}" for line in lines)])


def with_nested_entries(blueprint: ExportedBlueprint) -> ExportedBlueprint:
    """The blueprint with each entry that has nothing but its name in the entry to which it
    refers.
    """
    nested = {plural: list(entries) for plural, entries in blueprint.items()}
    for plural in blueprint:
        for nesting in nestings(KINDS[plural]).values():
            _nest(nested, plural, nesting)
    return nested


def _nest(blueprint: dict[str, list[ExportedEntry]], plural: str, nesting: Nesting) -> None:
    """Move entries of one kind into those to which they refer."""
    inner = nesting.kind.plural
    name_field = nesting.kind.name_field
    outer = [_outer_key(entry, KINDS[plural].name_field) for entry in blueprint[plural]]
    names: dict[OuterKey, list[str]] = {key: [] for key in outer}
    kept = []
    for entry in blueprint.get(inner, []):
        key = _outer_key(entry, nesting.option)
        if key in names and _is_name_alone(nesting, entry):
            names[key].append(entry[name_field])
        else:
            kept.append(entry)
    blueprint[plural] = [
        {**entry, inner: names[key]} if names[key] else entry
        for entry, key in zip(blueprint[plural], outer)
    ]
    if inner in blueprint:
        blueprint[inner] = kept


def _is_name_alone(nesting: Nesting, entry: ExportedEntry) -> bool:
    return entry.keys() <= {nesting.kind.name_field, nesting.option, *SCOPE}


def _outer_key(entry: ExportedEntry, option: str) -> OuterKey:
    """What tells an entry from others of its kind: its name and its scope."""
    return str(entry.get(option)), str(entry.get("team") or "")


def _files_by_kind(blueprint: ExportedBlueprint) -> dict[str, _KindFile]:
    return {f"{kind}.yml": _KindFile(kind, entries) for kind, entries in blueprint.items()}


def _files_by_team(blueprint: ExportedBlueprint) -> dict[str, _KindFile]:
    teams: dict[str, dict[str, list[ExportedEntry]]] = {}
    for kind, entries in blueprint.items():
        for entry in entries:
            team = str(entry["slug"] if kind == "teams" else entry.get("team") or "")
            teams.setdefault(team, {}).setdefault(kind, []).append(entry)
    files = {}
    for team, kinds in teams.items():
        for kind, entries in kinds.items():
            files[f"{_folder_of(team)}/{kind}.yml"] = _team_file(team, kind, entries)
    return files


def _team_file(team: str, kind: str, entries: Sequence[ExportedEntry]) -> _KindFile:
    """A file that says the team once, unless the entries are the team itself."""
    if not KINDS[kind].is_in_team:
        return _KindFile(kind, entries)
    scope = f"team: {_inline(team)}" if team else "own_scope: true"
    unscoped = [
        {key: value for key, value in entry.items() if key not in SCOPE} for entry in entries
    ]
    return _KindFile(kind, unscoped, [scope])


def _folder_of(team: str) -> str:
    """The name of a team's folder, which depends on the team alone: slugs are untrusted text, and
    the name of a kind would mean that kind.
    """
    if not team:
        return OWN_SCOPE
    if GOOD_NAME.fullmatch(team) and not TAKEN_NAME.fullmatch(team) and team not in KINDS:
        return team
    letters = OTHER_CHARACTERS.sub("-", team.lower()).strip("-")[:80] or "team"
    digest = hashlib.sha256(team.encode(errors="backslashreplace")).hexdigest()
    return f"{letters}-{digest[:8]}"


def _content(kind: str, lines: Sequence[str]) -> str:
    schema = f"# yaml-language-server: $schema={schema_address(kind)}"
    return "\n".join([FIRST_LINE, schema, "---", *lines]) + "\n"


def _entry_lines(entry: ExportedEntry) -> Iterator[str]:
    """An entry as an item of a list."""
    begin = "- "
    for option, value in entry.items():
        if isinstance(value, list) and value:
            yield f"{begin}{option}:"
            yield from (f"    - {_inline(item)}" for item in value)
        else:
            yield f"{begin}{option}: {_inline(value)}"
        begin = "  "


def _inline(value: Any) -> str:
    """A value in one line. Text is quoted, with all but printable characters escaped."""
    if isinstance(value, str):
        tag = "!unsafe " if is_template(value) else ""
        return tag + escape_line(json.dumps(value, ensure_ascii=False))
    return json.dumps(value)
