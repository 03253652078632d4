# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists by timestamp (§2 Pagination object, §4 general rules)."""

from collections.abc import Mapping
from typing import Any

from ..errors import Invalid
from ..state.store import Condition, Row, Store
from ..state.switches import Switches

Page = tuple[list[Row], dict[str, int | None]]


def page(
    store: Store,
    switches: Switches,
    table: str,
    listed: Condition,
    query: Mapping[str, Any],
    newest: int | None,
) -> Page:
    """One page. `newest`: without a limit, the number of most recently created ones to return,
    whatever the order.
    """
    descending = _is_descending(switches, query)
    last_ones = newest is not None and "limit" not in query
    limit = newest if newest is not None and last_ones else _limit(switches, query)
    bounded = _apply_bounds(switches, listed, query)
    walk_descending = descending or last_ones
    rows = store.all(
        f"{bounded.tables} SELECT rowid AS place, * FROM {table} WHERE {bounded.sql}"
        f" ORDER BY {_order(walk_descending)} LIMIT ?",
        (*bounded.parameters, limit + 1),
    )
    following: Row | None = rows[limit] if len(rows) > limit else None
    rows = rows[:limit]
    if walk_descending != descending:
        rows.reverse()
        following = None
    pagination = {
        "count": len(rows),
        "next": _next(switches, rows, following, limit, descending),
        "prev": _previous(store, switches, table, listed, rows, descending),
    }
    is_turned = switches["list_order"] == "ascending_pages" and "order" not in query
    return rows[::-1] if is_turned else rows, pagination


def _is_descending(switches: Switches, query: Mapping[str, Any]) -> bool:
    order = query.get("order")
    return order == "DESC" if order else bool(switches["list_order"] != "ascending")


def _order(descending: bool) -> str:
    """Ties are broken by insertion."""
    return "createdAt DESC, rowid DESC" if descending else "createdAt, rowid"


def _limit(switches: Switches, query: Mapping[str, Any]) -> int:
    limit = int(query.get("limit", switches["default_limit"]))
    refuse_over = switches["limit_refuse_over"]
    cap = switches["limit_cap"]
    if refuse_over and "limit" in query and limit > refuse_over:
        raise Invalid("limit", f"must be at most {refuse_over}", switches["limit_refuse_status"])
    # The query fetches one more than the limit, which must fit in 64 bits.
    return min(limit, cap or limit, 2**62)


def _apply_bounds(switches: Switches, listed: Condition, query: Mapping[str, Any]) -> Condition:
    """`since`: only items created after it; `until`: only items created before it."""
    inclusive = {"inclusive": ("since", "until"), "since_inclusive": ("since",)}.get(
        switches["bounds"], ()
    )
    for name, comparison in (("since", ">"), ("until", "<")):
        if name in query:
            equal = "=" if name in inclusive else ""
            listed = listed.also(f"createdAt {comparison}{equal} ?", query[name])
    return listed


def _next(
    switches: Switches, rows: list[Row], following: Row | None, limit: int, descending: bool
) -> int | None:
    if not rows:
        return None
    full = len(rows) == limit and switches["next_on_full_last_page"]
    if following is None and not full and not switches["next_always"]:
        return None
    value = switches["next_value"]
    if value == "following" and following is not None:
        return int(following["createdAt"])
    onwards = -1 if descending else 1
    return int(rows[-1]["createdAt"]) + {"past_last": onwards, "before_last": -onwards}.get(
        value, 0
    )


def _previous(
    store: Store,
    switches: Switches,
    table: str,
    listed: Condition,
    rows: list[Row],
    descending: bool,
) -> int | None:
    """The counterpart of `next`: null if nothing precedes this page."""
    if not rows:
        return None
    first = rows[0]
    comparison = ">" if descending else "<"
    before = listed.also(
        f"(createdAt, rowid) {comparison} (?, ?)", first["createdAt"], first["place"]
    )
    preceding = store.one(
        f"{before.tables} SELECT createdAt FROM {table} WHERE {before.sql}"
        f" ORDER BY {_order(not descending)} LIMIT 1",
        before.parameters,
    )
    if preceding is None:
        return None
    return int((preceding if switches["next_value"] == "following" else first)["createdAt"])
