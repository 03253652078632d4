# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The API's operations, each as a method: one documented call (section 4 of the API's
specification), nothing more.

Every method returns the parsed body unchanged or raises ApiError; lists are complete, or
PagingError is raised.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import partialmethod
from typing import Any, Union

from .http import Body, HttpClient, Request
from .paging import Page, Window, read_all_pages
from .retries import Record
from .transport import Response, date_of, timestamp_of

Id = Union[str, int]


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
    """The service with one identity: first how operations of one form are sent, then all of them in
    the order of the specification.
    """

    def __init__(self, client: HttpClient) -> None:
        self.client = client

    @property
    def base_url(self) -> str:
        return self.client.connection.base_url

    def _send(self, operation: str, *path_values: Id, **request: Any) -> Answer:
        """The object in the response. ``request``: the other fields of `Request`."""
        return Answer(self.client.send(Request(operation, path_values, **request)))

    def _create(
        self, operation: str, body: Body, is_expected: Callable[[Any], bool] = _has_id
    ) -> Answer:
        return self._send(operation, body=body, is_expected=is_expected, is_idempotent=False)

    def _list(
        self,
        operation: str,
        key: str,
        *path_values: Id,
        since: int | None = None,
        until: int | None = None,
        limit: int | None = None,
        **query: Any,
    ) -> list[Record]:
        """All pages of a list, whose objects stand under ``key``, or the first ``limit`` objects.

        ``since``, ``until``: bounds, as timestamps. ``query``: the other parameters.
        """
        is_expected = functools.partial(_is_list, key)

        def fetch(window: Window, page_size: int) -> Page:
            bounds = {"limit": page_size, "since": window.since, "until": window.until}
            asked = {**query, **bounds}
            request = Request(operation, path_values, query=asked, is_expected=is_expected)
            body = self.client.send(request).body
            following = body["pagination"]["next"]
            return Page(body[key], None if following is None else int(following))

        return read_all_pages(fetch, Window(since, until), limit)

    def _write(
        self,
        operation: str,
        address: Id,
        body: Body | None = None,
        team_id: Id | None = None,
        **request: Any,
    ) -> Answer:
        return self._send(operation, address, query={"teamId": team_id}, body=body, **request)

    # Authentication

    # Sends the message with the link; returns ``token`` (to verify) and ``securityCode``.
    request_login = partialmethod(_create, "POST /auth/signin", is_expected=_is_object)

    def verify_login(self, email: str, verification_token: str) -> Record:
        """``token`` (the bearer), ``email`` and ``teamId`` once the login was confirmed; before,
        perhaps nothing.
        """
        query = {"email": email, "token": verification_token}
        secrets = (verification_token,)
        return self._send("GET /auth/verify", query=query, is_idempotent=False, secrets=secrets)

    # Projects

    create_project = partialmethod(_create, "POST /projects")
    list_projects = partialmethod(_list, "GET /projects", "projects")
    get_project = partialmethod(_send, "GET /projects/{idOrName}")
    update_project = partialmethod(_write, "PATCH /projects/{idOrName}")
    delete_project = partialmethod(_write, "DELETE /projects/{idOrName}")

    # Of these filters, ``production``, ``redirects`` and ``verified`` are 'true' or 'false', and
    # ``order`` is ASC or DESC.
    list_project_domains = partialmethod(_list, "GET /projects/{idOrName}/domains", "domains")

    # Teams

    create_team = partialmethod(_create, "POST /teams")
    list_teams = partialmethod(_list, "GET /teams", "teams")
    get_team = partialmethod(_send, "GET /teams/{teamIdOrSlug}")
    update_team = partialmethod(_write, "PATCH /teams/{teamIdOrSlug}")
    delete_team = partialmethod(_write, "DELETE /teams/{teamIdOrSlug}")

    # A repeated invitation may return an old record.
    invite_member = partialmethod(
        _write, "POST /teams/{teamId}/members", is_idempotent=False, waits_for_lock=False
    )

    def join_team(self, id_or_slug: Id, invite: Body) -> Record:
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

    list_domains = partialmethod(_list, "GET /domains", "domains")
    delete_domain = partialmethod(_write, "DELETE /domains/{domain}")

    # Aliases

    list_aliases = partialmethod(_list, "GET /aliases", "aliases")
    get_alias = partialmethod(_send, "GET /aliases/{idOrAlias}")
    delete_alias = partialmethod(_write, "DELETE /aliases/{aliasId}")

    # The specification shows neither body nor result.
    assign_alias = partialmethod(_write, "POST /{projectName}/alias", is_idempotent=False)

    # Users

    get_user = partialmethod(_send, "GET /user", is_expected=_has_id)
