# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists by timestamp (§2 Pagination object, §4 general rules)."""

import pytest

from support import Api, assert_refused, under

LISTS = ["/projects", "/teams", "/domains", "/aliases"]
TIMES = {"p1": 100, "p2": 200, "p3": 300, "p4": 400, "p5": 500}


def seed_projects(api: Api, times: dict[str, int] | None = None) -> None:
    """Projects p1 to p5 without aliases, one created after the other."""
    given = times or TIMES
    api.control.seed(
        projects=[
            {"name": name, "alias": "", "createdAt": moment} for name, moment in given.items()
        ]
    )


@pytest.mark.parametrize("path", LISTS)
def test_every_list_is_paged(api: Api, path: str) -> None:
    assert api.page(path) == ([], {"count": 0, "next": None, "prev": None})
    api.control.seed(
        teams=[{"slug": f"team{number}", "name": f"n{number}"} for number in range(3)],
        domains=[{"name": f"d{number}.example"} for number in range(3)],
        projects=[{"name": f"p{number}"} for number in range(3)],
    )
    first, pagination = api.page(path, limit=2)
    assert (len(first), pagination["count"], pagination["prev"]) == (2, 2, None)
    assert pagination["next"] == first[-1]["createdAt"]
    second, pagination = api.page(path, limit=2, until=pagination["next"])
    assert (len(second), pagination["count"], pagination["next"]) == (1, 1, None)
    assert pagination["prev"] == second[0]["createdAt"]
    assert {item["id"] for item in first}.isdisjoint(item["id"] for item in second)


@under("bounds")
def test_since_and_until(api: Api, switched: str) -> None:
    seed_projects(api)
    at_since = ["p3"] if switched != "exclusive" else []
    at_until = ["p3"] if switched == "inclusive" else []
    assert api.names("/projects", since=300) == ["p5", "p4", *at_since]
    assert api.names("/projects", until=300) == [*at_until, "p2", "p1"]
    assert api.names("/projects", since=300, until=400) == (["p4", "p3"] if at_until else at_since)


@under("next_value")
@pytest.mark.parametrize("order", ["descending", "ascending"])
def test_next_and_prev(api: Api, switched: str, order: str) -> None:
    seed_projects(api)
    api.control.switch(list_order=order)
    bound, steps = (
        ("until", [5, 4, 3, 2, 1]) if order == "descending" else ("since", [1, 2, 3, 4, 5])
    )
    _, first = api.page("/projects", limit=2)
    onwards = steps[1] - steps[0]
    following = {"last": steps[1] * 100, "following": steps[2] * 100}
    following |= {"past_last": steps[1] * 100 + onwards, "before_last": steps[1] * 100 - onwards}
    assert first == {"count": 2, "next": following[switched], "prev": None}
    items, second = api.page("/projects", limit=2, **{bound: steps[1] * 100})
    assert [item["name"] for item in items] == [f"p{step}" for step in steps[2:4]]
    assert second["prev"] == (steps[1] if switched == "following" else steps[2]) * 100


@under("next_on_full_last_page")
def test_exactly_full_last_page(api: Api, switched: bool) -> None:
    seed_projects(api)
    assert api.page("/projects", limit=5)[1]["next"] == (100 if switched else None)
    assert api.page("/projects", limit=6)[1]["next"] is None
    assert api.page("/projects", until=100)[1]["next"] is None


@under("next_always")
def test_next_of_any_page(api: Api, switched: bool) -> None:
    seed_projects(api)
    assert api.page("/projects", limit=6)[1]["next"] == (100 if switched else None)
    assert api.page("/projects", until=100)[1] == {"count": 0, "next": None, "prev": None}


@under("limit_cap", 2)
def test_cap_on_the_limit(api: Api, switched: int) -> None:
    seed_projects(api)
    items, pagination = api.page("/projects", limit=4)
    assert len(items) == pagination["count"] == (switched or 4)
    assert pagination["next"] == items[-1]["createdAt"]


