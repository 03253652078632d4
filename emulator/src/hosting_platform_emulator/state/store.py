# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The stored state, in one SQLite connection. Columns have the API's own field names."""

import hashlib
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..checks import Text
from ..description import RESOURCES
from .history import CHANGES, RECORDED, earlier, recording
from .names import ascii_host

Row = dict[str, Any]

_NUMBERED = "number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE"
_CREATED_BY = "createdBy INTEGER"
FIRST_NUMBER = 1000
"""Ids that are numbers count from here."""
_ALWAYS_SET = frozenset({"createdAt", "updatedAt", "expiresAt"})


def _fields(resource: str, required: str = "", unique: str = "", without: str = "") -> str:
    """The column definitions for each field of a resource except its id."""
    columns = []
    for field, check in RESOURCES[resource].items():
        if field not in ("id", *without.split()):
            kind = "TEXT" if isinstance(check, Text) else "INTEGER"
            not_null = " NOT NULL" if field in (*_ALWAYS_SET, *required.split()) else ""
            columns.append(f"{field} {kind}{not_null}{' UNIQUE' if field == unique else ''}")
    return ", ".join(columns)


_DOMAIN_RECORD = (
    f"id INTEGER PRIMARY KEY, {_fields('aliases', required='teamId alias domain projectId')}"
)

SCHEMA = f"""
CREATE TABLE IF NOT EXISTS users ({_NUMBERED}, {_fields("users", required="email", unique="email")},
    personalTeamId TEXT NOT NULL UNIQUE, isOwner INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS tokens (digest TEXT PRIMARY KEY, userId TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS logins (number INTEGER PRIMARY KEY, email TEXT NOT NULL,
    tokenName TEXT NOT NULL, digest TEXT NOT NULL UNIQUE,
    securityCode TEXT NOT NULL, confirmationKey TEXT NOT NULL UNIQUE,
    clicked INTEGER NOT NULL DEFAULT 0, used INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS teams ({_NUMBERED}, {_fields("teams", required="slug", unique="slug")},
    description TEXT, emailDomain TEXT, inviteCode TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS members ({_NUMBERED}, userId TEXT, role TEXT NOT NULL,
    {_fields("members", required="teamId email", without="roleId")}, UNIQUE (teamId, email));
CREATE INDEX IF NOT EXISTS members_user ON members (userId, teamId);
CREATE TABLE IF NOT EXISTS projects ({_NUMBERED},
    {_fields("projects", required="name teamId")}, {_CREATED_BY});
CREATE INDEX IF NOT EXISTS projects_name ON projects (name, teamId);
CREATE INDEX IF NOT EXISTS projects_team ON projects (teamId, createdAt);
CREATE TABLE IF NOT EXISTS project_domains ({_DOMAIN_RECORD},
    production INTEGER NOT NULL, verified INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS project_domains_project ON project_domains (projectId, createdAt);
CREATE INDEX IF NOT EXISTS project_domains_alias ON project_domains (alias);
CREATE TABLE IF NOT EXISTS aliases ({_DOMAIN_RECORD});
CREATE UNIQUE INDEX IF NOT EXISTS aliases_alias ON aliases (alias);
CREATE INDEX IF NOT EXISTS aliases_team ON aliases (teamId, createdAt);
CREATE INDEX IF NOT EXISTS aliases_project ON aliases (projectId, createdAt);
CREATE TABLE IF NOT EXISTS domains ({_NUMBERED},
    {_fields("domains", required="teamId name")}, UNIQUE (name, teamId));
CREATE INDEX IF NOT EXISTS domains_team ON domains (teamId, createdAt);
CREATE TABLE IF NOT EXISTS counter (value INTEGER NOT NULL);
INSERT INTO counter SELECT {FIRST_NUMBER} WHERE NOT EXISTS (SELECT 1 FROM counter);
{CHANGES}"""

IN_MEMORY = ":memory:"
TABLES = ("users", "tokens", "logins", *RECORDED, "changes")
KINDS = ("users", *RECORDED)
"""The tables that are shown as state, each with its objects' API field names."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Which rows of a table are meant; ``tables`` defines, before the SELECT, what is in it."""

    sql: str
    parameters: tuple[object, ...] = ()
    tables: str = ""

    def also(self, sql: str, *parameters: object) -> "Condition":
        return Condition(f"{self.sql} AND {sql}", (*self.parameters, *parameters), self.tables)


class UnusableDatabase(Exception):
    """Another process has locked the database file, or it is not a database."""


