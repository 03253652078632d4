# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which hosts the inventory has, what they are called, what they hold, and what they cost."""

from typing import Any

import pytest
from client import TOKEN, make_platform
from stub_server import list_response, stub_server

from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.alias_records import (
    ALIAS,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.inventory._project_hosts import (
    read_hosts,
)

TWO_TEAMS = [{"slug": "acme", "id": "team_acme"}, {"slug": "other", "id": "team_other"}]


def hosts_of(base_url: str, *teams: str, **options: Any):
    return reading_of(base_url, *teams, **options).hosts


def reading_of(base_url: str, *teams: str, **options: Any):
    given = {"include_domains": False, **options}
    return read_hosts(make_platform(base_url), teams or None, **given)


def test_unknown_fields_become_valid_variable_names():
    project = {
        "id": "1",
        "name": "web",
        "runtimeVersion": {"major": 20},
        "x-odd {{ key }}": 1,
        "ansible_host": "evil",
    }
    project |= {"team-id": "theirs", "team": "another's"}
    with stub_server(list_response(projects=[project], teams=[])) as server:
        variables = hosts_of(server.base_url)["web"]
    assert variables["hosting_runtime_version"] == {"major": 20}
    assert variables["hosting_x_odd____key___"] == 1
    assert variables["hosting_ansible_host"] == "evil"
    assert (variables["hosting_team_id"], variables["hosting_team"]) == (None, "")
    assert all(name.startswith("hosting_") and name.isidentifier() for name in variables)


def test_without_teams_it_is_the_own_scope_and_every_team_in_a_request_for_each(emulator):
    projects = [
        {"name": "mine"},
        {"name": "theirs", "team": "acme"},
        {"name": "others", "team": "other"},
    ]
    emulator.seed(teams=TWO_TEAMS, projects=projects)
    hosts = hosts_of(emulator.base_url)
    teams = {name: host["hosting_team"] for name, host in hosts.items()}
    assert teams == {"mine": "", "theirs": "acme", "others": "other"}
    assert sorted(emulator.operations) == ["GET /projects"] * 3 + ["GET /teams"]


@pytest.mark.parametrize("teams", [[], ["acme"]])
def test_a_list_that_spans_teams_shows_each_project_once_with_its_team(emulator, teams):
    emulator.switch(lists_span_teams=True)
    emulator.seed(teams=TWO_TEAMS, projects=[{"name": "mine"}, {"name": "theirs", "team": "acme"}])
    hosts = hosts_of(emulator.base_url, *teams)
    assert hosts["theirs"]["hosting_team"] == "acme"
    assert "mine" not in hosts or hosts["mine"]["hosting_team"] == ""
    assert len({host["hosting_id"] for host in hosts.values()}) == len(hosts)


def test_names_that_no_host_can_have_are_written_by_their_bytes(emulator):
    names = ["-oProxyCommand=x", "my shop", *(f"no {number}" for number in range(10))]
    emulator.seed(projects=[{"name": name} for name in names])
    reading = reading_of(emulator.base_url)
    assert sorted(reading.hosts)[:2] == ["=2DoProxyCommand=3Dx", "my=20shop"]
    assert {variables["hosting_name"] for variables in reading.hosts.values()} == set(names)
    assert reading.warnings == []


SLUGS = {"t/1": "../acme", "t/2": "", "t": "acme"}
NAMED: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "in two teams, whose slugs and ids are written as names are": (
        [{"id": "1", "name": "web", "teamId": "t/1"}, {"id": "2", "name": "web", "teamId": "t/2"}],
        ["web.=2E.=2Facme", "web.t=2F2"],
    ),
    "as what core has in every inventory": (
        [
            {"id": name, "name": name, "teamId": "t"}
            for name in ("127.0.0.1", "LocalHost.", "all", "ungrouped")
        ],
        ["127.0.0.1.acme", "LocalHost..acme", "all.acme", "ungrouped.acme"],
    ),
    "so in a team that nobody knows": (
        [{"id": "3", "name": "127.0.0.1", "teamId": "7"}],
        ["127.0.0.1.7"],
    ),
    "so in no team": ([{"id": 7, "name": "localhost"}], ["localhost.7"]),
    "nothing": ([{"id": 7, "name": ""}], ["7"]),
}


@pytest.mark.parametrize(("projects", "names"), NAMED.values(), ids=NAMED)
def test_host_names_are_unique_per_team(projects, names):
    teams = [
        {"id": team, "slug": SLUGS[team]}
        for team in SLUGS
        if any(team == of.get("teamId") for of in projects)
    ]
    with stub_server(list_response(projects=projects, teams=teams)) as server:
        assert sorted(hosts_of(server.base_url)) == names


def test_a_token_that_the_service_repeats_is_in_no_name_no_key_and_no_value():
    token = TOKEN
    project = {
        "id": 1,
        "name": token,
        f"x{token}": {token: [f"is {token}", {token: 1}]},
        "teamId": "t",
    }
    with stub_server(
        list_response(projects=[project], teams=[{"id": "t", "slug": token}])
    ) as server:
        reading = reading_of(server.base_url)
    assert token not in repr(reading)
    (variables,) = reading.hosts.values()
    assert list(reading.hosts) == ["VALUE_SPECIFIED_IN_NO_LOG_PARAMETER"]
    assert variables["hosting_x________"] == {"********": ["is ********", {"********": 1}]}


@pytest.mark.parametrize(
    "twin", [{"name": "web.acme"}, {"name": "web", "team": "acme"}], ids=["own", "of-the-team"]
)
def test_no_project_takes_the_name_that_another_was_given(emulator, twin):
    projects = [{"id": f"prj_{team}", "name": "web", "team": team} for team in ("acme", "other")]
    emulator.seed(teams=TWO_TEAMS, projects=[*projects, {"id": "prj_twin", **twin}])
    with pytest.raises(PlatformError, match=r"would have the same host name, web\.acme") as failure:
        hosts_of(emulator.base_url)
    assert all(project in str(failure.value) for project in ("prj_acme", "prj_twin"))


def test_domains_are_read_for_each_project_with_its_team(emulator):
    emulator.seed(
        teams=TWO_TEAMS,
        projects=[
            {"name": "web", "team": "acme"},
            {"name": "shop", "team": "other"},
            {"name": "mine"},
        ],
        project_domains=[
            {"alias": "www.example.com", "project": "web", "team": "acme"},
            {"alias": "example.com", "project": "web", "team": "acme"},
            {"alias": "shop.example.com", "project": "shop", "team": "other"},
        ],
    )
    hosts = hosts_of(emulator.base_url, include_domains=True)
    shown = {
        name: sorted(record["alias"] for record in host["hosting_domains"])
        for name, host in hosts.items()
    }
    assert shown == {
        "web": ["example.com", "web.hosting.example", "www.example.com"],
        "shop": ["shop.example.com", "shop.hosting.example"],
        "mine": ["mine.hosting.example"],
    }
    assert set(ALIAS.returned) <= set(hosts["shop"]["hosting_domains"][0])
    assert emulator.operations.count("GET /projects/{idOrName}/domains") == 3
    assert emulator.operations.count("GET /projects") == 3
