# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Refusals of the unknown, wrongly typed or unreadable, with the documented error (§1, §4, §7)."""

from __future__ import annotations

from typing import Any

import pytest

from hosting_platform_emulator.api.operations import OPERATIONS
from support import Api, refused

WITH_BODY = [name for name, operation in OPERATIONS.items() if operation.body is not None]
JSON = {"Content-Type": "application/json"}


def request(api: Api, name: str, **options: Any) -> Any:
    method, _, path = name.partition(" ")
    return api.request(method, path.replace("{", "").replace("}", ""), **options)


@pytest.mark.parametrize("name", OPERATIONS)
def test_unknown_query_parameters(api: Api, name: str) -> None:
    refused(request(api, name, params={"surprise": "1"}), 400, "surprise")


@pytest.mark.parametrize("name", OPERATIONS)
def test_documented_query_parameters_only(api: Api, name: str) -> None:
    """Of the parameters that any operation has, each accepts its own and refuses the others."""
    documented: dict[str, set[str]] = {
        "GET /auth/verify": {"email", "token"},
        "GET /projects": {"teamId", "limit", "since", "until"},
        "GET /projects/{idOrName}": {"teamId"},
        "PATCH /projects/{idOrName}": {"teamId", "slug"},
        "DELETE /projects/{idOrName}": {"teamId", "slug"},
        "GET /projects/{idOrName}/domains": {
            *("teamId", "production", "redirects", "verified", "limit", "since", "until", "order")
        },
        "GET /teams": {"limit", "since", "until"},
        "GET /teams/{teamId}/join": {"inviteCode"},
        "GET /domains": {"teamId", "limit", "since", "until"},
        "DELETE /domains/{domain}": {"teamId"},
        "GET /aliases": {"projectId", "teamId", "limit", "since", "until"},
        "GET /aliases/{idOrAlias}": {"teamId"},
        "POST /{projectName}/alias": {"teamId"},
        "DELETE /aliases/{aliasId}": {"teamId"},
    }
    everything = set().union(*documented.values())
    refused_ones = {
        parameter
        for parameter in everything
        if f"`{parameter}` is not known" in request(api, name, params={parameter: "x"}).text
    }
    assert everything - refused_ones == documented.get(name, set())


@pytest.mark.parametrize("name", WITH_BODY)
def test_unknown_body_fields(api: Api, name: str) -> None:
    refused(request(api, name, json={"surprise": "1"}), 400, "surprise")


@pytest.mark.parametrize("name", WITH_BODY)
def test_body_fields_are_strings(api: Api, name: str) -> None:
    for field in _text_fields(name):
        wrong: list[object] = [1, 1.5, True, None, [], {}]
        for value in wrong:
            refused(request(api, name, json={field: value, **_required(name, field)}), 400, field)


@pytest.mark.parametrize("name", WITH_BODY)
def test_body_must_be_declared_as_json(api: Api, name: str) -> None:
    for media_type in ("text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""):
        refused(request(api, name, content="{}", headers={"Content-Type": media_type}), 400, "Content-Type")


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
    refused(request(api, name, content=content, headers=JSON), 400, "")


def test_text_must_be_unicode(api: Api) -> None:
    refused(api.post("/projects", content='{"name": "\\ud800"}', headers=JSON), 400, "name")
    assert api.new_project("a\u0000b")["name"] == "a\u0000b"
    assert api.get("/projects/a%00b").json()["name"] == "a\u0000b"


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name not in WITH_BODY])
def test_other_operations_take_no_body(api: Api, name: str) -> None:
    required = (
        {"teamId": api.control.state()["users"][0]["personalTeamId"]}
        if name == "GET /projects/{idOrName}/domains"
        else {}
    )
    if name == "GET /auth/verify":
        required = {"email": "a@example.com", "token": "x"}
    refused(request(api, name, params=required, content="{}", headers=JSON), 400, "body")


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


def _text_fields(name: str) -> list[str]:
    fields = {
        "POST /auth/signin": "email tokenName",
        "POST /teams": "slug name",
        "PATCH /teams/{teamIdOrSlug}": "slug name description emailDomain",
        "POST /teams/{teamId}/members": "email uid role",
        "POST /{projectName}/alias": "alias target",
    }
    project = "name teamId alias buildCommand devCommand installCommand framework outputDirectory"
    return fields.get(name, f"{project} commandForIgnoringBuildStep").split()


def _required(name: str, but: str) -> dict[str, str]:
    required = {
        "POST /auth/signin": {"email": "a@example.com", "tokenName": "x"},
        "POST /projects": {"name": "web"},
        "POST /teams": {"slug": "acme"},
        "POST /teams/{teamId}/members": {"role": "MEMBER"},
        "POST /{projectName}/alias": {"alias": "www.example.com"},
    }
    return {field: value for field, value in required.get(name, {}).items() if field != but}
