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

from ...module_utils._converge.items.item import PROTECTED
from ...module_utils._converge.result import SKIPPED
from ...module_utils._model.kinds.registry import KINDS
from ...module_utils._text import escape_character, escape_line
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
    team_of,
)

FOLDER = Path(__file__).parent
# So many messages, and so many entries of a state, are shown at first.
MESSAGES = 3
ENTRIES = 200
OWN_SCOPE = "own scope"
# The sides of a diff in a plan, and after a run.
SIDES = (
    {"before": "Live", "after": "Declared"},
    {"before": "Before", "after": "After"},
)
SPACE_AT_THE_END = re.compile(" $")


def render_html(view: ResultView) -> str:
    """The result as one HTML page, without references to other files."""
    listed = [row for row in in_order(view.rows) if row["reason"] not in NOT_LISTED]
    entries = [*listed, *map(_undeclared, view.undeclared)]
    return ENVIRONMENT.get_template("_page.html.j2").render(
        view=view,
        guards=guards_line(view),
        notes=" ".join(view.notes),
        entries=entries,
        sides=SIDES[view.is_done],
        groups=_groups(entries),
        tiles=Counter(map(_state_of, entries)),
        states=STATES,
        reasons=REASONS,
        shown_messages=MESSAGES,
        shown_entries=ENTRIES,
        version=VERSION,
        style=(FOLDER / "_page.css").read_text(encoding="utf-8"),
        script=(FOLDER / "_page.js").read_text(encoding="utf-8"),
    )


def _undeclared(row: Row) -> Row:
    """The object as a result of its own."""
    reason = PROTECTED if row["protected"] else None
    return {**SKIPPED, **row, "source": None, "action": UNDECLARED, "reason": reason}


def _groups(entries: list[Row]) -> dict[str, dict[str, list[Row]]]:
    """State → message → entries. Equal messages of failed entries are shown once."""
    groups: dict[str, dict[str, list[Row]]] = {state: {} for state in STATES}
    for entry in entries:
        groups[_state_of(entry)].setdefault(entry.get("msg", ""), []).append(entry)
    return {state: messages for state, messages in groups.items() if messages}


def _state_of(row: Row) -> str:
    return "failed" if row.get("failed") else str(row["action"])


def _kind_in_words(row: Row) -> str:
    return KINDS[row["kind"]].display_name()


def _changes(row: Row) -> Iterator[tuple[str, dict[str, str]]]:
    """The fields, each with its value on the sides where there is an object. A created or deleted
    object is described by its filled fields besides its name; only in an update does an empty
    field matter.
    """
    diff = row["diff"]
    sides = {side: fields for side, fields in diff.items() if fields}
    for field in {**diff["after"], **diff["before"]}:
        values = {side: value_as_text(fields.get(field)) for side, fields in sides.items()}
        texts = values.values()
        if len(sides) > 1 or (any(texts) and row["name"] not in texts):
            yield field, values


def _team_in_words(row: Row) -> str:
    """A team is listed under itself."""
    return team_of(row) or OWN_SCOPE


def _visible(text: Any) -> Any:
    """Any text of the page, on one line, with what shows nothing escaped, also a space at its end.
    What is markup already stays as it is.
    """
    if isinstance(text, Markup):
        return text
    return SPACE_AT_THE_END.sub(lambda space: escape_character(space[0]), escape_line(text))


def _visible_lines(text: str) -> Markup:
    """The text with its line breaks."""
    return Markup("\n").join(map(_visible, text.split("\n")))


def _hash(content: str) -> str:
    """The hash in the format of a content security policy."""
    digest = hashlib.sha256(content.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


ENVIRONMENT = Environment(
    loader=FileSystemLoader(FOLDER),
    autoescape=True,
    finalize=_visible,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
ENVIRONMENT.filters |= {
    "cascade": cascade_by_kind,
    "changes": _changes,
    "hash": _hash,
    "kind": _kind_in_words,
    "lines": _visible_lines,
    "team": _team_in_words,
}
