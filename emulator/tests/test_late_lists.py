# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists that show late what was created, changed and deleted."""

from functools import partial

import pytest

from support import Api, under

pytestmark = pytest.mark.usefixtures("stopped_clock")

LISTS = {
    "teams": "/teams",
    "projects": "/projects",
    "aliases": "/aliases",
    "domains": "/domains",
    "project_domains": "/projects/old/domains",
}


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
def test_the_lists_that_the_switch_names_are_late(acme: Api, switched: str) -> None:
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
