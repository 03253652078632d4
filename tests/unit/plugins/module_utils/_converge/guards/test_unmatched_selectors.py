# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Selectors of `only` that match nothing, and when that is no mistake."""

from typing import Any

import pytest
from acme import ACME, WEB, ZETA
from blueprints import converge, refusal_message

PRUNE: dict[str, Any] = {"prune": ["projects"], "prune_limit": 100}


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
            '{"source": "blueprint/projects/shop.yml"} matches nothing.'
            " Did you mean projects/shop.yml?",
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
    "selector", ["chekcout", {"source": "shop.yml"}, {"kind": "projects", "team": "zeta"}]
)
def test_selector_that_matches_nothing_warns_where_something_may_have_been_pruned(
    emulator, selector
):
    emulator.seed(teams=[ACME, ZETA])
    blueprint = {"projects": [CHECKOUT]}
    assert " matches nothing." in refusal_message(emulator, blueprint, only=[selector])
    planned = converge(emulator.base_url, blueprint, True, only=[selector], prune=["projects"])
    (warning,) = [text for text in planned["warnings"] if text.startswith("only[0]: ")]
    assert " matches nothing." in warning


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
def test_clean_up_by_selectors_may_be_run_again(emulator, selector, again):
    emulator.seed(
        teams=[{**ACME, "id": "acme-id"}], projects=[{"name": "preview-1", "team": "acme"}]
    )
    options: dict[str, Any] = {
        "team": "acme",
        "only": [selector],
        "prune": ["projects"],
    }
    first, second = (converge(emulator.base_url, {"projects": []}, **options) for _run in range(2))
    assert (first["summary"]["delete"], first["warnings"]) == (1, [])
    assert (second["changed"], second["warnings"]) == (False, again)


def renamed() -> dict[str, Any]:
    return {
        "teams": [{**ACME, "previously": ["old-acme"]}],
        "projects": [{**WEB, "previously": ["old"]}],
    }


@pytest.mark.parametrize(
    ("selector", "near"),
    [
        ({"team": "old-acme"}, " Did you mean acme?"),
        ({"kind": "projects", "team": "old-*"}, ""),
        ("old-acme/*", " Did you mean acme?"),
    ],
)
def test_selector_by_the_earlier_slug_of_a_team_fails(emulator, selector, near):
    emulator.seed(teams=[{"slug": "acme"}])
    for only in ([selector], ["web", selector]):
        message = refusal_message(emulator, renamed(), only=only)
        assert message.endswith(f"matches nothing.{near}")


def test_selector_by_a_previous_name_selects_nothing(emulator):
    emulator.seed(teams=[{"slug": "old-acme"}, {**ZETA, "id": "id-of-zeta"}])
    result = converge(emulator.base_url, renamed(), only=["old"])
    assert (result["changed"], result["warnings"]) == (False, [])


def test_selector_by_the_earlier_slug_of_a_team_lets_nothing_be_deleted(emulator):
    emulator.seed(
        teams=[{"slug": "old"}, ZETA],
        projects=[{"name": name, "team": "old"} for name in ("web", "x")],
    )
    web = {"name": "web", "team": "new"}
    teams: list[dict[str, Any]] = [{"slug": "new", "previously": ["old"]}, ZETA]
    only = [{"kind": "teams"}, {"kind": "projects", "name": "web"}, {"team": "old"}]
    result = converge(
        emulator.base_url, {"teams": teams, "projects": [web]}, True, only=only, **PRUNE
    )
    assert result["summary"]["delete"] == 0


def test_selector_by_the_earlier_name_of_a_selected_entry_is_silent(emulator):
    emulator.seed(teams=[ACME], projects=[WEB])
    blueprint = {"projects": [{**WEB, "previously": ["old"]}]}
    assert (
        converge(emulator.base_url, blueprint, only=["web", "old"], fail_on_drift=True)["warnings"]
        == []
    )


def test_selector_of_what_a_list_shows_matches_something(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": "preview-1"}, WEB])
    blueprint = {"projects": [WEB, {"name": "mine", "own_scope": True}]}
    result = converge(emulator.base_url, blueprint, True, only=["preview-*", "web", "mine"])
    assert result["warnings"] == []


def test_prune_of_a_part_that_files_alone_select_is_said_to_prune_nothing(emulator):
    emulator.seed(teams=[ACME], projects=[WEB, {"name": "old", "team": "acme"}])
    blueprint = {"projects": [{**WEB, "source": "acme.yml:2"}]}
    by_file = {"source": "acme.yml"}
    words = "each selector of only has a source, so nothing is pruned."
    result = converge(emulator.base_url, blueprint, True, only=[by_file], **PRUNE)
    assert [line for line in result["warnings"] if words in line] == result["warnings"]
    assert len(result["warnings"]) == 1
    assert converge(emulator.base_url, blueprint, True, only=[by_file])["warnings"] == []
    some = converge(emulator.base_url, blueprint, True, only=[by_file, "old"], **PRUNE)
    assert some["warnings"] == []
