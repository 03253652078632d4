# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A result as one HTML page that loads nothing: every value is escaped, and no script runs but the
page's own.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._text import escape_character, escape_line, escape_lines
from ...module_utils._version import VERSION
from ._guards_line import guards_line
from ._quoting import Row, value_as_text
from ._result_view import (
    NOT_LISTED,
    REASONS,
    STATES,
    UNDECLARED,
    ResultView,
    cascade_by_kind,
    in_order,
)

FOLDER = Path(__file__).parent
ENVIRONMENT = Environment(
    loader=FileSystemLoader(FOLDER),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
# So many messages, and so many entries of a state, are shown at first.
MESSAGES = 3
ENTRIES = 200
OWN_SCOPE = "own scope"
SPACE_AT_AN_END = re.compile(" $", re.MULTILINE)
# An entry as the template reads it.
EntryView = dict[str, Any]


def render_html(view: ResultView) -> str:
    """The result as one HTML page, without references to other files."""
    pruned = [{**row, "is_pruned": True} for row in view.rows[view.entry_count :]]
    rows = [*view.rows[: view.entry_count], *pruned]
    listed = [row for row in in_order(rows) if row["reason"] not in NOT_LISTED]
    entries = [_entry(row) for row in [*listed, *map(_undeclared, view.undeclared)]]
    style = (FOLDER / "_page.css").read_text(encoding="utf-8")
    script = (FOLDER / "_page.js").read_text(encoding="utf-8")
    return ENVIRONMENT.get_template("_page.html.j2").render(
        view=view,
        guards=guards_line(view),
        notes=[note for note in (view.skipped, *view.notes) if note],
        entries=entries,
        sides=("Before", "After") if view.is_done else ("Live", "Declared"),
        groups=_groups(entries),
        tiles=Counter(entry["state"] for entry in entries),
        shown_messages=MESSAGES,
        shown_entries=ENTRIES,
        version=VERSION,
        style=Markup(style),  # noqa: S704 (a file of ours)
        script=Markup(script),  # noqa: S704 (a file of ours)
        style_hash=_hash(style),
        script_hash=_hash(script),
    )


def _undeclared(row: Row) -> Row:
    """The object as a result of its own."""
    return {
        **row,
        "diff": {"before": {}, "after": {}},
        "source": None,
        "along": [],
        "not_compared": [],
        "action": UNDECLARED,
        "reason": "protected" if row["protected"] else None,
    }


def _groups(entries: list[EntryView]) -> dict[str, dict[str, list[EntryView]]]:
    """State → message → entries. Equal messages of failed entries are shown once."""
    groups: dict[str, dict[str, list[EntryView]]] = {state: {} for state in STATES}
    for entry in entries:
        groups[entry["state"]].setdefault(entry["message"], []).append(entry)
    return {state: members for state, members in groups.items() if members}


def _entry(row: Row) -> EntryView:
    """A row as the page shows it: escaped for reading. The template escapes it for HTML."""
    cascade = cascade_by_kind(row)
    return {
        **_object(row),
        "state": "failed" if row.get("failed") else row["action"],
        "is_pruned": row.get("is_pruned", False),
        "intention": STATES[row["action"]][0].lower(),
        "source": escape_line(row["source"] or ""),
        "reason": f"{REASONS[row['reason']].capitalize()}." if row["reason"] else "",
        "message": escape_lines(row.get("msg", "")),
        "changes": list(_changes(row)),
        "along": {title: [_object(obj) for obj in objects] for title, objects in cascade.items()},
        "not_compared": [escape_line(field) for field in row["not_compared"]],
    }


def _object(row: Row) -> dict[str, str]:
    """A team is listed under itself."""
    team = row["name"] if row["kind"] == "teams" else row["team"]
    return {
        "kind": row["kind"],
        "kind_in_words": KINDS[row["kind"]].display_name(),
        "name": _escape_visibly(escape_line(row["name"])),
        "team": _escape_visibly(escape_line(team or OWN_SCOPE)),
    }


def _changes(row: Row) -> Iterator[dict[str, str | None]]:
    """The fields with their values on both sides, ``None`` if there is no object on one. A created
    or deleted object is described by its filled fields besides its name; only in an update does an
    empty field matter.
    """
    diff = row["diff"]
    is_update = diff["before"] and diff["after"]
    for field in dict.fromkeys([*diff["after"], *diff["before"]]):
        values = {side: _side(diff[side], field) for side in ("before", "after")}
        is_name = value_as_text((diff["before"] or diff["after"]).get(field)) == row["name"]
        if is_update or (any(values.values()) and not is_name):
            yield {"field": escape_line(field), **values}


def _side(fields: Row, field: str) -> str | None:
    return _escape_visibly(value_as_text(fields.get(field))) if fields else None


def _escape_visibly(text: str) -> str:
    """The text with its lines, as ``escape_lines``, and with a space at the end of one, which
    nobody would see.
    """
    return SPACE_AT_AN_END.sub(lambda space: escape_character(space[0]), escape_lines(text))


def _hash(content: str) -> str:
    """The hash in the format of a content security policy."""
    digest = hashlib.sha256(content.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
