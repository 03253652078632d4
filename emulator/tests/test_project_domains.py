# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Domains of a project (§4), and the domain record (§2)."""

from __future__ import annotations

from typing import Any

import pytest

from support import Api, refused


@pytest.fixture
def project(api: Api) -> Any:
    """A project with four project domains, of which the oldest is its own alias."""
    project = api.new_project("web", alias="plain.example.com")
    records: list[dict[str, Any]] = [
        {"alias": "preview.example.com", "production": False, "createdAt": project["createdAt"] + 1},
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

    def shown() -> list[Any]:
        records, _ = api.page("/projects/web/domains", teamId=project["teamId"])
        return [record["redirectStatusCode"] for record in records if record["alias"] == "www.example.com"]

    for code, expected in ((418, None), (302, 302), (200, None), (None, None), (301, 301)):
        answer = api.post("/web/alias", json={"alias": "www.example.com", "redirectStatusCode": code})
        assert answer.json()["redirectStatusCode"] == code
        assert shown() == [expected]
    record = {"alias": "x.example.com", "project": "web", "redirectStatusCode": 300}
    refused(api.post("/_emulator/seed", json={"project_domains": [record]}), 400, "301, 302, 307, 308")


@pytest.mark.parametrize("unset", ["null", "missing"])
def test_record_is_complete_whatever_is_unset(api: Api, project: dict[str, Any], unset: str) -> None:
    before = api.page("/projects/web/domains", teamId=project["teamId"])
    assert before[0][0]["zoneId"] == ""
    api.control.switch(unset_fields=unset)
    assert api.page("/projects/web/domains", teamId=project["teamId"]) == before


def test_found_by_id_and_by_name_in_the_team(api: Api) -> None:
    team = api.new_team("acme")
    project = api.new_project("web", teamId=team["id"])
    for value in ("web", project["id"]):
        assert api.names(f"/projects/{value}/domains", teamId="acme") == [project["alias"]]
    assert api.get("/projects/web/domains", params={"teamId": api.new_project("x")["teamId"]}).status_code == 404


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
def test_filters(api: Api, project: dict[str, Any], query: dict[str, str], expected: list[str]) -> None:
    assert listed(api, project, **query) == expected


@pytest.mark.parametrize("list_order", ["ascending", "descending"])
def test_order_is_as_asked(api: Api, project: dict[str, Any], list_order: str) -> None:
    api.control.switch(list_order=list_order)
    ascending = ["plain", "preview", "pending", "moved"]
    assert listed(api, project, order="ASC") == ascending
    assert listed(api, project, order="DESC") == ascending[::-1]


def test_pages(api: Api, project: dict[str, Any]) -> None:
    first, pagination = api.page("/projects/web/domains", teamId=project["teamId"], limit=3, order="ASC")
    assert pagination == {"count": 3, "next": first[-1]["createdAt"], "prev": None}
    assert listed(api, project, order="ASC", since=pagination["next"]) == ["moved"]
    assert listed(api, project, order="ASC", until=first[1]["createdAt"]) == ["plain"]
