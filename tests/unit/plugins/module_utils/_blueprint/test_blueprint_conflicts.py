# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is certain to conflict is refused before the first write; a rename that nobody declared is warned of."""

from __future__ import annotations

from typing import Any

import pytest
from blueprints import actions, converge, converge_as_checked, converge_or_fail, refusal

RETAIL: dict[str, Any] = {
    "teams": [{"slug": "retail"}],
    "projects": [{"name": "web", "team": "retail", "alias": "web.example.com"}],
    "aliases": [{"alias": "www.example.com", "project": "web", "team": "retail"}],
}


def in_team(slug: str, *, alias: str = "", **more: Any) -> dict[str, Any]:
    """The platform as a blueprint, with its team under another slug."""
    project = {"name": "web", "team": slug, **({"alias": alias} if alias else {})}
    return {"teams": [{"slug": slug}], "projects": [project], **more}


@pytest.mark.parametrize("check_mode", [True, False])
def test_a_team_that_was_renamed_without_previously_is_warned_of(emulator, check_mode):
    emulator.seed(**RETAIL)
    result = converge(emulator.base_url, in_team("shop"), check_mode)
    (warning,) = result["warnings"]
    assert warning == (
        "teams: 1 would be created, and no entry names 1 of those that exist. If this is a rename, add the old slug to"
        " previously: shop; retail."
    )


@pytest.mark.parametrize(
    "blueprint",
    [
        {"teams": [{"slug": "shop", "previously": ["retail"]}]},
        {"teams": [{"slug": "shop"}, {"slug": "retail"}]},
        {"teams": [{"slug": "shop"}], "projects": [{"name": "api", "team": "retail"}]},
        {"projects": [{"name": "api", "team": "retail"}]},
    ],
)
def test_a_team_that_is_declared_or_named_is_not_taken_for_a_renamed_one(emulator, blueprint):
    emulator.seed(**RETAIL)
    assert converge(emulator.base_url, blueprint, check_mode=True)["warnings"] == []


@pytest.mark.parametrize(
    ("blueprint", "words"),
    [
        (
            in_team("shop", alias="WEB.example.com."),
            "projects[0] web takes the alias WEB.example.com., which belongs to",
        ),
        (
            in_team("shop", aliases=[{"alias": "www.example.com", "project": "web", "team": "shop"}]),
            "aliases[0] www.example.com takes the alias www.example.com, which belongs to",
        ),
    ],
    ids=["a project's alias", "an alias"],
)
def test_an_alias_of_a_team_that_was_renamed_without_previously_refuses_the_plan(emulator, blueprint, words):
    emulator.seed(**RETAIL)
    message = refusal(emulator, blueprint)
    assert message.startswith("conflict: ")
    assert words in message
    assert "of team retail" in message


@pytest.mark.parametrize("team", ["acme", "zeta"])
def test_an_alias_that_another_live_project_has_refuses_the_plan(emulator, team):
    projects = [{"name": "web", "team": "acme", "alias": "web.example.com"}]
    emulator.seed(teams=[{"slug": "acme"}, {"slug": "zeta"}], projects=projects)
    message = refusal(emulator, {"projects": [*projects, {"name": "new", "team": team, "alias": "web.example.com"}]})
    assert "projects[1] new takes the alias web.example.com, which belongs to the project web of team" in message


def test_an_alias_that_its_project_gives_up_or_has_already_is_no_conflict(emulator):
    emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "web", "team": "acme", "alias": "a.example.com"}])
    given_up = [
        {"name": "web", "team": "acme", "alias": "b.example.com"},
        {"name": "new", "team": "acme", "alias": "a.example.com"},
    ]
    snapshot = emulator.snapshot()
    for workers, projects in ((1, given_up), (2, given_up[::-1])):
        run = converge_as_checked(emulator.base_url, {"projects": projects}, workers=workers)
        assert sorted(actions(run)) == [("projects", "new", "create"), ("projects", "web", "update")]
        emulator.restore(snapshot)
    same = [{"name": "web", "team": "acme", "alias": "A.example.com"}]
    assert actions(converge(emulator.base_url, {"projects": same}, check_mode=True)) == []


def test_a_team_whose_lists_are_forbidden_does_not_stop_the_others(emulator):
    emulator.seed(**RETAIL)
    emulator.fail("GET /projects", "403", count=1)
    result = converge(emulator.base_url, in_team("shop", alias="shop.example.com"), check_mode=True)
    assert actions(result) == [("teams", "shop", "create"), ("projects", "web", "create")]


