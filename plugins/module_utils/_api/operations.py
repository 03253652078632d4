# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The API's operations, one method each: path, query, body, result (section 4 of the
specification), nothing more.

Every method returns the parsed body unchanged or raises ApiError; lists are complete, or
PagingError is raised. Lists accept ``since`` and ``until`` (timestamps in ms) and ``limit``, the
maximum number of items to return.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, Union

from .http import HttpClient, Request
from .paging import Page, Window, read_all_pages
from .retries import Record
from .transport import Response, date_of, timestamp_of

Id = Union[str, int]
Body = Mapping[str, Any]


def _is_object(body: Any) -> bool:
    return isinstance(body, dict)


def _has_id(body: Any) -> bool:
    return isinstance(body, dict) and body.get("id") is not None


def _is_list(key: str, body: Any) -> bool:
    """True if it is the promised list: objects under their key, and a pagination with a usable
    ``next``.
    """
    if not isinstance(body, dict) or not isinstance(body.get("pagination"), dict):
        return False
    items = body.get(key)
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        return False
    following = body["pagination"].get("next", "missing")
    timestamp = timestamp_of(following)
    return following is None or (timestamp is not None and int(timestamp) == timestamp)


class Answer(dict[str, Any]):
    """The object in a response; empty if none was promised and a success carries none, as a service
    may answer for one that does not exist. ``answered_at``: when the service sent it, by its own
    clock, in seconds since the epoch.
    """

    def __init__(self, response: Response) -> None:
        super().__init__(response.body if isinstance(response.body, dict) else {})
        self.answered_at = date_of(response)


class Api:
    """The service with one identity."""

    def __init__(self, client: HttpClient) -> None:
        self.client = client

    @property
    def base_url(self) -> str:
        return self.client.connection.base_url

    # Authentication

    def request_login(self, email: str, token_name: str) -> Record:
        """Send the message with the link; returns ``token`` (to verify) and ``securityCode``."""
        body = {"email": email, "tokenName": token_name}
        return self._send(
            "POST /auth/signin", body=body, is_expected=_is_object, is_idempotent=False
        )

    def verify_login(self, email: str, verification_token: str) -> Record:
        """``token`` (the bearer), ``email`` and ``teamId`` once the login was confirmed; before,
        perhaps nothing.
        """
        query = {"email": email, "token": verification_token}
        secrets = (verification_token,)
        return self._send("GET /auth/verify", query=query, is_idempotent=False, secrets=secrets)

    # Projects

    def create_project(self, body: Body) -> Record:
        return self._create("POST /projects", body)

    def list_projects(self, team_id: Id | None = None, **page: Any) -> list[Record]:
        return self._list("GET /projects", "projects", query={"teamId": team_id}, **page)

    def get_project(self, id_or_name: Id) -> Answer:
        return self._send("GET /projects/{idOrName}", id_or_name)

    def update_project(self, id_or_name: Id, body: Body, team_id: Id | None = None) -> Record:
        query = {"teamId": team_id}
        return self._send("PATCH /projects/{idOrName}", id_or_name, query=query, body=body)

    def delete_project(self, id_or_name: Id, team_id: Id | None = None) -> None:
        query = {"teamId": team_id}
        self._send("DELETE /projects/{idOrName}", id_or_name, query=query)

    def list_project_domains(
        self, id_or_name: Id, team_id: Id | None = None, filters: Body | None = None, **page: Any
    ) -> list[Record]:
        """The domains of a project.

        ``filters``: ``production``, ``redirects``, ``verified`` ('true' or 'false'), ``order`` (ASC
        or DESC).
        """
        query = {"teamId": team_id, **(filters or {})}
        operation = "GET /projects/{idOrName}/domains"
        return self._list(operation, "domains", id_or_name, query=query, **page)

    # Teams

    def create_team(self, body: Body) -> Record:
        return self._create("POST /teams", body)

    def list_teams(self, **page: Any) -> list[Record]:
        return self._list("GET /teams", "teams", **page)

    def get_team(self, id_or_slug: Id) -> Answer:
        return self._send("GET /teams/{teamIdOrSlug}", id_or_slug)

    def update_team(self, id_or_slug: Id, body: Body) -> Record:
        return self._send("PATCH /teams/{teamIdOrSlug}", id_or_slug, body=body)

    def delete_team(self, id_or_slug: Id) -> None:
        self._send("DELETE /teams/{teamIdOrSlug}", id_or_slug)

    def invite_member(self, team_id: Id, body: Body) -> Answer:
        """A repeated invitation may return an old record."""
        return self._send(
            "POST /teams/{teamId}/members",
            team_id,
            body=body,
            is_idempotent=False,
            waits_for_lock=False,
        )

    def join_team(self, id_or_slug: Id, invite: Mapping[str, str]) -> Record:
        """A GET with side effects.

        ``invite``: the query; the specification does not show the name of its parameter.
        """
        return self._send(
            "GET /teams/{teamId}/join",
            id_or_slug,
            query=invite,
            is_expected=_has_id,
            is_idempotent=False,
            secrets=tuple(invite.values()),
        )

    # Domains

    def list_domains(self, team_id: Id | None = None, **page: Any) -> list[Record]:
        return self._list("GET /domains", "domains", query={"teamId": team_id}, **page)

    def delete_domain(self, name: str, team_id: Id | None = None) -> None:
        self._send("DELETE /domains/{domain}", name, query={"teamId": team_id})

    # Aliases

    def list_aliases(
        self, project_id: Id | None = None, team_id: Id | None = None, **page: Any
    ) -> list[Record]:
        query = {"projectId": project_id, "teamId": team_id}
        return self._list("GET /aliases", "aliases", query=query, **page)

    def get_alias(self, id_or_alias: Id) -> Answer:
        return self._send("GET /aliases/{idOrAlias}", id_or_alias)

    def assign_alias(self, project_name: str, body: Body, team_id: Id | None = None) -> Record:
        """The specification shows neither body nor result."""
        return self._send(
            "POST /{projectName}/alias",
            project_name,
            query={"teamId": team_id},
            body=body,
            is_idempotent=False,
        )

    def delete_alias(self, alias_id: Id, team_id: Id | None = None) -> None:
        query = {"teamId": team_id}
        self._send("DELETE /aliases/{aliasId}", alias_id, query=query)

    # Users

    def get_user(self, *, has_retries: bool = True) -> Record:
        return self._send("GET /user", is_expected=_has_id, has_retries=has_retries)

    def _send(self, operation: str, *path_values: Id, **request: Any) -> Answer:
        """The object in the response. ``request``: the other fields of `Request`."""
        return Answer(self.client.send(Request(operation, path_values, **request)))

    def _create(self, operation: str, body: Body) -> Record:
        return self._send(operation, body=body, is_expected=_has_id, is_idempotent=False)

    def _list(
        self, operation: str, key: str, *path_values: Id, query: Body | None = None, **page: Any
    ) -> list[Record]:
        """All pages of a list, whose objects stand under ``key``."""
        is_expected = functools.partial(_is_list, key)

        def fetch(window: Window, page_size: int) -> Page:
            bounds = {"limit": page_size, "since": window.since, "until": window.until}
            asked = {**(query or {}), **bounds}
            request = Request(operation, path_values, query=asked, is_expected=is_expected)
            body = self.client.send(request).body
            following = body["pagination"]["next"]
            return Page(body[key], None if following is None else int(following))

        bounds = Window(page.get("since"), page.get("until"))
        return read_all_pages(fetch, bounds, page.get("limit"))
