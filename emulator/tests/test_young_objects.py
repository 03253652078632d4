# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Teams and projects that the service does not take yet, because they are young."""

import httpx
import pytest

from support import DEV_EMAIL, NEW_YEAR, Api, under

pytestmark = pytest.mark.usefixtures("stopped_clock")


@pytest.fixture
def young(api: Api) -> Api:
    """The young team fresh with an old project, the old team acme with the young project web."""
    api.control.seed(
        teams=[{"slug": "acme", "createdAt": 1}, {"slug": "fresh", "createdAt": NEW_YEAR}],
        projects=[
            {"name": "old", "team": "fresh", "createdAt": 1},
            {"name": "web", "team": "acme", "createdAt": NEW_YEAR},
            {"name": "own", "createdAt": 1},
        ],
    )
    api.control.switch(young_ms=1500)
    return api


def ask_young_team(api: Api) -> list[httpx.Response]:
    fresh = {"teamId": "fresh"}
    team = api.get("/teams/fresh").json()
    into_it = {"name": "new", "teamId": team["id"]}
    return [
        api.patch("/teams/fresh", json={"description": "x"}),
        api.post("/teams/fresh/members", json={"email": DEV_EMAIL, "role": "MEMBER"}),
        api.get("/teams/fresh/join"),
        api.post("/projects", json=into_it),
        api.patch("/projects/old", params=fresh, json={"framework": "vite"}),
        api.patch("/projects/own", json={"teamId": team["id"]}),
        api.post("/old/alias", params=fresh, json={"alias": "x.example.com"}),
    ]


def list_young_team(api: Api) -> list[httpx.Response]:
    paths = ["/projects", "/aliases", "/domains", "/projects/old/domains"]
    return [
        *(api.get(path, params={"teamId": "fresh"}) for path in paths),
        api.get("/projects", params={"teamId": "fresh", "limit": 5}),
    ]


def ask_young_project(api: Api) -> list[httpx.Response]:
    acme = {"teamId": "acme"}
    return [
        api.patch("/projects/web", params=acme, json={"framework": "vite"}),
        api.post("/web/alias", params=acme, json={"alias": "y.example.com"}),
    ]


YOUNG = {
    "young_team": ask_young_team,
    "young_team_lists": list_young_team,
    "young_project": ask_young_project,
}


def assert_waits(api: Api, name: str, switched: int | str) -> None:
    """All of these are refused at first, change nothing, and pass later; the rest passes."""
    before = api.control.state()
    refused = {answer.status_code for answer in YOUNG[name](api)}
    if switched != "ready":
        assert refused == {switched}
        assert api.control.state() == before
        api.control.advance(1.499)
        assert {answer.status_code for answer in YOUNG[name](api)} == {switched}
        api.control.advance(0.001)
        assert all(answer.is_success for answer in YOUNG[name](api))
    else:
        assert refused == {200}


@under("young_team")
def test_a_young_team(young: Api, switched: int | str) -> None:
    assert_waits(young, "young_team", switched)


@under("young_team_lists")
def test_lists_of_a_young_team(young: Api, switched: int | str) -> None:
    assert_waits(young, "young_team_lists", switched)


@under("young_project")
def test_a_young_project(young: Api, switched: int | str) -> None:
    assert_waits(young, "young_project", switched)


@under("young_ms", 1500)
def test_a_created_object_is_young(api: Api, switched: int) -> None:
    team = api.new_team("acme")
    assert api.get("/teams/acme").is_success, "a GET of one object does not wait"
    answer = api.post("/projects", json={"name": "web", "teamId": team["id"]})
    assert answer.status_code == (403 if switched else 200)
    api.control.advance(1.5)
    project = api.new_project("shop", teamId=team["id"])
    body = {"framework": "vite"}
    answer = api.patch("/projects/shop", params={"teamId": "acme"}, json=body)
    assert answer.status_code == (404 if switched else 200)
    assert api.get(f"/projects/{project['id']}").is_success
    assert api.delete(f"/projects/{project['id']}", params={"teamId": "acme"}).is_success
    api.control.switch(young_team="ready", young_project="ready", young_team_lists="ready")
    assert api.delete("/teams/acme").is_success


def test_only_projects_are_young_in_the_own_scope(api: Api) -> None:
    api.control.switch(young_ms=1500)
    api.new_project("web")
    assert api.names("/projects") == ["web"]
    assert api.patch("/projects/web", json={"framework": "vite"}).status_code == 404
