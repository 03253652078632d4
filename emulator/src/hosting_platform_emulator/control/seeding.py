# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creating objects directly: for tests, demos, and kinds that no operation creates."""

import sqlite3
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ..checks import BearerToken, Check, Checks, Flag, Number, Text, read_fields
from ..description import LATEST_TIMESTAMP, RESOURCES, ROLES
from ..documents import objects, require_known
from ..errors import Invalid, Refusal
from ..state.platform import Platform
from ..state.resources import add_alias, add_domain, add_project, add_project_domain
from ..state.store import Condition, Row

Document = Mapping[str, Any]


def _fields_of(resource: str, **others: Check) -> Checks:
    """Every field that the API shows of a resource may be seeded; its scope is named by `team` or
    `owner`.
    """
    fields = {
        field: check
        for field, check in RESOURCES[resource].items()
        if field not in ("teamId", "projectId")
    }
    return {**fields, **others}


_SCOPE: Checks = {"team": Text(), "owner": Text()}
_MEMBER: Checks = {
    "email": Text(required=True),
    "role": Text(required=True, allowed=ROLES),
    "createdAt": Number(largest=LATEST_TIMESTAMP),
}


class _Members(Check):
    """A list of members."""

    def _accepted(self, field: str, given: object) -> object:
        return [
            read_fields(member, _MEMBER, f"seed's {field}")
            for member in objects(f"The seed's `{field}`", given)
        ]


_TEAM_TEXTS: Checks = dict.fromkeys(("owner", "inviteCode", "description", "emailDomain"), Text())
_OF_PROJECT: Checks = {
    "alias": Text(required=True, minimum=1),
    "project": Text(required=True),
    **_SCOPE,
}

_CHECKS: Mapping[str, Checks] = {
    "users": _fields_of("users", email=Text(required=True), token=BearerToken()),
    "teams": _fields_of("teams", slug=Text(required=True), members=_Members(), **_TEAM_TEXTS),
    "projects": _fields_of("projects", name=Text(required=True), **_SCOPE),
    "domains": _fields_of("domains", name=Text(required=True), **_SCOPE),
    "aliases": _fields_of("aliases", **_OF_PROJECT),
    "project_domains": _fields_of(
        "project_domains", **_OF_PROJECT, production=Flag(), verified=Flag()
    ),
}


def seed(platform: Platform, document: Document) -> dict[str, list[Row]]:
    """Create everything in the document, within the caller's transaction; return the rows."""
    require_known("A seed", document, _CHECKS)
    for kind, items in document.items():
        objects(f"The seed's `{kind}`", items)
    try:
        return _Seeding(platform, document).create()
    except sqlite3.IntegrityError as error:
        raise Refusal(f"The seed is invalid: {error}") from error


class _Seeding:
    def __init__(self, platform: Platform, document: Document) -> None:
        self.platform = platform
        self.document = document
        self.owner = platform.owner()
        # Objects without an explicit time get distinct consecutive ones, ending now.
        self._moment = platform.now() - sum(len(items) for items in document.values())
        self._scopes: dict[tuple[str | None, str | None], tuple[str, Row]] = {}

    def create(self) -> dict[str, list[Row]]:
        makers: dict[str, Callable[[dict[str, Any], int], Row]] = {
            "users": self._user,
            "teams": self._team,
            "domains": partial(self._create_in_scope, add_domain),
            "projects": partial(self._create_in_scope, add_project),
            "aliases": partial(self._create_for_project, add_alias),
            "project_domains": partial(self._create_for_project, add_project_domain),
        }
        result: dict[str, list[Row]] = {}
        for kind, make in makers.items():
            if kind in self.document:
                result[kind] = [self._make(kind, make, item) for item in self.document[kind]]
        return result

    def _make(
        self, kind: str, make: Callable[[dict[str, Any], int], Row], item: dict[str, Any]
    ) -> Row:
        self._moment += 1
        fields = read_fields(item, _CHECKS[kind], f"seed's {kind}")
        return make(fields, fields.pop("createdAt", self._moment))

    def _user(self, fields: dict[str, Any], created_at: int) -> Row:
        email = fields.pop("email")
        token = fields.pop("token", None)
        user = self.platform.user_of_email(email)
        if user is None:
            user = self.platform.add_user(email, created_at, **fields)
        else:
            user = self.platform.change_user(user, fields)
        if token is not None:
            self.platform.grant(user, token)
        return user

    def _team(self, fields: dict[str, Any], created_at: int) -> Row:
        members = fields.pop("members", [])
        owner = self._find_user(fields.pop("owner", None))
        team = self.platform.add_team(owner, fields.pop("slug"), created_at, **fields)
        for member in members:
            if member["email"] == owner["email"]:
                raise Refusal(
                    f"The seed is invalid: {owner['email']} already is the owner of {team['slug']}"
                )
            moment = member.get("createdAt", created_at)
            self.platform.add_member(team["id"], member["email"], member["role"], owner, moment)
        return team

    def _create_in_scope(
        self, add: Callable[..., Row], fields: dict[str, Any], created_at: int
    ) -> Row:
        team_id, owner = self._scope(fields)
        return add(self.platform, team_id, owner, fields, created_at)

    def _create_for_project(
        self, add: Callable[..., Row], fields: dict[str, Any], created_at: int
    ) -> Row:
        team_id, owner = self._scope(fields)
        value = fields.pop("project")
        scope = Condition("teamId = ?", (team_id,))
        project = self.platform.find("projects", ("id", "name"), value, scope, team_id)
        if project is None:
            raise Invalid("project", f"names no project of this scope: {value}")
        return add(self.platform, project, owner, fields, created_at)

    def _scope(self, fields: dict[str, Any]) -> tuple[str, Row]:
        """The team that `team` names, or else the own scope of `owner`."""
        named = (fields.pop("team", None), fields.pop("owner", None))
        if named not in self._scopes:
            slug_or_id, email = named
            owner = self._find_user(email)
            team_id = str(owner["personalTeamId"])
            if slug_or_id is not None:
                team = self.platform.find_team(slug_or_id)
                if team is None:
                    raise Invalid("team", f"names no team: {slug_or_id}")
                team_id = str(team["id"])
            self._scopes[named] = (team_id, owner)
        return self._scopes[named]

    def _find_user(self, email: str | None) -> Row:
        user = self.owner if email is None else self.platform.user_of_email(email)
        if user is None:
            raise Invalid("owner", f"is no user's email: {email}")
        return user
