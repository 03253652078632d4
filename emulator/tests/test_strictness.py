# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Refusals of the unknown, wrongly typed or unreadable, with the documented error (§1, §4, §7)."""

from __future__ import annotations

import pytest

from hosting_platform_emulator.api.operations import OPERATIONS
from support import Api, refused

WITH_BODY = [name for name, operation in OPERATIONS.items() if operation.described.body is not None]
JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize("name", WITH_BODY)
def test_body_must_be_declared_as_json(api: Api, name: str) -> None:
    for media_type in ("text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""):
        refused(api.ask(name, content="{}", headers={"Content-Type": media_type}), 400, "Content-Type")


def test_media_type_may_have_parameters(api: Api) -> None:
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert api.post("/projects", content='{"name": "web"}', headers=headers).is_success


@pytest.mark.parametrize("name", WITH_BODY)
@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        '{"name": }',
        "[]",
        '"text"',
        "null",
        "1",
        "[" * 100_000,
        '{"name": NaN}',
        '{"name": 1e999}',
        '{"name": "\\udcff"',
        b"\xff{}",
    ],
)
def test_body_must_be_a_json_object(api: Api, name: str, content: str | bytes) -> None:
    refused(api.ask(name, content=content, headers=JSON), 400, "")


def test_text_must_be_unicode(api: Api) -> None:
    refused(api.post("/projects", content='{"name": "\\ud800"}', headers=JSON), 400, "name")
    refused(api.post("/projects", content='{"\\ud800": "web"}', headers=JSON), 400, "")
    assert api.new_project("a\u0000b")["name"] == "a\u0000b"
    assert api.get("/projects/a%00b").json()["name"] == "a\u0000b"


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name not in WITH_BODY])
def test_other_operations_take_no_body(api: Api, name: str) -> None:
    required = {"GET /projects/{idOrName}/domains": {"teamId": "x"}, "GET /auth/verify": {"email": "x", "token": "x"}}
    refused(api.ask(name, params=required.get(name, {}), content="{}", headers=JSON), 400, "body")


LACKING = {
    "GET": ["/", "/projects/", "/projects/a/b", "/teams/acme/members", "/docs", "/openapi.json", "/events"],
    "HEAD": ["/projects"],
    "OPTIONS": ["/projects"],
    "PUT": ["/projects/web"],
    "POST": ["/webhooks", "/user", "/domains"],
    "DELETE": ["/teams/acme/members"],
}


@pytest.mark.parametrize(("method", "path"), [(method, path) for method, paths in LACKING.items() for path in paths])
def test_what_the_specification_lacks_is_not_offered(api: Api, method: str, path: str) -> None:
    answer = api.request(method, path)
    assert answer.status_code == 501
    assert method == "HEAD" or "shows no operation" in answer.json()["message"]
    assert (api.control.requests()[-1]["operation"], api.control.requests()[-1]["path"]) == (None, path)
