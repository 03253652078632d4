# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Deleting what is not declared: only that, only where it is safe, and never by surprise."""

from typing import Any

import pytest
from acme import ACME, WEB, WWW, ZETA
from blueprints import (
    actions,
    check_then_converge,
    converge,
    refusal_message,
    refusal_without_requests,
)

TWO_TEAMS: dict[str, Any] = {
    "teams": [ACME, ZETA],
    "projects": [
        WEB,
        {"name": "old", "team": "acme"},
        {"name": "other", "team": "zeta"},
        {"name": "own"},
    ],
}
EXTRA = {**WWW, "alias": "extra.example.com"}


def seed_projects(emulator, count: int, **more: Any) -> list[dict[str, Any]]:
    projects = [{"name": f"p{number:02}", "team": "acme"} for number in range(count)]
    emulator.seed(teams=[ACME], projects=projects, **more)
    return projects


def test_prune_deletes_undeclared_objects_in_named_scopes_only(emulator):
    emulator.seed(**TWO_TEAMS)
    assert converge(emulator.base_url, {}, prune=["projects"])["changed"] is False
    result = check_then_converge(emulator.base_url, {"projects": [WEB]}, prune=["projects"])
    assert actions(result) == [("projects", "old", "delete")]
    assert result["results"][-1]["team"] == "acme"
    assert result["results"][-1]["diff"]["after"] == {}
    assert {project["name"] for project in emulator.state()["projects"]} == {"web", "other", "own"}


def test_a_run_that_selects_no_entry_sends_no_request(emulator):
    emulator.seed(**TWO_TEAMS)
    options: dict[str, Any] = {"own_scope": True, "only": [], "prune": ["domains"]}
    result = converge(emulator.base_url, {"domains": []}, check_mode=True, **options)
    assert (result["summary"]["requests"], emulator.requests()) == (0, [])


@pytest.mark.parametrize(
    ("blueprint", "team"),
    [
        ({"teams": [ACME]}, None),
        ({}, "acme"),
        ({"domains": [{"name": "x.y", "state": "absent"}]}, "acme"),
    ],
)
def test_a_declared_team_and_the_modules_team_are_scopes(emulator, blueprint, team):
    seed_projects(emulator, 2)
    result = converge(
        emulator.base_url, {"projects": [], **blueprint}, prune=["projects"], team=team
    )
    assert result["summary"]["delete"] == 2
    assert emulator.state()["projects"] == []


LIMITS = [(10, 10, 0, False), (11, 4, 30, True), (20, 6, 30, False), (20, 7, 30, True)]


@pytest.mark.parametrize(("there", "deleted", "limit", "is_refused"), LIMITS)
def test_prune_limit_refuses_larger_shares_of_more_than_ten(
    emulator, there, deleted, limit, is_refused
):
    projects = seed_projects(emulator, there)
    blueprint = {"projects": projects[deleted:]}
    options = {"prune": ["projects"], "prune_limit": limit, "team": "acme"}
    if is_refused:
        message = refusal_message(emulator, blueprint, **options)
        assert f"{deleted} of {there} projects" in message
        assert "p00" in message
    else:
        assert converge(emulator.base_url, blueprint, **options)["summary"]["delete"] == deleted


def test_protected_objects_do_not_count(emulator):
    seed_projects(emulator, 20)
    result = converge(
        emulator.base_url,
        {"projects": []},
        prune=["projects"],
        protect=["p0*", "p1[0-6]"],
        team="acme",
    )
    assert (result["summary"]["delete"], result["summary"]["skip"]) == (3, 17)


def test_a_deletion_is_the_same_step_whether_it_is_pruned_or_declared(emulator):
    emulator.seed(teams=[ACME], projects=[WEB], aliases=[EXTRA])
    pruned = converge(
        emulator.base_url, {"projects": [WEB], "aliases": []}, True, prune=["aliases"]
    )
    declared = converge(
        emulator.base_url, {"projects": [WEB], "aliases": [{**EXTRA, "state": "absent"}]}, True
    )
    assert pruned["results"][-1]["diff"] == {
        "before": {"alias": "extra.example.com", "project": "web"},
        "after": {},
    }
    assert pruned["results"] == declared["results"]
    assert pruned["steps"] == declared["steps"]


@pytest.mark.parametrize(
    ("gone", "prune"),
    [([], ["domains"]), (["example.com"], []), (["com"], [])],
    ids=["pruned", "absent", "absent, and above it"],
)
def test_a_domain_whose_alias_is_declared_is_not_deleted(emulator, gone, prune):
    domains = [{"name": name, "team": "acme"} for name in ("com", "example.com")]
    emulator.seed(teams=[ACME], projects=[WEB], domains=domains, aliases=[WWW])
    absent = [{"name": name, "team": "acme", "state": "absent"} for name in gone]
    message = refusal_message(emulator, {"aliases": [WWW], "domains": absent}, prune=prune)
    assert "www.example.com, but aliases[0]" in message


def test_a_project_that_a_declared_alias_leads_to_is_needed(emulator):
    emulator.seed(teams=[ACME], projects=[WEB])
    message = refusal_message(emulator, {"aliases": [WWW], "projects": []}, prune=["projects"])
    assert "would also delete the alias www.example.com, but aliases[0]" in message


def test_a_project_that_an_unselected_alias_leads_to_is_needed(emulator):
    emulator.seed(teams=[ACME], projects=[WEB])
    blueprint = {"teams": [ACME], "aliases": [WWW], "projects": []}
    message = refusal_message(emulator, blueprint, prune=["projects"], only=["web"])
    assert message == (
        "only: deleting the project web of acme would also delete the alias www.example.com,"
        " but aliases[0] www.example.com, which declares it, is not selected."
    )


@pytest.mark.parametrize(("option", "value"), [("prune_limit", 101), ("workers", 0)])
def test_options_out_of_range(emulator, option, value):
    assert option in refusal_without_requests(emulator, {}, **{option: value})