def test_an_alias_of_a_project_that_gives_up_another_one_is_not_given_up(emulator):
    emulator.seed(**RETAIL)
    emulator.seed(teams=[{"slug": "shop"}], projects=[{"name": "other", "team": "shop"}])
    blueprint = {
        "projects": [{"name": "web", "team": "retail", "alias": "new.example.com"}],
        "aliases": [{"alias": "www.example.com", "project": "other", "team": "shop"}],
    }
    message = refusal(emulator, blueprint)
    assert "aliases[0] www.example.com takes the alias www.example.com, which belongs to" in message


def test_projects_that_would_exchange_their_aliases_are_refused(emulator):
    """Each waits for the other to give its alias up."""
    projects = [{"name": name, "team": "acme", "alias": f"{name}.example.com"} for name in ("one", "two")]
    emulator.seed(teams=[{"slug": "acme"}], projects=projects)
    first, second = projects
    turned = [{**first, "alias": second["alias"]}, {**second, "alias": first["alias"]}]
    message = refusal(emulator, {"projects": turned})
    assert "conflict: These steps wait for one another: projects[0] one, projects[1] two." in message


FOR_TWO_PROJECTS: dict[str, dict[str, Any]] = {
    "two projects": {
        "projects": [{"name": name, "team": "acme", "alias": "www.example.net"} for name in ("one", "two")]
    },
    "a project and an alias": {
        "projects": [{"name": "one", "team": "acme", "alias": "www.example.net"}],
        "aliases": [{"alias": "WWW.example.net", "project": "web", "team": "acme"}],
    },
    "an own alias that is moved": {
        "projects": [{"name": "web", "team": "acme", "alias": "web.example.com"}, {"name": "one", "team": "acme"}],
        "aliases": [{"alias": "web.example.com", "project": "one", "team": "acme"}],
    },
    "two teams": {
        "projects": [{"name": "one", "team": "zeta"}],
        "aliases": [
            {"alias": "www.example.net", "project": "web", "team": "acme"},
            {"alias": "www.example.net", "project": "one", "team": "zeta"},
        ],
    },
}


@pytest.mark.parametrize("blueprint", FOR_TWO_PROJECTS.values(), ids=FOR_TWO_PROJECTS)
def test_an_alias_that_is_declared_for_two_projects_is_refused(emulator, blueprint):
    """Each run would take it from one of them."""
    projects = [{"name": "web", "team": "acme", "alias": "web.example.com"}]
    emulator.seed(teams=[{"slug": "acme"}, {"slug": "zeta"}], projects=projects)
    assert "for two projects. Remove it from one of them." in refusal(emulator, blueprint)


def test_an_alias_may_be_declared_by_its_project_and_by_itself(emulator):
    blueprint = {
        "teams": [{"slug": "acme"}],
        "projects": [{"name": "web", "team": "acme", "alias": "www.example.com"}],
        "aliases": [{"alias": "WWW.example.com", "project": "web", "team": "acme"}],
    }
    converge_as_checked(emulator.base_url, blueprint)
    assert actions(converge(emulator.base_url, blueprint)) == []


def test_an_alias_may_be_moved_away_from_a_project_that_only_has_to_exist(emulator):
    emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "web", "team": "acme", "alias": "web.example.com"}])
    blueprint = {
        "projects": [
            {"name": "web", "team": "acme", "alias": "web.example.com", "state": "exists"},
            {"name": "one", "team": "acme"},
        ],
        "aliases": [{"alias": "web.example.com", "project": "one", "team": "acme"}],
    }
    assert len(actions(converge(emulator.base_url, blueprint))) == 2
    assert actions(converge(emulator.base_url, blueprint)) == []


def test_an_alias_that_unselected_projects_declare_as_well_is_refused_only_if_a_step_takes_it(emulator):
    emulator.seed(teams=[{"slug": "retail"}, {"slug": "zeta"}])
    declared = [{"name": "web", "team": team, "alias": "web.example.com"} for team in ("retail", "zeta")]
    message = refusal(emulator, {"projects": declared}, only=[{"team": "zeta"}])
    assert "conflict: projects[0] web and projects[1] web declare the alias web.example.com" in message
    converge_as_checked(emulator.base_url, {"projects": declared}, only=[{"team": "acme"}])
    assert emulator.writes == []


def test_no_step_waits_for_a_project_that_gives_up_an_alias_without_a_letter(emulator):
    emulator.seed(projects=[{"name": "web", "alias": "."}, {"name": "api"}])
    web = {"name": "web", "own_scope": True, "alias": "x.example.com"}
    emulator.fail("PATCH /projects/{idOrName}", "403")
    wanted = {"projects": [web, {"name": "api", "own_scope": True, "framework": "astro"}]}
    result = converge_or_fail(emulator.base_url, wanted, workers=1)
    assert [entry.get("failed", False) for entry in result["results"]] == [True, False]
    assert result["results"][1]["changed"] is True
