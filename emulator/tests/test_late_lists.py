# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a service shows late, does not take yet, or does not show at all: lists, young teams and
projects, and answers to a PATCH.
"""

from functools import partial
from typing import Any

import httpx
import pytest

from support import DEV_EMAIL, Api, under

NEW_YEAR = 1_767_225_600_000
LISTS = {
    "teams": "/teams",
    "projects": "/projects",
    "aliases": "/aliases",
    "domains": "/domains",
    "project_domains": "/projects/old/domains",
}


@pytest.fixture(autouse=True)
def _stopped_clock(api: Api) -> None:
    api.post("/_emulator/clock", json={"now": NEW_YEAR, "stopped": True})


@pytest.fixture
def acme(api: Api) -> Api:
    """The team acme with a project, an alias and a domain, all of long ago."""
    api.control.seed(
        teams=[{"slug": "acme", "createdAt": 1}],
        projects=[{"name": "old", "team": "acme", "alias": "", "createdAt": 2}],
        aliases=[{"alias": "old.example.com", "project": "old", "team": "acme"}],
        domains=[{"name": "old.example.net", "team": "acme"}],
    )
    return api


def shown(api: Api) -> dict[str, list[str]]:
    """What each list shows of the team acme, or of all teams."""
    names = {
        kind: api.names(path, teamId="acme") for kind, path in LISTS.items() if kind != "teams"
    }
    return {"teams": api.names("/teams"), **names}


def change_everything(api: Api) -> None:
    """Of each kind, create one and delete one, as far as there are operations."""
    api.new_team("new")
    api.new_project("new", teamId=api.get("/teams/acme").json()["id"], alias="")
    for_acme = {"teamId": "acme"}
    assert api.post("/old/alias", params=for_acme, json={"alias": "new.example.com"}).is_success
    (alias,) = [
        item for item in api.control.state()["aliases"] if item["alias"] == "old.example.com"
    ]
    assert api.delete(f"/aliases/{alias['id']}", params=for_acme).is_success
    assert api.delete("/domains/old.example.net", params=for_acme).is_success


@under("lists_late_ms", 3000)
def test_lists_show_late_what_is_created_and_deleted(acme: Api, switched: int) -> None:
    before = shown(acme)
    change_everything(acme)
    assert acme.get("/projects/new").is_success, "a GET of one object is not late"
    assert acme.get("/aliases/old.example.com").status_code == 404
    acme.control.advance(2.999)
    now = {
        "teams": ["new", "acme"],
        "projects": ["new", "old"],
        "aliases": ["new.example.com"],
        "domains": [],
        "project_domains": ["new.example.com"],
    }
    assert shown(acme) == (before if switched else now)
    acme.control.advance(0.001)
    assert shown(acme) == now


@under("lists_late")
def test_which_lists_are_late(acme: Api, switched: str) -> None:
    before = shown(acme)
    acme.control.switch(lists_late_ms=3000)
    change_everything(acme)
    after = shown(acme)
    assert {kind for kind in LISTS if after[kind] == before[kind]} == (
        set(LISTS) if switched == "all" else {switched}
    )


def test_each_state_is_shown_in_its_time(acme: Api) -> None:
    """Somebody renames, renames again, moves and deletes, a second between them."""
    acme.control.switch(lists_late_ms=4000)
    acme.new_team("zeta")
    project = acme.get("/projects/old").json()
    acts = [
        partial(acme.patch, json={"name": "first", "framework": "vite"}),
        partial(acme.patch, json={"name": "second"}),
        partial(acme.patch, json={"teamId": acme.get("/teams/zeta").json()["id"]}),
        partial(acme.delete),
    ]
    for act in acts:
        scope = acme.get(f"/projects/{project['id']}").json()["teamId"]
        assert act(f"/projects/{project['id']}", params={"teamId": scope}).is_success
        acme.control.advance(1)
    seen = []
    for _ in acts:
        seen.append([acme.names("/projects", teamId=slug) for slug in ("acme", "zeta")])
        acme.control.advance(1)
    assert seen == [[["first"], []], [["second"], []], [[], ["second"]], [[], []]]


def test_changes_of_one_moment_are_shown_together(acme: Api) -> None:
    acme.control.switch(lists_late_ms=3000)
    project = acme.get("/projects/old").json()
    for name in ("first", "second"):
        body = {"name": name}
        assert acme.patch(
            f"/projects/{project['id']}", params={"teamId": "acme"}, json=body
        ).is_success
    assert acme.page("/projects", teamId="acme")[0] == [project]
    acme.control.advance(3)
    assert acme.names("/projects", teamId="acme") == ["second"]


def test_a_deleted_team_stays_in_the_late_list(acme: Api) -> None:
    acme.control.switch(lists_late_ms=3000, lists_span_teams=True)
    assert acme.delete("/teams/acme").is_success
    assert acme.names("/teams") == ["acme"]
    assert acme.names("/projects") == ["old"]
    assert acme.get("/teams/acme").status_code == 404
    acme.control.advance(3)
    assert acme.names("/teams") == acme.names("/projects") == []


def test_late_lists_are_paged(acme: Api) -> None:
    acme.control.seed(projects=[{"name": f"p{n}", "createdAt": n} for n in range(1, 6)])
    acme.control.switch(lists_late_ms=3000)
    for number in (2, 3):
        acme.delete(f"/projects/p{number}")
    assert acme.names("/projects", limit=3) == ["p5", "p4", "p3"]
    items, pagination = acme.page("/projects", limit=3, until=3)
    assert [item["name"] for item in items] == ["p2", "p1"]
    assert pagination == {"count": 2, "next": None, "prev": 2}


def test_only_requests_are_shown_late(acme: Api) -> None:
    """What is seeded, reset or restored is shown at once."""
    acme.control.switch(lists_late_ms=3000)
    before = acme.control.snapshot()
    acme.control.seed(projects=[{"name": "seeded", "team": "acme"}])
    assert acme.names("/projects", teamId="acme") == ["seeded", "old"]
    acme.control.restore(before)
    assert acme.names("/projects", teamId="acme") == ["old"]
    acme.delete("/teams/acme")
    acme.control.reset(keep_switches=True)
    assert acme.names("/teams") == []


def test_a_refused_request_changes_nothing_in_late_lists(acme: Api) -> None:
    acme.control.switch(lists_late_ms=3000, duplicate_names=409)
    other = acme.new_project("web", alias="taken.example.com")
    refused = acme.post("/projects", json={"name": "other", "alias": other["alias"]})
    assert refused.status_code == 409
    acme.control.advance(3)
    assert acme.names("/projects") == ["web"]


def test_a_snapshot_carries_what_is_shown_late(acme: Api) -> None:
    acme.control.switch(lists_late_ms=3000)
    before = shown(acme)
    change_everything(acme)
    acme.control.advance(1)
    saved = acme.control.snapshot()
    acme.control.reset()
    acme.control.restore(saved)
    assert acme.control.snapshot() == saved
    assert saved["stored"]["changes"] != []
    assert shown(acme) == before
    acme.control.advance(2)
    assert shown(acme) != before


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


def _assert_waits(api: Api, name: str, switched: int | str) -> None:
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
    _assert_waits(young, "young_team", switched)


@under("young_team_lists")
def test_lists_of_a_young_team(young: Api, switched: int | str) -> None:
    _assert_waits(young, "young_team_lists", switched)


@under("young_project")
def test_a_young_project(young: Api, switched: int | str) -> None:
    _assert_waits(young, "young_project", switched)


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


@under("patch_result")
def test_patch_result(acme: Api, switched: str) -> None:
    team = acme.get("/teams/acme").json()
    project = acme.get("/projects/old").json()
    acme.control.advance(1)
    answers = [
        acme.patch("/projects/old", params={"teamId": "acme"}, json={"name": "new"}),
        acme.patch("/teams/acme", json={"slug": "other"}),
    ]
    stored = [acme.get("/projects/new").json(), acme.get("/teams/other").json()]
    assert [answer.status_code for answer in answers] == [200, 200]
    if switched == "empty":
        assert [answer.content for answer in answers] == [b"", b""]
    else:
        expected = [project, team] if switched == "old" else stored
        assert [answer.json() for answer in answers] == expected


@under("patch_ignores", "name", "slug", "framework")
def test_patch_ignores(acme: Api, switched: str) -> None:
    body: dict[str, Any] = {"name": "new", "framework": "vite", "buildCommand": "make"}
    answer = acme.patch("/projects/old", params={"teamId": "acme"}, json=body)
    before = {"name": "old", "framework": "", "buildCommand": ""}
    expected = {**body, switched: before[switched]} if switched in body else body
    assert answer.is_success
    stored = acme.get(f"/projects/{answer.json()['id']}").json()
    assert {field: stored[field] for field in body} == expected
    assert acme.patch("/teams/acme", json={"slug": "other"}).is_success
    assert acme.names("/teams") == ["acme" if switched == "slug" else "other"]


@under("patch_clears", "framework:buildCommand", "slug:name", "framework:colour")
def test_patch_clears(acme: Api, switched: str) -> None:
    def build_command_after(**body: str) -> Any:
        answer = acme.patch("/projects/old", params={"teamId": "acme"}, json=body)
        return answer.json()["buildCommand"]

    kept = "" if switched == "framework:buildCommand" else "make"
    assert build_command_after(buildCommand="make") == "make"
    assert build_command_after(framework="vite") == kept
    assert build_command_after(framework="astro", buildCommand="make") == "make"
    assert build_command_after(framework="astro") == "make"
    assert acme.patch("/teams/acme", json={"name": "Acme"}).is_success
    name = acme.patch("/teams/acme", json={"slug": "other"}).json()["name"]
    assert name == ("" if switched == "slug:name" else "Acme")


@under("project_on_get")
def test_project_on_get(acme: Api, dev: Api, switched: str) -> None:
    acme.new_project("mine", alias="")
    dev.new_project("theirs", alias="")

    def statuses(**query: str) -> list[int]:
        names = ("mine", "old", "theirs")
        return [acme.get(f"/projects/{name}", params=query).status_code for name in names]

    shown_of = {
        "of_callers_teams": [200, 200, 404],
        "of_its_scope": [200, 404, 404],
        "of_everybody": [200, 200, 200],
    }
    assert statuses() == statuses(teamId="acme") == shown_of[switched]
    acme.control.switch(team_id_on_get="honoured")
    if switched == "of_its_scope":
        assert statuses(teamId="acme") == [404, 200, 404]
