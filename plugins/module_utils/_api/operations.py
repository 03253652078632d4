# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The API's operations, one method each: path, query, body, result (section 4 of the specification), nothing more.

Every method returns the parsed body unchanged or raises ApiError; lists are complete, or PagingError is raised. Lists
accept ``since`` and ``until`` (timestamps in ms) and ``limit``, the maximum number of items to return.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, Union

from .exchange import date_of, timestamp_of
from .http import Call, Http
from .paging import Page, Window, walk
from .retries import Item

Id = Union[str, int]
Body = Mapping[str, Any]


def _is_object(body: Any) -> bool:
    return isinstance(body, dict)


def _has_id(body: Any) -> bool:
    return isinstance(body, dict) and body.get("id") is not None


def _is_list(key: str, body: Any) -> bool:
    """Return whether it is the promised list: objects under their key, and a pagination with a usable ``next``."""
    if not isinstance(body, dict) or not isinstance(body.get("pagination"), dict):
        return False
    items, following = body.get(key), body["pagination"].get("next", "missing")
    timestamp = timestamp_of(following)
    is_usable = following is None or (timestamp is not None and int(timestamp) == timestamp)
    return isinstance(items, list) and all(isinstance(item, dict) for item in items) and is_usable


class Api:
    """The service with one identity."""

    def __init__(self, http: Http) -> None:
        self.http = http

    # Authentication

    def request_login(self, email: str, token_name: str) -> Item:
        """Send the confirmation message; returns ``token`` (for verification) and ``securityCode``."""
        body = {"email": email, "tokenName": token_name}
        return self._object(Call("POST /auth/signin", body=body, is_promised=_is_object, repeatable=False))

    def verify_login(self, email: str, verification_token: str) -> Item:
        """``token`` (the bearer), ``email`` and ``teamId`` once the login was confirmed; before, perhaps nothing."""
        query = {"email": email, "token": verification_token}
        call = Call("GET /auth/verify", query=query, repeatable=False, secrets=(verification_token,))
        return self._object(call)

    # Projects

    def create_project(self, body: Body) -> Item:
        return self._object(Call("POST /projects", body=body, is_promised=_has_id, repeatable=False))

    def list_projects(self, team_id: Id | None = None, **page: Any) -> list[Item]:
        return self._list("GET /projects", "projects", query={"teamId": team_id}, **page)

    def get_project(self, id_or_name: Id) -> Item:
        return self._object(Call("GET /projects/{idOrName}", (id_or_name,)))

    def update_project(self, id_or_name: Id, body: Body, team_id: Id | None = None) -> Item:
        return self._object(Call("PATCH /projects/{idOrName}", (id_or_name,), {"teamId": team_id}, body))

    def delete_project(self, id_or_name: Id, team_id: Id | None = None) -> None:
        self._object(Call("DELETE /projects/{idOrName}", (id_or_name,), {"teamId": team_id}))

    def list_project_domains(
        self, id_or_name: Id, team_id: Id | None = None, filters: Body | None = None, **page: Any
    ) -> list[Item]:
        """``filters``: ``production``, ``redirects``, ``verified`` ('true' or 'false'), ``order`` (ASC or DESC)."""
        query = {"teamId": team_id, **(filters or {})}
        return self._list("GET /projects/{idOrName}/domains", "domains", id_or_name, query=query, **page)

    # Teams

    def create_team(self, body: Body) -> Item:
        return self._object(Call("POST /teams", body=body, is_promised=_has_id, repeatable=False))

    def list_teams(self, **page: Any) -> list[Item]:
        return self._list("GET /teams", "teams", **page)

    def get_team(self, id_or_slug: Id) -> Item:
        return self._object(Call("GET /teams/{teamIdOrSlug}", (id_or_slug,)))

    def update_team(self, id_or_slug: Id, body: Body) -> Item:
        return self._object(Call("PATCH /teams/{teamIdOrSlug}", (id_or_slug,), body=body))

    def delete_team(self, id_or_slug: Id) -> None:
        self._object(Call("DELETE /teams/{teamIdOrSlug}", (id_or_slug,)))

    def invite_member(self, team_id: Id, body: Body) -> tuple[Item, float | None]:
        """The record, and when the service answered (seconds): a repeated invitation may return an old record."""
        answer = self.http.send(Call("POST /teams/{teamId}/members", (team_id,), body=body, repeatable=False))
        return answer.body if _is_object(answer.body) else {}, date_of(answer)

    def join_team(self, id_or_slug: Id, invite: Mapping[str, str]) -> Item:
        """``invite``: the query; the specification does not show the name of its parameter. A GET with side effects."""
        secrets = tuple(invite.values())
        return self._object(Call("GET /teams/{teamId}/join", (id_or_slug,), invite, None, _has_id, False, secrets))

    # Domains

    def list_domains(self, team_id: Id | None = None, **page: Any) -> list[Item]:
        return self._list("GET /domains", "domains", query={"teamId": team_id}, **page)

    def delete_domain(self, name: str, team_id: Id | None = None) -> None:
        self._object(Call("DELETE /domains/{domain}", (name,), {"teamId": team_id}))

    # Aliases

    def list_aliases(self, project_id: Id | None = None, team_id: Id | None = None, **page: Any) -> list[Item]:
        return self._list("GET /aliases", "aliases", query={"projectId": project_id, "teamId": team_id}, **page)

    def get_alias(self, id_or_alias: Id) -> Item:
        return self._object(Call("GET /aliases/{idOrAlias}", (id_or_alias,)))

    def assign_alias(self, project_name: str, body: Body, team_id: Id | None = None) -> Item:
        """The specification shows neither body nor result."""
        query = {"teamId": team_id}
        return self._object(Call("POST /{projectName}/alias", (project_name,), query, body, repeatable=False))

    def delete_alias(self, alias_id: Id, team_id: Id | None = None) -> None:
        self._object(Call("DELETE /aliases/{aliasId}", (alias_id,), {"teamId": team_id}))

    # Users

    def get_user(self) -> Item:
        return self._object(Call("GET /user", is_promised=_has_id))

    def _object(self, call: Call) -> Item:
        """The object in the answer; ``{}`` if none was promised and a success carries none, as a service may answer for
        one that does not exist.
        """
        body = self.http.send(call).body
        return body if isinstance(body, dict) else {}

    def _list(self, operation: str, key: str, *path_values: Id, query: Body | None = None, **page: Any) -> list[Item]:
        def fetch(window: Window, page_size: int) -> Page:
            bounds = {"limit": page_size, "since": window.since, "until": window.until}
            call = Call(operation, path_values, {**(query or {}), **bounds}, None, functools.partial(_is_list, key))
            body = self.http.send(call).body
            following = body["pagination"]["next"]
            return Page(body[key], None if following is None else int(following))

        return walk(fetch, Window(page.get("since"), page.get("until")), page.get("limit"))
