# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Selectors that match nothing, name a team by its id, or are probably misspelled."""

from typing import Any

import pytest
from acme import ACME, WEB, ZETA
from blueprints import converge, refusal_message

A, SHOP = {"name": "a", "team": "acme"}, {"name": "shop", "team": "zeta"}


def reasons(result: dict[str, Any]) -> list[tuple[str, str | None]]:
    return [(entry["name"], entry["reason"]) for entry in result["results"]]


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        ("wbe", "wbe matches nothing. Did you mean web?"),
        ({"team": "amce"}, '{"team": "amce"} matches nothing. Did you mean acme?'),
        (
            {"team": "acme", "name": "wbe"},
            '{"team": "acme", "name": "wbe"} matches nothing. Did you mean web?',
        ),
        (
            {"source": "blueprint/projects/shop.yml"},
            '{"source": "blueprint/projects/shop.yml"} matches nothing. Did you mean projects/shop.yml?',
        ),
        ({"kind": "domains"}, '{"kind": "domains"} matches nothing.'),
    ],
)
def test_selector_that_matches_no_entry_fails_and_names_what_is_near(emulator, selector, message):
    emulator.seed(teams=[ACME])
    blueprint = {"teams": [ACME], "projects": [{**WEB, "source": "projects/shop.yml:3"}]}
    assert refusal_message(emulator, blueprint, only=["web", selector]) == f"only[1]: {message}"


CHECKOUT = {"name": "checkout", "team": "acme"}


@pytest.mark.parametrize(
    "selector",
    [
        {"source": "shop.yml"},
        {"kind": "aliases", "name": "chekcout"},
        {"team": "zeta"},
        {"team": ""},
        {"team": "team_9"},
    ],
)
def test_selector_of_what_prune_cannot_delete_fails(emulator, selector):
    emulator.seed(teams=[ACME, ZETA])
    message = refusal_message(
        emulator, {"projects": [CHECKOUT]}, only=[selector], prune=["projects"]
    )
    assert " matches nothing." in message


def test_selector_of_an_own_scope_fails_because_nothing_is_pruned_there(emulator):
    message = refusal_message(
        emulator, {"projects": [{"name": "checkout"}]}, only=["chekcout"], prune=["projects"]
    )
    assert message == "only[0]: chekcout matches nothing. Did you mean checkout?"


@pytest.mark.parametrize("drift", ["fail_on_drift", "fail_on_undeclared"])
def test_misspelled_selector_fails_a_drift_check_despite_prune(emulator, drift):
    emulator.seed(teams=[ACME], projects=[{**CHECKOUT, "framework": "hugo"}])
    blueprint = {"projects": [{**CHECKOUT, "framework": "astro"}]}
    only: dict[str, Any] = {"only": ["chekcout"], "prune": ["projects"]}
    message = "only[0]: chekcout matches nothing. Did you mean checkout?"
    assert refusal_message(emulator, blueprint, **only, **{drift: True}) == message
    assert converge(emulator.base_url, blueprint, True, **only)["warnings"] == [message]


@pytest.mark.parametrize(
    ("selector", "again"),
    [
        ("preview-*", ["only[0]: preview-* matches nothing."]),
        (
            {"kind": "projects", "team": "acme"},
            ['only[0]: {"kind": "projects", "team": "acme"} matches nothing.'],
        ),
        ({"team": "acme-id"}, []),
    ],
)
def test_clean_up_by_selectors_may_be_run_again_also_as_a_drift_check(emulator, selector, again):
    emulator.seed(
        teams=[{**ACME, "id": "acme-id"}], projects=[{"name": "preview-1", "team": "acme"}]
    )
    options: dict[str, Any] = {
        "team": "acme",
        "only": [selector],
        "prune": ["projects"],
        "fail_on_drift": True,
    }
    first, second = (converge(emulator.base_url, {"projects": []}, **options) for _run in range(2))
    assert (first["summary"]["delete"], first["warnings"]) == (1, [])
    assert (second["changed"], second["warnings"]) == (False, again)


def renamed() -> dict[str, Any]:
    return {
        "teams": [{**ACME, "previously": ["old-acme"]}],
        "projects": [{**WEB, "previously": ["old"]}],
    }


@pytest.mark.parametrize("selector", [{"team": "old-acme"}, {"kind": "projects", "team": "old-*"}])
def test_selector_by_the_earlier_slug_of_a_team_fails(emulator, selector):
    emulator.seed(teams=[{"slug": "acme"}])
    for only in ([selector], ["web", selector]):
        message = refusal_message(emulator, renamed(), only=only)
        assert message.endswith("matches nothing. Did you mean acme?")


def test_selector_by_a_previous_name_selects_nothing(emulator):
    emulator.seed(teams=[{"slug": "old-acme"}, {**ZETA, "id": "id-of-zeta"}])
    result = converge(emulator.base_url, renamed(), only=["old"])
    assert result["changed"] is False
    (warning,) = result["warnings"]
    assert warning.endswith("matches nothing. Did you mean web?")


def test_selector_by_the_earlier_slug_of_a_team_lets_nothing_be_deleted(emulator):
    emulator.seed(
        teams=[{"slug": "old"}, ZETA],
        projects=[{"name": name, "team": "old"} for name in ("web", "x")],
    )
    web = {"name": "web", "team": "new"}
    teams: list[dict[str, Any]] = [{"slug": "new", "previously": ["old"]}, ZETA]
    options: dict[str, Any] = {"prune": ["projects"], "prune_limit": 100}
    only = [{"kind": "teams"}, {"kind": "projects", "name": "web"}, {"team": "old"}]
    result = converge(
        emulator.base_url, {"teams": teams, "projects": [web]}, True, only=only, **options
    )
    assert result["summary"]["delete"] == 0


