# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Refusals of the unknown, wrongly typed or unreadable, with the documented error (§1, §4, §7)."""

from __future__ import annotations

import httpx
import pytest

from hosting_platform_emulator.api.operations import OPERATIONS
from support import Api, refused

OF_PROJECT = "GET /projects/web/domains"
LISTS = ["GET /projects", "GET /teams", "GET /domains", "GET /aliases"]
BOUNDS = [(field, value) for field in ("since", "until") for value in ("now", "", "1e3", "²", "9" * 30)]
LIMITS = [("limit", value) for value in ("0", "-1", "ten", "", "1.0", "9" * 30)]

# A request, the field that is refused, and queries or bodies.
REFUSED: list[tuple[str, str, list[dict[str, object]]]] = [
    ("POST /auth/signin", "email", [{"tokenName": "x"}, {"tokenName": "x", "email": ""}]),
    ("POST /auth/signin", "tokenName", [{"email": "x@example.com"}, {"email": "x@example.com", "tokenName": ""}]),
    ("GET /auth/verify", "email", [{"token": "x"}]),
    ("GET /auth/verify", "token", [{"email": "x"}]),
    ("POST /projects", "name", [{"framework": "nextjs"}, {"name": ""}, {"name": "ü" * 101}]),
    ("PATCH /projects/web", "name", [{"name": ""}, {"name": "ü" * 101}]),
    (OF_PROJECT, "teamId", [{}]),
    *(
        (OF_PROJECT, field, [{"teamId": "x", field: value} for value in ("yes", "1", "True", "")])
        for field in ("production", "redirects", "verified")
    ),
    (OF_PROJECT, "order", [{"teamId": "x", "order": order} for order in ("asc", "up", "")]),
    ("POST /teams", "slug", [{}, {"name": "Acme"}, {"slug": ""}]),
    ("PATCH /teams/acme", "name", [{"name": "x" * 257}]),
    ("PATCH /teams/acme", "description", [{"description": "x" * 141}]),
    *(
        (f"{method} /teams/{slug}", "teamIdOrSlug", [{}])
        for method in ("GET", "PATCH", "DELETE")
        for slug in ("ab", "%61b")
    ),
    (
        "POST /teams/acme/members",
        "role",
        [{"email": "x"}, *({"email": "x", "role": role} for role in ("ADMIN", "owner", ""))],
    ),
    ("POST /teams/acme/members", "email", [{"role": "MEMBER"}]),
    ("GET /aliases/ab", "idOrAlias", [{}]),
    ("POST /web/alias", "alias", [{}, {"alias": ""}]),
    (
        "POST /web/alias",
        "redirectStatusCode",
        [{"alias": "a.b", "redirectStatusCode": code} for code in ("301", True, 301.5)],
    ),
    *((request, field, [{field: value}]) for request in LISTS for field, value in (*BOUNDS, *LIMITS)),
]
TAKEN = [
    ("POST /projects", {"name": "ü" * 100}),
    ("PATCH /projects/web", {"name": "ü" * 100}),
    ("PATCH /teams/abc", {"name": "x" * 256, "description": "x" * 140}),
    ("GET /teams/abc", {}),
    ("GET /aliases/abc", {}),
    ("DELETE /teams/abc", {}),
]
WITH_BODY = [name for name, operation in OPERATIONS.items() if operation.described.body is not None]
JSON = {"Content-Type": "application/json"}


def send(api: Api, line: str, given: dict[str, object]) -> httpx.Response:
    """The request with this body, or with this query if it takes no body."""
    return api.ask(line, **{"json" if line.startswith("P") else "params": given})


@pytest.mark.parametrize(
    ("line", "field", "given"), [(line, field, given) for line, field, some in REFUSED for given in some]
)
def test_values_that_are_refused(api: Api, line: str, field: str, given: dict[str, object]) -> None:
    api.control.seed(teams=[{"slug": "acme"}, {"slug": "ab"}], projects=[{"name": "web", "alias": ""}])
    before = api.control.snapshot()
    refused(send(api, line, given), 400, field)
    assert api.control.snapshot() == before


@pytest.mark.parametrize(("line", "given"), TAKEN)
def test_the_shortest_and_the_longest_values(api: Api, line: str, given: dict[str, object]) -> None:
    api.control.seed(teams=[{"slug": "abc"}], projects=[{"name": "web", "alias": "abc"}])
    assert send(api, line, given).is_success


@pytest.mark.parametrize("name", OPERATIONS)
def test_unknown_query_parameters(api: Api, name: str) -> None:
    refused(api.ask(name, params={"surprise": "1"}), 400, "surprise")


@pytest.mark.parametrize("name", WITH_BODY)
def test_unknown_body_fields(api: Api, name: str) -> None:
    refused(api.ask(name, json={"surprise": "1"}), 400, "surprise")


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


@pytest.mark.parametrize("path", ["/projects/%FF", "/projects?teamId=%FF"])
def test_values_are_percent_encoded_utf_8(api: Api, path: str) -> None:
    refused(api.get(path), 400, "UTF-8")


def test_query_parameters_stand_once(api: Api) -> None:
    refused(api.get("/projects?limit=1&limit=2"), 400, "limit")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/projects/"),
        ("GET", "/projects/a/b"),
        ("PUT", "/projects/web"),
        ("HEAD", "/projects"),
        ("OPTIONS", "/projects"),
        ("GET", "/teams/acme/members"),
        ("DELETE", "/teams/acme/members"),
        ("GET", "/docs"),
        ("GET", "/openapi.json"),
        ("GET", "/events"),
        ("POST", "/webhooks"),
        ("POST", "/user"),
        ("POST", "/domains"),
    ],
)
def test_what_the_specification_lacks_is_not_offered(api: Api, method: str, path: str) -> None:
    answer = api.request(method, path)
    assert answer.status_code == 501
    assert method == "HEAD" or "shows no operation" in answer.json()["message"]
    assert (api.control.requests()[-1]["operation"], api.control.requests()[-1]["path"]) == (None, path)


def test_refused_requests_change_nothing(api: Api) -> None:
    api.new_project("web")
    before = api.control.state()
    refused(api.patch("/projects/web", json={"framework": "vite", "surprise": "1"}), 400, "surprise")
    refused(api.patch("/projects/web", json={"framework": "vite", "teamId": "nobody"}), 400, "teamId")
    assert api.control.state() == before
