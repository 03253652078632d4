# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A result as one HTML page that loads nothing: every value is escaped, and no script runs but the page's own."""

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

from ..module_utils._converge.change import NOT_INVITED, NOT_SELECTED
from ..module_utils._model.kinds.registry import KINDS, format_counts
from ..module_utils._text import escape_line, escape_lines, escaped
from ..module_utils._version import VERSION
from ._result_view import REASONS, STATES, UNDECLARED, ResultView, Row, change_of, state_of, value_as_text

FOLDER = Path(__file__).parent
ENVIRONMENT = Environment(
    loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)
# Initially shown are the first three messages, and so many entries of a state whole.
MESSAGES = 3
ENTRIES = 200
OWN_SCOPE = "own scope"
SPACE_AT_AN_END = re.compile(" $", re.MULTILINE)


def render_html(report: ResultView) -> str:
    """The report as one HTML page, without references to other files."""
    # Entries that were not selected or not invited are only counted.
    rows = [row for row in report.rows if row["reason"] not in (NOT_SELECTED, NOT_INVITED)]
    entries = [_entry(row) for row in (*rows, *map(_undeclared, report.undeclared))]
    teams: dict[str, Counter[str]] = {}
    for team, state in sorted((team, entry["state"]) for entry in entries for team in entry["teams"]):
        teams.setdefault(team, Counter())[state] += 1
    # Equal messages of failed entries are shown once, above these.
    groups: dict[str, dict[str, list[Row]]] = {state: {} for state in STATES}
    for entry in entries:
        groups[entry["state"]].setdefault(entry["message"], []).append(entry)
    style, script = ((FOLDER / name).read_text(encoding="utf-8") for name in ("_page.css", "_page.js"))
    return ENVIRONMENT.get_template("_page.html.j2").render(
        report=report,
        entries=entries,
        sides=("Before", "After") if report.is_done else ("Live", "Declared"),
        groups={state: members for state, members in groups.items() if members},
        tiles=Counter(entry["state"] for entry in entries),
        along={state: sum(len(row["along"]) for row in rows if state_of(row) == state) for state in STATES},
        kinds={kind: KINDS[kind].display_name(2) for kind in KINDS if kind in {entry["kind"] for entry in entries}},
        teams=teams,
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
    nothing: Row = {"diff": {"before": {}, "after": {}}, "source": None, "along": [], "not_compared": []}
    return {**row, **nothing, "action": UNDECLARED, "reason": "protected" if row["protected"] else None}


def _entry(row: Row) -> dict[str, Any]:
    """A row as the page shows it. All text is escaped for reading; the template escapes it for HTML."""
    known = _object(row)
    old = row["diff"]["before"]
    before = [_escape_visibly(escape_line(old["team"] or OWN_SCOPE))] if change_of(row) == "move" else []
    return {
        **known,
        "teams": [known["team"], *before],
        "state": state_of(row),
        "intention": STATES[change_of(row)][0].lower(),
        "source": escape_line(row["source"] or ""),
        "reason": f"{REASONS[row['reason']].capitalize()}." if row["reason"] else "",
        "message": escape_lines(row.get("msg", "")),
        "changes": list(_changes(row)),
        "along": _cascade(row),
        "not_compared": list(map(escape_line, row["not_compared"])),
    }


def _cascade(row: Row) -> dict[str, list[dict[str, str]]]:
    """What is deleted with an object, by kind: ``2 aliases`` and which."""
    by_kind: dict[str, list[dict[str, str]]] = {}
    for deleted in row["along"]:
        by_kind.setdefault(deleted["kind"], []).append(_object(deleted))
    return {format_counts({kind: len(objects)}): objects for kind, objects in by_kind.items()}


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
    """The fields with their values on both sides, ``None`` if there is no object on one. A created or deleted object is
    described by its filled fields besides its name; only in an update does an empty field matter.
    """
    diff = row["diff"]
    is_update = diff["before"] and diff["after"]
    for field in dict.fromkeys([*diff["after"], *diff["before"]]):
        own_scope = OWN_SCOPE if field == "team" else ""
        values = {
            side: (_escape_visibly(value_as_text(diff[side].get(field))) or own_scope) if diff[side] else None
            for side in ("before", "after")
        }
        is_name = value_as_text((diff["before"] or diff["after"]).get(field)) == row["name"]
        if is_update or (any(values.values()) and not is_name):
            yield {"field": escape_line(field), **values}


def _escape_visibly(text: str) -> str:
    """The text with its lines, as ``escape_lines``, and with a space at the end of one, which nobody would see."""
    return SPACE_AT_AN_END.sub(lambda space: escaped(space[0]), escape_lines(text))


def _hash(content: str) -> str:
    """The hash in the format of a content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
