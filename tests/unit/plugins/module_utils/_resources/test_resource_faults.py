# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes under faults: nothing twice, nothing lost; the wanted state, or a failure that says so."""

from __future__ import annotations

from typing import Any

import pytest
from client import ManualClock, converge_on, platform_to, resource_of, run, run_both
from emulated import Emulated
from scripted import answer_lists, answer_text, scripted

from ansible_collections.hosting.platform.plugins.module_utils._common.errors import ApiError, PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._kinds.team import Team
from ansible_collections.hosting.platform.plugins.module_utils._resources.plan import Action

pytestmark = pytest.mark.oldest_libraries

THROTTLED = ["429", "503 with Retry-After"]
BROKEN = ["500", "502", "503", "reset", "short"]
UNKNOWN = ["504", "truncated", "html", "empty"]
ON_EITHER_SIDE = [
    *(("before", fault) for fault in [*THROTTLED, *BROKEN, "504", "truncated", "html"]),
    *(("after", fault) for fault in [*BROKEN, *UNKNOWN]),
]
KINDS: dict[type, dict[str, Any]] = {Project: {"name": "web"}, Team: {"slug": "acme"}}
POST = {Project: "POST /projects", Team: "POST /teams"}
PATCH = {Project: "PATCH /projects/{idOrName}", Team: "PATCH /teams/{teamIdOrSlug}"}
DELETE = {Project: "DELETE /projects/{idOrName}", Team: "DELETE /teams/{teamIdOrSlug}"}
CHANGED = {Project: "framework", Team: "name"}
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.singular)


def plan_fault(service: Emulated, operation: str, fault: str, when: str, count: int = 1) -> None:
    status, _separator, has_retry_after = fault.partition(" with ")
    service.fail(operation, status, when=when, count=count, **({"retry_after": "2"} if has_retry_after else {}))


def stored(service: Emulated, kind) -> list[dict[str, Any]]:
    return service.state()[kind.plural]


def sent(service: Emulated, method: str) -> int:
    return [request["method"] for request in service.requests()].count(method)


@each_kind
@pytest.mark.parametrize("duplicates", [409, "allowed"])
@pytest.mark.parametrize(
    ("when", "fault", "posts"),
    [
        *(("before", fault, 3) for fault in [*THROTTLED, *BROKEN]),
        *(("after", fault, 1) for fault in [*BROKEN, *UNKNOWN]),
    ],
)
def test_a_creation_happens_exactly_once(emulator, kind, duplicates, when, fault, posts):
    emulator.switch(duplicate_names=duplicates)
    plan_fault(emulator, POST[kind], fault, when, count=2)
    result = run(kind, emulator.base_url, **KINDS[kind])
    assert result["changed"] is True
    assert [item["id"] for item in stored(emulator, kind)] == [result[kind.singular]["id"]]
    assert sent(emulator, "POST") == posts


@pytest.mark.parametrize("write_only_fields", ["on_create", "always"])
def test_a_creation_whose_answer_was_lost_is_told_as_one(emulator, write_only_fields):
    """What is sent to a team that exists, too, is no change of another's team."""
    plan_fault(emulator, POST[Team], "500", "after")
    options = {"slug": "acme", "description": "Ads", "write_only_fields": write_only_fields}
    predicted, result = run_both(Team, emulator.base_url, **options)
    assert (result["changed"], result["diff"]) == (True, predicted["diff"])
    assert sent(emulator, "PATCH") == 1


@each_kind
@pytest.mark.parametrize("fault", UNKNOWN)
def test_a_creation_of_which_nobody_knows_is_looked_for_and_not_sent_again(emulator, kind, fault):
    plan_fault(emulator, POST[kind], fault, "before")
    clock = ManualClock()
    with pytest.raises(ApiError, match="unknown") as failure:
        converge_on(platform_to(emulator.base_url, clock), kind, **KINDS[kind])
    assert failure.value.failure["operation"] == POST[kind]
    assert stored(emulator, kind) == []
    assert sent(emulator, "POST") == 1
    assert len(clock.slept) == 5


