# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What lists show late: each change is recorded with the row before it, and an earlier state is
today's without the changes since.
"""

from collections.abc import Collection, Mapping

RECORDED = ("teams", "members", "projects", "project_domains", "aliases", "domains")

CHANGES = """
CREATE TABLE IF NOT EXISTS changes (number INTEGER PRIMARY KEY, kind TEXT NOT NULL,
    place INTEGER NOT NULL, changedAt INTEGER NOT NULL,
    row TEXT CHECK (row IS NULL OR json_valid(row)));
"""
"""The row is that before the change: none before a creation."""

_TRIGGER = """
CREATE TRIGGER IF NOT EXISTS {table}_{event} AFTER {event} ON {table}
    WHEN recorded_at() IS NOT NULL BEGIN
    INSERT INTO changes (kind, place, changedAt, row)
    VALUES ('{table}', {place}, recorded_at(), {row}); END;
"""
_EARLIER = """
{table} AS (
    WITH since AS (SELECT min(number) AS number, place FROM changes
        WHERE kind = '{table}' AND changedAt > {moment} GROUP BY place)
    SELECT rowid AS rowid, {names} FROM main.{table} WHERE rowid NOT IN (SELECT place FROM since)
    UNION ALL
    SELECT place, {values} FROM changes
        WHERE number IN (SELECT number FROM since) AND row IS NOT NULL)
"""


def recording(table: str, columns: Collection[str]) -> str:
    """The triggers that record a table's changes, while `recorded_at()` is a moment."""
    fields = ", ".join(f"'{column}', OLD.{column}" for column in columns)
    before = {"place": "OLD.rowid", "row": f"json_object({fields})"}
    return "".join(
        (
            _TRIGGER.format(table=table, event="INSERT", place="NEW.rowid", row="NULL"),
            _TRIGGER.format(table=table, event="UPDATE", **before),
            _TRIGGER.format(table=table, event="DELETE", **before),
        )
    )


def earlier(moment: int, tables: Mapping[str, Collection[str]]) -> str:
    """What stands before a SELECT to which these tables, with these columns, are as they were at
    that moment.
    """
    return f"WITH {','.join(_as_of(moment, *table) for table in tables.items())}"


def _as_of(moment: int, table: str, columns: Collection[str]) -> str:
    names = ", ".join(columns)
    values = ", ".join(f"json_extract(row, '$.{column}')" for column in columns)
    return _EARLIER.format(table=table, moment=moment, names=names, values=values)
