# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Registered domains (§2, §4)."""

from __future__ import annotations

from support import Api


def test_those_of_a_team(api: Api) -> None:
    api.control.seed(
        teams=[{"slug": "acme"}], domains=[{"name": "own.example"}, {"name": "acme.example", "team": "acme"}]
    )
    assert api.names("/domains") == ["own.example"]
    (domain,), _ = api.page("/domains", teamId="acme")
    assert domain["name"] == "acme.example"
    assert domain["expiresAt"] > domain["createdAt"]
    answers = [api.delete("/domains/acme.example", params=query) for query in ({}, {"teamId": "acme"})]
    assert [answer.status_code for answer in answers] == [404, 204], "the own scope has none of that name"


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
        aliases=[{"alias": name, "project": "web"} for name in ("example.com", "other.net", "notexample.com")],
    )
    answer = api.delete("/domains/example.com")
    assert (answer.status_code, answer.content) == (204, b"")
    assert api.names("/domains") == ["ample.com"]
    assert sorted(api.names("/aliases")) == ["notexample.com", "other.net"]
    assert sorted(api.names("/projects/web/domains", teamId=project["teamId"])) == ["notexample.com", "other.net"]
    assert api.get("/projects/web").json()["alias"] == "", "its own alias is gone with the domain"


def test_delete_removes_aliases_that_are_older_than_the_domain(api: Api) -> None:
    api.new_project("web", alias="www.shop.example.com")
    assert api.page("/aliases")[0][0]["domain"] == "example.com"
    api.control.seed(domains=[{"name": "shop.example.com"}])
    api.delete("/domains/shop.example.com")
    assert api.names("/aliases") == []