@each_kind
def test_a_creation_that_shows_up_late_is_adopted(emulator, kind):
    """The gateway gives up; the service goes on, and is done only while we look for the second time."""
    plan_fault(emulator, POST[kind], "504", "before")

    class LateClock(ManualClock):
        def sleep(self, seconds):
            super().sleep(seconds)
            if len(self.slept) == 2:
                emulator.seed(**{kind.plural: [KINDS[kind]]})

    result = converge_on(platform_to(emulator.base_url, LateClock()), kind, **KINDS[kind])
    assert result["changed"] is True
    assert [item["id"] for item in stored(emulator, kind)] == [result[kind.singular]["id"]]
    assert sent(emulator, "POST") == 1


@each_kind
@pytest.mark.parametrize("fault", BROKEN)
def test_a_creation_that_keeps_failing_fails_in_the_end(emulator, kind, fault):
    plan_fault(emulator, POST[kind], fault, "before", count=100)
    with pytest.raises(ApiError, match="Given up"):
        run(kind, emulator.base_url, **KINDS[kind])
    assert sent(emulator, "POST") == 6
    assert stored(emulator, kind) == []


@each_kind
@pytest.mark.parametrize("duplicates", [409, 400])
@pytest.mark.parametrize("value", ["ours", "theirs"])
def test_what_another_host_creates_first_is_adopted(emulator, kind, duplicates, value):
    """Unchanged where it is as wanted; else the differing fields are changed, and the diff shows only these."""
    emulator.switch(duplicate_names=duplicates)
    option, differs = CHANGED[kind], value == "theirs"
    resource = resource_of(kind, emulator.base_url, **KINDS[kind], **{option: "ours"})
    step = resource.plan()
    assert step.action is Action.CREATE
    emulator.seed(**{kind.plural: [{**KINDS[kind], option: value}]})
    done = resource.apply(step)
    (item,) = stored(emulator, kind)
    assert item[option] == "ours"
    assert done.item["id"] == item["id"]
    assert done.changed is differs
    if differs:
        assert (done.step.before, done.step.after) == ({option: "theirs"}, {option: "ours"})
    else:
        assert done.step.before == done.step.after


@each_kind
@pytest.mark.parametrize(("when", "fault"), ON_EITHER_SIDE)
def test_a_change_is_made_or_fails(emulator, kind, when, fault):
    option = CHANGED[kind]
    emulator.seed(**{kind.plural: [KINDS[kind]]})
    plan_fault(emulator, PATCH[kind], fault, when)
    result = run(kind, emulator.base_url, **KINDS[kind], **{option: "new"})
    assert result["changed"] is True
    assert result[kind.singular][option] == "new"
    assert stored(emulator, kind)[0][option] == "new"


@each_kind
def test_a_change_that_is_answered_with_success_and_not_made_fails(emulator, kind):
    option = CHANGED[kind]
    emulator.seed(**{kind.plural: [KINDS[kind]]})
    emulator.fail(PATCH[kind], "empty")
    with pytest.raises(PlatformError, match="unchanged"):
        run(kind, emulator.base_url, **KINDS[kind], **{option: "new"})


@each_kind
@pytest.mark.parametrize("not_found", [404, 400, 403])
@pytest.mark.parametrize(("when", "fault"), ON_EITHER_SIDE)
def test_a_deletion_is_made_or_fails(emulator, kind, not_found, when, fault):
    """The second try of one whose answer was lost finds nothing: that is success, and the change was ours."""
    emulator.switch(not_found=not_found)
    emulator.seed(**{kind.plural: [KINDS[kind]]})
    plan_fault(emulator, DELETE[kind], fault, when)
    result = run(kind, emulator.base_url, **KINDS[kind], state="absent")
    assert result["changed"] is True
    assert stored(emulator, kind) == []


