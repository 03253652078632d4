# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A live platform as the texts of a blueprint's files: which there are, and unambiguous YAML."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...module_utils._model.fields import Values
from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._model.options import Options
from ...module_utils._text import escape_line
from ...module_utils._version import VERSION
from ._inherited import SCOPE

ExportedBlueprint = Mapping[str, Sequence[Options]]

FIRST_LINE = "# Written by an export of hosting.platform, which overwrites it until it is edited."
# What says so, and the checksum of what follows the line of three hyphens.
EXPORTED = re.compile(rf"{re.escape(FIRST_LINE)} Checksum: ([0-9a-f]+)\n")
BEGIN = "\n---\n"
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


def export_texts(blueprint: ExportedBlueprint, layout: str, *, with_empty: bool) -> dict[str, str]:
    """The texts of the files that say the blueprint, by their names in a directory.

    An alias that has nothing but its name stands in the entry of its project. ``with_empty``: an
    empty list has a file, too; where all are empty, files of kinds say so.
    """
    blueprint = _with_nested_entries(blueprint)
    texts = _texts_by_team(blueprint) if layout == "teams" else {}
    return texts or {
        f"{kind}.yml": _text(kind, entries)
        for kind, entries in blueprint.items()
        if entries or with_empty
    }


def checksum(text: str) -> str:
    """The checksum of what a file says, whatever its head."""
    return hashlib.sha256(body(text).encode()).hexdigest()[:16]


def body(text: str) -> str:
    """What follows the line of three hyphens."""
    return text.partition(BEGIN)[2]


def _text(kind: str, entries: Sequence[Options], scope: str = "") -> str:
    """The text of a file: a mapping if it says more than its entries. ``scope``: the line that sets
    the team of its entries, once.
    """
    lines: list[str] = []
    for entry in entries:
        lines += _entry_lines(entry)
    if scope:
        lines = [scope, f"{kind}:", *(f"  {line}" for line in lines)]
    content = "".join([BEGIN, *(f"{line}\n" for line in lines or ["[]"])])
    schema = f"# yaml-language-server: $schema={schema_address(kind)}"
    return f"{FIRST_LINE} Checksum: {checksum(content)}\n{schema}{content}"


def _with_nested_entries(blueprint: ExportedBlueprint) -> ExportedBlueprint:
    """The blueprint with each entry that has nothing but its name in the entry to which it refers,
    whose kind stands before its own.
    """
    nested: dict[str, list[Options]] = {}
    # What others may be in: by its kind, its name and its team.
    outer: dict[tuple[str, Any, Any], Values] = {}
    for plural, entries in blueprint.items():
        kind = KINDS[plural]
        nested[plural] = []
        for entry in entries:
            name = entry.get(kind.name_field)
            around = None
            for option, referred in kind.references.items():
                if entry.keys() <= {kind.name_field, option, *SCOPE}:
                    around = outer.get((referred.plural, entry[option], entry.get("team")))
            if around is None:
                own = dict(entry)
                nested[plural].append(own)
                outer[plural, name, entry.get("team")] = own
            else:
                around.setdefault(plural, []).append(name)
    return nested


def _texts_by_team(blueprint: ExportedBlueprint) -> dict[str, str]:
    """A folder for each team, with a file for each kind."""
    files: dict[tuple[str, str], list[Options]] = {}
    for kind, entries in blueprint.items():
        for entry in entries:
            team = str(entry["slug"] if kind == "teams" else entry.get("team") or "")
            files.setdefault((team, kind), []).append(entry)
    return {
        f"{_folder_of(team)}/{kind}.yml": _text_of_team(team, kind, entries)
        for (team, kind), entries in files.items()
    }


def _text_of_team(team: str, kind: str, entries: Sequence[Options]) -> str:
    """A file that says the team once, unless the entries are the team itself."""
    if not KINDS[kind].is_in_team:
        return _text(kind, entries)
    scope = f"team: {_inline(team)}" if team else "own_scope: true"
    unscoped = [
        {key: value for key, value in entry.items() if key not in SCOPE} for entry in entries
    ]
    return _text(kind, unscoped, scope)


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


def _entry_lines(entry: Options) -> Iterator[str]:
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
        return escape_line(json.dumps(value, ensure_ascii=False))
    return json.dumps(value)
