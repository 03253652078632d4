# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A blueprint moves nothing between teams, and never replaces by accident what was meant to
move.
"""

from typing import Any

import pytest
import yaml
from acme import ACME, WEB, WWW, ZETA
from blueprints import actions, converge, refusal_message, refusal_without_requests

SEED: dict[str, Any] = {
    "teams": [ACME, ZETA],
    "projects": [{**WEB, "id": "prj_1", "framework": "hugo", "alias": ""}],
    "aliases": [WWW],
}


def test_an_entry_with_a_previous_team_says_what_moves_a_project(emulator):
    entry = {"name": "web", "team": "zeta", "previous_team": "acme"}
    message = refusal_without_requests(emulator, {"projects": [entry]})
    assert message.startswith(
        "projects[0] web: previous_team: a blueprint moves nothing between teams."
    )
    assert "module project" in message


def test_a_project_that_an_operator_has_moved_is_found_in_its_team(emulator):
    emulator.seed(**SEED)
    acme, zeta = emulator.state()["teams"]
    emulator.ask(
        "PATCH", "projects/prj_1", {"name": "web", "teamId": zeta["id"]}, acme["id"]
    ).raise_for_status()
    result = converge(
        emulator.base_url, {"projects": [{"name": "web", "team": "zeta"}]}, prune=["projects"]
    )
    assert actions(result) == []


@pytest.mark.parametrize(
    "blueprint", [{"teams": [{**ACME, "state": "absent"}]}, {"teams": [ACME], "aliases": []}]
)
def test_aliases_of_projects_that_are_not_in_the_team_are_not_deleted(emulator, blueprint):
    """A service that moves a project without its aliases leaves them in the list of the team that
    it left.
    """
    emulator.seed(**SEED)
    emulator.switch(aliases_move=False)
    acme, zeta = emulator.state()["teams"]
    emulator.ask(
        "PATCH", "projects/prj_1", {"name": "web", "teamId": zeta["id"]}, acme["id"]
    ).raise_for_status()
    emulator.forget_requests()
    message = refusal_message(emulator, blueprint, prune=["aliases"])
    assert "www.example.com" in message
    assert [alias["alias"] for alias in emulator.state()["aliases"]] == ["www.example.com"]


def test_no_move_into_or_out_of_the_own_scope_is_advised(emulator):
    emulator.seed(**SEED)
    emulator.seed(projects=[{"name": "mine"}])
    own = {"own_scope": True}
    into = [{**WEB, "state": "absent"}, {"name": "web", **own}]
    out_of = [{"name": "mine", **own, "state": "absent"}, {"name": "mine", "team": "acme"}]
    for projects, deleted in ((into, "project web of acme"), (out_of, "mine of your own scope")):
        message = refusal_message(emulator, {"projects": projects})
        assert f"{deleted} would be deleted with everything in it" in message
        assert "previous_team" not in message


@pytest.mark.parametrize("prune", [True, False])
def test_a_project_is_not_deleted_here_and_created_there(emulator, prune):
    emulator.seed(**SEED)
    gone = {"projects": [{**WEB, "state": "absent"}, {"name": "web", "team": "zeta"}]}
    pruned = {"teams": [ACME], "projects": [{"name": "web", "team": "zeta"}]}
    options: dict[str, Any] = {"prune": ["projects"]} if prune else {}
    blueprint = pruned if prune else gone
    message = refusal_message(emulator, blueprint, **options)
    assert message.startswith("projects[")
    assert "would be created in team zeta while the project web of acme would be deleted" in message
    assert "use the module project with previous_team: acme." in message
    assert message.endswith('do so in a run before, with only: [{team: "acme"}].')


@pytest.mark.parametrize("scope", [{"team": "acme"}, {"own_scope": True}])
def test_a_run_before_deletes_what_the_next_one_creates_elsewhere(emulator, scope):
    team = {option: scope[option] for option in scope if option == "team"}
    emulator.seed(teams=[ACME, ZETA], projects=[{"name": "web", **team}])
    blueprint = {
        "projects": [{"name": "web", **scope, "state": "absent"}, {"name": "web", "team": "zeta"}]
    }
    message = refusal_message(emulator, blueprint)
    only = yaml.safe_load(message.partition("with only: ")[2].rstrip("."))
    assert actions(converge(emulator.base_url, blueprint, only=only)) == [
        ("projects", "web", "delete"),
        ("projects", "web", "skip"),
    ]
    assert actions(converge(emulator.base_url, blueprint)) == [("projects", "web", "create")]


def test_a_project_that_goes_along_with_its_team_is_not_created_elsewhere(emulator):
    emulator.seed(**SEED)
    renamed = {"name": "shop", "team": "zeta", "previously": ["web"]}
    blueprint = {"teams": [{**ACME, "state": "absent"}], "projects": [renamed]}
    assert "projects[0] shop would be created in team zeta" in refusal_message(emulator, blueprint)
