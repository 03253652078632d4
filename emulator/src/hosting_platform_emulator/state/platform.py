# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Users, teams and memberships of the platform, and how anything is found."""

import secrets
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from ..errors import Refusal
from .clock import Clock, round_down
from .names import stored_form
from .store import FIRST_NUMBER, Condition, Row, Store, digest
from .switches import Switches

_ID_PREFIXES = {
    "users": "usr",
    "teams": "team",
    "members": "mbr",
    "projects": "prj",
    "domains": "dom",
}


class Platform:
    def __init__(self, store: Store, switches: Switches) -> None:
        self.store = store
        self.switches = switches
        self.clock = Clock()

    # --- time and identity ------------------------------------------------------------------------

    def now(self) -> int:
        return round_down(self.clock.now(), self.switches["clock_resolution_ms"])

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing of what a request changes, which late lists show later."""
        lateness = self.switches["lists_late_ms"]
        if not lateness:
            return self.store.transaction()
        return self.store.recorded(self.clock.now(), lateness)

    def listed(self, table: str) -> str:
        """What defines, before a SELECT that lists a table, what is in it: nothing, unless that
        list is late.
        """
        lateness = self.switches["lists_late_ms"]
        if not lateness or self.switches["lists_late"] not in ("all", table):
            return ""
        return self.store.earlier(self.clock.now() - lateness, table, "members")

    def is_young(self, row: Row) -> bool:
        """Whether a team or project was made so lately that it may not be ready."""
        age = self.clock.now() - row["createdAt"]
        return bool(age < self.switches["young_ms"])

    def stamps(self, created_at: int | None = None) -> dict[str, int]:
        """The timestamps of a new object."""
        moment = self.clock.now() if created_at is None else created_at
        moment = round_down(moment, self.switches["clock_resolution_ms"])
        return {"createdAt": moment, "updatedAt": moment}

    def new_id(self, table: str) -> str | int:
        """An id that no object of the table has, and a team's not a user's own scope either."""
        while True:
            candidate = self._candidate(_ID_PREFIXES.get(table))
            is_scope = table == "teams" and self.store.holds("users", "personalTeamId", candidate)
            if not is_scope and not self.store.holds(table, "id", candidate):
                return candidate

    def _candidate(self, prefix: str | None) -> str | int:
        """Aliases and project domains have numbers for ids, and no prefix."""
        ids = self.switches["ids"]
        if prefix and ids == "prefixed":
            return f"{prefix}_{secrets.token_hex(8)}"
        number = self.store.next_number()
        if ids == "short":
            number -= FIRST_NUMBER
        return str(number) if prefix else number

    def create(self, table: str, fields: Mapping[str, Any], created_at: int | None = None) -> Row:
        """Store a new object, with an id and timestamps where the fields give none."""
        given_id = fields.get("id")
        identity = {"id": self.new_id(table) if given_id in (None, "") else given_id}
        return self.store.insert(table, {**self.stamps(created_at), **fields, **identity})

    def patch(self, table: str, row: Row, changes: Mapping[str, Any]) -> Row:
        """Apply a PATCH: a switch decides whether one that changes nothing updates `updatedAt`."""
        different = {
            field for field, value in changes.items() if (row[field] or "") != (value or "")
        }
        changed, _, cleared = self.switches["patch_clears"].partition(":")
        if changed in different and cleared in row:
            changes = {cleared: None, **changes}
        if not different and self.switches["updated_at"] == "on_change":
            return row
        return self.store.update(table, row, {**changes, "updatedAt": self.now()})

    def name_conflict(self, message: str) -> Refusal:
        """The refusal of a unique name that is already taken."""
        status = self.switches["duplicate_names"]
        return Refusal(message, 409 if status == "allowed" else status)

    # --- finding ----------------------------------------------------------------------------------

    def find(
        self, table: str, columns: tuple[str, ...], value: str, reach: Condition, scope_id: str
    ) -> Row | None:
        """The object with this id or name, by the switch's precedence; of equal names the scope's,
        then the newest.
        """
        for column in self._by_precedence(columns):
            meant = self._meant(table, column, value).also(reach.sql, *reach.parameters)
            row = self.store.one(
                f"SELECT * FROM {table} WHERE {meant.sql}"
                " ORDER BY teamId = ? DESC, createdAt DESC, rowid DESC LIMIT 1",
                (*meant.parameters, scope_id),
            )
            if row:
                return row
        return None

    def _by_precedence(self, columns: tuple[str, ...]) -> tuple[str, ...]:
        """The columns, the id first, in the order in which they are asked."""
        return columns if self.switches["id_or_name_precedence"] == "id" else columns[::-1]

    def _meant(self, table: str, column: str, value: str) -> Condition:
        """The rows that a path's value means. As text as well: an alias's id is a number, which
        equals 007.
        """
        if column == "id":
            return Condition("id = ? AND CAST(id AS TEXT) = ?", (value, value))
        return self.named(table, column, value)

    def named(self, table: str, column: str, name: str) -> Condition:
        """The rows of a table that have this name in a column, as the switch compares them."""
        comparison = self.switches["name_comparison"]
        if comparison == "without_case":
            return Condition(f"casefold({column}) = ?", (name.casefold(),))
        if comparison == "stored_form":
            name = stored_form(self.switches, table, name)
        return Condition(f"{column} = ?", (name,))

    def find_team(self, value: str, columns: tuple[str, ...] = ("id", "slug")) -> Row | None:
        for column in self._by_precedence(columns):
            meant = self._meant("teams", column, value)
            row = self.store.one(f"SELECT * FROM teams WHERE {meant.sql}", meant.parameters)
            if row:
                return row
        return None

    # --- users ------------------------------------------------------------------------------------

    def user_of_token(self, token: str) -> Row | None:
        return self.store.one(
            "SELECT users.* FROM tokens JOIN users ON users.id = userId WHERE digest = ?",
            (digest(token),),
        )

    def user_of_email(self, email: str) -> Row | None:
        return self.store.one("SELECT * FROM users WHERE email = ?", (email,))

    def add_user(self, email: str, created_at: int | None = None, **fields: Any) -> Row:
        made = {"username": email.partition("@")[0], "personalTeamId": self.new_id("teams")}
        return self.create("users", {"email": email, **made, **fields}, created_at)

    def change_user(self, user: Row, fields: Mapping[str, Any]) -> Row:
        """Change a user; tokens and memberships follow a new id."""
        if not fields:
            return user
        ids = (fields.get("id", user["id"]), user["id"])
        for table in ("tokens", "members"):
            self.store.run(f"UPDATE {table} SET userId = ? WHERE userId = ?", ids)
        return self.store.update("users", user, fields)

    def grant(self, user: Row, token: str) -> None:
        """Assign this token to the user."""
        self.store.run(
            "INSERT OR REPLACE INTO tokens (digest, userId) VALUES (?, ?)",
            (digest(token), user["id"]),
        )

    def set_owner(self, email: str, token: str) -> Row:
        """Set the owner user's email, and this token as their only one."""
        owner = self.store.one("SELECT * FROM users WHERE isOwner") or self.user_of_email(email)
        if owner is None:
            owner = self.add_user(email, isOwner=1, name="Owner")
        owner = self.store.update("users", owner, {"email": email, "isOwner": 1})
        self.store.run("DELETE FROM tokens WHERE userId = ?", (owner["id"],))
        self.grant(owner, token)
        return owner

    def owner(self) -> Row:
        owner = self.store.one("SELECT * FROM users WHERE isOwner")
        assert owner is not None, "the emulator starts with an owner"
        return owner

    # --- teams and members ------------------------------------------------------------------------

    def role(self, team_id: str, user_id: str) -> str | None:
        member = self.store.one(
            "SELECT role FROM members WHERE userId = ? AND teamId = ?", (user_id, team_id)
        )
        return str(member["role"]) if member else None

    def add_team(
        self, creator: Row, slug: str, created_at: int | None = None, **fields: Any
    ) -> Row:
        """Create a team with the creator as OWNER."""
        self.require_free_slug(slug)
        made = {"inviteCode": secrets.token_urlsafe(12), "createdBy": creator["number"]}
        team = self.create("teams", {"slug": slug, **made, **fields}, created_at)
        self.add_member(team["id"], creator["email"], "OWNER", creator, created_at)
        return team

    def require_free_slug(self, slug: str, team_id: str = "") -> None:
        """Refuse a slug that another team has than the one of this id."""
        taken = self.named("teams", "slug", slug).also("id != ?", team_id)
        if self.store.one(f"SELECT 1 FROM teams WHERE {taken.sql}", taken.parameters):
            raise self.name_conflict(f"The slug `{slug}` is invalid: it is another team's already.")

    def add_member(
        self, team_id: str, email: str, role: str, inviter: Row, created_at: int | None = None
    ) -> Row:
        """A user becomes a member immediately; an email without a user stays pending until its user
        joins.
        """
        user = self.user_of_email(email)
        fields = {
            "teamId": team_id,
            "userId": user["id"] if user else None,
            "email": email,
            "role": role,
        }
        return self.create("members", {**fields, "createdBy": inviter["number"]}, created_at)

    def remove_team(self, team: Row) -> None:
        """Delete a team with everything it owns."""
        for table in ("members", "projects", "project_domains", "aliases", "domains"):
            self.store.run(f"DELETE FROM {table} WHERE teamId = ?", (team["id"],))
        self.store.run("DELETE FROM teams WHERE id = ?", (team["id"],))
