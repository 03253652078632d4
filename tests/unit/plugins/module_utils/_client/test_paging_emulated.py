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


def test_lists_that_span_teams_show_each_project_once(running, five_hundred):
    running.switch(lists_span_teams=True)
    found = [item["id"] for item in api_to(running.base_url).list_projects()]
    running.behave_normally()
    assert sorted(found) == sorted(itertools.chain.from_iterable(five_hundred.values()))


@pytest.mark.usefixtures("five_hundred")
def test_since_until_and_limit_bound_the_list(running):
    api = api_to(running.base_url)
    since, until = DISTINCT[9], DISTINCT[20]
    found = [item["createdAt"] for item in api.list_projects("few", since=since, until=until)]
    assert sorted(found) == DISTINCT[10:20]
    assert [item["createdAt"] for item in api.list_projects("few", limit=3)] == DISTINCT[49:46:-1]


def test_small_ties_of_a_service_that_always_gives_a_next_are_whole(emulator):
    """Its other lists show that a next at the end means nothing; where none does, the list is refused."""
    emulator.switch(next_always=True)
    emulator.seed(projects=[{"name": name, "createdAt": 1000} for name in ("a", "b", "c")])
    with pytest.raises(PagingError, match="refused rather than cut"):
        api_to(emulator.base_url).list_projects()
    emulator.seed(teams=[{"slug": "acme"}])
    assert len(api_to(emulator.base_url).list_projects()) == 3
