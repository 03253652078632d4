# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A service that shows late what was done: modules, as the tasks of a play, on the emulator."""

import pytest
from client import make_platform, run_task
from stored_objects import names

from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    ApiError,
    PlatformError,
)

GET_PROJECT = "GET /projects/{idOrName}"
ACME = {"slug": "acme", "id": "team_acme", "createdAt": 1}
FOR_ACME = {"team": "acme"}
WHAT_TO_DO = (
    "If the service stores it so, write that; if it shows changes late, or has changed it with"
    " another field, run again."
)


def play_first(service):
    """The first play of the documentation; returns what each task changed."""
    changed = [run_task(service, "team", slug="web-team", name="Web team")["changed"]]
    loop = make_platform(service.base_url, service.clock)
    for name in ("shop", "blog"):
        options = {"team": "web-team", "name": name, "framework": "nextjs"}
        changed.append(run_task(service, "project", loop, **options)["changed"])
    options = {"team": "web-team", "alias": "www.example.com", "project": "shop"}
    return [*changed, run_task(service, "alias", **options)["changed"]]


@pytest.mark.parametrize(
    "switches",
    [
        {"lists_late_ms": 1500},
        {"lists_late_ms": 60000},
        {"young_ms": 1500},
        {"young_ms": 5000, "young_team": 404, "young_project": 403, "young_team_lists": 400},
        {"young_ms": 1500, "lists_late_ms": 1500},
    ],
    ids=str,
)
def test_the_first_play_passes_and_again_quietly(service, switches):
    service.switch(**switches)
    assert play_first(service) == [True] * 4
    stored = service.state()
    assert play_first(service) == [False] * 4
    assert service.state() == stored


def test_no_task_waits_on_a_service_that_shows_all_at_once(service):
    assert play_first(service) == [True] * 4
    assert sum(service.clock.slept) == 0


def test_a_project_is_not_deleted_under_a_name_that_it_no_longer_bears(service):
    service.seed(teams=[ACME], projects=[{"name": "shop", "team": "acme"}])
    service.switch(lists_late_ms=3000)
    run_task(service, "project", **FOR_ACME, name="storefront", previously=["shop"])
    with pytest.raises(PlatformError) as failure:
        run_task(service, "project", **FOR_ACME, name="shop", state="absent")
    assert str(failure.value) == ("The project shop is called storefront now. Nothing was deleted.")
    assert names(service) == ["storefront"]


def test_an_item_of_a_loop_is_not_deleted_under_a_name_that_it_no_longer_bears(service):
    old = [f"old-{number}" for number in range(1, 5)]
    service.seed(teams=[ACME], projects=[{"name": name, "team": "acme"} for name in old])
    service.fault(
        "DELETE /projects/{idOrName}",
        "concurrent",
        request="PATCH /projects/old-4?teamId=acme",
        body={"name": "keep"},
    )
    loop = make_platform(service.base_url, service.clock)
    for name in old[:3]:
        assert run_task(service, "project", loop, **FOR_ACME, name=name, state="absent")["changed"]
    with pytest.raises(PlatformError, match="The project old-4 is called keep now"):
        run_task(service, "project", loop, **FOR_ACME, name="old-4", state="absent")
    assert names(service) == ["keep"]


def test_a_second_deletion_finds_that_the_list_is_late(service):
    service.seed(teams=[ACME], projects=[{"name": "old", "team": "acme"}])
    service.switch(lists_late_ms=5000)
    gone = {**FOR_ACME, "name": "old", "state": "absent"}
    assert run_task(service, "project", **gone)["changed"] is True
    again = run_task(service, "project", **gone)
    assert (again["changed"], again["project"]) == (False, {})
    assert service.clock.slept[-3:] == [1, 2, 4]


@pytest.mark.parametrize("fault", ["reset", "504", "409"])
def test_a_creation_without_a_success_is_asked_for_by_its_name(service, fault):
    service.seed(teams=[ACME])
    service.switch(lists_late_ms=60000)
    service.plan_fault("POST /projects", fault, when="after")
    result = run_task(service, "project", **FOR_ACME, name="shop", framework="hugo")
    assert result["project"]["name"] == "shop"
    assert result["changed"] is (fault != "409")
    assert names(service) == ["shop"]


def test_a_project_of_another_team_is_not_adopted(service):
    zeta = {"slug": "zeta", "id": "team_zeta", "createdAt": 1}
    service.seed(teams=[ACME, zeta], projects=[{"name": "shop", "team": "zeta"}])
    service.plan_fault("POST /projects", "409")
    with pytest.raises(ApiError, match="status 409"):
        run_task(service, "project", **FOR_ACME, name="shop")