class Store:
    recorded_at: int | None = None
    """The moment of what changes now, where that is recorded."""

    def __init__(self, database: str) -> None:
        if database != IN_MEMORY:
            _make_private(database)
        try:
            # Whoever holds the store serves one request at a time, in any thread.
            self.connection = sqlite3.connect(
                database, isolation_level=None, timeout=0, check_same_thread=False
            )
            # Lock the file for the lifetime of the process, so that no second emulator can change
            # it.
            self.connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = NORMAL")
            self.connection.executescript(SCHEMA)
        except sqlite3.DatabaseError as error:
            raise UnusableDatabase(f"{database}: {error}") from error
        self.connection.row_factory = _as_dict
        for function in (str.casefold, ascii_host):
            self.connection.create_function(function.__name__, 1, function, deterministic=True)
        self.connection.create_function("recorded_at", 0, lambda: self.recorded_at)
        for table in RECORDED:
            self.connection.executescript(recording(table, self.columns(table)))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        with self.connection:
            self.connection.execute("BEGIN")
            yield

    @contextmanager
    def recorded(self, moment: int, kept_ms: int) -> Iterator[None]:
        """A transaction whose changes are recorded, for so long."""
        self.recorded_at = moment
        try:
            with self.transaction():
                self.run("DELETE FROM changes WHERE changedAt <= ?", (moment - kept_ms,))
                yield
        finally:
            self.recorded_at = None

    def earlier(self, moment: int, *tables: str) -> str:
        """What stands before a SELECT to which these tables are as they were at that moment."""
        return earlier(moment, {table: self.columns(table) for table in tables})

    def columns(self, table: str) -> dict[str, Row]:
        """What SQLite says of each column of a table, the key first."""
        return {column["name"]: column for column in self.all(f"PRAGMA table_info({table})")}

    def all(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        return self.connection.execute(sql, parameters).fetchall()

    def one(self, sql: str, parameters: Sequence[object] = ()) -> Row | None:
        row: Row | None = self.connection.execute(sql, parameters).fetchone()
        return row

    def number(self, sql: str, parameters: Sequence[object] = ()) -> int:
        """The one number that a query always returns."""
        (row,) = self.all(sql, parameters)
        (number,) = row.values()
        return int(number)

    def holds(self, table: str, column: str, value: object) -> bool:
        return self.one(f"SELECT 1 FROM {table} WHERE {column} = ?", (value,)) is not None

    def run(self, sql: str, parameters: Sequence[object] = ()) -> None:
        self.connection.execute(sql, parameters)

    def insert(self, table: str, record: Mapping[str, object]) -> Row:
        """Store one record; omitted columns are empty."""
        created: Row = self.connection.execute(
            _insertion(table, tuple(record)), tuple(record.values())
        ).fetchone()
        return created

    def update(self, table: str, row: Row, changes: Mapping[str, object]) -> Row:
        """Change one record, found by its id, and return it as it now is."""
        settings = ", ".join(f"{column} = ?" for column in changes)
        self.run(f"UPDATE {table} SET {settings} WHERE id = ?", (*changes.values(), row["id"]))
        return {**row, **changes}

    def next_number(self) -> int:
        return self.number("UPDATE counter SET value = value + 1 RETURNING value")

    def forget(self) -> None:
        """Delete everything but the owner user and their tokens; numbers begin anew."""
        with self.transaction():
            for table in set(TABLES) - {"users", "tokens"}:
                self.run(f"DELETE FROM {table}")
            self.run("UPDATE counter SET value = ?", (FIRST_NUMBER,))
            self.run("DELETE FROM users WHERE NOT isOwner")
            self.run("DELETE FROM tokens WHERE userId NOT IN (SELECT id FROM users)")

    def close(self) -> None:
        self.connection.close()


def _make_private(database: str) -> None:
    """Restrict the file to its owner before anything is written; SQLite gives its companion files
    the same mode.
    """
    try:
        os.close(os.open(database, os.O_RDWR | os.O_CREAT, 0o600))
        Path(database).chmod(0o600)
    except OSError as error:
        raise UnusableDatabase(f"{database}: unable to open: {error.strerror}") from error


def digest(token: str) -> str:
    """The form in which a token is stored."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


@cache
def _insertion(table: str, columns: tuple[str, ...]) -> str:
    places = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places}) RETURNING *"


def _as_dict(cursor: sqlite3.Cursor, values: tuple[Any, ...]) -> Row:
    return {column[0]: value for column, value in zip(cursor.description, values, strict=True)}
