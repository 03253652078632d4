# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Five hundred projects over three teams, listed over HTTP under every way of paging that the emulator knows."""

from __future__ import annotations

import itertools

import pytest
from client import api_to
from sampling import sampled

from ansible_collections.hosting.platform.plugins.module_utils._client.paging import PagingError

START = 1_700_000_000_000
DISTINCT = [START + 10 * number for number in range(300)]
# The moments of each team's projects. The first holds a tie wider than a page, the second two exactly full pages with
# ties across their edge.
TEAMS = {
    "ties": [*DISTINCT[:60], *[START + 1000] * 130, *DISTINCT[200:260]],
    "full": [*DISTINCT[:97], *[DISTINCT[97]] * 6, *DISTINCT[100:197]],
    "few": DISTINCT[:50],
}
SWITCHES = [
    {"list_order": order, "bounds": bounds, "next_value": following, **end, **cap}
    for order, bounds, following, end, cap in itertools.product(
        ("descending", "ascending"),
        ("exclusive", "inclusive"),
        ("last", "following", "past_last", "before_last"),
        ({}, {"next_on_full_last_page": True}, {"next_always": True}),
        ({}, {"limit_cap": 140}, {"limit_refuse_over": 140}),
    )
]


@pytest.fixture(scope="module")
def five_hundred(running):
    """The ids that each team's list must show."""
    running.reset()
    running.seed(teams=[{"slug": slug} for slug in TEAMS])
    projects = [
        {"name": f"{slug}-{number}", "team": slug, "createdAt": moment}
        for slug, moments in TEAMS.items()
        for number, moment in enumerate(moments)
    ]
    assert len(projects) == 500
    created = running.seed(projects=projects)["projects"]
    return {
        slug: sorted(project["id"] for project in created if project["name"].startswith(f"{slug}-")) for slug in TEAMS
    }


@pytest.fixture
def lists_of(five_hundred, running):
    """Lists every team's projects under these switches; the ids by slug."""

    def listed(**switches):
        running.switch(**switches)
        api = api_to(running.base_url)
        teams = {team["slug"]: team["id"] for team in api.list_teams()}
        assert set(teams) == set(five_hundred)
        return {slug: sorted(item["id"] for item in api.list_projects(team_id)) for slug, team_id in teams.items()}

    yield listed
    running.behave_normally()


@pytest.mark.parametrize("switches", sampled(SWITCHES, 4), ids=lambda switches: "-".join(map(str, switches.values())))
def test_every_project_exactly_once(lists_of, five_hundred, switches):
    assert lists_of(**switches) == five_hundred


@pytest.mark.parametrize("cap", ["limit_cap", "limit_refuse_over"])
@pytest.mark.parametrize("order", ["descending", "ascending"])
@pytest.mark.parametrize("is_always", [False, True])
def test_ties_wider_than_the_services_cap_fail_clearly(lists_of, cap, order, is_always):
    with pytest.raises(PagingError, match="same moment"):
        lists_of(list_order=order, next_always=is_always, **{cap: 125})


def test_lists_that_span_teams_show_each_project_once(running, five_hundred):
    running.switch(lists_span_teams=True)
    found = [item["id"] for item in api_to(running.base_url).list_projects()]
    running.behave_normally()
    assert sorted(found) == sorted(itertools.chain.from_iterable(five_hundred.values()))


@pytest.mark.parametrize(
    ("slug", "switches", "requests"),
    [("few", {}, 1), ("full", {}, 3), ("full", {"limit_cap": 50}, 5), ("few", {"limit_refuse_over": 50}, 2)],
)
def test_no_more_requests_than_the_pages_of_the_list(running, five_hundred, slug, switches, requests):
    """The ties across the edge of a page take a third page; a refused limit one request more."""
    running.switch(**switches)
    running.forget_requests()
    found = api_to(running.base_url).list_projects(slug)
    running.behave_normally()
    assert len(found) == len(five_hundred[slug])
    assert len(running.requests()) == requests


@pytest.mark.usefixtures("five_hundred")
@pytest.mark.parametrize("order", ["descending", "ascending"])
@pytest.mark.parametrize("limit", [1, 100, 125, 250, 1000])
def test_a_limit_gives_the_first_of_the_servers_order(running, order, limit):
    running.switch(list_order=order)
    api = api_to(running.base_url)
    everything = [item["id"] for item in api.list_projects("ties")]
    first = [item["id"] for item in api.list_projects("ties", limit=limit)]
    running.behave_normally()
    assert first == everything[:limit]


@pytest.mark.usefixtures("five_hundred")
def test_since_and_until_bound_the_list(running):
    since, until = DISTINCT[9], DISTINCT[20]
    found = [item["createdAt"] for item in api_to(running.base_url).list_projects("few", since=since, until=until)]
    assert sorted(found) == DISTINCT[10:20]


def test_small_ties_of_a_service_that_always_gives_a_next_are_whole(emulator):
    """Its other lists show that a next at the end means nothing; where none does, the list is refused."""
    emulator.switch(next_always=True)
    emulator.seed(projects=[{"name": name, "createdAt": 1000} for name in ("a", "b", "c")])
    with pytest.raises(PagingError, match="refused rather than cut"):
        api_to(emulator.base_url).list_projects()
    emulator.seed(teams=[{"slug": "acme"}])
    assert len(api_to(emulator.base_url).list_projects()) == 3


@pytest.mark.parametrize("cap", [1, 2])
def test_small_ties_of_a_service_that_marks_its_ends_are_not_taken_for_whole(emulator, cap):
    emulator.switch(limit_cap=cap)
    emulator.seed(projects=[{"name": name, "createdAt": 1000} for name in ("a", "b", "c")], teams=[{"slug": "acme"}])
    with pytest.raises(PagingError, match="refused rather than cut"):
        api_to(emulator.base_url).list_projects()


@pytest.mark.parametrize("bounds", ["exclusive", "inclusive"])
@pytest.mark.parametrize("order", ["descending", "ascending"])
def test_one_item_at_a_time_is_enough_for_distinct_moments_and_refused_for_ties(emulator, order, bounds):
    emulator.switch(limit_cap=1, list_order=order, bounds=bounds)
    emulator.seed(projects=[{"name": f"p{moment}", "createdAt": moment} for moment in (1000, 1010, 1020)])
    assert len(api_to(emulator.base_url).list_projects()) == 3
    emulator.seed(projects=[{"name": "tied", "createdAt": 1010}])
    with pytest.raises(PagingError, match="refused rather than cut"):
        api_to(emulator.base_url).list_projects()
    emulator.seed(projects=[{"name": "near", "createdAt": 1021}])
    with pytest.raises(PagingError, match="page limit raised"):
        api_to(emulator.base_url).list_projects()


def test_a_single_item_of_a_service_that_always_gives_a_next_is_all(emulator):
    """Also where no other list shows the service's habit, for the lists of a newcomer are empty."""
    emulator.switch(next_always=True)
    emulator.seed(projects=[{"name": "web"}])
    assert [project["name"] for project in api_to(emulator.base_url).list_projects()] == ["web"]
