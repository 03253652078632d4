# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Aliases of protected and ignored projects, and aliases that wait: what check mode shows is what a
run does.
"""

from typing import Any

import pytest
from acme import ACME, MEDIA
from blueprints import check_then_converge, converge_or_result, refusal_message
from emulated import ControlledEmulator
from stored_objects import aliases, projects_of_acme

DOMAIN = {"name": "x.example", "team": "acme"}
WWW = {"alias": "www.x.example", "team": "acme"}


@pytest.fixture
def acme(emulator: ControlledEmulator) -> ControlledEmulator:
    """A project with an own alias and another, both below a domain of its team."""
    prod = {**projects_of_acme("prod")[0], "alias": "own.x.example"}
    emulator.seed(
        teams=[ACME, MEDIA],
        projects=[prod, *projects_of_acme("shop"), {"name": "site", "team": "media"}],
        aliases=[{**WWW, "project": "prod"}],
        domains=[DOMAIN],
    )
    return emulator


def test_domain_goes_after_what_entries_take_from_a_protected_project(
    acme: ControlledEmulator,
) -> None:
    blueprint = {
        "projects": [{**projects_of_acme("prod")[0], "alias": "new.y.example"}],
        "aliases": [{**WWW, "state": "absent"}],
        "domains": [{**DOMAIN, "state": "absent"}],
    }
    run = check_then_converge(acme.base_url, blueprint, protect=["prod"])
    assert (run["summary"]["delete"], acme.state()["domains"]) == (2, [])
    assert aliases(acme).keys().isdisjoint({"www.x.example", "own.x.example"})


def test_ignored_project_alone_keeps_no_alias_from_its_domain(acme: ControlledEmulator) -> None:
    blueprint = {"domains": [{**DOMAIN, "state": "absent"}]}
    ignore = [{"kind": "projects", "name": "prod"}]
    check_then_converge(acme.base_url, blueprint, ignore=ignore)
    assert acme.state()["domains"] == []
    assert "www.x.example" not in aliases(acme)


TAKERS: dict[str, dict[str, Any]] = {
    "own alias": {"projects": [{**projects_of_acme("shop")[0], "alias": "own.x.example"}]},
    "new project": {"projects": [{**projects_of_acme("new")[0], "alias": "own.x.example"}]},
    "alias of another team": {
        "aliases": [{"alias": "own.x.example", "project": "site", "team": "media"}]
    },
}


@pytest.mark.parametrize("taker", TAKERS)
def test_own_alias_that_a_protected_project_gives_up_goes_to_no_other(
    acme: ControlledEmulator, taker: str
) -> None:
    prod = {**projects_of_acme("prod")[0], "alias": "new.x.example"}
    blueprint = {**TAKERS[taker], "projects": [prod, *TAKERS[taker].get("projects", [])]}
    message = refusal_message(acme, blueprint, protect=["prod"])
    assert (
        "would take the alias own.x.example of the project prod of acme, which is protected."
        in message
    )
    check_then_converge(acme.base_url, blueprint)
    assert "own.x.example" in aliases(acme)


@pytest.mark.parametrize("name", ["shop", "new"], ids=["project", "new project"])
def test_prune_waits_for_an_own_alias(acme: ControlledEmulator, name: str) -> None:
    """The undeclared alias may be the one that was meant."""
    for operation in ("PATCH /projects/{idOrName}", "POST /projects"):
        acme.fault(operation, "403", count=None)
    blueprint = {
        "projects": [
            *projects_of_acme("prod"),
            {**projects_of_acme(name)[0], "alias": "shop.x.example"},
        ],
        "aliases": [],
    }
    result = converge_or_result(acme.base_url, blueprint, prune=["aliases"])
    rows = {row["name"]: row["reason"] for row in result["results"]}
    assert rows["www.x.example"] == "dependency"
    assert "www.x.example" in aliases(acme)


def test_alias_that_stayed_in_the_team_from_which_its_project_was_moved_goes_to_no_other(
    emulator: ControlledEmulator,
) -> None:
    acme = {**ACME, "id": "team_1"}
    media = {**MEDIA, "id": "team_2"}
    site = {"name": "site", "team": "media", "id": "prj_1"}
    stayed = {"alias": "www.x.example", "project": "site"}
    emulator.seed(
        teams=[acme, media],
        projects=[site, *projects_of_acme("shop")],
        aliases=[{**stayed, "team": "media"}],
    )
    emulator.switch(aliases_move=False)
    moved = {"name": "site", "teamId": "team_1"}
    emulator.ask("PATCH", "projects/prj_1", moved, "team_2").raise_for_status()
    emulator.forget_requests()
    message = refusal_message(
        emulator, {"aliases": [{**stayed, "project": "shop", "team": "acme"}]}
    )
    taken = "would take the alias www.x.example from the project site of team media."
    assert f"{taken} Remove it there first" in message
    check_then_converge(emulator.base_url, {"aliases": [{**stayed, "team": "acme"}]})


RENAMED = {"name": "live-shop", "team": "acme", "previously": ["prod"]}


def test_project_that_gets_a_protected_name_keeps_its_aliases_from_the_start(
    acme: ControlledEmulator,
) -> None:
    options: dict[str, Any] = {"prune": ["aliases"], "protect": ["live-*"]}
    gone = {"domains": [{**DOMAIN, "state": "absent"}]}
    message = refusal_message(acme, {"projects": [RENAMED], **gone}, protect=["live-*"])
    assert (
        "the alias www.x.example, which is protected with the project prod of acme, by" in message
    )
    acme.forget_requests()
    given = {"aliases": [{**WWW, "project": "shop"}]}
    message = refusal_message(acme, {"projects": [RENAMED], **given}, protect=["live-*"])
    assert "would be taken from the project prod of acme, which is protected." in message
    run = check_then_converge(acme.base_url, {"projects": [RENAMED], "aliases": []}, **options)
    assert [row["reason"] for row in run["results"]] == [None, "protected"]
    assert "www.x.example" in aliases(acme)


@pytest.mark.parametrize("own", ["", "new.x.example"])
def test_own_alias_that_an_entry_clears_goes_along_like_one_that_it_replaces(
    acme: ControlledEmulator, own: str
) -> None:
    blueprint = {"projects": [{**projects_of_acme("prod")[0], "alias": own}]}
    gone = "changing the project prod of acme would also delete the alias own.x.example"
    guards: dict[str, dict[str, Any]] = {
        f"{gone}, which is protected": {"protect": ["own.*"]},
        f"{gone}, which is ignored": {"ignore": ["own.*"]},
        "limits.delete: 1 would be deleted": {"limits": {"delete": 0}},
    }
    for message, options in guards.items():
        assert message in refusal_message(acme, blueprint, **options)
    run = check_then_converge(acme.base_url, blueprint, protect=["prod"])
    assert [row["name"] for row in run["results"][0]["along"]] == ["own.x.example"]
    assert "own.x.example" not in aliases(acme)
