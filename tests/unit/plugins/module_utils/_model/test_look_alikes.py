# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A name that is created beside one that a service might take for the same is created, with a
warning.
"""

import pytest
from acme import ACME, WEB
from modules import perform

from ansible_collections.hosting.platform.plugins.module_utils._text import did_you_mean

MEANT = "which a service might take for the same. If that one is meant, write its"


def warning_of(shown, field):
    return f"{field}: the {shown} {MEANT} {field} as it is stored, or add it to previously."


@pytest.mark.parametrize(
    ("name", "stored", "shown"),
    [
        ("Shop", "shop", "project Shop will exist beside shop,"),
        ("shop ", "shop", 'project "shop " will exist beside shop,'),
        ("caf\u00e9", "cafe\u0301", 'project caf\u00e9 will exist beside "cafe\\u0301",'),
        ("sh\u00adop", "shop", 'project "sh\\u00adop" will exist beside shop,'),
    ],
)
def test_a_project_beside_a_look_alike_is_created_with_a_warning(emulator, name, stored, shown):
    emulator.seed(teams=[ACME], projects=[{"name": stored, "team": "acme"}])
    for check_mode in (True, False):
        result = perform("project", emulator.base_url, check_mode, name=name, team="acme")
        assert (result["changed"], result["warnings"]) == (True, [warning_of(shown, "name")])


def test_a_project_that_gets_a_name_beside_a_look_alike_warns(emulator):
    emulator.seed(
        teams=[ACME], projects=[{**WEB, "id": "prj_web"}, {"name": "shop", "team": "acme"}]
    )
    for check_mode in (True, False):
        result = perform(
            "project", emulator.base_url, check_mode, name="Shop", id="prj_web", team="acme"
        )
        assert result["warnings"] == [warning_of("project Shop will exist beside shop,", "name")]


def test_a_project_may_become_its_own_look_alike(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": "shop", "team": "acme"}])
    result = perform("project", emulator.base_url, name="Shop", previously=["shop"], team="acme")
    assert (result["diff"]["after"], result["warnings"]) == ({"name": "Shop"}, [])


def test_a_team_beside_a_look_alike_is_created_with_a_warning(emulator):
    emulator.seed(teams=[ACME])
    result = perform("team", emulator.base_url, slug="ACME")
    assert (result["changed"], result["warnings"]) == (
        True,
        [warning_of("team ACME will exist beside acme,", "slug")],
    )


@pytest.mark.parametrize(
    "options", [{"name": "Shop", "state": "absent"}, {"name": "shop"}, {"name": "blog"}]
)
def test_no_warning_without_a_new_look_alike(emulator, options):
    emulator.seed(teams=[ACME, {"slug": "zeta"}], projects=[{"name": "shop", "team": "acme"}])
    emulator.seed(projects=[{"name": "Blog", "team": "zeta"}])
    assert perform("project", emulator.base_url, team="acme", **options)["warnings"] == []


def test_a_suggestion_that_differs_in_white_space_alone_stands_in_quotes():
    assert did_you_mean("shop", ["shop "]) == ' Did you mean "shop "?'
    assert did_you_mean("shopp", ["shop"]) == " Did you mean shop?"
