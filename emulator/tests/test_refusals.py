# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests that are refused (§1, §4, §7): each says why, and changes nothing of what a snapshot
holds. Those of the control API are in `test_control_refusals.py`.
"""

from itertools import product
from typing import Any

import pytest

from hosting_platform_emulator.api.operations import OPERATIONS
from support import (
    JSON,
    LONE_SURROGATE,
    Api,
    Refused,
    assert_refused,
    assert_refused_without_effect,
    each_refused,
    pairs,
)

WITH_BODY = [name for name, operation in OPERATIONS.items() if operation.described.body is not None]
REQUIRED = {"GET /projects/{idOrName}/domains": "?teamId=x", "GET /auth/verify": "?email=x&token=x"}
LISTS = ("GET /projects", "GET /teams", "GET /domains", "GET /aliases")
BOUNDS = ("limit", "since", "until")
NO_NUMBERS = ("", "now", "1e3", "1.0", "%C2%B2", "9" * 30)
FLAGS = ("production", "redirects", "verified")
CODE = "redirectStatusCode"
OF_PROJECT = "GET /projects/web/domains?teamId=x"

REFUSED: list[Refused] = [
    *((f"{name}?surprise=1", "surprise", [None]) for name in OPERATIONS),
    *((name, "surprise", [{"surprise": "1"}]) for name in WITH_BODY),
    *(
        (f"{name}{REQUIRED.get(name, '')}", "body", [{}])
        for name in OPERATIONS
        if name not in WITH_BODY
    ),
    ("GET /projects?limit=1&limit=2", "more than once", [None]),
    *((f"GET /projects{value}", "UTF-8", [None]) for value in ("/%FF", "?teamId=%FF")),
    ("POST /auth/signin", "email", [{"tokenName": "x"}, {"tokenName": "x", "email": ""}]),
    (
        "POST /auth/signin",
        "tokenName",
        [{"email": "a@example.com"}, {"email": "a@example.com", "tokenName": ""}],
    ),
    ("GET /auth/verify?token=x", "email", [None]),
    ("GET /auth/verify?email=x", "token", [None]),
    ("POST /projects", "", [LONE_SURROGATE]),
    (
        "POST /projects",
        "name",
        [{"name": "\ud800"}, {"framework": "nextjs"}, {"name": ""}, {"name": "\u00fc" * 101}],
    ),
    ("PATCH /projects/web", "name", [{"name": ""}, {"name": "\u00fc" * 101}]),
    ("GET /projects/web/domains", "teamId", [None]),
    *(
        (f"{OF_PROJECT}&{field}={value}", field, [None])
        for field, value in product(FLAGS, ("", "yes", "1", "True"))
    ),
    *((f"{OF_PROJECT}&order={order}", "order", [None]) for order in ("", "asc", "up")),
    ("POST /teams", "slug", [{}, {"name": "Acme"}, {"slug": ""}]),
    ("PATCH /teams/acme", "name", [{"name": "x" * 257}]),
    ("PATCH /teams/acme", "description", [{"description": "x" * 141}]),
    *(
        (f"{method} /teams/{slug}", "teamIdOrSlug", [None])
        for method, slug in product(("GET", "DELETE"), ("ab", "%61b"))
    ),
    ("PATCH /teams/ab", "teamIdOrSlug", [{}]),
    (
        "POST /teams/acme/members",
        "role",
        [{}, *({"role": role} for role in ("ADMIN", "owner", ""))],
    ),
    ("GET /aliases/ab", "idOrAlias", [None]),
    ("POST /web/alias", "alias", [{}, {"alias": ""}]),
    *(("POST /web/alias", CODE, [{"alias": "x", CODE: code}]) for code in ("301", True, 1.5)),
    *(
        (f"{listed}?{field}={value}", field, [None])
        for listed, field, value in product(LISTS, BOUNDS, NO_NUMBERS)
    ),
    *(
        (f"{listed}?limit={value}", "limit", [None])
        for listed, value in product(LISTS, ("0", "-1"))
    ),
]


@pytest.mark.parametrize(("operation", "part", "document"), each_refused(REFUSED))
def test_refusal_changes_nothing(api: Api, operation: str, part: str, document: Any) -> None:
    assert_refused_without_effect(api, operation, document, part)


TAKEN = [
    ("POST /projects", {"name": "\u00fc" * 100}),
    ("PATCH /projects/web", {"name": "\u00fc" * 100}),
    ("PATCH /teams/abc", {"name": "x" * 256, "description": "x" * 140}),
    ("GET /teams/abc", None),
    ("GET /aliases/abc", None),
    ("DELETE /teams/abc", None),
]


@pytest.mark.parametrize(("operation", "document"), TAKEN)
def test_the_shortest_and_the_longest_values_are_taken(
    api: Api, operation: str, document: Any
) -> None:
    api.control.seed(teams=[{"slug": "abc"}], projects=[{"name": "web", "alias": "abc"}])
    assert api.ask(operation, json=document).is_success


@pytest.mark.parametrize("name", WITH_BODY)
def test_body_must_be_declared_as_json(api: Api, name: str) -> None:
    for media_type in ("text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""):
        assert_refused(
            api.ask(name, content="{}", headers={"Content-Type": media_type}), 400, "Content-Type"
        )


@pytest.mark.parametrize("name", WITH_BODY)
@pytest.mark.parametrize(
    "content",
    [
        *("", "{", "[]", '"text"', "null", "1", "[" * 100_000),
        *('{"name": NaN}', '{"name": 1e999}', b"\xff{}"),
    ],
)
def test_body_must_be_a_json_object(api: Api, name: str, content: str | bytes) -> None:
    assert_refused(api.ask(name, content=content, headers=JSON), 400, "")


LACKING = {
    "GET": [
        "/",
        "/projects/",
        "/projects/a/b",
        "/teams/acme/members",
        "/docs",
        "/openapi.json",
        "/events",
    ],
    "HEAD": ["/projects"],
    "OPTIONS": ["/projects"],
    "PUT": ["/projects/web"],
    "POST": ["/webhooks", "/user", "/domains"],
    "DELETE": ["/teams/acme/members"],
}


@pytest.mark.parametrize(("method", "path"), pairs(LACKING))
def test_operation_that_the_specification_lacks_is_not_offered(
    api: Api, method: str, path: str
) -> None:
    answer = api.request(method, path)
    assert answer.status_code == 501
    assert method == "HEAD" or "shows no operation" in answer.json()["message"]
    assert (api.control.requests()[-1]["operation"], api.control.requests()[-1]["path"]) == (
        None,
        path,
    )


MIB = 1024 * 1024


@pytest.mark.parametrize("path", ["/projects", "/nothing"])
def test_a_body_has_at_most_a_mebibyte(api: Api, path: str) -> None:
    content = f'{{"name": "web", "framework": "{"x" * MIB}"}}'
    assert_refused(api.post(path, content=content, headers=JSON), 413, str(MIB))
    chunks = iter([content.encode()])
    assert_refused(api.post(path, content=chunks, headers=JSON), 413, str(MIB))
    assert [(entry["body"], entry["status"]) for entry in api.control.requests()] == [
        (None, 413)
    ] * 2
    assert api.names("/projects") == []
