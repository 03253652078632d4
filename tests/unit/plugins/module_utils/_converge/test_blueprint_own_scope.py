# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A blueprint where no team is given: what belongs to nobody's team, wherever a service keeps it."""

from __future__ import annotations

import pytest
from acme import ACME, WEB
from blueprints import actions, converge, converge_as_checked, converge_or_fail, refusal
from scripted import answer_lists, scripted


def test_a_service_may_keep_the_own_scope_in_a_team_of_the_user(emulator):
    """Then the own list is of that one team: what it shows is there, and nothing is made twice."""
    emulator.seed(teams=[{"slug": "home"}], projects=[{"name": "web", "team": "home", "framework": "astro"}])
    emulator.switch(lists_span_teams=True)
    aliases = [{"alias": "www.example.com", "project": "web"}]
    blueprint = {"projects": [{"name": "web", "framework": "next"}], "aliases": aliases}
    run = converge_as_checked(emulator.base_url, blueprint)
    assert actions(run) == [("projects", "web", "update"), ("aliases", "www.example.com", "create")]
    assert [project["framework"] for project in emulator.state()["projects"]] == ["next"]
    refused = converge_or_fail(emulator.base_url, {**blueprint, "teams": [{"slug": "home"}]}, prune=["projects"])
    assert "belongs to the team home" in refused["msg"]
    assert actions(refused) == []


def test_a_service_that_keeps_everything_in_teams_is_not_given_the_same_again_without_one(emulator):
    """Objects without a team land in one of them there, and would be created once more in every run."""
    emulator.seed(
        teams=[{"slug": "home", "id": "team_home"}, ACME],
        projects=[{"name": "web", "team": "home"}, {"name": "other", "team": "acme"}],
    )
    emulator.switch(lists_span_teams=True, duplicate_names="allowed")
    message = refusal(emulator, {"projects": [{"name": "web"}]})
    assert "projects[0] web: team: web" in message
    assert "team_home" in message
    emulator.seed(projects=[{"name": "mine"}])
    assert actions(converge(emulator.base_url, {"projects": [{"name": "web"}]})) == [("projects", "web", "create")]


@pytest.mark.parametrize("teams_before", [["home"], ["acme"], ["home", "acme"], []], ids=str)
def test_a_creation_that_is_lost_is_found_in_the_team_where_the_service_put_it(teams_before):
    teams = [{"id": f"team_{slug}", "slug": slug, "createdAt": 1} for slug in ("home", "acme")]
    stored = [{"id": slug, "name": f"of-{slug}", "teamId": f"team_{slug}", "createdAt": 1} for slug in teams_before]

    def reply(asked):
        if asked.method == "POST":
            stored.append({"id": "prj_web", "name": "web", "teamId": "team_home", "createdAt": 2})
            raise ConnectionAbortedError
        kind, items = ("teams", teams) if "/teams" in asked.target else ("projects", stored)
        return answer_lists(**{kind: items})

    with scripted(reply) as server:
        result = converge(server.base_url, {"projects": [{"name": "web"}]})
    assert actions(result) == [("projects", "web", "create")]
    assert [asked.method for asked in server.asked].count("POST") == 1


in_any_team = pytest.mark.parametrize(
    "theirs", [[], [{"name": "other", "team": "acme"}]], ids=["an empty team", "a team"]
)
OWN_WEB = {"name": "web", "own_scope": True, "framework": "next"}


@in_any_team
def test_a_refused_creation_is_not_taken_for_what_the_same_run_creates_in_a_team(emulator, theirs):
    mine = {"name": "mine", "alias": ""}
    alias = {"alias": "www.example.com", "project": "mine"}
    emulator.seed(teams=[ACME], projects=[mine, *theirs], aliases=[alias])
    emulator.switch(lists_span_teams=True)
    own = {**OWN_WEB, "alias": "www.example.com"}
    result = converge_or_fail(emulator.base_url, {"projects": [WEB, own]}, workers=1)
    assert "1 of 2 entries failed:\nprojects[1] web: POST /projects failed: status 409" in result["msg"]
    assert emulator.writes == ["POST /projects"] * 2


@in_any_team
def test_a_lost_creation_does_not_change_what_the_same_run_creates_in_a_team(emulator, theirs):
    emulator.seed(teams=[{"slug": "acme"}], projects=theirs)
    emulator.switch(lists_span_teams=True)
    emulator.fail("POST /projects", "500", skip=1)
    projects = [{**WEB, "framework": "astro"}, OWN_WEB]
    result = converge_or_fail(emulator.base_url, {"projects": projects}, workers=1)
    assert "1 of 2 entries failed:\nprojects[1] web: Another project web, with other values, has" in result["msg"]
    assert "Whether it was created is unknown." in result["msg"]
    assert emulator.writes == ["POST /projects"] * 2


def test_an_own_object_is_not_looked_for_in_a_team_that_the_same_run_creates(emulator):
    emulator.seed(projects=[{"name": "mine"}])
    emulator.switch(lists_span_teams=True)
    emulator.fail("POST /projects", "500", skip=1)
    projects = [{"name": "web", "team": "nova", "framework": "astro"}, OWN_WEB]
    result = converge(emulator.base_url, {"teams": [{"slug": "nova"}], "projects": projects}, workers=1)
    assert [action for _kind, _name, action in actions(result)] == ["create"] * 3
    assert [project["framework"] for project in emulator.state()["projects"]] == [None, "astro", "next"]
    assert emulator.writes == ["POST /teams"] + ["POST /projects"] * 3


def test_an_entry_names_its_team_although_the_task_names_the_own_scope(emulator):
    emulator.seed(teams=[ACME])
    result = converge(emulator.base_url, {"projects": [WEB, {"name": "mine"}]}, own_scope=True)
    assert [entry["team"] for entry in result["results"]] == ["acme", ""]


def test_what_a_team_may_hold_is_not_deleted_as_ones_own(emulator):
    emulator.seed(teams=[{"slug": "home"}], projects=[{"name": "web", "team": "home"}])
    emulator.switch(lists_span_teams=True)
    message = refusal(emulator, {"projects": [{"name": "web", "state": "absent"}]})
    assert "projects[0] web: team: web" in message
