# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names and values of others in a line of a plan: in quotes unless they cannot look like ours."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._text import escape_line

Row = Mapping[str, Any]

LONGEST_NAME = 300
PLAIN_NAME = "[A-Za-z0-9._@:-]+"
PLAIN_SELECTOR = r"[A-Za-z0-9._@:/*?!\[\]-]+"
PLAIN_VALUE = "[A-Za-z0-9._@:/-]+"


def value_as_text(value: Any) -> str:
    """The value of a field: text as it is, and nothing for ``None``."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def quote(value: Any, longest: int, start: int = 0, plain: str = PLAIN_VALUE) -> str:
    """A value on one line: in quotes unless it is plain, with what does not print escaped, and cut
    if it is longer than ``longest``. ``start``: the first character that is shown.
    """
    text = value_as_text(value)
    part = text[start : start + longest]
    if part != text:
        where = f"characters {start + 1:,} to {start + len(part):,} of " if start else ""
        return f"{_enclose(part)} (truncated, {where}{len(text):,} characters)"
    return part if re.fullmatch(plain, part) else _enclose(part)


def quote_name(*names: Any) -> str:
    """A name, or that of a team and an object as ``team/name``: in quotes if either needs them."""
    plain = "/".join([PLAIN_NAME] * len(names))
    return quote("/".join(map(value_as_text, names)), LONGEST_NAME, plain=plain)


def quote_selector(selector: Any) -> str:
    """A selector as it was given: a text in quotes unless it is plain, and a dictionary as JSON."""
    if isinstance(selector, str):
        return quote(selector, len(selector), plain=PLAIN_SELECTOR)
    return escape_line(value_as_text(selector))


def object_label(row: Row, same_team: str | None = None) -> str:
    """``project acme/shop``; ``project shop`` in the own scope, and ``same_team`` others of its
    team. What deletes an alias names its project: ``alias acme/old.example.com of shop``.
    """
    label = f"{KINDS[row['kind']].display_name()} {object_name(row, same_team)}"
    if row["kind"] == "aliases" and row.get("action") == "delete":
        project = row["diff"]["before"].get("project")
        return f"{label} of {quote_name(project)}" if project else label
    return label


def object_name(row: Row, same_team: str | None = None) -> str:
    """``acme/shop``, or ``shop`` in the own scope and in ``same_team``."""
    if row["team"] and row["team"] != same_team:
        return quote_name(row["team"], row["name"])
    return quote_name(row["name"])


def _enclose(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escape_line(escaped)}"'
