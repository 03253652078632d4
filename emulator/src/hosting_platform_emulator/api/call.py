# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One request as an operation sees it: the caller, the scope, and the validated values."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..checks import Text
from ..description import ALWAYS_COMPLETE, READING_ROLES, RESOURCES, ROLE_IDS
from ..errors import Invalid, Refusal
from ..state.names import stored_form
from ..state.platform import Platform
from ..state.store import Condition, Row
from .paging import page

_EXTRA = {"nodeVersion": "20.x", "latestDeployment": {"id": "dpl_1", "state": "READY"}}


@dataclass(frozen=True, slots=True)
class Answer:
    status: int = 200
    content: Any = None


@dataclass(slots=True)
class Call:
    platform: Platform
    path: Mapping[str, str]
    query: Mapping[str, Any]
    body: Mapping[str, Any]
    user: Row | None

    @property
    def caller(self) -> Row:
        assert self.user is not None, "only operations that need no bearer have no caller"
        return self.user

    @property
    def switches(self) -> Mapping[str, Any]:
        return self.platform.switches

    def named_body(self, **tables: str) -> dict[str, Any]:
        """The body's fields, those that name an object of a table in the form in which it is
        stored.
        """
        fields = dict(self.body)
        for field, table in tables.items():
            if fields.get(field):
                fields[field] = stored_form(self.switches, table, fields[field])
                if not fields[field]:
                    raise Invalid(field, "is nothing in the form in which it would be stored")
        return fields

    def changes(self, **tables: str) -> dict[str, Any]:
        """The fields of a PATCH, without the one that the service leaves as it is."""
        ignored = self.switches["patch_ignores"]
        fields = self.named_body(**tables)
        return {field: value for field, value in fields.items() if field != ignored}

    # --- on whose behalf --------------------------------------------------------------------------

    def scope(self) -> str:
        """The id of the scope that the query names with `teamId` or `slug`; the caller's own
        without them.
        """
        by_id_or_slug = self.named_team(self.query, "teamId", ("id", "slug"))
        by_slug = self.named_team(self.query, "slug", ("slug",))
        if by_id_or_slug and by_slug and by_id_or_slug != by_slug:
            raise Invalid("slug", "names another team than `teamId`")
        scope = by_id_or_slug or by_slug or self._default_scope()
        self.require_access(scope)
        return scope

    def _default_scope(self) -> str:
        """The caller's own scope, or their first team."""
        first = None
        if self.switches["lists_span_teams"] == "one_team":
            first = self.platform.store.one(
                "SELECT teamId FROM members WHERE userId = ? ORDER BY number LIMIT 1",
                (self.caller["id"],),
            )
        return str(first["teamId"] if first else self.caller["personalTeamId"])

    def named_team(
        self,
        given: Mapping[str, Any],
        field: str,
        columns: tuple[str, ...],
        problem: str = "names no team",
    ) -> str | None:
        """The id of the team, or of the caller's own scope, that a field names, if it is given."""
        value: str | None = given.get(field)
        if value is None or value == self.caller["personalTeamId"]:
            return value
        team = self.platform.find_team(value, columns)
        if team is None:
            raise Invalid(field, problem)
        return str(team["id"])

    def require_access(self, team_id: str, *, write: bool = False) -> None:
        """Members may read, and write unless their role is BILLING or VIEWER; in the own scope,
        callers may do both.
        """
        if team_id == self.caller["personalTeamId"]:
            return
        role = self.platform.role(team_id, self.caller["id"])
        if role is None:
            raise Refusal("You are not a member of this team.", 403)
        if write and role in READING_ROLES:
            raise Refusal(f"Your role {role} in this team does not permit changes.", 403)

    def require_ready(self, team_id: str, project_id: str = "") -> None:
        """Refuse what is sent to, in or for a young team or project, as the switches say."""
        self._require_ready("teams", team_id, "young_team")
        self._require_ready("projects", project_id, "young_project")

    def _require_ready(self, table: str, object_id: str, switch: str) -> None:
        status = self.switches[switch]
        if status == "ready":
            return
        row = self.platform.store.one(f"SELECT createdAt FROM {table} WHERE id = ?", (object_id,))
        if row and self.platform.is_young(row):
            raise Refusal(f"The {table[:-1]} {object_id} is new, and not ready yet.", status)

    def reach(self) -> Condition:
        """What is in the named team, or in the caller's own scope (in all of theirs where lists
        span teams).
        """
        named = "teamId" in self.query or "slug" in self.query
        if self.switches["lists_span_teams"] is True and not named:
            return self._everything()
        return Condition("teamId = ?", (self.scope(),))

    def reach_of_list(self) -> Condition:
        """What a list looks at; that of a young team may be refused."""
        if "teamId" in self.query or "slug" in self.query:
            self._require_ready("teams", self.scope(), "young_team_lists")
        return self.reach()

    def reach_of_get(self, switch: str) -> Condition:
        """Whose objects GET of one looks at. It has no `teamId` of its own; a switch defines what
        happens to one that is sent.
        """
        shown = self.switches[switch]
        if shown == "of_everybody":
            return Condition("TRUE")
        honoured = self.switches["team_id_on_get"] == "honoured"
        if shown == "of_its_scope":
            scope = self.scope() if honoured else self._default_scope()
            return Condition("teamId = ?", (scope,))
        return self.reach() if honoured and "teamId" in self.query else self._everything()

    def _everything(self) -> Condition:
        own_and_teams = "teamId IN (SELECT ? UNION ALL SELECT teamId FROM members WHERE userId = ?)"
        return Condition(own_and_teams, (self.caller["personalTeamId"], self.caller["id"]))

    # --- finding ----------------------------------------------------------------------------------

    def find(self, table: str, columns: tuple[str, ...], value: str, reach: Condition) -> Row:
        """The object with this value in one of the columns: its id, its name, or either."""
        row = self.platform.find(table, columns, value, reach, self.caller["personalTeamId"])
        if row is None:
            raise self.missing(f"Nothing among the {table} is called {value}.")
        return row

    def find_to_change(self, table: str, columns: tuple[str, ...], value: str) -> Row:
        """An object of the named scope, or else of the caller's own, that the caller may change."""
        row = self.find(table, columns, value, self.reach())
        self.require_access(row["teamId"], write=True)
        return row

    def find_team(self, value: str) -> Row:
        team = self.platform.find_team(value)
        if team is None:
            raise self.missing(f"There is no team {value}.")
        return team

    def missing(self, message: str) -> Refusal:
        return Refusal(message, self.switches["not_found"])

    # --- answering --------------------------------------------------------------------------------

    def record(self, resource: str, row: Row) -> dict[str, Any]:
        """A stored row with the fields of its resource (§2). Fields that may be null are always
        present.
        """
        switches = self.switches
        unset = "empty" if resource in ALWAYS_COMPLETE else switches["unset_fields"]
        result: dict[str, Any] = {}
        for field, check in RESOURCES[resource].items():
            value = row.get(field)
            if field == "roleId":
                value = ROLE_IDS[row["role"]]
            elif field == "teamId" and self._hides_team(resource, value):
                value = None
            if value is None and isinstance(check, Text) and not check.nullable:
                if unset == "missing":
                    continue
                value = "" if unset == "empty" else None
            result[field] = value
        if switches["extra_fields"]:
            result.update(_EXTRA)
        return result

    def _hides_team(self, resource: str, team_id: str | None) -> bool:
        """Whether an object of this team shows none, as the switches say."""
        if resource in ("aliases", "project_domains") and self.switches["alias_team_id"] == "unset":
            return True
        hides_own: bool = self.switches["personal_team_id"] == "unset"
        return hides_own and team_id == str(self.caller["personalTeamId"])

    def answer_creation(self, resource: str, row: Row) -> Answer:
        return Answer(self.switches["create_status"], self.record(resource, row))

    def answer_patch(self, resource: str, before: Row, after: Row) -> Answer:
        result = self.switches["patch_result"]
        if result == "empty":
            return Answer()
        return Answer(content=self.record(resource, before if result == "old" else after))

    def answer_deletion(self, content: Any) -> Answer:
        status = self.switches["delete_status"]
        return Answer(status, None if status == 204 else content)

    def answer_list(
        self, table: str, rows: Condition, *, key: str = "", newest: int | None = None
    ) -> Answer:
        """A page of these rows of a table, whose name is also the key of the list, if no other is
        given.
        """
        platform = self.platform
        listed = replace(rows, tables=platform.listed(table))
        page_rows, pagination = page(
            platform.store, platform.switches, table, listed, self.query, newest
        )
        records = [self.record(table, row) for row in page_rows]
        return Answer(content={key or table: records, "pagination": pagination})
