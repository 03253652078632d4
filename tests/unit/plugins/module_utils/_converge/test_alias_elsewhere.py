# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An alias that another project has: whose is taken, and what check mode shows of it."""

from typing import Any

import pytest
from acme import ACME, MEDIA
from blueprints import converge, converge_or_result, refusal_message
from emulated import ControlledEmulator
from stored_objects import assert_guarded, projects_of_acme

TAKING = {
    "alias": {
        "projects": projects_of_acme("shop"),
        "aliases": [{"alias": "www.example.com", "project": "shop", "team": "acme"}],
    },
    "own alias": {"projects": [{"name": "shop", "team": "acme", "alias": "www.example.com"}]},
}


@pytest.mark.parametrize("takes", ["of_its_scope", "everywhere"])
@pytest.mark.parametrize("blueprint", TAKING.values(), ids=TAKING)
@pytest.mark.parametrize("is_new", [True, False], ids=["new project", "project"])
def test_alias_of_another_team_is_not_taken(
    emulator: ControlledEmulator, blueprint: Any, takes: str, is_new: bool
) -> None:
    site = {"name": "site", "team": "media", "alias": "www.example.com"}
    emulator.seed(
        teams=[ACME, MEDIA], projects=[site, *([] if is_new else projects_of_acme("shop"))]
    )
    emulator.switch(assignment_takes=takes, own_alias_takes=takes)
    before = emulator.state()
    message = refusal_message(emulator, blueprint)
    assert ("www.example.com" in message, "media" in message) == (True, True)
    assert_guarded(converge_or_result(emulator.base_url, blueprint), "blueprint", "site")
    assert emulator.state() == before


@pytest.mark.parametrize("blueprint", TAKING.values(), ids=TAKING)
@pytest.mark.parametrize("shown", ["of_everybody", "of_callers_teams"])
def test_alias_of_strangers_is_refused_where_it_is_shown(
    emulator: ControlledEmulator, blueprint: Any, shown: str
) -> None:
    emulator.seed(users=[{"email": "eve@example.com"}])
    emulator.seed(
        teams=[ACME, {"slug": "strangers", "owner": "eve@example.com"}],
        projects=[
            *projects_of_acme("shop"),
            {"name": "site", "team": "strangers", "alias": "www.example.com"},
        ],
    )
    emulator.switch(alias_on_get=shown)
    before = emulator.state()["aliases"]
    result = converge_or_result(emulator.base_url, blueprint)
    assert result["refused"] == (shown == "of_everybody")
    assert "www.example.com" in result["msg"]
    assert emulator.state()["aliases"] == before


def test_alias_of_the_same_team_is_an_update_that_shows_both(emulator: ControlledEmulator) -> None:
    emulator.seed(
        teams=[ACME],
        projects=[
            *projects_of_acme("shop"),
            {**projects_of_acme("site")[0], "alias": "www.example.com"},
        ],
    )
    result = converge(emulator.base_url, TAKING["alias"], check_mode=True)
    row = result["results"][-1]
    assert (row["action"], row["diff"]) == (
        "update",
        {"before": {"project": "site"}, "after": {"project": "shop"}},
    )


def test_own_alias_is_not_taken_from_a_project_that_is_not_selected(
    emulator: ControlledEmulator,
) -> None:
    """Not even where the service would let it be taken."""
    emulator.seed(
        teams=[ACME],
        projects=[
            *projects_of_acme("shop"),
            {**projects_of_acme("site")[0], "alias": "www.example.com"},
        ],
    )
    emulator.switch(own_alias_takes="everywhere")
    before = emulator.state()
    for only in (None, ["shop"]):
        result = converge_or_result(emulator.base_url, TAKING["own alias"], only=only)
        assert_guarded(result, "blueprint", "www.example.com", "site")
    assert emulator.state() == before