@each_kind
@pytest.mark.parametrize("fault", ["401", "403"])
@pytest.mark.parametrize("state", ["present", "absent"])
def test_no_permission_is_never_taken_for_absence(emulator, kind, fault, state):
    emulator.seed(**{kind.plural: [{"id": "known", **KINDS[kind]}]})
    emulator.fail((DELETE if state == "absent" else PATCH)[kind], fault)
    given = {CHANGED[kind]: "new"} if state == "present" else {}
    with pytest.raises(ApiError) as failure:
        run(kind, emulator.base_url, id="known", state=state, **given)
    assert failure.value.failure["status"] == int(fault)
    assert len(stored(emulator, kind)) == 1


@each_kind
@pytest.mark.parametrize("fault", ["401", "403", "500", "html", "empty", "truncated"])
@pytest.mark.parametrize("state", ["present", "absent"])
def test_a_list_that_cannot_be_read_fails_and_nothing_is_written(emulator, kind, fault, state):
    emulator.seed(**{kind.plural: [KINDS[kind]]})
    emulator.fail(f"GET /{kind.plural}", fault, count=100)
    with pytest.raises(PlatformError):
        run(kind, emulator.base_url, **KINDS[kind], state=state, **({} if kind is Project else {"name": "New"}))
    assert emulator.writes == []


def test_a_team_created_without_its_write_only_fields_says_so(emulator):
    emulator.fail("PATCH /teams/{teamIdOrSlug}", "403")
    with pytest.raises(ApiError, match="description could not be set"):
        run(Team, emulator.base_url, slug="acme", description="What we do")
    assert len(emulator.state()["teams"]) == 1


def test_a_team_created_without_its_write_only_fields_fails_in_a_loop_too(emulator):
    """Doing it again would find the team there, and say that nothing changed."""
    platform = platform_to(emulator.base_url, in_loop=True)

    def item(slug: str) -> dict[str, Any]:
        return converge_on(platform, Team, slug=slug, description="What we do")

    item("acme")
    emulator.fail("PATCH /teams/{teamIdOrSlug}", "403")
    with pytest.raises(ApiError, match="description could not be set") as failure:
        item("zeta")
    assert failure.value.result["changed"] is True


def test_what_an_item_of_a_loop_may_have_written_is_asked_for_by_the_next(emulator):
    emulator.seed(teams=[{"slug": "beta"}], projects=[{"name": "web", "team": "beta"}])
    platform = platform_to(emulator.base_url, in_loop=True)
    plan_fault(emulator, PATCH[Project], "504", "after", count=9)
    with pytest.raises(ApiError, match="status 504"):
        converge_on(platform, Project, name="site", previously=["web"], team="beta")
    emulator.recover()
    assert converge_on(platform, Project, name="web", team="beta")["changed"] is True
    assert sorted(project["name"] for project in emulator.state()["projects"]) == ["site", "web"]


@pytest.mark.parametrize("in_loop", [False, True])
@pytest.mark.parametrize("status", ["401", "403"])
@each_kind
def test_a_refused_creation_is_sent_once(emulator, kind, status, in_loop):
    """Its own lists have told it the truth, only those of earlier items of a loop may be outdated."""
    emulator.seed(teams=[{"slug": "beta"}])
    emulator.forget_requests()
    emulator.fail(POST[kind], status, count=9)
    team = {"team": "beta"} if kind is Project else {}
    platform = platform_to(emulator.base_url, in_loop=in_loop)
    with pytest.raises(ApiError, match=f"status {status}"):
        converge_on(platform, kind, **KINDS[kind], **team)
    assert len(emulator.writes) == 1


@each_kind
def test_a_look_that_fails_says_that_a_creation_may_have_happened(kind):
    posted = []

    def reply(asked):
        if asked.method == "POST":
            posted.append(asked)
            raise ConnectionAbortedError
        return answer_text("down", 503) if posted else answer_lists(**{kind.plural: []})

    with scripted(reply) as server, pytest.raises(ApiError, match="Whether it was created is unknown") as failure:
        run(kind, server.base_url, **KINDS[kind])
    assert failure.value.operation == POST[kind].replace("POST", "GET")
    assert f"{POST[kind]} failed" in str(failure.value)
    assert len(posted) == 1
