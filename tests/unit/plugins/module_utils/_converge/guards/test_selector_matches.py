# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a selector matches: by the slug or id of a team, by a path, and by a pattern's own name."""

from typing import Any

from acme import ACME, WEB, ZETA
from blueprints import converge, reasons, refusal_message

PRUNE: dict[str, Any] = {"prune": ["projects"], "prune_limit": 100}
A = {"name": "a", "team": "acme"}
SHOP = {"name": "shop", "team": "zeta"}


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


def test_name_that_is_a_pattern_matches_itself(emulator):
    emulator.seed(
        teams=[ACME],
        projects=[{"name": name, "team": "acme"} for name in ("prod[1]", "prod1", "other")],
    )
    blueprint = {"teams": [ACME], "projects": []}
    result = converge(emulator.base_url, blueprint, **PRUNE, protect=["prod[1]"])
    assert {row[0] for row in reasons(result) if row[1] == "protected"} == {"prod[1]", "prod1"}
