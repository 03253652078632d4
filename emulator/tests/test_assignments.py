# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How an alias is assigned to a project, and from whom it is taken."""

import pytest

from support import DEV_EMAIL, Api, assert_refused, under


def seed_aliases(api: Api) -> None:
    """An alias of a project beside `mine`, of a team of the caller's, of one where they only read,
    and of strangers.
    """
    roles = {"acme": "MEMBER", "readers": "VIEWER", "strangers": None}
    teams = [
        {
            "slug": slug,
            "owner": DEV_EMAIL,
            "members": [{"email": "owner@example.com", "role": role}] if role else [],
        }
        for slug, role in roles.items()
    ]
    projects = [{"name": "web", "alias": f"{slug}.example.com", "team": slug} for slug in roles]
    own = [
        {"name": "mine", "alias": "mine.example.com"},
        {"name": "beside", "alias": "beside.example.com"},
    ]
    api.control.seed(teams=teams, projects=[*projects, *own])


def holders(api: Api) -> dict[str, str]:
    """The project of each alias by its label; a project of the own scope by its name alone."""
    state = api.control.state()
    slugs = {team["id"]: f"{team['slug']}/" for team in state["teams"]}
    names = {
        project["id"]: slugs.get(project["teamId"], "") + project["name"]
        for project in state["projects"]
    }
    teams = {project["id"]: project["teamId"] for project in state["projects"]}
    for kind in ("aliases", "project_domains"):
        held = {item["alias"].partition(".")[0]: names[item["projectId"]] for item in state[kind]}
        assert all(item["teamId"] == teams[item["projectId"]] for item in state[kind])
    return held


BEFORE = {
    "mine": "mine",
    "beside": "beside",
    "acme": "acme/web",
    "readers": "readers/web",
    "strangers": "strangers/web",
}

TAKEN = {"nothing": [], "of_its_scope": ["beside"], "everywhere": ["beside", "acme"]}


@pytest.mark.usefixtures("dev")
@under("assignment_takes")
def test_an_assignment_takes_the_aliases_that_the_switch_says(api: Api, switched: str) -> None:
    seed_aliases(api)
    taken = TAKEN[switched]
    for label in BEFORE:
        answer = api.post("/mine/alias", json={"alias": f"{label}.example.com"})
        if label in ["mine", *taken]:
            assert answer.json()["alias"] == f"{label}.example.com"
        else:
            assert_refused(answer, 409, f"{label}.example.com")
    assert holders(api) == {**BEFORE, **dict.fromkeys(taken, "mine")}
    assert api.get("/projects/beside").json()["alias"] == (
        "" if "beside" in taken else "beside.example.com"
    )


@pytest.mark.usefixtures("dev")
@under("own_alias_takes")
def test_a_new_own_alias_takes_the_aliases_that_the_switch_says(api: Api, switched: str) -> None:
    seed_aliases(api)
    taken = TAKEN[switched]
    for label in list(BEFORE)[1:]:
        answer = api.post(
            "/projects", json={"name": f"new {label}", "alias": f"{label}.example.com"}
        )
        if label in taken:
            assert answer.json()["alias"] == f"{label}.example.com"
        else:
            assert_refused(answer, 409, f"{label}.example.com")
    assert holders(api) == {**BEFORE, **{label: f"new {label}" for label in taken}}
    assert api.get("/projects/beside").json()["alias"] == (
        "" if "beside" in taken else "beside.example.com"
    )


@pytest.mark.usefixtures("dev")
def test_changed_own_alias_takes_one_and_drops_its_old_one(api: Api) -> None:
    seed_aliases(api)
    api.control.switch(own_alias_takes="everywhere")
    assert_refused(
        api.patch("/projects/mine", json={"alias": "readers.example.com"}),
        409,
        "readers.example.com",
    )
    assert (
        api.patch("/projects/mine", json={"alias": "acme.example.com"}).json()["alias"]
        == "acme.example.com"
    )
    expected = {**BEFORE, "acme": "mine"}
    del expected["mine"]
    assert holders(api) == expected


@under("alias_shape")
def test_alias_shape(api: Api, switched: str) -> None:
    api.new_project("web")
    for key in ("alias", "domain", "name"):
        answer = api.post("/web/alias", json={key: "www.example.com", "redirect": "example.com"})
        if key == switched:
            assert (answer.json()["alias"], answer.json()["redirect"]) == (
                "www.example.com",
                "example.com",
            )
        else:
            assert_refused(answer, 400, key)


@under("alias_result")
def test_alias_result(api: Api, switched: str) -> None:
    api.new_project("web")
    answer = api.post("/web/alias", json={"alias": "www.example.com"})
    stored = api.get("/aliases/www.example.com").json()
    if switched == "empty":
        assert (answer.status_code, answer.content) == (200, b"")
    else:
        assert answer.json() == (stored if switched == "record" else {"alias": "www.example.com"})


@under("alias_project_by")
def test_alias_project_by(api: Api, switched: str) -> None:
    project = api.new_project("web")
    assert api.post("/web/alias", json={"alias": "a.example.com"}).is_success
    by_id = api.post(f"/{project['id']}/alias", json={"alias": "b.example.com"})
    assert by_id.status_code == (200 if switched == "id_or_name" else 404)
