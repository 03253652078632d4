# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What fails of a team's list names the team, and the option that leaves it out of a task that asks
several; a conflict says whose the name may be.
"""

import pytest
from acme import ACME, WEB, ZETA
from blueprints import converge
from client import make_platform
from modules import perform

from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.plugin_utils.inventory._project_hosts import (
    read_hosts,
)

FAULTS = {"403": "status 403", "500": "status 500", "reset": "the connection was closed"}
WITHOUT = "To go on without this team, leave it out with"
ZETA_SHOP = {"name": "shop", "team": "zeta"}


@pytest.fixture
def teams(in_process):
    in_process.reset()
    old = {"createdAt": 1_000_000}
    in_process.seed(teams=[{**ACME, **old}, {**ZETA, **old}], projects=[WEB, ZETA_SHOP])
    return in_process


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(
    ("module", "options", "operation", "option"),
    [
        ("project_info", {"team": "acme"}, "GET /projects", ""),
        ("project", {**WEB, "state": "absent"}, "GET /projects", ""),
        (
            "project_domain_info",
            {"project": "web", "team": "acme"},
            "GET /projects/{idOrName}/domains",
            "",
        ),
        ("blueprint_info", {"teams": ["acme"]}, "GET /aliases", ""),
        ("blueprint_info", {"teams": ["acme", "zeta"]}, "GET /aliases", "teams"),
        ("blueprint", {"blueprint": {"projects": [WEB]}}, "GET /projects", ""),
        ("blueprint", {"blueprint": {"projects": [WEB, ZETA_SHOP]}}, "GET /projects", "only"),
    ],
)
def test_a_list_that_fails_names_the_team(teams, module, options, operation, option, fault):
    teams.plan_fault(operation, fault, count=100)
    result = perform(module, teams.base_url, **options)
    assert result["msg"].startswith(f"{operation} of the team ")
    assert f" failed: {FAULTS[fault]}" in result["msg"]
    assert result["msg"].endswith(f" {WITHOUT} {option}.") is bool(option)
    assert (WITHOUT in result["msg"]) is bool(option)
    assert result["failure"]["operation"] == operation


def test_of_several_it_is_the_one_that_fails(teams):
    teams.plan_fault("GET /projects", "403", skip=1, count=100)
    options = {"blueprint": {"projects": [WEB, ZETA_SHOP]}, "workers": 1}
    assert "of the team zeta failed" in perform("blueprint", teams.base_url, **options)["msg"]


@pytest.mark.parametrize("names", [[], ["acme"], ["acme", "zeta"]])
def test_so_does_an_inventory(teams, names):
    teams.plan_fault("GET /projects", "403", skip=0 if names else 1, count=100)
    platform = make_platform(teams.base_url)
    with pytest.raises(PlatformError) as failure:
        read_hosts(platform, names or None, include_domains=False)
    assert str(failure.value).startswith("GET /projects of the team ")
    assert str(failure.value).endswith(f" {WITHOUT} teams.") is (names != ["acme"])


@pytest.mark.parametrize(
    ("workers", "advice"),
    [
        (1, "The name may be somebody else's."),
        (
            8,
            "The name may be somebody else's. Or the service takes one change at a time: then set"
            " workers: 1.",
        ),
    ],
)
def test_a_conflict_about_a_name_that_nothing_bears_says_what_it_may_be(teams, workers, advice):
    for kind, operation, entry in (
        ("projects", "POST /projects", {"name": "new", "team": "acme"}),
        (
            "aliases",
            "POST /{projectName}/alias",
            {"alias": "a.test", "project": "web", "team": "acme"},
        ),
    ):
        teams.plan_fault(operation, "409")
        with pytest.raises(PlatformError) as failure:
            converge(teams.base_url, {kind: [entry]}, workers=workers)
        assert str(failure.value).endswith(f"in conflict with what there is. {advice}")


def test_the_option_has_the_name_under_which_the_user_sets_it(teams):
    teams.plan_fault("GET /projects", "403", count=100)
    with pytest.raises(PlatformError) as failure:
        converge(teams.base_url, {"projects": [WEB, ZETA_SHOP]})
    assert failure.value.text({"only": "converge_only"}).endswith(f" {WITHOUT} converge_only.")
    assert failure.value.failure
    assert failure.value.failure["status"] == 403
