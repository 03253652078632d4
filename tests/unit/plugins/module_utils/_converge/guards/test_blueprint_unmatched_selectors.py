# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Selectors that match nothing, or name a team by its id."""

import json
from typing import Any

import pytest
from acme import ACME, WEB, ZETA
from blueprints import converge, converge_or_result, refusal_message

from ansible_collections.hosting.platform.plugins.module_utils._text import escape_line

A = {"name": "a", "team": "acme"}
SHOP = {"name": "shop", "team": "zeta"}


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


def test_selector_of_what_a_list_shows_matches_something(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": "preview-1"}, WEB])
    blueprint = {"projects": [WEB, {"name": "mine", "own_scope": True}]}
    result = converge(emulator.base_url, blueprint, True, only=["preview-*", "web", "mine"])
    assert result["warnings"] == []


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


PRUNE: dict[str, Any] = {"prune": ["projects"], "prune_limit": 100}


def deleted_by(
    emulator: Any, names: list[str], *, undeclared: list[str], **options: Any
) -> dict[str, Any]:
    """The plan, or the refusal, of a prune of the team acme, where entries declare these names."""
    emulator.reset()
    emulator.seed(
        teams=[{**ACME, "id": "id-of-acme"}, ZETA],
        projects=[{"name": name, "team": "acme"} for name in [*names, *undeclared]],
    )
    blueprint = {"projects": [{"name": name, "team": "acme"} for name in names]}
    run = converge_or_result(emulator.base_url, blueprint, True, **PRUNE, **options)
    return {"warnings": [], **run}


@pytest.mark.parametrize("option", ["protect", "ignore"])
@pytest.mark.parametrize(
    ("selector", "name"),
    [
        ("prod-apy", "prod-api"),
        ("prod-pai", "prod-api"),
        ("prod-ap", "prod-api"),
        ("prod-appi", "prod-api"),
        ("Prod-API", "prod-api"),
        ("prod-1-wbe", "prod-1-web"),
        ("acme/prod-apy", "prod-api"),
        ("ac*/prod-apy", "prod-api"),
        ({"name": "prod-apy"}, "prod-api"),
        ({"team": "id-of-acme", "kind": "projects", "name": "prod-apy"}, "prod-api"),
        ("shop-b", "shop-db"),
        ("pord-*", "prod-api"),
        ("Prod-?pi", "prod-api"),
        ("prd-*", "prod-api"),
        ("acme/prodd-[a-z]*", "prod-api"),
        ("cafe\u0301s", "caf\u00e9"),
    ],
)
def test_guard_that_is_a_misspelling_of_what_would_be_deleted_refuses(
    emulator, option, selector, name
):
    run = deleted_by(emulator, ["web"], undeclared=[name], **{option: [selector]})
    text = selector if isinstance(selector, str) else json.dumps(selector)
    gives_team = "team" in selector or "/" in text
    advice = "remove it" if gives_team else "say its team"
    line = (
        f"{option}[0]: {escape_line(text)} matches nothing, and the project {name} would be"
        f" deleted. Correct the selector, or {advice}."
    )
    assert run["msg"] == line
    assert run["refusals"] == [{"guard": option, "message": line}]
    assert run["warnings"] == []


@pytest.mark.parametrize(
    ("selector", "name"),
    [
        ("prod-1", "prod-2"),
        ("prod-10", "prod-1"),
        ("v1-2", "v12"),
        ("shop-a", "shop-b"),
        ("shop-ab", "shop-a"),
        ("prod-?", "prod-api"),
        ("prod-1*", "prod-2"),
        ("pr*-api", "prd-web"),
        ("pro?-api", "prd-api"),
        ("web", "wbe"),
        ("prod_api", "prod-api"),
        ("prod-apiss", "prod-api"),
        ("prod-stage", "prod-store"),
        ({"kind": ["aliases", "projects"], "team": "zeta*", "name": "prod-apy"}, "prod-api"),
        ({"kind": "projects", "name": "*apy"}, "prod-api"),
    ],
)
def test_guard_that_matches_nothing_and_is_no_misspelling_never_refuses(emulator, selector, name):
    assert "msg" not in deleted_by(emulator, ["www"], undeclared=[name], protect=[selector])


@pytest.mark.parametrize(
    "selector", ["web", "acme/web", "a*/w*", {"team": "acme"}, {"kind": "teams", "name": "acme"}]
)
def test_guard_that_matches_something_is_silent(emulator, selector):
    run = deleted_by(emulator, ["web"], undeclared=["prod-api"], protect=[selector])
    assert (run["warnings"], run.get("msg")) == ([], None)


@pytest.mark.parametrize(
    "selector",
    [
        "zeta/*",
        "zeta/prod-apy",
        {"team": "nowhere"},
        {"team": "zeta", "name": "prod-apy"},
        {"team": "", "name": "prod-apy"},
        {"kind": "domains", "name": "prod-apy"},
        {"kind": "team_members"},
    ],
)
def test_guard_of_what_was_not_read_matches_nothing(emulator, selector):
    run = deleted_by(emulator, ["web"], undeclared=["prod-api"], protect=[selector])
    assert run["guards"]["protect"] == [{"selector": selector, "matches": 0}]
    assert run["warnings"] == []
    assert "msg" not in run


@pytest.mark.parametrize(
    ("selector", "matches"),
    [
        ("web", 1),  # as an entry, and as its object
        ("new", 1),  # an entry without an object
        ("former", 1),  # by an earlier name
        ("*", 9),  # four projects, each but the new one with an alias of its own, and the team
        ("acme/*", 8),  # not the team itself
        ({"kind": "projects"}, 4),
        ({"kind": ["aliases", "domains"]}, 4),
        ({"team": "zeta"}, 0),
        ("prod_*", 0),
    ],
)
def test_result_says_how_many_objects_each_selector_matches(emulator, selector, matches):
    emulator.seed(
        teams=[ACME],
        projects=[WEB, {"name": "prod-api", "team": "acme"}, {"name": "app", "team": "acme"}],
        aliases=[{"alias": "www.example.com", "project": "web", "team": "acme"}],
    )
    projects = [WEB, {"name": "new", "team": "acme", "previously": ["former"]}]
    blueprint = {"projects": projects, "aliases": []}
    given: dict[str, Any] = {"protect": [selector, "app"], "limits": {"create": 5}}
    run = converge_or_result(emulator.base_url, blueprint, True, **given, **PRUNE)
    assert run["guards"] == {
        "protect": [{"selector": selector, "matches": matches}, {"selector": "app", "matches": 1}],
        "ignore": [],
        "only": None,
        "limits": {"create": 5},
        **PRUNE,
    }


def test_result_says_what_is_selected(emulator):
    emulator.seed(teams=[ACME, ZETA], projects=[WEB, {"name": "api", "team": "acme"}])
    blueprint = {"teams": [ACME], "projects": [{**WEB, "source": "shop.yml:3"}]}
    only = ["w*", {"source": "shop.yml"}, {"team": "acme"}, {"kind": "teams"}]
    run = converge(emulator.base_url, blueprint, only=only)
    rows = run["guards"]["only"]
    assert [row["selector"] for row in rows] == only
    assert [row["matches"] for row in rows] == [1, 1, 3, 2]
    assert converge(emulator.base_url, blueprint, only=[])["guards"]["only"] == []


def test_objects_of_a_cascade_count_as_deleted(emulator):
    emulator.seed(
        teams=[ACME, ZETA],
        projects=[WEB, {"name": "prod-api", "team": "zeta"}],
        aliases=[{"alias": "b\u00fccher.example.com", "project": "web", "team": "acme"}],
    )
    gone = {"teams": [{**ZETA, "state": "absent"}]}
    assert "the project prod-api would be deleted" in refusal_message(
        emulator, gone, protect=["prod-apy"]
    )
    gone = {"projects": [{**WEB, "state": "absent"}]}
    assert "and the alias b\u00fccher.example.com would be deleted" in refusal_message(
        emulator, gone, protect=["b\u00fcchre.example.com"]
    )


def test_path_is_of_a_team_by_its_slug_and_of_nothing_in_the_own_scope(emulator):
    slashed = {"slug": "acme/eu"}
    emulator.seed(
        teams=[{**ACME, "id": "zeta"}, {**slashed, "id": "id-of-eu"}],
        projects=[
            *({"name": name, "team": "acme"} for name in ("prod-1", "prod-2", "acme/x", "old")),
            *({"name": name, "team": "acme/eu"} for name in ("prod-1", "old")),
        ],
    )
    blueprint = {"teams": [ACME, slashed], "projects": []}

    def protected_by(*selectors: str) -> list[tuple[str, str]]:
        result = converge(emulator.base_url, blueprint, True, **PRUNE, protect=[*selectors])
        return [
            (row["team"], row["name"]) for row in result["results"] if row["reason"] == "protected"
        ]

    assert protected_by("acme/prod-*") == [("acme", "prod-1"), ("acme", "prod-2")]
    assert protected_by("acme/eu/prod-1") == [("acme/eu", "prod-1")]
    assert protected_by("acme*/old") == [("acme", "old"), ("acme/eu", "old")]
    assert protected_by("acme/x") == [("acme", "acme/x")]
    assert protected_by("zeta/*", "id-of-eu/*", "*/acme*", "/old") == [("acme", "acme/x")]


def test_path_selects_and_ignores_what_is_in_a_team(emulator):
    emulator.seed(teams=[ACME, ZETA], projects=[{"name": "stray", "team": "acme"}])
    blueprint = {"teams": [ACME, ZETA], "projects": [WEB, SHOP, {"name": "web"}]}
    result = converge(emulator.base_url, blueprint, True, only=["acme/*"])
    assert reasons(result) == [
        ("acme", "not_selected"),
        ("zeta", "not_selected"),
        ("web", None),
        ("shop", "not_selected"),
        ("web", "not_selected"),
    ]
    assert [row["name"] for row in result["undeclared"]] == ["stray"]
    ignored = converge(emulator.base_url, {"projects": [A]}, True, ignore=["*/str*"])
    assert ignored["undeclared"] == []


def test_rename_of_a_team_keeps_what_a_path_protects(emulator):
    emulator.seed(teams=[{"slug": "acme"}], projects=[WEB])
    blueprint = {"teams": [{"slug": "apex", "previously": ["acme"]}]}
    message = refusal_message(emulator, blueprint, protect=["acme/web"])
    assert "renaming the team acme would leave its protected objects unprotected" in message
    both = converge(emulator.base_url, blueprint, True, protect=["acme/web", "apex/web"])
    assert both["summary"]["update"] == 1


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


def test_name_that_is_a_pattern_matches_itself(emulator):
    emulator.seed(
        teams=[ACME],
        projects=[{"name": name, "team": "acme"} for name in ("prod[1]", "prod1", "other")],
    )
    options: dict[str, Any] = {"prune": ["projects"], "prune_limit": 100, "protect": ["prod[1]"]}
    result = converge(emulator.base_url, {"teams": [ACME], "projects": []}, **options)
    assert {row[0] for row in reasons(result) if row[1] == "protected"} == {"prod[1]", "prod1"}
