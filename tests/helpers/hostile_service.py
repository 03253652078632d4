# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A service all of whose answers are hostile text."""

from typing import Any

from hostile import FIELDS, Canary
from stub_server import (
    ReceivedRequest,
    StubResponse,
    json_response,
    list_response,
    text_response,
)

KINDS = {
    "teams": ("id", "slug", "name", "avatar", "createdAt"),
    "projects": ("id", "name", "teamId", "createdAt", *FIELDS),
    "aliases": ("id", "teamId", "alias", "domain", "target", "redirect", "projectId", "createdAt"),
    "domains": ("id", "teamId", "name", "serviceType", "createdAt"),
}


class HostileService:
    """Answers every list with objects that hold anything under any key, and every write with a
    hostile refusal.
    """

    def __init__(self, evil: Canary) -> None:
        self._evil = evil
        known = {"id": "known", "name": "known", "slug": "known", "teamId": "known"}
        self._lists = {
            kind: [known, *(self._object(kind, number) for number in range(8))] for kind in KINDS
        }
        self._user = self._object("teams", 0)

    def _object(self, kind: str, number: int) -> dict[str, Any]:
        evil = self._evil
        fields = {field: next(evil.texts) if number % 2 else evil.value() for field in KINDS[kind]}
        unknown = {next(evil.texts): evil.value() for _number in range(4)}
        return {**unknown, **fields, "id": f"{next(evil.texts)}{number}", "createdAt": number}

    def answer(self, request: ReceivedRequest) -> StubResponse:
        path = request.target.partition("?")[0]
        kind = path.strip("/")
        if request.method != "GET" or path.endswith("/join"):
            message = {
                "code": 403,
                "message": next(self._evil.texts),
                next(self._evil.texts): self._evil.value(),
            }
            return json_response(message, 403, **{"X-Odd": "\x9b2J"})
        if kind in KINDS:
            return list_response(**{kind: self._lists[kind], next(self._evil.texts): []})
        if path.endswith("/domains"):
            return list_response(domains=self._lists["aliases"])
        return (
            json_response(self._user)
            if path == "/user"
            else text_response(next(self._evil.texts), 404)
        )
