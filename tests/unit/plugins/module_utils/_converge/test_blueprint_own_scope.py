# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A blueprint where no team is given: what belongs to nobody's team, wherever a service keeps it."""

from __future__ import annotations

from acme import ACME
from blueprints import actions, converge, converge_as_checked, refusal


def test_a_service_may_keep_the_own_scope_in_a_team_of_the_user(emulator):
    """Then the own list is of that one team: what it shows is there, and nothing is made twice."""
    emulator.seed(teams=[{"slug": "home"}], projects=[{"name": "web", "team": "home", "framework": "astro"}])
    emulator.switch(lists_span_teams=True)
    aliases = [{"alias": "www.example.com", "project": "web"}]
    blueprint = {"projects": [{"name": "web", "framework": "next"}], "aliases": aliases}
    run = converge_as_checked(emulator.base_url, blueprint)
    assert actions(run) == [("projects", "web", "update"), ("aliases", "www.example.com", "create")]
    assert [project["framework"] for project in emulator.state()["projects"]] == ["next"]
    both = converge(emulator.base_url, {**blueprint, "teams": [{"slug": "home"}]}, prune=["projects"])
    assert actions(both) == []


SPANNING = {
    "teams": [{"slug": "home", "id": "team_home"}, ACME],
    "projects": [{"name": "web", "team": "home", "framework": "astro"}, {"name": "other", "team": "acme"}],
}


def test_a_list_that_spans_teams_is_not_pruned_and_shows_nothing_undeclared(emulator):
    emulator.seed(**SPANNING)
    emulator.switch(lists_span_teams=True)
    blueprint = {"projects": [{"name": "web", "own_scope": True}]}
    assert refusal(emulator, blueprint, prune=["projects"]).startswith("prune: the token's own list of projects shows")
    result = converge(emulator.base_url, blueprint, check_mode=True)
    assert result["undeclared"] == []
    assert any(warning.startswith("undeclared: the token's own list of projects") for warning in result["warnings"])