def test_selector_by_the_earlier_name_of_a_selected_entry_is_silent(emulator):
    emulator.seed(teams=[ACME], projects=[WEB])
    blueprint = {"projects": [{**WEB, "previously": ["old"]}]}
    assert (
        converge(emulator.base_url, blueprint, only=["web", "old"], fail_on_drift=True)["warnings"]
        == []
    )


def test_object_of_the_own_scope_is_not_what_a_selector_of_a_team_is_for(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": "preview-1"}, WEB])
    blueprint = {"projects": [WEB, {"name": "mine", "own_scope": True}]}
    result = converge(
        emulator.base_url, blueprint, True, only=["preview-*", "web"], prune=["projects"]
    )
    assert "only[0]: preview-* matches nothing." in result["warnings"]


@pytest.mark.parametrize("option", ["ignore", "protect"])
def test_team_that_only_a_selector_names_is_listed(emulator, option):
    emulator.seed(teams=[ACME])
    blueprint = {"projects": [{"name": "mine", "own_scope": True}]}
    given: dict[str, Any] = {option: [{"team": "acme"}]}
    assert converge(emulator.base_url, blueprint, True, **given)["warnings"] == []


@pytest.mark.parametrize("option", ["ignore", "protect"])
def test_selector_of_a_team_that_is_not_there_warns_or_fails_if_a_slug_is_near(emulator, option):
    emulator.seed(teams=[{**ACME, "id": "id-of-acme"}, ZETA, {"slug": "shop-dev"}])
    known = [
        {"team": "id-of-acme", "name": "x"},
        {"team": "z*", "name": "x"},
        {"team": "", "name": "x"},
    ]
    elsewhere: list[Any] = [
        {"team": "shop-prod"},
        {"team": "media"},
        {"team": "Zet*"},
        {"team": "shop"},
    ]
    words = "names a team that no entry declares, and to which you do not belong."
    options: dict[str, Any] = {option: [*known, *elsewhere]}
    result = converge(emulator.base_url, {"projects": [WEB]}, True, **options)
    assert result["warnings"] == [
        f'{option}[3]: {{"team": "shop-prod"}} {words} Did you mean shop-dev?',
        f'{option}[4]: {{"team": "media"}} {words}',
        f'{option}[5]: {{"team": "Zet*"}} {words} Did you mean zeta?',
        f'{option}[6]: {{"team": "shop"}} {words} Did you mean shop-dev?',
    ]
    for misspelled in ("Zeta", "zeat", "Shop-Dev"):
        message = refusal_message(emulator, {"projects": [WEB]}, **{option: [{"team": misspelled}]})
        assert message.startswith(f'{option}[0]: {{"team": "{misspelled}"}} {words} Did you mean ')


def test_selector_by_the_id_of_a_team_is_one_by_its_slug(emulator):
    emulator.seed(
        teams=[{**ACME, "id": "id-of-acme"}, ZETA],
        projects=[WEB, SHOP, {"name": "old", "team": "acme"}],
    )
    by_id: dict[str, Any] = {
        "protect": [{"team": "id-of-acme"}],
        "prune": ["projects"],
        "prune_limit": 100,
    }
    result = converge(emulator.base_url, {"teams": [ACME, ZETA], "projects": [WEB]}, **by_id)
    assert reasons(result)[-2:] == [("old", "protected"), ("shop", None)]
    blueprint = {"projects": [WEB, A, {**SHOP, "name": "b"}]}
    only = converge(emulator.base_url, blueprint, True, only=[{"team": "id-of-acme"}])
    assert reasons(only) == [("web", None), ("a", None), ("b", "not_selected")]
    assert [row["name"] for row in only["undeclared"]] == ["old"]
    ignore = [{"team": "id-of-acme", "name": "o*"}]
    ignored = converge(emulator.base_url, {"projects": [A]}, True, team="acme", ignore=ignore)
    assert [row["name"] for row in ignored["undeclared"]] == ["web"]
    emulator.forget_requests()
    assert "which is ignored" in refusal_message(
        emulator, {"projects": [WEB]}, ignore=[{"team": "id-of-acme"}]
    )


@pytest.mark.parametrize(
    ("protect", "is_near"),
    [
        ("chekcout*", True),
        ({"team": "acme", "name": "chekcout"}, True),
        ({"kind": "aliases", "name": "chekcout"}, False),
    ],
)
def test_protection_that_matches_nothing_warns_where_something_near_is_deleted(
    emulator, protect, is_near
):
    emulator.seed(teams=[ACME], projects=[WEB, CHECKOUT])
    result = converge(
        emulator.base_url, {"projects": [WEB]}, True, prune=["projects"], protect=[protect]
    )
    near = [
        warning
        for warning in result["warnings"]
        if "matches nothing, and checkout would be deleted." in warning
    ]
    assert bool(near) is is_near
    kept = converge(
        emulator.base_url, {"projects": [WEB]}, True, prune=["projects"], protect=["web*", "check*"]
    )
    assert kept["warnings"] == []
    emulator.seed(projects=[{"name": "webs", "team": "acme"}])
    other = converge(
        emulator.base_url, {"projects": [CHECKOUT]}, True, prune=["projects"], protect=["web"]
    )
    assert other["warnings"] == []


def test_name_that_is_a_pattern_matches_itself(emulator):
    emulator.seed(
        teams=[ACME],
        projects=[{"name": name, "team": "acme"} for name in ("prod[1]", "prod1", "other")],
    )
    options: dict[str, Any] = {"prune": ["projects"], "prune_limit": 100, "protect": ["prod[1]"]}
    result = converge(emulator.base_url, {"teams": [ACME], "projects": []}, **options)
    assert {row[0] for row in reasons(result) if row[1] == "protected"} == {"prod[1]", "prod1"}
