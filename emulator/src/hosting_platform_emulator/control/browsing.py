# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stored objects for browsing: full-text search, pagination, and names next to ids."""

from collections.abc import Sequence
from typing import Any

from ..state.store import Row, Store

PAGE_SIZE = 25
_LONGEST_TEXT = 500
_TEAM = "LEFT JOIN teams ON teams.id = found.teamId LEFT JOIN users ON users.personalTeamId = found.teamId"
_PROJECT = "LEFT JOIN projects ON projects.id = found.projectId"
_NAMES = {"team": "teams.slug", "owner": "users.email", "project": "projects.name"}


def browse(store: Store, kind: str, search: str, page: int) -> dict[str, Any]:
    """A page of the objects of a kind, the newest first. `team` and `owner` name the owner of each."""
    columns = store.columns(kind)
    joins, names = "", []
    if "teamId" in columns:
        joins, names = _TEAM, ["team", "owner"]
    if "projectId" in columns:
        joins, names = f"{joins} {_PROJECT}", [*names, "project"]
    searched = [*(f"found.{column}" for column in columns), *(_NAMES[name] for name in names)]
    text = " || ' ' || ".join(f"coalesce({value}, '')" for value in searched)
    rest = f"FROM {kind} AS found {joins} WHERE contains({text}, ?)"
    place = _place(store.number(f"SELECT count(*) {rest}", (search,)), page)
    named = "".join(f", {_NAMES[name]} AS {name}" for name in names)
    rows: list[Row] = store.all(
        f"SELECT found.*{named} {rest} ORDER BY found.rowid DESC LIMIT ? OFFSET ?",
        (search, PAGE_SIZE, (place["page"] - 1) * PAGE_SIZE),
    )
    return {"kind": kind, "items": [_shortened(row) for row in rows], **place}


def page_of(items: Sequence[Any], page: int) -> dict[str, Any]:
    """A page of a sequence."""
    place = _place(len(items), page)
    start = (place["page"] - 1) * PAGE_SIZE
    return {"items": items[start : start + PAGE_SIZE], **place}


def _shortened(row: Row) -> Row:
    return {
        column: f"{value[:_LONGEST_TEXT]}\u2026" if isinstance(value, str) and len(value) > _LONGEST_TEXT else value
        for column, value in row.items()
    }


def _place(total: int, page: int) -> dict[str, int]:
    """The requested page, or the last one if there are fewer."""
    pages = max(1, -(-total // PAGE_SIZE))
    return {"total": total, "page": min(page, pages), "pages": pages}
