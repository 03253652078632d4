# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The scope that an object is meant in: what is said where it was not given, or where the object is
elsewhere.
"""

from functools import partial

import pytest
from acme import ACME, WEB, WWW, ZETA
from blueprints import converge
from client import call_reader, check_then_run, expect_refusal, make_platform, run_module
from modules import perform
from stub_server import list_response, stub_server

from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.alias import Alias
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.domain import Domain
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project_lists import (
    read_aliases,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.readers import (
    read_objects,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import Team


@pytest.mark.parametrize("check_mode", [True, False])
def test_a_creation_without_a_team_says_that_it_is_in_the_own_scope(emulator, check_mode):
    emulator.seed(teams=[ACME])
    (warning,) = run_module(Project, emulator.base_url, check_mode, name="web")["warnings"]
    assert "No team is set" in warning
    assert "project web" in warning
    for kind, options in (
        (Project, {"name": "own", "own_scope": True}),
        (Project, WEB),
        (Team, ZETA),
    ):
        assert run_module(kind, emulator.base_url, check_mode, **options)["warnings"] == []


@pytest.mark.parametrize("check_mode", [True, False])
def test_a_blueprint_names_all_that_it_creates_without_a_team_in_one_warning(emulator, check_mode):
    blueprint = {
        "projects": [{"name": "one"}, {"name": "two"}, {"name": "three", "own_scope": True}]
    }
    (warning,) = converge(emulator.base_url, blueprint, check_mode)["warnings"]
    assert "project one, project two." in warning
    assert "three" not in warning


OWN = pytest.mark.parametrize("own", [{}, {"own_scope": True}], ids=["no team", "own scope"])
MINE = {"name": "mine"}


@pytest.fixture
def spanning(emulator):
    """Its list without a team shows what no team has, and what a team has."""
    emulator.switch(lists_span_teams=True, personal_team_id="unset")
    team = {**ACME, "id": "team_acme"}
    domains = [{"name": "mine.org"}, {"name": "acme.org", "team": "acme"}]
    projects = [MINE, WEB, {"name": "blog", "team": "zeta"}]
    emulator.seed(teams=[team, ZETA], projects=projects, aliases=[WWW], domains=domains)
    return emulator


@OWN
def test_own_objects_in_a_list_that_spans_teams_can_be_changed(spanning, own):
    assert (
        run_module(Project, spanning.base_url, **MINE, framework="astro", **own)["changed"] is True
    )
    assert run_module(Domain, spanning.base_url, name="mine.org", **own)["changed"] is False
    assert run_module(Project, spanning.base_url, **MINE, state="absent", **own)["changed"] is True


def test_a_teams_list_leaves_out_what_names_another_team():
    items = [
        {"id": f"prj_{team}", "name": "web", "teamId": team} for team in ("team_acme", "team_other")
    ]
    lists = list_response(teams=[{**ACME, "id": "team_acme"}], projects=items)
    with stub_server(lists) as server:
        shown = call_reader(
            partial(read_objects, Project), make_platform(server.base_url), name="web", team="acme"
        )
    assert [project["id"] for project in shown] == ["prj_team_acme"]


@pytest.mark.parametrize("habits", [{}, {"lists_span_teams": True}, {"personal_team_id": "unset"}])
def test_info_of_the_own_scope_shows_what_the_list_shows(emulator, habits):
    emulator.switch(**habits)
    emulator.seed(
        teams=[ACME], projects=[MINE, WEB], aliases=[{"alias": "mine.example", "project": "mine"}]
    )
    for options in ({}, {"own_scope": True}):
        platform = make_platform(emulator.base_url)
        names = sorted(
            project["name"]
            for project in call_reader(partial(read_objects, Project), platform, **options)
        )
        assert names == (["mine", "web"] if "lists_span_teams" in habits else ["mine"])
        for name in names:
            (shown,) = call_reader(partial(read_objects, Project), platform, name=name, **options)
            team = {"team": "acme"} if name == "web" else options
            found = run_module(Project, emulator.base_url, name=name, **team)
            assert found["project"] == shown
        (alias,) = call_reader(read_aliases, platform, alias="mine.example", **options)
        assert alias["project"] == "mine"


@pytest.fixture
def twins(emulator):
    """A project of one's own and one of a team, of one name, both in the list without a team."""
    emulator.switch(lists_span_teams=True, duplicate_names="allowed")
    emulator.seed(
        teams=[ACME],
        projects=[{"name": "web"}, {**WEB, "id": "prj_acme"}],
        aliases=[{"alias": "own.example", "project": "web"}],
    )
    return emulator


def test_of_several_of_one_name_it_is_the_one_that_belongs_to_no_team(twins):
    for result in check_then_run(Project, twins.base_url, name="web", framework="astro"):
        assert result["changed"] is True
    frameworks = {project["teamId"]: project["framework"] for project in twins.state()["projects"]}
    team_id = _team_id(twins)
    assert frameworks.pop(team_id) in ("", None)
    assert list(frameworks.values()) == ["astro"]
    renamed = run_module(Project, twins.base_url, name="site", previously=["web"])
    assert renamed["diff"]["before"] == {"name": "web"}
    assert run_module(Project, twins.base_url, name="site", state="absent")["changed"] is True
    assert [project["teamId"] for project in twins.state()["projects"]] == [team_id]


def test_an_own_project_that_was_renamed_stays_so_beside_a_teams_of_the_earlier_name(twins):
    for changed in (True, False):
        result = perform("project", twins.base_url, name="site", previously=["web"])
        assert result["changed"] is changed


def test_it_may_get_a_name_that_only_a_teams_project_bears(twins):
    own_id = next(
        project["id"]
        for project in twins.state()["projects"]
        if project["teamId"] != _team_id(twins)
    )
    run_module(Project, twins.base_url, id=own_id, name="site")
    renamed = run_module(Project, twins.base_url, id=own_id, name="web")
    assert renamed["diff"]["after"] == {"name": "web"}


def test_the_project_of_an_alias_is_the_one_that_belongs_to_no_team(twins):
    for result in check_then_run(Alias, twins.base_url, alias="new.example", project="web"):
        assert result["changed"] is True
    (alias,) = [alias for alias in twins.state()["aliases"] if alias["alias"] == "new.example"]
    assert alias["teamId"] != _team_id(twins)
    result = perform("project_domain_info", twins.base_url, project="web")
    assert "new.example" in [record["alias"] for record in result["domains"]]
    assert "new.example" in [
        alias["alias"] for alias in perform("alias_info", twins.base_url, project="web")["aliases"]
    ]


def _team_id(emulator):
    return next(
        project["teamId"] for project in emulator.state()["projects"] if project["id"] == "prj_acme"
    )


@pytest.mark.parametrize(
    ("kind", "options", "near"),
    [
        (Project, {"id": "prj_1", "name": "web", "team": "acmee"}, "acme"),
        (Project, {"id": "prj_1", "team": "nowhere"}, ""),
        (Domain, {"name": "example.com", "team": "acmee"}, "acme"),
        (Domain, {"name": "exmple.com", "team": "acme"}, "example.com"),
        (Domain, {"name": "EXMPLE.COM.", "team": "acme"}, "example.com"),
    ],
)
def test_missing_object_suggests_the_closest_name(emulator, kind, options, near):
    domains = [{"name": "example.com", "team": "acme"}]
    emulator.seed(teams=[ACME], projects=[{"name": "storefront", "team": "acme"}], domains=domains)
    assert (f" Did you mean {near}" in expect_refusal(kind, emulator, **options)) is (near != "")
