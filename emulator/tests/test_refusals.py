# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests that are refused (§1, §4, §7): each says why, and changes nothing of what a snapshot
holds.
"""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from hosting_platform_emulator.api.operations import OPERATIONS
from support import OWNER_EMAIL, Api, assert_refused, pairs

JSON = {"Content-Type": "application/json"}
WITH_BODY = [name for name, operation in OPERATIONS.items() if operation.described.body is not None]
REQUIRED = {"GET /projects/{idOrName}/domains": "?teamId=x", "GET /auth/verify": "?email=x&token=x"}
MANY_DIGITS = "9" * 5000
LONE_SURROGATE = {"\ud800": "\ud800"}
LATEST = 4_102_444_800_000
RIGHT = {"seed": {"projects": [{"name": "web"}]}, "switches": {"not_found": 403}}
RATES = (
    "",
    "3",
    "0/10",
    "3/0",
    "3/0.0",
    "-3/10",
    "3/10/1",
    "3/1e3",
    "3 / 10",
    "3/\u0661",
    "9999999/1",
)
FAULT = {"operation": "GET /user", "fault": "500"}


def faults(**values: list[object]) -> list[dict[str, object]]:
    return [{**FAULT, name: value} for name, value in pairs(values)]


def team(**fields: object) -> dict[str, object]:
    return {"teams": [{"slug": "acme", **fields}]}


LISTS = ("GET /projects", "GET /teams", "GET /domains", "GET /aliases")
BOUNDS = ("limit", "since", "until")
NO_NUMBERS = ("", "now", "1e3", "1.0", "%C2%B2", "9" * 30)
FLAGS = ("production", "redirects", "verified")
CODE = "redirectStatusCode"
OF_PROJECT = "GET /projects/web/domains?teamId=x"

# A request, a part of the message, and documents. Paths of control stand without `/_emulator/`.
REFUSED: list[tuple[str, str, list[Any]]] = [
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
    (
        "PATCH switches",
        "there are: not_found, ",
        [{"ids": "numeric", "nothing": 1}, LONE_SURROGATE],
    ),
    (
        "PATCH switches",
        "`not_found` takes 404, 400, 403; it",
        [{"ids": "numeric", "not_found": 418}],
    ),
    (
        "PATCH switches",
        "at least 0 (0), and",
        [{"limit_cap": value} for value in (-1, True, "\u00b2", MANY_DIGITS)],
    ),
    ("PATCH switches", "at least 1", [{"default_limit": 0}]),
    ("PATCH switches", "any name", [{"join_parameter": ""}, {"join_parameter": "\ud800"}]),
    ("PATCH switches", "N/SECONDS", [{"rate_limit": rate} for rate in RATES]),
    ("PATCH switches", "N/SECONDS", [{"rate_limit": 3}, {"rate_limit": None}, {"rate_limit": {}}]),
    ("POST faults", "operation", [{}, *faults(operation=["GET /nothing", []])]),
    ("POST faults", "fault", [LONE_SURROGATE, *faults(fault=["418", []], surprise=[1])]),
    ("POST faults", "`when` of a fault is one of before, after", faults(when=["during", 1])),
    (
        "POST faults",
        "whole number",
        faults(count=["many", 1.5, -1, True], skip=[-1, []], seed=["x"]),
    ),
    ("POST faults", "a number from 0", faults(probability=[2, "nan"], delay=["nan", -1, "1e400"])),
    (
        "POST faults",
        "retry_after",
        faults(retry_after=["date:soon", "date:1e300", "a\r\nX-Y: z", "\u20ac"]),
    ),
    (
        "POST faults",
        "`request` belongs to the fault concurrent",
        faults(request=["GET /user"], fault=["concurrent"]),
    ),
    (
        "POST faults",
        "`request` of a fault",
        faults(request=["GET /nothing", "GET", 5, "GET /user\n"]),
    ),
    ("POST faults", "`body` of a fault", faults(body=["{}", [], 5])),
    ("DELETE faults", "surprise", [{"surprise": 1}]),
    ("POST reset", "", [{"seed": "no"}, [], 1]),
    (
        "POST clock",
        "advance",
        [{"advance": value} for value in (-1, "soon", "nan", True, None, 10**400)],
    ),
    (
        "POST clock",
        "clock",
        [{"now": -1}, {"now": LATEST + 1}, {"now": LATEST, "advance": 1}, {"surprise": 1}],
    ),
    ("POST seed", "castles", [{"castles": []}]),
    (
        "POST seed",
        "list",
        [{"projects": {}}, team(members=None), team(members=[1]), team(members="x")],
    ),
    ("POST seed", "surprise", [{"projects": [{"name": "web", "surprise": 1}]}]),
    ("POST seed", "name", [{"projects": [{}]}, {"projects": [{"name": 5}]}]),
    (
        "POST seed",
        "nobody",
        [{"projects": [{"name": "web", field: "nobody"}]} for field in ("team", "owner")],
    ),
    ("POST seed", "nobody", [{"aliases": [{"alias": "a.b", "project": "nobody"}]}]),
    ("POST seed", "owner", [team(members=[{"email": OWNER_EMAIL, "role": "MEMBER"}])]),
    ("POST seed", "", [LONE_SURROGATE, team(slug=None), team(slug="\ud800"), team(inviteCode=1)]),
    (
        "POST seed",
        "token",
        [{"users": [{"email": "a@example.com", "token": token}]} for token in ("two words", "")],
    ),
    ("POST seed", "createdAt", [{"domains": [{"name": "example.com", "createdAt": 2**63 - 1}]}]),
    ("POST scenario", "`switches` must be an object", [{"switches": 5}]),
    ("POST scenario", "`faults` must be a list", [{"faults": {}}, {"faults": ["reset"]}]),
    ("POST scenario", "418", [{**RIGHT, "switches": {"not_found": 418}}]),
    ("POST scenario", "name", [{**RIGHT, "seed": {"projects": [{}]}, "faults": []}]),
    ("POST scenario", "operation", [{**RIGHT, "faults": [{}]}]),
    ("GET state", "surprise", [{"surprise": 1}]),
    *(
        ("GET state?surprise=1", "surprise", [None]),
        ("GET requests?surprise=1", "surprise", [None]),
    ),
    *(
        (f"GET requests?after={value}", "after", [None])
        for value in ("%C2%B2", "-1", "x", MANY_DIGITS)
    ),
]


def each_refused() -> Iterator[tuple[str, str, Any]]:
    for operation, part, documents in REFUSED:
        yield from ((operation, part, document) for document in documents)


@pytest.mark.parametrize(("operation", "part", "document"), list(each_refused()))
def test_refusal_changes_nothing(api: Api, operation: str, part: str, document: Any) -> None:
    before = api.control.snapshot()
    line = operation if " /" in operation else operation.replace(" ", " /_emulator/")
    content = None if document is None else json.dumps(document)
    assert_refused(api.ask(line, content=content, headers=JSON), 400, part)
    assert api.control.snapshot() == before


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
