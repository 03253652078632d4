# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Projects move between teams where previous_team says so, and are never replaced by accident."""

from typing import Any

import pytest
from acme import ACME, WEB, ZETA
from blueprints import actions, check_then_converge, converge, converge_or_result, refusal_message

SEED: dict[str, Any] = {
    "teams": [ACME, ZETA],
    "projects": [{**WEB, "id": "prj_1", "framework": "hugo", "alias": ""}],
    "aliases": [{"alias": "www.example.com", "project": "web", "team": "acme"}],
}
MOVED = {"name": "web", "team": "zeta", "previous_team": "acme", "framework": "astro"}
WWW = {"alias": "www.example.com", "project": "web", "team": "zeta"}


def homes(emulator: Any) -> dict[str, str]:
    slugs = {team["id"]: team["slug"] for team in emulator.state()["teams"]}
    return {project["id"]: slugs.get(project["teamId"], "") for project in emulator.state()["projects"]}


def test_a_project_moves_with_what_refers_to_it(emulator):
    emulator.seed(**SEED)
    run = check_then_converge(emulator.base_url, {"projects": [MOVED], "aliases": [WWW]}, prune=["aliases"])
    (project, alias) = run["results"]
    assert (project["action"], project["team"], alias["action"]) == ("update", "zeta", "none")
    before, after = {"framework": "hugo", "team": "acme"}, {"framework": "astro", "team": "zeta"}
    assert project["diff"] == {"before": before, "after": after}
    assert homes(emulator) == {"prj_1": "zeta"}
    assert emulator.writes == ["PATCH /projects/prj_1"]


def test_an_alias_that_moves_is_neither_pruned_nor_undeclared_in_this_run(emulator):
    emulator.seed(**SEED)
    blueprint = {"projects": [MOVED], "aliases": [{**WWW, "alias": "new.example.com"}]}
    result = converge(emulator.base_url, blueprint, prune=["aliases"])
    assert actions(result) == [("projects", "web", "update"), ("aliases", "new.example.com", "create")]
    assert result["undeclared"] == []


def test_a_team_stays_if_what_should_leave_it_does_not(emulator):
    emulator.seed(**SEED)
    emulator.switch(team_id_on_patch="ignored")
    result = converge_or_result(emulator.base_url, {"teams": [{**ACME, "state": "absent"}], "projects": [MOVED]})
    assert [entry["reason"] for entry in result["results"]] == ["dependency", None]
    assert "did not move the project web" in result["msg"]
    assert homes(emulator) == {"prj_1": "acme"}


def test_team_can_be_deleted_after_its_stray_aliases_are_reassigned(emulator):
    emulator.seed(**SEED)
    emulator.switch(aliases_move=False)
    dissolved = {"teams": [{**ACME, "state": "absent"}], "projects": [MOVED]}
    for words in ("Nothing was deleted", "First delete them in this team, and assign them in that of their projects."):
        assert words in converge_or_result(emulator.base_url, dissolved)["msg"]
    converge(emulator.base_url, {"aliases": [{"alias": "www.example.com", "team": "acme", "state": "absent"}]})
    converge(emulator.base_url, {"projects": [MOVED], "aliases": [WWW]})
    assert actions(converge(emulator.base_url, {**dissolved, "aliases": [WWW]})) == [("teams", "acme", "delete")]
    assert [alias["projectId"] for alias in emulator.state()["aliases"]] == ["prj_1"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"limits": {"update": 0}}, "limits.update: 1 would be changed"),
        ({"limits": {"delete": 0}}, "limits.delete: 1 would be deleted"),
        ({"protect": [{"team": "acme"}]}, "protect: projects[0] web: the project web of acme is protected"),
        ({"ignore": [{"team": "acme"}]}, "ignore: projects[0] web declares the project web of acme, which is ignored"),
        ({"protect": [{"kind": "aliases", "team": "acme"}]}, "the alias www.example.com of acme is protected"),
        ({"ignore": ["www.*"]}, "would also move the alias www.example.com of acme, which is ignored"),
        ({"only": [{"team": "zeta"}]}, "only: projects[0] web would be moved out of team acme"),
        ({"approved": []}, "approved: 1 step is not approved: project web of zeta (update)"),
    ],
)
def test_deletion_guards_also_refuse_a_move(emulator, options: dict[str, Any], words):
    emulator.seed(**SEED)
    assert words in refusal_message(emulator, {"projects": [MOVED]}, **options)
    assert homes(emulator) == {"prj_1": "acme"}


def test_a_move_may_be_selected_in_both_teams(emulator):
    emulator.seed(**SEED)
    only = [{"team": "acme"}, {"team": "zeta"}]
    for count in (1, 0):
        result = converge(emulator.base_url, {"projects": [MOVED]}, only=only)
        assert (result["summary"]["update"], result["warnings"]) == (count, [])


@pytest.mark.parametrize("prune", [True, False])
def test_a_project_is_not_deleted_here_and_created_there(emulator, prune):
    emulator.seed(**SEED)
    gone = {"projects": [{**WEB, "state": "absent"}, {"name": "web", "team": "zeta"}]}
    pruned = {"teams": [ACME], "projects": [{"name": "web", "team": "zeta"}]}
    options: dict[str, Any] = {"prune": ["projects"]} if prune else {}
    blueprint = pruned if prune else gone
    message = refusal_message(emulator, blueprint, **options)
    assert message.startswith("replace: projects[")
    assert "would be created in team zeta while the project web of acme would be deleted" in message
    assert "previous_team" in message
    result = converge(emulator.base_url, blueprint, **options, replace=[{"team": "acme", "name": "web"}])
    assert {entry["action"] for entry in result["results"]} - {"none"} == {"create", "delete"}


def test_a_project_that_goes_along_with_its_team_is_not_created_elsewhere(emulator):
    emulator.seed(**SEED)
    renamed = {"name": "shop", "team": "zeta", "previously": ["web"]}
    blueprint = {"teams": [{**ACME, "state": "absent"}], "projects": [renamed]}
    assert "replace: projects[0] shop would be created in team zeta" in refusal_message(emulator, blueprint)
