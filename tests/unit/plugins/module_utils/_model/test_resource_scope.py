# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The scope that an object is meant in: what is said where it was not given, or where the object is elsewhere."""

from __future__ import annotations

import pytest
from acme import ACME, WEB, ZETA
from blueprints import converge
from client import platform_to, read, refused, run
from scripted import answer_lists, scripted

from ansible_collections.hosting.platform.plugins.module_utils._errors import InvalidOption, PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.alias import Alias, read_aliases
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.domain import Domain
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import Team
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team_member import TeamMember


@pytest.mark.parametrize("check_mode", [True, False])
def test_a_creation_without_a_team_says_that_it_is_in_the_own_scope(emulator, check_mode):
    emulator.seed(teams=[ACME])
    (warning,) = run(Project, emulator.base_url, check_mode, name="web")["warnings"]
    assert "No team is set" in warning
    assert "project web" in warning
    for kind, options in ((Project, {"name": "own", "own_scope": True}), (Project, WEB), (Team, ZETA)):
        assert run(kind, emulator.base_url, check_mode, **options)["warnings"] == []


def test_what_is_there_already_is_no_creation(emulator):
    emulator.seed(projects=[{"name": "web"}])
    assert run(Project, emulator.base_url, name="web", framework="astro")["warnings"] == []


@pytest.mark.parametrize("check_mode", [True, False])
def test_a_blueprint_names_all_that_it_creates_without_a_team_in_one_warning(emulator, check_mode):
    blueprint = {"projects": [{"name": "one"}, {"name": "two"}, {"name": "three", "own_scope": True}]}
    (warning,) = converge(emulator.base_url, blueprint, check_mode)["warnings"]
    assert "project one, project two." in warning
    assert "three" not in warning


@pytest.mark.parametrize("limit", [None, 1])
def test_an_alias_without_a_team_belongs_to_the_scope_of_its_project(emulator, limit):
    emulator.switch(lists_span_teams=True, alias_team_id="unset")
    emulator.seed(teams=[ACME], projects=[{"name": "mine", "alias": "mine.example"}])
    emulator.seed(projects=[{**WEB, "alias": "web.example"}])
    found = read(read_aliases, platform_to(emulator.base_url), own_scope=True, limit=limit)
    assert [(alias["alias"], alias["project"]) for alias in found] == [("mine.example", "mine")]
    with pytest.raises(PlatformError, match="belongs to the team of its project"):
        run(Alias, emulator.base_url, alias="web.example", own_scope=True, state="absent")


def test_what_two_teams_call_alike_is_not_in_the_way_of_the_own_scope(emulator):
    emulator.switch(lists_span_teams=True)
    teams = [ACME, ZETA]
    emulator.seed(teams=teams, projects=[{"name": "web", "team": team["slug"]} for team in teams] + [{"name": "mine"}])
    assert run(Project, emulator.base_url, name="web", own_scope=True, state="absent")["changed"] is False
    assert run(Project, emulator.base_url, name="web", own_scope=True)["diff"]["after"] == {"name": "web"}
    assert run(Project, emulator.base_url, name="web", own_scope=True)["changed"] is False
    assert len(emulator.state()["projects"]) == 4
    assert converge(emulator.base_url, {"projects": [{"name": "web", "own_scope": True}]})["changed"] is False


def test_an_id_of_another_team_is_said_to_be_there(emulator):
    emulator.seed(teams=[{**ACME, "id": "team_acme"}, ZETA], projects=[{**WEB, "id": "prj_1"}])
    message = refused(Project, emulator, id="prj_1", team="zeta", framework="astro")
    assert "prj_1 (web) belongs to the team team_acme, not to team zeta" in message
    assert "This collection does not move objects between teams." in message
    assert run(Project, emulator.base_url, id="prj_1", team="zeta", state="absent")["changed"] is False
    assert emulator.writes == []


@pytest.mark.parametrize(
    ("kind", "options", "near"),
    [
        (Project, {"name": "web", "team": "acmee"}, "acme"),
        (Project, {"name": "web", "team": "nowhere"}, ""),
        (Alias, {"alias": "www.example.com", "team": "acme", "project": "storefrnt"}, "storefront"),
        (Alias, {"alias": "www.example.com", "team": "acme", "project": "STOREFRONT"}, "storefront"),
        (Domain, {"name": "exmple.com", "team": "acme"}, "example.com"),
        (Domain, {"name": "EXMPLE.COM.", "team": "acme"}, "example.com"),
        (TeamMember, {"team": "acmee", "email": "a@example.com", "role": "VIEWER"}, "acme"),
    ],
)
def test_what_is_not_found_is_met_with_the_nearest_name_if_one_is_near(emulator, kind, options, near):
    domains = [{"name": "example.com", "team": "acme"}]
    emulator.seed(teams=[ACME], projects=[{"name": "storefront", "team": "acme"}], domains=domains)
    assert (f" Did you mean {near}" in refused(kind, emulator, **options)) is (near != "")


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (Project, {"name": None}),
        (Team, {"slug": None}),
        (TeamMember, {"team": "acme"}),
        (Alias, {"alias": "www.example.com", "project": None}),
    ],
)
def test_a_name_without_a_value_is_refused_before_the_first_request(emulator, kind, options):
    with pytest.raises(InvalidOption, match="has no value"):
        run(kind, emulator.base_url, **options)
    assert emulator.requests() == []


@pytest.mark.parametrize(("value", "problem"), [("", "may not be empty."), ("x" * 101, "has 101 characters")])
def test_an_earlier_name_that_the_api_cannot_take_is_told_from_the_name(emulator, value, problem):
    with pytest.raises(InvalidOption) as failure:
        run(Project, emulator.base_url, name="web", previously=["shop", value])
    assert str(failure.value).startswith(f"previously[1]: {problem}")
    assert emulator.requests() == []


@pytest.mark.parametrize(
    ("kind", "key", "advice"),
    [(Project, "name", "Give its id."), (Domain, "name", "remove all but one"), (Alias, "alias", "remove all but one")],
)
def test_an_id_is_asked_for_only_where_an_option_takes_one(kind, key, advice):
    named = {key: "web.example.com"}
    twins = answer_lists(**{kind.plural: [{"id": "one", **named}, {"id": "two", **named}]})
    with scripted(twins) as server, pytest.raises(PlatformError, match=f"matches 2 objects .*{advice}"):
        run(kind, server.base_url, state="absent", **named)
