# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Projects and their domains (§4), and both resources (§2)."""

from typing import Any
from urllib.parse import quote

import pytest

from support import Api, assert_refused

PROJECT_SETTINGS = ["buildCommand", "devCommand", "installCommand", "framework", "outputDirectory"]
PROJECT_SETTINGS += ["commandForIgnoringBuildStep"]
AWKWARD_NAMES = [
    "a/b",
    "50%",
    'it\'s "quoted"',
    "Größe 文",
    "a%2Fb",
    "?x=1&y",
    "a+b",
    "#1",
    "a;b",
    "{{ x }}",
    "a\0b",
]


def test_a_body_takes_a_team_id_and_no_slug(api: Api) -> None:
    api.new_team("acme")
    assert_refused(api.post("/projects", json={"name": "web", "teamId": "acme"}), 400, "teamId")
    before = api.new_project("web")
    assert_refused(
        api.patch("/projects/web", json={"framework": "vite", "teamId": "acme"}), 400, "teamId"
    )
    assert api.get("/projects/web").json() == before


@pytest.mark.parametrize("name", AWKWARD_NAMES)
def test_any_name_can_be_addressed(api: Api, name: str) -> None:
    project = api.new_project(name)
    path = f"/projects/{quote(name, safe='')}"
    assert api.get(path).json() == api.get(f"/projects/{project['id']}").json() == project
    assert api.patch(path, json={"framework": "vite"}).json()["framework"] == "vite"
    assert api.post(f"/{quote(name, safe='')}/alias", json={"alias": "www.example.com"}).is_success
    assert api.delete(path).json()["id"] == project["id"]
    assert api.control.requests()[-1]["path"] == path


def test_update_changes_only_what_is_given(api: Api) -> None:
    before = api.new_project("web", framework="nextjs", buildCommand="make")
    after = api.patch("/projects/web", json={"framework": "vite"}).json()
    assert after["updatedAt"] >= before["updatedAt"]
    assert {**after, "updatedAt": 0} == {**before, "framework": "vite", "updatedAt": 0}
    assert api.get("/projects/web").json() == after


def test_creation_and_update_take_every_field(api: Api) -> None:
    team = api.new_team("acme")
    given = {"name": "web", "alias": "www.example.com"}
    given |= {setting: f"value of {setting}" for setting in PROJECT_SETTINGS}
    project = api.new_project(**given)
    assert {field: project[field] for field in given} == given
    assert project["updatedAt"] == project["createdAt"]
    wanted = {"name": "shop", "teamId": team["id"], "alias": "shop.example.com"}
    wanted |= {setting: f"new {setting}" for setting in PROJECT_SETTINGS}
    changed = api.patch("/projects/web", json=wanted).json()
    assert {field: changed[field] for field in wanted} == wanted
    assert changed["id"] == project["id"]
    assert api.get("/projects/shop").json() == changed
    assert api.get("/projects/web").status_code == 404, "it answers to its new name only"
    assert [alias["alias"] for alias in api.page("/aliases", teamId="acme")[0]] == [
        "shop.example.com"
    ]
    assert api.names("/aliases") == []


@pytest.mark.parametrize(
    "query", [{"teamId": "acme"}, {"slug": "acme"}, {"teamId": "acme", "slug": "acme"}]
)
def test_update_and_delete_for_a_team(api: Api, query: dict[str, str]) -> None:
    team = api.new_team("acme")
    api.new_project("web", teamId=team["id"])
    assert api.patch("/projects/web", json={"framework": "vite"}).status_code == 404, (
        "not in the own scope"
    )
    assert (
        api.patch("/projects/web", params=query, json={"framework": "vite"}).json()["framework"]
        == "vite"
    )
    assert api.delete("/projects/web").status_code == 404
    assert api.delete("/projects/web", params=query).json()["name"] == "web"
    assert api.control.state()["projects"] == []


def test_team_and_slug_must_agree_and_a_slug_is_no_id(api: Api) -> None:
    team = api.new_team("acme")
    api.new_team("other")
    assert_refused(
        api.patch("/projects/web", params={"teamId": "acme", "slug": "other"}, json={}), 400, "slug"
    )
    assert_refused(api.delete("/projects/web", params={"slug": team["id"]}), 400, "slug")


def test_list_shows_the_scope_that_is_named(api: Api) -> None:
    """A team by its id or slug, the caller's own scope by its id."""
    team = api.new_team("acme")
    own = api.new_project("own")
    assert api.new_project("shared", teamId=team["id"])["teamId"] == team["id"]
    assert api.names("/projects") == api.names("/projects", teamId=own["teamId"]) == ["own"]
    assert (
        api.names("/projects", teamId="acme")
        == api.names("/projects", teamId=team["id"])
        == ["shared"]
    )
    assert_refused(api.get("/projects", params={"teamId": "nobody"}), 400, "teamId")


