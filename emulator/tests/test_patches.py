# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a PATCH changes, and what it answers."""

from typing import Any

from support import Api, assert_refused, under


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


@under("updated_at")
def test_updated_at(api: Api, switched: str) -> None:
    api.control.seed(
        teams=[{"slug": "acme", "name": "Acme", "createdAt": 1000}],
        projects=[
            {"name": "web", "framework": "vite", "alias": "www.example.com", "createdAt": 1000}
        ],
    )

    def times(project: dict[str, str], team: dict[str, str]) -> list[int]:
        answers = (api.patch("/projects/web", json=project), api.patch("/teams/acme", json=team))
        return [answer.json()["updatedAt"] for answer in answers]

    unchanged = times({"framework": "vite", "buildCommand": ""}, {"name": "Acme"})
    assert all((moment == 1000) == (switched == "on_change") for moment in unchanged)
    assert all(moment > 1000 for moment in times({"framework": "next"}, {"name": "Other"}))


@under("name_required_on_patch")
def test_name_required_on_patch(api: Api, switched: bool) -> None:
    api.new_project("web")
    assert api.patch("/projects/web", json={"name": "web", "framework": "vite"}).is_success
    answer = api.patch("/projects/web", json={"framework": "next"})
    if switched:
        assert_refused(answer, 400, "name")
    else:
        assert answer.json()["framework"] == "next"


@under("team_id_on_patch")
def test_team_id_on_patch(api: Api, switched: str | int) -> None:
    team = api.new_team("acme")
    project = api.new_project("web")
    same = api.patch("/projects/web", json={"teamId": project["teamId"], "framework": "vite"})
    assert same.json()["framework"] == "vite"
    answer = api.patch("/projects/web", json={"teamId": team["id"], "framework": "next"})
    if switched == 400:
        assert_refused(answer, 400, "teamId")
    else:
        assert answer.json()["framework"] == "next"
    moved, stays = ([], ["web"]) if switched != "honoured" else (["web"], [])
    assert api.names("/projects", teamId="acme") == moved
    assert api.names("/projects") == stays


@under("aliases_move")
def test_aliases_move(api: Api, switched: bool) -> None:
    team = api.new_team("acme")
    project = api.new_project("web", alias="www.example.com")
    assert api.patch("/projects/web", json={"teamId": team["id"]}).is_success
    assert api.names("/aliases", teamId="acme") == (["www.example.com"] if switched else [])
    assert api.names("/aliases") == ([] if switched else ["www.example.com"])
    assert api.names("/projects/web/domains", teamId="acme") == ["www.example.com"]
    assert api.get("/aliases/www.example.com").json()["projectId"] == project["id"]
