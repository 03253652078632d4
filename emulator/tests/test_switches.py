# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Switches that shape objects, ids and statuses, and those that take time; and that each has a
test.
"""

import asyncio
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest

from hosting_platform_emulator.state.switches import SWITCHES
from support import COVERED, DEV_EMAIL, OWNER_TOKEN, Api, assert_forbidden, assert_refused, under

MISSING: dict[str, Any] = {
    **dict.fromkeys(
        ("GET /projects/none", "DELETE /projects/none", "GET /teams/none", "GET /teams/none/join")
    ),
    **dict.fromkeys(("DELETE /domains/none.example", "GET /aliases/none", "DELETE /aliases/1")),
    "PATCH /projects/none": {},
    "POST /teams/none/members": {"email": DEV_EMAIL, "role": "MEMBER"},
    "POST /none/alias": {"alias": "www.example.com"},
}


@under("not_found")
@pytest.mark.parametrize("operation", MISSING)
def test_not_found(api: Api, switched: int, operation: str) -> None:
    answer = api.ask(operation, json=MISSING[operation])
    if switched == 403:
        assert_forbidden(answer)
    else:
        assert_refused(answer, switched, "")


@under("unset_fields")
def test_unset_fields(api: Api, switched: str) -> None:
    expected = {"empty": "", "null": None, "missing": "absent"}[switched]
    api.new_project("web", alias="www.example.com")
    api.control.seed(domains=[{"name": "example.com"}])
    alias = api.get("/aliases/www.example.com").json()
    assert api.get("/projects/web").json().get("framework", "absent") == expected
    assert api.new_team("acme").get("avatar", "absent") == expected
    assert alias.get("zoneId", "absent") == expected
    assert api.page("/domains")[0][0].get("serviceType", "absent") == expected
    assert alias["redirect"] is None, "what may be null is always present"
    assert api.patch("/projects/web", json={"framework": ""}).json()["framework"] == "", (
        "an empty string is set"
    )


@under("extra_fields")
def test_extra_fields(api: Api, switched: bool) -> None:
    objects = [
        api.new_project("web"),
        api.new_team("acme"),
        api.get("/user").json(),
        api.page("/aliases")[0][0],
    ]
    assert all(("nodeVersion" in item) == switched for item in objects)


@under("create_status")
def test_create_status(api: Api, switched: int) -> None:
    answers = [
        api.post("/teams", json={"slug": "acme"}),
        api.post("/teams/acme/members", json={"email": DEV_EMAIL, "role": "MEMBER"}),
        api.post("/projects", json={"name": "web"}),
        api.post("/web/alias", json={"alias": "www.example.com"}),
    ]
    assert [answer.status_code for answer in answers] == [switched] * 4


@under("delete_status")
def test_delete_status(api: Api, switched: int) -> None:
    """A team takes all that it owns along, and a project its aliases."""
    team = api.new_team("acme")
    project = api.new_project("web")
    api.new_project("shared", teamId=team["id"])
    api.control.seed(domains=[{"name": "example.com", "team": "acme"}])
    answers = [api.delete("/teams/acme"), api.delete("/projects/web")]
    assert [answer.status_code for answer in answers] == [switched] * 2
    if switched == 204:
        assert [answer.content for answer in answers] == [b"", b""]
    else:
        assert [answer.json() for answer in answers] == [{"teamId": team["id"]}, project]
    assert [kind for kind, objects in api.control.state().items() if objects] == ["users"]


@under("ids")
def test_ids(api: Api, switched: str) -> None:
    team = api.new_team("acme")
    project = api.new_project("web")
    member = api.post("/teams/acme/members", json={"email": DEV_EMAIL, "role": "MEMBER"}).json()
    ids = [team["id"], project["id"], member["id"]]
    if switched == "numeric":
        assert all(value.isdigit() and len(value) >= 3 for value in ids)
    elif switched == "short":
        assert all(value.isdigit() and len(value) < 3 for value in ids)
        assert all(0 < item["id"] < 100 for item in api.page("/aliases")[0])
    else:
        assert [value.partition("_")[0] for value in ids] == ["team", "prj", "mbr"]
    assert api.get(f"/projects/{project['id']}").json() == project
    assert isinstance(api.page("/aliases")[0][0]["id"], int)


@under("personal_team_id")
def test_personal_team_id(api: Api, switched: str) -> None:
    project = api.new_project("web")
    own = api.control.state()["users"][0]["personalTeamId"]
    assert project["teamId"] == ("" if switched == "unset" else own)
    assert api.page("/aliases")[0][0]["teamId"] == (None if switched == "unset" else own)
    assert api.names("/teams") == []
    unscoped = api.get("/projects/web/domains")
    assert unscoped.status_code == (200 if switched == "unset" else 400), (
        "what has no id cannot be required"
    )
    api.control.switch(unset_fields="missing")
    assert ("teamId" in api.get("/projects/web").json()) == (switched == "id")


@under("alias_team_id")
def test_alias_team_id(api: Api, switched: str) -> None:
    team = api.new_team("acme")["id"]
    project = api.new_project("web", teamId=team)
    shown = team if switched == "id" else None
    assert project["teamId"] == team
    assert [item["teamId"] for item in api.page("/aliases", teamId=team)[0]] == [shown]
    assert [item["teamId"] for item in api.page("/projects/web/domains", teamId=team)[0]] == [shown]


@under("echo_token")
def test_echo_token(api: Api, switched: bool) -> None:
    api.new_project("web")
    api.control.fault("GET /user", "500")
    answers = [
        api.get(path)
        for path in ("/projects", "/projects/web", "/projects/none", "/user", "/projects?x=y")
    ]
    assert all((OWNER_TOKEN in answer.text) == switched for answer in answers)
    api.control.switch(not_found=403)
    assert (OWNER_TOKEN in api.get("/projects/none").text) == switched
    page: dict[str, Any] = answers[0].json()
    assert all(
        ("requestToken" in item) == switched
        for item in (page, page["pagination"], page["projects"][0])
    )


@under("latency_ms", 400)
def test_latency_overlaps(api: Api, switched: int) -> None:
    async def twenty_at_once() -> float:
        async with httpx.AsyncClient(base_url=api.address, headers=dict(api.headers)) as client:
            before = time.perf_counter()
            answers = await asyncio.gather(*(client.get("/user") for _ in range(20)))
            assert all(answer.is_success for answer in answers)
            return time.perf_counter() - before

    taken = asyncio.run(twenty_at_once())
    assert taken >= switched / 1000
    if switched:
        assert taken < 20 * switched / 1000


@under("connect_latency_ms", 1000)
def test_connect_latency(api: Api, switched: int) -> None:
    with api.as_user(OWNER_TOKEN) as client:
        first, second = (client.get("/user").elapsed.total_seconds() for _ in range(2))
    assert first >= switched / 1000
    if switched:
        assert second < switched / 1000


def test_every_switch_has_a_test_under_its_values() -> None:
    """Under each, or under its default and another."""
    for file in Path(__file__).parent.glob("test_*.py"):
        import_module(file.stem)
    assert SWITCHES.keys() == COVERED
