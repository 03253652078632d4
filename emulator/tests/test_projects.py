# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Projects (§4), and the project resource (§2)."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from support import DEV_EMAIL, Api, forbidden, refused

PROJECT_SETTINGS = ["buildCommand", "devCommand", "installCommand", "framework", "outputDirectory"]
PROJECT_SETTINGS += ["commandForIgnoringBuildStep"]
AWKWARD_NAMES = ["a/b", "50%", "a b", 'it\'s "quoted"', "Größe 文", "a%2Fb", "?x=1&y", "a+b", "#1", "a;b", "{{ x }}"]


def test_a_body_takes_a_team_id_and_no_slug(api: Api) -> None:
    api.new_team("acme")
    refused(api.post("/projects", json={"name": "web", "teamId": "acme"}), 400, "teamId")
    before = api.new_project("web")
    refused(api.patch("/projects/web", json={"framework": "vite", "teamId": "acme"}), 400, "teamId")
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
    assert [alias["alias"] for alias in api.page("/aliases", teamId="acme")[0]] == ["shop.example.com"]
    assert api.names("/aliases") == []


def test_moved_project_takes_its_aliases_along(api: Api) -> None:
    team = api.new_team("acme")
    api.new_project("web", alias="www.example.com")
    assert api.patch("/projects/web", json={"teamId": team["id"]}).json()["teamId"] == team["id"]
    state = api.control.state()
    assert [record["teamId"] for record in state["aliases"] + state["project_domains"]] == [team["id"]] * 2


@pytest.mark.parametrize("query", [{"teamId": "acme"}, {"slug": "acme"}, {"teamId": "acme", "slug": "acme"}])
def test_update_and_delete_for_a_team(api: Api, query: dict[str, str]) -> None:
    team = api.new_team("acme")
    api.new_project("web", teamId=team["id"])
    assert api.patch("/projects/web", json={"framework": "vite"}).status_code == 404, "not in the own scope"
    assert api.patch("/projects/web", params=query, json={"framework": "vite"}).json()["framework"] == "vite"
    assert api.delete("/projects/web").status_code == 404
    assert api.delete("/projects/web", params=query).json()["name"] == "web"
    assert api.control.state()["projects"] == []


def test_team_and_slug_must_agree_and_a_slug_is_no_id(api: Api) -> None:
    team = api.new_team("acme")
    api.new_team("other")
    refused(api.patch("/projects/web", params={"teamId": "acme", "slug": "other"}, json={}), 400, "slug")
    refused(api.delete("/projects/web", params={"slug": team["id"]}), 400, "slug")


def test_list_shows_the_scope_that_is_named(api: Api) -> None:
    """A team by its id or slug, the caller's own scope by its id."""
    team, own = api.new_team("acme"), api.new_project("own")
    assert api.new_project("shared", teamId=team["id"])["teamId"] == team["id"]
    assert api.names("/projects") == api.names("/projects", teamId=own["teamId"]) == ["own"]
    assert api.names("/projects", teamId="acme") == api.names("/projects", teamId=team["id"]) == ["shared"]
    refused(api.get("/projects", params={"teamId": "nobody"}), 400, "teamId")


@pytest.mark.parametrize("spanning", [False, True])
def test_what_is_others_is_out_of_reach(api: Api, dev: Api, spanning: bool) -> None:
    api.control.switch(lists_span_teams=spanning)
    own, project = api.new_project("own"), api.new_project("web", teamId=api.new_team("acme")["id"])
    alias = api.get(f"/aliases/{project['alias']}").json()
    assert dev.names("/projects") == dev.names("/aliases") == []
    for path in (f"/projects/{own['id']}", f"/projects/{project['id']}", f"/aliases/{alias['id']}"):
        assert [dev.get(path).status_code, dev.delete(path).status_code] == [404, 404]
    refused(dev.get("/projects", params={"teamId": own["teamId"]}), 400, "teamId")
    refused(dev.post("/projects", json={"name": "x", "teamId": own["teamId"]}), 400, "teamId")


def test_moving_into_a_team_needs_permission_there(api: Api, dev: Api) -> None:
    team = api.control.seed(teams=[{"slug": "acme", "members": [{"email": DEV_EMAIL, "role": "VIEWER"}]}])["teams"][0]
    dev.new_project("web")
    forbidden(dev.patch("/projects/web", json={"teamId": team["id"]}))
    assert dev.names("/projects") == ["web"]


def test_generated_alias_has_its_records(api: Api) -> None:
    project = api.new_project("My Shop/2")
    (alias,) = api.page("/aliases")[0]
    assert alias["alias"] == project["alias"] == "my-shop-2.hosting.example"
    assert alias["projectId"] == project["id"]
    assert api.new_project("bare", alias="")["alias"] == ""
    assert api.names("/aliases") == [alias["alias"]], "an empty alias is none"
