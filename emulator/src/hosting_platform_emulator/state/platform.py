# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Users, teams and memberships of the platform, and how anything is found."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import Refusal
from .clock import Clock, rounded
from .store import Row, Store, digest
from .switches import Switches

NUMBER_ID_TABLES = frozenset({"aliases", "project_domains"})


@dataclass(frozen=True, slots=True)
class Reach:
    """The scopes of a call, as a condition on `teamId`. Objects of `home` come first."""

    condition: str
    parameters: tuple[object, ...]
    home: str


class Platform:
    def __init__(self, store: Store, switches: Switches) -> None:
        self.store = store
        self.switches = switches
        self.clock = Clock()

    # --- time and identity -----------------------------------------------------------------------------------------

    def now(self) -> int:
        return rounded(self.clock.now(), self.switches["clock_resolution_ms"])

    def stamps(self, created_at: int | None = None) -> dict[str, int]:
        """The timestamps of a new object."""
        moment = self.now() if created_at is None else rounded(created_at, self.switches["clock_resolution_ms"])
        return {"createdAt": moment, "updatedAt": moment}

    def new_id(self, table: str, prefix: str) -> str:
        return self.store.new_id(table, prefix, self.switches["ids"] == "numeric")

    def changed(self, table: str, row: Row, changes: Mapping[str, Any]) -> Row:
        """Apply a PATCH: a switch decides whether one that changes nothing updates `updatedAt`."""
        differs = any((row[field] or "") != (value or "") for field, value in changes.items())
        if not differs and self.switches["updated_at"] == "on_change":
            return row
        return self.store.update(table, row, {**changes, "updatedAt": self.now()})

    def taken(self, message: str) -> Refusal:
        """The refusal of a unique name that is already taken."""
        status = self.switches["duplicate_names"]
        return Refusal(message, 409 if status == "allowed" else status)

    # --- finding ---------------------------------------------------------------------------------------------------

    def find(self, table: str, columns: tuple[str, ...], value: str, reach: Reach) -> Row | None:
        """The object with this id or name, with the switch's precedence; among equal names the newest."""
        for column in columns if self.switches["id_or_name_precedence"] == "id" else reversed(columns):
            if column == "id" and table in NUMBER_ID_TABLES and not _is_number(value):
                continue
            found = self.store.one(
                f"SELECT * FROM {table} WHERE {column} = ? AND {reach.condition}"
                " ORDER BY teamId = ? DESC, createdAt DESC, rowid DESC LIMIT 1",
                (value, *reach.parameters, reach.home),
            )
            if found:
                return found
        return None

    def find_team(self, value: str, columns: tuple[str, ...] = ("id", "slug")) -> Row | None:
        for column in columns if self.switches["id_or_name_precedence"] == "id" else reversed(columns):
            found = self.store.one(f"SELECT * FROM teams WHERE {column} = ?", (value,))
            if found:
                return found
        return None

    # --- users -----------------------------------------------------------------------------------------------------

    def user_of_token(self, token: str) -> Row | None:
        return self.store.one(
            "SELECT users.* FROM tokens JOIN users ON users.id = userId WHERE digest = ?", (digest(token),)
        )

    def user_of_email(self, email: str) -> Row | None:
        return self.store.one("SELECT * FROM users WHERE email = ?", (email,))

    def add_user(self, email: str, created_at: int | None = None, **fields: Any) -> Row:
        return self.store.insert(
            "users",
            {
                "id": fields.pop("id", None) or self.new_id("users", "usr"),
                "email": email,
                "username": email.partition("@")[0],
                "personalTeamId": self._new_scope_id(),
                **self.stamps(created_at),
                **fields,
            },
        )

    def change_user(self, user: Row, fields: Mapping[str, Any]) -> Row:
        """Change a user; tokens and memberships follow a new id."""
        if not fields:
            return user
        for table in ("tokens", "members"):
            self.store.run(
                f"UPDATE {table} SET userId = ? WHERE userId = ?", (fields.get("id", user["id"]), user["id"])
            )
        return self.store.update("users", user, fields)

    def _new_scope_id(self) -> str:
        """An id used by neither a team nor a user's own scope."""
        while True:
            candidate = self.new_id("teams", "team")
            if not self.store.one("SELECT 1 FROM users WHERE personalTeamId = ?", (candidate,)):
                return candidate

    def grant(self, user: Row, token: str) -> None:
        """Assign this token to the user."""
        self.store.run("INSERT OR REPLACE INTO tokens (digest, userId) VALUES (?, ?)", (digest(token), user["id"]))

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

    # --- teams and members -----------------------------------------------------------------------------------------

    def role(self, team_id: str, user_id: str) -> str | None:
        member = self.store.one("SELECT role FROM members WHERE userId = ? AND teamId = ?", (user_id, team_id))
        return str(member["role"]) if member else None

    def add_team(self, creator: Row, slug: str, created_at: int | None = None, **fields: Any) -> Row:
        """Create a team with the creator as OWNER."""
        self.require_free_slug(slug)
        team = self.store.insert(
            "teams",
            {
                "id": fields.pop("id", None) or self._new_scope_id(),
                "slug": slug,
                "inviteCode": secrets.token_urlsafe(12),
                "createdBy": creator["number"],
                **self.stamps(created_at),
                **fields,
            },
        )
        self.add_member(team["id"], creator["email"], "OWNER", creator, created_at)
        return team

    def require_free_slug(self, slug: str) -> None:
        if self.store.one("SELECT 1 FROM teams WHERE slug = ?", (slug,)):
            raise self.taken(f"The slug `{slug}` is invalid: it is another team's already.")

    def add_member(self, team_id: str, email: str, role: str, inviter: Row, created_at: int | None = None) -> Row:
        """A user becomes a member immediately; an email without a user stays pending until its user joins."""
        user = self.user_of_email(email)
        return self.store.insert(
            "members",
            {
                "id": self.new_id("members", "mbr"),
                "teamId": team_id,
                "userId": user["id"] if user else None,
                "email": email,
                "role": role,
                "createdBy": inviter["number"],
                **self.stamps(created_at),
            },
        )

    def remove_team(self, team: Row) -> None:
        """Delete a team with everything it owns."""
        for table in ("members", "projects", "project_domains", "aliases", "domains"):
            self.store.run(f"DELETE FROM {table} WHERE teamId = ?", (team["id"],))
        self.store.run("DELETE FROM teams WHERE id = ?", (team["id"],))


def _is_number(value: str) -> bool:
    return value.isascii() and value.isdigit() and len(value) < 19 and str(int(value)) == value
