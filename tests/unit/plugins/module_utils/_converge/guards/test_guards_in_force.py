# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a result says of the guards in force, and how many objects each selector matches."""

from typing import Any

import pytest
from acme import ACME, WEB, ZETA
from blueprints import converge, converge_or_result

PRUNE: dict[str, Any] = {"prune": ["projects"], "prune_limit": 100}


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


def test_an_id_is_no_name_that_a_guard_counts_as_matched(emulator):
    emulator.seed(teams=[ACME], projects=[{**WEB, "id": "prj_1"}])
    blueprint = {"projects": [{"id": "prj_1", "team": "acme"}]}
    guards: dict[str, Any] = {"protect": ["prj_1", "web"], "ignore": ["prj_1"]}
    counted = converge(emulator.base_url, blueprint, True, **guards)["guards"]
    matches = {option: [row["matches"] for row in counted[option]] for option in guards}
    assert matches == {"protect": [0, 1], "ignore": [0]}


def test_result_says_what_is_selected(emulator):
    emulator.seed(teams=[ACME, ZETA], projects=[WEB, {"name": "api", "team": "acme"}])
    blueprint = {"teams": [ACME], "projects": [{**WEB, "source": "shop.yml:3"}]}
    only = ["w*", {"source": "shop.yml"}, {"team": "acme"}, {"kind": "teams"}]
    run = converge(emulator.base_url, blueprint, only=only)
    rows = run["guards"]["only"]
    assert [row["selector"] for row in rows] == only
    assert [row["matches"] for row in rows] == [1, 1, 3, 2]
    assert converge(emulator.base_url, blueprint, only=[])["guards"]["only"] == []