@pytest.mark.parametrize("spanning", [False, True])
def test_objects_of_others_are_out_of_reach(api: Api, dev: Api, spanning: bool) -> None:
    api.control.switch(lists_span_teams=spanning)
    own = api.new_project("own")
    project = api.new_project("web", teamId=api.new_team("acme")["id"])
    alias = api.get(f"/aliases/{project['alias']}").json()
    assert dev.names("/projects") == dev.names("/aliases") == []
    for path in (f"/projects/{own['id']}", f"/projects/{project['id']}", f"/aliases/{alias['id']}"):
        assert [dev.get(path).status_code, dev.delete(path).status_code] == [404, 404]
    assert_refused(dev.get("/projects", params={"teamId": own["teamId"]}), 400, "teamId")
    assert_refused(
        dev.post("/projects", json={"name": "x", "teamId": own["teamId"]}), 400, "teamId"
    )


@pytest.fixture
def project(api: Api) -> Any:
    """A project with four project domains, of which the oldest is its own alias."""
    project = api.new_project("web", alias="plain.example.com")
    records: list[dict[str, Any]] = [
        {
            "alias": "preview.example.com",
            "production": False,
            "createdAt": project["createdAt"] + 1,
        },
        {"alias": "pending.example.com", "verified": False, "createdAt": project["createdAt"] + 2},
        {
            "alias": "moved.example.com",
            "redirect": "plain.example.com",
            "redirectStatusCode": 308,
            "createdAt": project["createdAt"] + 3,
        },
    ]
    api.control.seed(project_domains=[{"project": "web", **record} for record in records])
    return project


def listed(api: Api, project: dict[str, Any], **query: Any) -> list[str]:
    names = api.names("/projects/web/domains", teamId=project["teamId"], **query)
    return [name.partition(".")[0] for name in names]


def test_redirect_status_code_is_one_of_four_or_null(api: Api, project: dict[str, Any]) -> None:
    """An alias's is not restricted; what its project domain may not say, it leaves out."""

    def listed_codes() -> list[Any]:
        records, _ = api.page("/projects/web/domains", teamId=project["teamId"])
        return [
            record["redirectStatusCode"]
            for record in records
            if record["alias"] == "www.example.com"
        ]

    for code, expected in ((418, None), (302, 302), (200, None), (None, None), (301, 301)):
        answer = api.post(
            "/web/alias", json={"alias": "www.example.com", "redirectStatusCode": code}
        )
        assert answer.json()["redirectStatusCode"] == code
        assert listed_codes() == [expected]
    record = {"alias": "x.example.com", "project": "web", "redirectStatusCode": 300}
    assert_refused(
        api.post("/_emulator/seed", json={"project_domains": [record]}), 400, "301, 302, 307, 308"
    )


@pytest.mark.parametrize("unset", ["null", "missing"])
def test_record_is_complete_whatever_is_unset(
    api: Api, project: dict[str, Any], unset: str
) -> None:
    before = api.page("/projects/web/domains", teamId=project["teamId"])
    assert before[0][0]["zoneId"] == ""
    api.control.switch(unset_fields=unset)
    assert api.page("/projects/web/domains", teamId=project["teamId"]) == before


def test_found_by_id_and_by_name_in_the_team(api: Api) -> None:
    team = api.new_team("acme")
    project = api.new_project("web", teamId=team["id"])
    for value in ("web", project["id"]):
        assert api.names(f"/projects/{value}/domains", teamId="acme") == [project["alias"]]
    assert (
        api.get(
            "/projects/web/domains", params={"teamId": api.new_project("x")["teamId"]}
        ).status_code
        == 404
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"production": "true"}, ["moved", "pending", "plain"]),
        ({"production": "false"}, ["preview"]),
        ({"verified": "true"}, ["moved", "preview", "plain"]),
        ({"verified": "false"}, ["pending"]),
        ({"redirects": "true"}, ["moved"]),
        ({"redirects": "false"}, ["pending", "preview", "plain"]),
        ({"redirects": "false", "production": "true", "verified": "true"}, ["plain"]),
    ],
)
def test_filters(
    api: Api, project: dict[str, Any], query: dict[str, str], expected: list[str]
) -> None:
    assert listed(api, project, **query) == expected


@pytest.mark.parametrize("list_order", ["ascending", "descending"])
def test_order_is_as_asked(api: Api, project: dict[str, Any], list_order: str) -> None:
    api.control.switch(list_order=list_order)
    ascending = ["plain", "preview", "pending", "moved"]
    assert listed(api, project, order="ASC") == ascending
    assert listed(api, project, order="DESC") == ascending[::-1]


def test_pages(api: Api, project: dict[str, Any]) -> None:
    first, pagination = api.page(
        "/projects/web/domains", teamId=project["teamId"], limit=3, order="ASC"
    )
    assert pagination == {"count": 3, "next": first[-1]["createdAt"], "prev": None}
    assert listed(api, project, order="ASC", since=pagination["next"]) == ["moved"]
    assert listed(api, project, order="ASC", until=first[1]["createdAt"]) == ["plain"]
