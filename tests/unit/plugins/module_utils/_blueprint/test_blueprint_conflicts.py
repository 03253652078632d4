# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is certain to conflict is refused before the first write; a rename that nobody declared is warned of."""

from __future__ import annotations

from typing import Any

import pytest
from blueprints import actions, converge, converge_or_fail

RETAIL: dict[str, Any] = {
    "teams": [{"slug": "retail"}],
    "projects": [{"name": "web", "team": "retail", "alias": "web.example.com"}],
    "aliases": [{"alias": "www.example.com", "project": "web", "team": "retail"}],
}
IN_BOTH_MODES = pytest.mark.parametrize("check_mode", [True, False], ids=["check", "run"])


def in_team(slug: str, *, alias: str = "", **more: Any) -> dict[str, Any]:
    """The platform as a blueprint, with its team under another slug."""
    project = {"name": "web", "team": slug, **({"alias": alias} if alias else {})}
    return {"teams": [{"slug": slug}], "projects": [project], **more}


@IN_BOTH_MODES
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


@IN_BOTH_MODES
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
def test_an_alias_of_a_team_that_was_renamed_without_previously_refuses_the_plan(
    emulator, blueprint, words, check_mode
):
    emulator.seed(**RETAIL)
    result = converge_or_fail(emulator.base_url, blueprint, check_mode)
    assert result["msg"].startswith("conflict: ")
    assert words in result["msg"]
    assert "of team retail" in result["msg"]
    assert result["refused"] is True
    assert emulator.writes == []


@IN_BOTH_MODES
@pytest.mark.parametrize("team", ["acme", "zeta"])
def test_an_alias_that_another_live_project_has_refuses_the_plan(emulator, check_mode, team):
    projects = [{"name": "web", "team": "acme", "alias": "web.example.com"}]
    emulator.seed(teams=[{"slug": "acme"}, {"slug": "zeta"}], projects=projects)
    blueprint = {"projects": [*projects, {"name": "new", "team": team, "alias": "web.example.com"}]}
    result = converge_or_fail(emulator.base_url, blueprint, check_mode)
    assert "projects[1] new takes the alias web.example.com, which belongs to the project web of team" in result["msg"]
    assert emulator.writes == []


def test_an_alias_that_its_project_gives_up_or_has_already_is_no_conflict(emulator):
    emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "web", "team": "acme", "alias": "a.example.com"}])
    given_up = [
        {"name": "web", "team": "acme", "alias": "b.example.com"},
        {"name": "new", "team": "acme", "alias": "a.example.com"},
    ]
    assert actions(converge(emulator.base_url, {"projects": given_up}, check_mode=True)) == [
        ("projects", "web", "update"),
        ("projects", "new", "create"),
    ]
    same = [{"name": "web", "team": "acme", "alias": "A.example.com"}]
    assert actions(converge(emulator.base_url, {"projects": same}, check_mode=True)) == [("projects", "web", "update")]


def test_a_team_whose_lists_are_forbidden_does_not_stop_the_others(emulator):
    emulator.seed(**RETAIL)
    emulator.fail("GET /projects", "403", count=1)
    result = converge(emulator.base_url, in_team("shop", alias="shop.example.com"), check_mode=True)
    assert actions(result) == [("teams", "shop", "create"), ("projects", "web", "create")]
