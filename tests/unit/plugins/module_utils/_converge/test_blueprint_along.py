# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes along with a step is shown, counted, guarded, and a part of what is approved."""

from __future__ import annotations

from typing import Any

import pytest
from acme import ACME, WEB, WWW, ZETA
from blueprints import converge, converge_as_checked, converge_or_fail, refusal

PLATFORM: dict[str, Any] = {
    "teams": [ACME, ZETA],
    "projects": [{**WEB, "alias": "web.example.com"}, {"name": "api", "team": "zeta"}],
    "domains": [{"name": "example.com", "team": "acme"}],
    "aliases": [WWW],
}
ACME_GOES = {"teams": [{**ACME, "state": "absent"}]}
WEB_GOES = {"projects": [{**WEB, "state": "absent"}]}
DOMAIN_GOES = {"domains": [{"name": "example.com", "team": "acme", "state": "absent"}]}
ALIASES = [("aliases", "web.example.com", "acme"), ("aliases", "www.example.com", "acme")]
ALL_OF_ACME = [("projects", "web", "acme"), *ALIASES, ("domains", "example.com", "acme")]
NEW_ALIAS = {"projects": [{**WEB, "alias": "shop.example.com"}]}


def along(result: dict[str, Any]) -> dict[str, list[tuple[str, str, str]]]:
    """What goes along with the entries of each name."""
    return {
        entry["name"]: sorted((gone["kind"], gone["name"], gone["team"]) for gone in entry["along"])
        for entry in result["results"]
    }


@pytest.mark.parametrize(
    ("blueprint", "gone"),
    [
        (ACME_GOES, {"acme": sorted(ALL_OF_ACME)}),
        (WEB_GOES, {"web": ALIASES}),
        (DOMAIN_GOES, {"example.com": ALIASES}),
        (NEW_ALIAS, {"web": [("aliases", "web.example.com", "acme")]}),
        # Each object once: with the step that is the first to take it.
        ({**ACME_GOES, **WEB_GOES, **DOMAIN_GOES}, {"acme": [], "web": ALIASES, "example.com": []}),
        ({"projects": [{**WEB, "framework": "astro"}]}, {"web": []}),
    ],
    ids=["team", "project", "domain", "own alias", "all", "nothing"],
)
def test_what_goes_along_is_listed_counted_and_gone(emulator, blueprint, gone):
    emulator.seed(**PLATFORM)
    run = converge_as_checked(emulator.base_url, blueprint)
    assert along(run) == gone
    assert run["summary"]["along"] == sum(map(len, gone.values()))
    state = emulator.state()
    left = {*(alias["alias"] for alias in state["aliases"]), *(domain["name"] for domain in state["domains"])}
    assert not left & {name for names in gone.values() for _kind, name, _team in names}


@pytest.mark.parametrize(
    ("there", "created"),
    [
        pytest.param(PLATFORM, {"projects": [{"name": "new", "team": "acme"}]}, id="a project"),
        pytest.param(PLATFORM, {"domains": [{"name": "example.net", "team": "acme"}]}, id="a domain"),
        pytest.param(PLATFORM, {"aliases": [{**WWW, "alias": "new.example.com"}]}, id="an alias"),
        pytest.param({"teams": [ACME]}, {"projects": [{"name": "new", "team": "acme"}]}, id="the first"),
    ],
)
def test_what_was_created_after_the_approval_does_not_go_along(emulator, there, created):
    emulator.seed(**there)
    approved = converge(emulator.base_url, ACME_GOES, check_mode=True)["steps"]
    emulator.seed(**created)
    message = refusal(emulator, ACME_GOES, approved=approved)
    assert message.startswith("approved: 1 step is not approved: team acme (delete, with ")


OWN_ALIAS_GUARDS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "protect": ({}, {"protect": ["web.*"]}, "protect: changing the project web of acme would also delete the alias"),
    "limits": ({}, {"limits": {"delete": 0}}, "limits.delete: 1 would be deleted (1 alias going along), more"),
    "declared": (
        {"aliases": [{**WWW, "alias": "web.example.com"}]},
        {},
        "which is declared by aliases[0] web.example.com",
    ),
}


@pytest.mark.parametrize(("more", "options", "words"), OWN_ALIAS_GUARDS.values(), ids=OWN_ALIAS_GUARDS)
def test_the_old_alias_of_a_project_that_gets_another_is_guarded(emulator, more, options, words):
    emulator.seed(**PLATFORM)
    assert words in refusal(emulator, {**NEW_ALIAS, **more}, **options)


def test_an_alias_that_goes_with_a_project_and_a_domain_goes_once_and_counts_against_the_prune_limit(emulator):
    aliases = [{**WWW, "alias": f"a{number}.example.com"} for number in range(12)]
    emulator.seed(**{**PLATFORM, "aliases": aliases})
    blueprint = {"teams": [ACME]}
    result = converge_or_fail(emulator.base_url, blueprint, prune=["projects", "domains"], prune_limit=50)
    assert "prune_limit: 13 of 13 aliases of team acme would be deleted" in result["msg"]
    assert emulator.writes == []
    assert sorted(map(len, along(result).values())) == [0, 0, 13]


def test_what_goes_along_with_a_step_that_fails_does_not_go_with_the_next_one(emulator):
    """Who approved the deletion of the domain has read that it takes nothing along."""
    emulator.seed(**PLATFORM)
    emulator.fail("DELETE /projects/{idOrName}", "403")
    result = converge_or_fail(emulator.base_url, {**WEB_GOES, **DOMAIN_GOES})
    assert along(result) == {"web": ALIASES, "example.com": []}
    assert [entry["reason"] for entry in result["results"]] == [None, "dependency"]
    assert len(emulator.writes) == 1
