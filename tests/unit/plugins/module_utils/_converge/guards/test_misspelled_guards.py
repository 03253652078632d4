# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A selector of a guard that misspells what would be deleted refuses the run; any other that
matches nothing is silent.
"""

import json
from typing import Any

import pytest
from acme import ACME, WEB, ZETA
from blueprints import converge_or_result, refusal_message

from ansible_collections.hosting.platform.plugins.module_utils._text import escape_line

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
