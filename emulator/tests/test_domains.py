# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Registered domains and aliases (§2, §4)."""

from support import Api, assert_refused, under


def test_those_of_a_team(api: Api) -> None:
    ours = {"name": "acme.example", "team": "acme", "serviceType": "external"}
    api.control.seed(teams=[{"slug": "acme"}], domains=[{"name": "own.example"}, ours])
    assert api.names("/domains") == ["own.example"]
    (domain,), _ = api.page("/domains", teamId="acme")
    assert (domain["name"], domain["serviceType"]) == ("acme.example", "external")
    assert domain["expiresAt"] > domain["createdAt"]
    answers = [
        api.delete("/domains/acme.example", params=query) for query in ({}, {"teamId": "acme"})
    ]
    assert [answer.status_code for answer in answers] == [404, 204], (
        "the own scope has none of that name"
    )


def test_without_limit_the_last_20_are_returned(api: Api) -> None:
    api.control.seed(domains=[{"name": f"d{number}.example"} for number in range(25)])
    api.control.switch(default_limit=7)
    newest = [f"d{number}.example" for number in range(24, 4, -1)]
    assert api.names("/domains") == newest
    api.control.switch(list_order="ascending")
    assert api.names("/domains") == newest[::-1], "the last ones, also where the first come first"
    assert api.names("/domains", limit=2) == ["d0.example", "d1.example"]


def test_delete_removes_the_domain_and_its_aliases(api: Api) -> None:
    project = api.new_project("web", alias="www.example.com")
    api.control.seed(
        domains=[{"name": "example.com"}, {"name": "ample.com"}],
        aliases=[
            {"alias": name, "project": "web"}
            for name in ("example.com", "other.net", "notexample.com")
        ],
    )
    answer = api.delete("/domains/example.com")
    assert (answer.status_code, answer.content) == (204, b"")
    assert api.names("/domains") == ["ample.com"]
    assert sorted(api.names("/aliases")) == ["notexample.com", "other.net"]
    assert sorted(api.names("/projects/web/domains", teamId=project["teamId"])) == [
        "notexample.com",
        "other.net",
    ]
    assert api.get("/projects/web").json()["alias"] == "", "its own alias is gone with the domain"


@under("domain_takes_aliases")
def test_delete_of_a_domain_reaches_its_scope_or_all(api: Api, switched: str) -> None:
    team = api.new_team("acme")
    api.new_project("own", alias="own.example.com")
    api.new_project("web", alias="www.example.com", teamId=team["id"])
    api.control.seed(domains=[{"name": "example.com"}])
    api.control.seed(teams=[{"slug": "gone"}], domains=[{"name": "example.net", "team": "gone"}])
    api.new_project("net", alias="www.example.net")
    assert [api.delete(path).is_success for path in ("/domains/example.com", "/teams/gone")] == [
        True,
        True,
    ]
    net = [] if switched == "everywhere" else ["www.example.net"]
    left = [] if switched == "everywhere" else ["www.example.com"]
    assert (api.names("/aliases"), api.names("/aliases", teamId="acme")) == (net, left)
    assert [api.get(f"/projects/{name}").json()["alias"] for name in ("own", "web")] == [
        "",
        *(left or [""]),
    ]


def test_list_by_project_and_team(api: Api) -> None:
    team = api.new_team("acme")
    web = api.new_project("web", alias="web.example.com")
    api.new_project("shop", alias="shop.example.com")
    api.new_project("team", alias="team.example.com", teamId=team["id"])
    assert api.names("/aliases") == ["shop.example.com", "web.example.com"]
    assert api.names("/aliases", projectId=web["id"]) == ["web.example.com"]
    assert api.names("/aliases", teamId="acme") == ["team.example.com"]
    assert api.names("/aliases", projectId=web["id"], teamId="acme") == []


def test_filter_by_domain_is_not_made_up(api: Api) -> None:
    assert api.get("/aliases", params={"domain": "example.com"}).status_code == 501


def test_assign_creates_an_alias_and_a_project_domain(api: Api) -> None:
    project = api.new_project("web", alias="")
    alias = api.post("/web/alias", json={"alias": "www.example.com"}).json()
    assert (alias["alias"], alias["domain"], alias["projectId"]) == (
        "www.example.com",
        "example.com",
        project["id"],
    )
    assert api.get("/aliases/www.example.com").json() == alias
    assert api.names("/projects/web/domains", teamId=project["teamId"]) == ["www.example.com"]


def test_assign_moves_an_alias_between_projects(api: Api) -> None:
    web = api.new_project("web", alias="www.example.com")
    shop = api.new_project("shop")
    before = api.get("/aliases/www.example.com").json()
    after = api.post("/shop/alias", json={"alias": "www.example.com"}).json()
    assert (after["id"], after["projectId"]) == (before["id"], shop["id"])
    assert api.names("/projects/web/domains", teamId=web["teamId"]) == []
    assert "www.example.com" in api.names("/projects/shop/domains", teamId=web["teamId"])
    assert api.get("/projects/web").json()["alias"] == ""


def test_assign_takes_redirect_and_target(api: Api) -> None:
    api.new_project("web")
    body = {
        "alias": "old.example.com",
        "redirect": "www.example.com",
        "redirectStatusCode": 418,
        "target": "x",
    }
    alias = api.post("/web/alias", json=body).json()
    assert {field: alias[field] for field in body} == body, (
        "an alias's status code is not restricted"
    )
    cleared = api.post("/web/alias", json={"alias": "old.example.com", "redirect": None}).json()
    assert (cleared["redirect"], cleared["redirectStatusCode"]) == (None, 418)


def test_assign_to_a_project_of_a_team(api: Api) -> None:
    team = api.new_team("acme")
    api.new_project("web", teamId=team["id"])
    body = {"alias": "www.example.com"}
    assert api.post("/web/alias", json=body).status_code == 404
    assert (
        api.post("/web/alias", params={"teamId": "acme"}, json=body).json()["teamId"] == team["id"]
    )
    api.new_project("own")
    assert_refused(api.post("/own/alias", json=body), 409, "www.example.com")


def test_delete_by_id(api: Api) -> None:
    project = api.new_project("web", alias="www.example.com")
    (alias,) = api.page("/aliases")[0]
    assert api.delete("/aliases/www.example.com").status_code == 404, "deletion takes the id"
    answer = api.delete(f"/aliases/{alias['id']}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert api.names("/aliases") == []
    assert api.names("/projects/web/domains", teamId=project["teamId"]) == []
    assert api.get("/projects/web").json()["alias"] == ""
    assert api.delete(f"/aliases/{alias['id']}").status_code == 404
