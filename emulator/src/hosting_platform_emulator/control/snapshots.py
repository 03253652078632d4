# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole state as one document, and back, every id and time included."""

import sqlite3
from collections.abc import Mapping
from typing import Any

from ..checks import LARGEST_INTEGER, Check, Checks, Number, Text, parse_json, read_fields
from ..description import LATEST_TIMESTAMP, ROLES
from ..documents import objects
from ..errors import Refusal
from ..state.history import RECORDED
from ..state.store import TABLES, Row, Store

FORMAT = 1
_PARTS = {"format": int, "stored": dict, "switches": dict, "faults": list, "clock": dict}
Document = Mapping[str, Any]
_LARGEST_COUNT = 2**53
_IS_SET = Number(required=True, minimum=0, largest=1)
_SPECIAL: Checks = {
    "role": Text(required=True, allowed=ROLES),
    **dict.fromkeys(("isOwner", "clicked", "used", "production", "verified"), _IS_SET),
}
_COUNTER: Checks = {"counter": Number(required=True, minimum=0, largest=_LARGEST_COUNT)}


def require_snapshot(given: Document) -> None:
    """Refuse what has not all parts of a snapshot, each of its type."""
    if set(given) != set(_PARTS) or given["format"] != FORMAT:
        raise Refusal(f"A snapshot holds {', '.join(_PARTS)}, and its format is {FORMAT}")
    for name, kind in _PARTS.items():
        if not isinstance(given[name], kind):
            raise Refusal(f"The snapshot's `{name}` is invalid")
    objects("The snapshot's `faults`", given["faults"])


def contents(store: Store, without_token: str) -> dict[str, Any]:
    """Every row of every table, except the token with this digest."""
    keys = {table: next(iter(store.columns(table))) for table in TABLES}
    tables = {
        table: store.all(f"SELECT * FROM {table} ORDER BY {key}") for table, key in keys.items()
    }
    tables["tokens"] = [row for row in tables["tokens"] if row["digest"] != without_token]
    return {"counter": store.number("SELECT value FROM counter"), **tables}


def replace_contents(store: Store, given: Document) -> None:
    """Replace all rows by these; within the caller's transaction."""
    for name in given:
        if name not in ("counter", *TABLES):
            raise Refusal(f"A snapshot has no `{name}`")
    for table in TABLES:
        _replace(store, table, given.get(table))
    _require_rows(store, given["changes"])
    counter = read_fields({"counter": given.get("counter")}, _COUNTER, "snapshot")["counter"]
    store.run("UPDATE counter SET value = ?", (counter,))
    owners = store.all("SELECT 1 FROM users WHERE isOwner")
    if len(owners) != 1:
        raise Refusal(f"The snapshot has {len(owners)} owners, and must have one")


def _replace(store: Store, table: str, rows: object) -> None:
    checks = _checks(store, table)
    store.run(f"DELETE FROM {table}")
    try:
        for row in objects(f"The snapshot's `{table}`", rows):
            store.insert(table, read_fields(row, checks, f"snapshot's {table}"))
    except sqlite3.IntegrityError as error:
        raise Refusal(f"The snapshot is invalid: {error}") from error


def _require_rows(store: Store, changes: list[Document]) -> None:
    """Refuse a recorded change whose row is none of its table."""
    for change in changes:
        if change["kind"] not in RECORDED:
            raise Refusal(f"The snapshot's changes have no `{change['kind']}`")
        if change["row"] is not None:
            (before,) = objects("The snapshot's changes", [parse_json(change["row"].encode())])
            read_fields(before, _checks(store, change["kind"]), "snapshot's changes")


def _checks(store: Store, table: str) -> Checks:
    return {name: _check(name, column) for name, column in store.columns(table).items()}


def _check(name: str, column: Row) -> Check:
    if name in _SPECIAL:
        return _SPECIAL[name]
    nullable = not (column["notnull"] or column["pk"])
    if column["type"] == "TEXT":
        return Text(required=True, nullable=nullable)
    largest = LATEST_TIMESTAMP if name.endswith("At") else LARGEST_INTEGER
    return Number(required=True, nullable=nullable, largest=largest)