@under("limit_refuse_over", 2)
def test_limit_that_is_refused(api: Api, switched: int) -> None:
    seed_projects(api)
    assert len(api.names("/projects", limit=2)) == 2
    assert len(api.names("/projects")) == 5, "a limit that is not sent is not refused"
    for limit, count in ((3, 3), (2**63 - 1, 5)):
        answer = api.get("/projects", params={"limit": limit})
        if switched:
            assert_refused(answer, 400, "limit")
        else:
            assert len(answer.json()["projects"]) == count


@under("limit_refuse_status")
def test_status_of_a_refused_limit(api: Api, switched: int) -> None:
    api.control.switch(limit_refuse_over=2)
    assert_refused(api.get("/projects", params={"limit": 3}), switched, "limit")
    assert_refused(api.get("/projects", params={"limit": "x"}), 400, "limit")


@under("default_limit", 2)
def test_page_without_a_limit(api: Api, switched: int) -> None:
    api.control.seed(projects=[{"name": f"p{number}"} for number in range(21)])
    items, pagination = api.page("/projects")
    assert len(items) == pagination["count"] == switched
    assert pagination["next"] == items[-1]["createdAt"]


@under("list_order")
def test_order_in_which_ties_are_broken_by_insertion(api: Api, switched: str) -> None:
    seed_projects(api, {"new": 200, **dict.fromkeys("cab", 100)})
    names = [*"cab", "new"]
    assert api.names("/projects") == (names[::-1] if switched == "descending" else names)
    assert api.page("/projects", limit=2)[1]["next"] == 100


def test_pages_that_ascend_begin_with_the_newest(api: Api) -> None:
    seed_projects(api)
    api.control.switch(list_order="ascending_pages")
    items, pagination = api.page("/projects", limit=2)
    assert [item["name"] for item in items] == ["p4", "p5"]
    assert pagination["next"] == 400
    items, _ = api.page("/projects", limit=2, until=400)
    assert [item["name"] for item in items] == ["p2", "p3"]


@under("clock_resolution_ms", 60_000)
def test_clock_resolution(api: Api, switched: int) -> None:
    project = api.new_project("web")
    seeded = api.control.seed(projects=[{"name": "seeded", "createdAt": 123_457}])["projects"][0]
    changed = api.patch("/projects/web", json={"framework": "vite"}).json()
    assert seeded["createdAt"] == (123_457 if switched == 1 else 120_000)
    assert project["createdAt"] % switched == changed["updatedAt"] % switched == 0


@under("lists_span_teams")
def test_unscoped_lists(api: Api, switched: bool | str) -> None:
    api.control.seed(
        teams=[{"slug": "acme"}, {"slug": "other"}],
        domains=[{"name": "own.example"}, {"name": "acme.example", "team": "acme"}],
        projects=[
            {"name": "own", "alias": "www.own.example"},
            {"name": "shared", "alias": "www.acme.example", "team": "acme"},
            {"name": "far", "alias": "", "team": "other"},
        ],
    )
    own = ["own"]
    acme = ["acme", "shared"]
    everything = ["acme", "far", "own", "shared"]
    shown = {False: own, True: everything, "one_team": acme}[switched]
    expected = [name for name in shown if name in ("far", "own", "shared")]
    assert sorted(api.names("/projects")) == expected
    hosts = [name for name in shown if name in ("acme", "own")]
    assert sorted(api.names("/domains")) == [f"{host}.example" for host in hosts]
    assert sorted(api.names("/aliases")) == [f"www.{host}.example" for host in hosts]
    assert api.names("/projects", teamId="acme") == ["shared"]
    found = api.patch("/projects/shared", json={"framework": "vite"})
    assert found.status_code == (200 if switched else 404)
    api.new_project("new")
    assert ("new" in api.names("/projects", teamId="acme")) == (switched == "one_team")
