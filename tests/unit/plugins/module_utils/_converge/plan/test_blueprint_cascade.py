# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes along with a step is shown, counted, guarded, and a part of what is approved."""

from itertools import chain
from typing import Any

import pytest
from acme import ACME, WEB, WWW, ZETA
from blueprints import check_then_converge, converge, converge_or_result, refusal_message

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


def cascades(result: dict[str, Any]) -> dict[str, list[tuple[str, str, str]]]:
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
def test_cascade_is_listed_counted_and_deleted(emulator, blueprint, gone):
    emulator.seed(**PLATFORM)
    run = check_then_converge(emulator.base_url, blueprint)
    assert cascades(run) == gone
    assert run["summary"]["along"] == sum(map(len, gone.values()))
    state = emulator.state()
    left = {
        *(alias["alias"] for alias in state["aliases"]),
        *(domain["name"] for domain in state["domains"]),
    }
    deleted = chain.from_iterable(gone.values())
    assert not left & {name for _kind, name, _team in deleted}


@pytest.mark.parametrize(
    ("there", "created"),
    [
        pytest.param(PLATFORM, {"projects": [{"name": "new", "team": "acme"}]}, id="a project"),
        pytest.param(
            PLATFORM, {"domains": [{"name": "example.net", "team": "acme"}]}, id="a domain"
        ),
        pytest.param(PLATFORM, {"aliases": [{**WWW, "alias": "new.example.com"}]}, id="an alias"),
        pytest.param(
            {"teams": [ACME]}, {"projects": [{"name": "new", "team": "acme"}]}, id="the first"
        ),
    ],
)
def test_object_created_after_approval_invalidates_the_step(emulator, there, created):
    emulator.seed(**there)
    approved = converge(emulator.base_url, ACME_GOES, check_mode=True)["steps"]
    emulator.seed(**created)
    message = refusal_message(emulator, ACME_GOES, approved=approved)
    assert message.startswith("approved: 1 step is not approved: team acme (delete, with ")


def test_alias_in_two_cascades_counts_once_against_prune_limit(emulator):
    aliases = [{**WWW, "alias": f"a{number}.example.com"} for number in range(12)]
    emulator.seed(**{**PLATFORM, "aliases": aliases})
    blueprint = {"teams": [ACME], "projects": [], "domains": []}
    result = converge_or_result(
        emulator.base_url, blueprint, prune=["projects", "domains"], prune_limit=50
    )
    assert "prune_limit: 13 of 13 aliases of team acme would be deleted" in result["msg"]
    assert emulator.writes == []
    assert sorted(map(len, cascades(result).values())) == [0, 0, 13]


def test_prune_limit_counts_aliases_that_go_with_a_domain_but_none_that_an_entry_deletes(emulator):
    aliases = [{**WWW, "alias": f"a{number}.example.com"} for number in range(12)]
    emulator.seed(**{**PLATFORM, "aliases": aliases})
    declared = [{**alias, "state": "absent"} for alias in aliases[:6]]
    blueprint = {**DOMAIN_GOES, "aliases": declared}
    assert refusal_message(emulator, blueprint, prune_limit=53) == (
        "prune_limit: 7 of 13 aliases of team acme would be deleted, but the limit is 53 %:"
        " a10.example.com, a11.example.com, a6.example.com, a7.example.com, a8.example.com,"
        " a9.example.com, web.example.com. If this is intended, raise the limit."
    )
    run = check_then_converge(emulator.base_url, blueprint, prune_limit=54)
    assert (run["summary"]["delete"], run["summary"]["along"]) == (7, 7)


def test_prune_limit_counts_no_aliases_that_go_with_a_project_or_team(emulator):
    aliases = [{**WWW, "alias": f"a{number}.example.com"} for number in range(12)]
    emulator.seed(**{**PLATFORM, "aliases": aliases})
    run = check_then_converge(emulator.base_url, {**WEB_GOES, **ACME_GOES}, prune_limit=0)
    assert run["summary"]["along"] == 14


def test_cascade_of_a_failed_step_is_not_deleted_by_the_next(emulator):
    """Who approved the deletion of the domain has read that it takes nothing along."""
    emulator.seed(**PLATFORM)
    emulator.plan_fault("DELETE /projects/{idOrName}", "403")
    result = converge_or_result(emulator.base_url, {**WEB_GOES, **DOMAIN_GOES})
    assert cascades(result) == {"web": ALIASES, "example.com": []}
    assert [entry["reason"] for entry in result["results"]] == [None, "dependency"]
    assert len(emulator.writes) == 1
