# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names and values of others in a line of a plan: in quotes unless they cannot look like ours."""

from __future__ import annotations

import re
from typing import Any

from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._text import escape_line
from ._result_view import Row, value_as_text

LONGEST_NAME = 300
PLAIN_NAME = re.compile("[A-Za-z0-9._@:-]+")
PLAIN_SELECTOR = re.compile(r"[A-Za-z0-9._@:/*?!\[\]-]+")
PLAIN_VALUE = re.compile("[A-Za-z0-9._@:/-]+")


def quote(value: Any, longest: int, start: int = 0) -> str:
    """A value on one line: in quotes unless it is plain, with what does not print escaped, and cut
    if it is longer than ``longest``. ``start``: the first character that is shown.
    """
    text = value_as_text(value)
    part = text[start : start + longest]
    if part != text:
        where = f"characters {start + 1:,} to {start + len(part):,} of " if start else ""
        return f"{_enclose(part)} (truncated, {where}{len(text):,} characters)"
    return part if PLAIN_VALUE.fullmatch(part) else _enclose(part)


def quote_name(*names: Any) -> str:
    """A name, or that of a team and an object as ``team/name``: in quotes if either needs them."""
    parts = [value_as_text(name) for name in names]
    text = "/".join(parts)
    if len(text) > LONGEST_NAME:
        return f"{_enclose(text[:LONGEST_NAME])} (truncated, {len(text):,} characters)"
    is_plain = all(PLAIN_NAME.fullmatch(part) for part in parts)
    return text if is_plain else _enclose(text)


def quote_selector(selector: Any) -> str:
    """A selector as it was given: a text in quotes unless it is plain, and a dictionary as JSON."""
    text = value_as_text(selector)
    if not isinstance(selector, str):
        return escape_line(text)
    return text if PLAIN_SELECTOR.fullmatch(text) else _enclose(text)


def object_label(row: Row, same_team: str | None = None) -> str:
    """``project acme/shop``; ``project shop`` in the own scope, and ``same_team`` others of its
    team. What deletes an alias names its project: ``alias acme/old.example.com of shop``.
    """
    label = f"{KINDS[row['kind']].display_name()} {object_name(row, same_team)}"
    project = _project_of_deletion(row)
    return f"{label} of {quote_name(project)}" if project else label


def object_name(row: Row, same_team: str | None = None) -> str:
    """``acme/shop``, or ``shop`` in the own scope and in ``same_team``."""
    if row["team"] and row["team"] != same_team:
        return quote_name(row["team"], row["name"])
    return quote_name(row["name"])


def _project_of_deletion(row: Row) -> Any:
    """The name of the project that loses an alias; ``None`` for all else."""
    if row["kind"] != "aliases" or row.get("action") != "delete":
        return None
    return row["diff"]["before"].get("project")


def _enclose(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escape_line(escaped)}"'