@pytest.mark.parametrize("scope", [{}, {"teamId": "team_acme"}], ids=["own", "of a team"])
def test_in_the_own_scope_no_project_is_adopted_that_only_a_get_shows(service, scope):
    """However young it is: nobody can tell whose it is."""
    service.seed(teams=[ACME])
    service.switch(lists_late_ms=60000)
    service.ask("POST", "projects", {"name": "shop", **scope})
    (stored,) = service.state()["projects"]
    service.plan_fault("POST /projects", "409")
    with pytest.raises(ApiError) as failure:
        run_task(service, "project", own_scope=True, name="shop")
    assert f"id {stored['id']}" in str(failure.value)
    assert len(service.state()["projects"]) == 1


@pytest.mark.parametrize(("status", "is_found"), [("404", False), ("500", False), ("401", None)])
def test_an_answer_that_is_not_the_named_project_says_nothing(service, status, is_found):
    service.seed(teams=[ACME])
    service.plan_fault(GET_PROJECT, status, count=9)
    options = {**FOR_ACME, "alias": "www.example.com", "project": "shop"}
    said = "status 401" if is_found is None else "project: shop is neither"
    with pytest.raises(PlatformError, match=said):
        run_task(service, "alias", **options)


def test_a_named_project_of_another_team_does_not_count(service):
    zeta = {"slug": "zeta", "id": "team_zeta", "createdAt": 1}
    service.seed(teams=[ACME, zeta], projects=[{"name": "shop", "team": "zeta"}])
    with pytest.raises(PlatformError, match="project: shop is neither"):
        run_task(service, "alias", **FOR_ACME, alias="www.example.com", project="shop")


def test_in_the_own_scope_no_project_is_asked_for(service):
    with pytest.raises(PlatformError, match="project: shop is neither"):
        run_task(service, "alias", own_scope=True, alias="www.example.com", project="shop")
    assert GET_PROJECT not in service.operations


@pytest.mark.parametrize("option", ["name", "id"])
def test_a_project_that_one_get_shows_is_not_created_again(service, option):
    """The list lacks it, and a service may allow two of one name."""
    service.seed(teams=[ACME])
    service.switch(lists_late_ms=60000, duplicate_names="allowed")
    made = run_task(service, "project", **FOR_ACME, name="shop")["project"]
    given = {option: made[option], "framework": "astro"}
    checked = run_task(service, "project", check_mode=True, **FOR_ACME, **given)
    done = run_task(service, "project", **FOR_ACME, **given)
    assert checked["diff"] == done["diff"]
    assert (done["project"]["id"], done["project"]["framework"]) == (made["id"], "astro")
    assert len(service.state()["projects"]) == 1


@pytest.mark.parametrize("result", ["old", "empty"])
@pytest.mark.parametrize("lists_late_ms", [0, 60000])
def test_a_change_that_the_answer_does_not_show_is_looked_at(service, result, lists_late_ms):
    service.seed(teams=[ACME], projects=[{"name": "shop", "team": "acme", "framework": "astro"}])
    service.switch(patch_result=result, lists_late_ms=lists_late_ms)
    service.forget_requests()
    done = run_task(service, "project", **FOR_ACME, name="shop", framework="hugo")
    assert (done["changed"], done["project"]["framework"]) == (True, "hugo")
    assert done["warnings"] == []
    assert service.operations[-2:] == ["PATCH /projects/{idOrName}", GET_PROJECT]


@pytest.mark.parametrize(
    ("module", "field", "options"),
    [
        ("project", "name", {**FOR_ACME, "name": "new", "previously": ["old"]}),
        ("team", "slug", {"slug": "new", "previously": ["old"]}),
    ],
)
@pytest.mark.parametrize("get_fails", [False, True])
def test_a_name_that_is_still_the_old_one_has_failed(service, module, field, options, get_fails):
    service.seed(
        teams=[ACME, {"slug": "old", "createdAt": 1}], projects=[{"name": "old", "team": "acme"}]
    )
    service.switch(patch_ignores=field)
    if get_fails:
        service.plan_fault("GET /teams/{teamIdOrSlug}", "404", count=9)
        service.plan_fault(GET_PROJECT, "404", count=9)
    with pytest.raises(PlatformError) as failure:
        run_task(service, module, **options)
    place = "acme/" if module == "project" else ""
    assert str(failure.value) == f'{module} {place}new: {field} is "old", not "new". {WHAT_TO_DO}'
    assert failure.value.result["changed"] is True


def test_a_field_that_no_answer_can_show_is_not_looked_at(service):
    service.seed(teams=[ACME])
    options = {"slug": "acme", "description": "Ours", "write_only_fields": "always"}
    assert run_task(service, "team", **options)["changed"] is True
    assert service.operations == ["GET /teams", "PATCH /teams/{teamIdOrSlug}"]
