# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes under faults: nothing twice, nothing lost; the wanted state, or a failure that says so."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from client import converge_on, make_platform, resource_of, run_module
from emulated import ControlledEmulator
from stub_server import list_response, stub_server, text_response

from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    ApiError,
    PlatformError,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.alias import Alias
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.domain import Domain
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import Team
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team_join import (
    join_team,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.step import Action

pytestmark = pytest.mark.oldest_libraries

BROKEN = ["500", "502", "503", "reset", "short"]
UNKNOWN = ["504", "truncated", "html"]
NEWCOMER = "newcomer-token-0123456789"
CODE = "code-0123456789"

KINDS: dict[type, dict[str, Any]] = {Project: {"name": "web"}, Team: {"slug": "acme"}}
POST = {Project: "POST /projects", Team: "POST /teams"}
PATCH = {Project: "PATCH /projects/{idOrName}", Team: "PATCH /teams/{teamIdOrSlug}"}
CHANGED = {Project: "framework", Team: "name"}
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.singular)


@dataclass
class Write:
    """What is done, by which operation, and how often the stored objects then have a value in a
    field.
    """

    act: Callable[[ControlledEmulator], dict[str, Any]]
    operation: str
    kind: str
    field: str
    value: str
    times: int

    def is_done(self, service: ControlledEmulator) -> bool:
        return [item[self.field] for item in service.state()[self.kind]].count(
            self.value
        ) == self.times

    @property
    def may_be_repeated(self) -> bool:
        return self.operation.startswith(("PATCH", "DELETE"))


def module(kind: type, **options: Any) -> Callable[[ControlledEmulator], dict[str, Any]]:
    return lambda service: run_module(kind, service.base_url, **options)


def join(service: ControlledEmulator) -> dict[str, Any]:
    options = {"team": "acme", "invite_code": CODE, "invite_code_parameter": "inviteCode"}
    return join_team(make_platform(service.base_url, access_token=NEWCOMER), options, False)


ASSIGN = "POST /{projectName}/alias"
WEB: dict[str, Any] = {"name": "web", "team": "acme"}
WWW: dict[str, Any] = {"alias": "www.example.com", "team": "acme"}
MOVED: dict[str, Any] = {"alias": "moved.example.com", "team": "acme"}
GONE = {"state": "absent"}
# A project has an alias by the service's choice.
WRITES = {
    "create a project": Write(
        module(Project, name="new", team="acme"), POST[Project], "projects", "name", "new", 1
    ),
    "create a team": Write(module(Team, slug="nova"), POST[Team], "teams", "slug", "nova", 1),
    "change a project": Write(
        module(Project, **WEB, framework="x"), PATCH[Project], "projects", "framework", "x", 1
    ),
    "change a team": Write(
        module(Team, slug="acme", name="New"), PATCH[Team], "teams", "name", "New", 1
    ),
    "delete a project": Write(
        module(Project, **WEB, **GONE), "DELETE /projects/{idOrName}", "projects", "name", "web", 0
    ),
    "delete a team": Write(
        module(Team, slug="acme", **GONE),
        "DELETE /teams/{teamIdOrSlug}",
        "teams",
        "slug",
        "acme",
        0,
    ),
    "assign": Write(
        module(Alias, **WWW, project="web"), ASSIGN, "aliases", "projectId", "prj_web", 2
    ),
    "move": Write(
        module(Alias, **MOVED, project="web"), ASSIGN, "aliases", "projectId", "prj_web", 2
    ),
    "unassign": Write(
        module(Alias, **MOVED, **GONE),
        "DELETE /aliases/{aliasId}",
        "aliases",
        "alias",
        "moved.example.com",
        0,
    ),
    "delete a domain": Write(
        module(Domain, name="old.org", team="acme", **GONE),
        "DELETE /domains/{domain}",
        "domains",
        "name",
        "old.org",
        0,
    ),
    "join": Write(join, "GET /teams/{teamId}/join", "members", "email", "new@example.com", 1),
}
each_write = pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)


@pytest.fixture
def service(emulator: ControlledEmulator) -> ControlledEmulator:
    """One that tells as little as possible: what is sent twice is there twice, and what is not
    there is forbidden.
    """
    emulator.switch(duplicate_names="allowed", not_found=403)
    emulator.seed(
        users=[{"email": "new@example.com", "token": NEWCOMER}],
        teams=[{"id": "team_acme", "slug": "acme", "inviteCode": CODE, "createdAt": 1}],
        projects=[
            {**WEB, "id": "prj_web", "createdAt": 1},
            {"name": "api", "team": "acme", "createdAt": 1},
        ],
        domains=[{"name": "old.org", "team": "acme"}],
        aliases=[{**MOVED, "project": "api"}],
    )
    return emulator


@each_write
@pytest.mark.parametrize(
    ("fault", "details"),
    [("429", {}), ("503", {"retry_after": "2"}), *((fault, {}) for fault in BROKEN)],
)
def test_transient_faults_are_retried(service, write, fault, details):
    service.plan_fault(write.operation, fault, when="before", count=2, **details)
    assert write.act(service)["changed"] is True
    assert write.is_done(service)
    assert service.operations.count(write.operation) == 3


@each_write
@pytest.mark.parametrize("fault", [*BROKEN, *UNKNOWN, "empty"])
def test_lost_responses_are_looked_up(service, write, fault):
    """The second try of a deletion finds nothing: that is success, and the change was ours."""
    service.plan_fault(write.operation, fault, when="after")
    assert write.act(service)["changed"] is True
    assert write.is_done(service)
    assert (write.may_be_repeated and fault != "empty") or service.operations.count(
        write.operation
    ) == 1


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        *product(WRITES, UNKNOWN),
        *((name, "empty") for name in ("create a project", "create a team", "join")),
    ],
)
def test_unknown_effects_are_resolved_or_reported(service, name, fault):
    """A change or a deletion is simply sent again; what is created, assigned or joined is looked
    for.
    """
    write = WRITES[name]
    service.plan_fault(write.operation, fault, when="before")
    if write.may_be_repeated:
        assert write.act(service)["changed"] is True
        assert write.is_done(service)
    else:
        with pytest.raises(ApiError, match="unknown") as failure:
            write.act(service)
        assert failure.value.failure["operation"] == write.operation
        assert not write.is_done(service)
        assert service.operations.count(write.operation) == 1


@each_write
@pytest.mark.parametrize("status", ["401", "403"])
def test_a_refusal_fails_and_is_never_taken_for_absence(service, write, status):
    service.plan_fault(write.operation, status, when="before", count=10)
    with pytest.raises(ApiError) as failure:
        write.act(service)
    assert failure.value.failure["status"] == int(status)
    assert not write.is_done(service)
    assert service.operations.count(write.operation) == 1


def stored(service: ControlledEmulator, kind) -> list[dict[str, Any]]:
    return service.state()[kind.plural]


@each_kind
@pytest.mark.parametrize("duplicates", [409, 400])
@pytest.mark.parametrize("value", ["ours", "theirs"])
def test_object_created_by_another_host_is_adopted(emulator, kind, duplicates, value):
    """Unchanged where it is as wanted; else the differing fields are changed, and the diff shows
    only these.
    """
    emulator.switch(duplicate_names=duplicates)
    option = CHANGED[kind]
    differs = value == "theirs"
    resource = resource_of(kind, emulator.base_url, **KINDS[kind], **{option: "ours"})
    step = resource.plan()
    assert step.action is Action.CREATE
    emulator.seed(**{kind.plural: [{**KINDS[kind], option: value}]})
    done = resource.apply(step)
    (item,) = stored(emulator, kind)
    assert item[option] == "ours"
    assert done.expected["id"] == item["id"]
    assert done.is_change is differs
    if differs:
        assert (done.before, done.changes) == ({option: "theirs"}, {option: "ours"})
    else:
        assert done.before == done.changes


@each_kind
@pytest.mark.parametrize("fault", ["401", "403", "500", "html", "empty", "truncated"])
@pytest.mark.parametrize("state", ["present", "absent"])
def test_a_list_that_cannot_be_read_fails_and_nothing_is_written(emulator, kind, fault, state):
    emulator.seed(**{kind.plural: [KINDS[kind]]})
    emulator.plan_fault(f"GET /{kind.plural}", fault, count=100)
    with pytest.raises(PlatformError):
        run_module(
            kind,
            emulator.base_url,
            **KINDS[kind],
            state=state,
            **({} if kind is Project else {"name": "New"}),
        )
    assert emulator.writes == []


def test_a_team_created_without_its_write_only_fields_says_so(emulator):
    """In a loop, too: doing it again would find the team there, and say that nothing changed."""
    platform = make_platform(emulator.base_url)
    converge_on(platform, Team, slug="acme", description="What we do")
    emulator.plan_fault(PATCH[Team], "400")
    said = "description could not be set. To send them, set write_only_fields: always once."
    with pytest.raises(ApiError, match=said) as failure:
        converge_on(platform, Team, slug="zeta", description="What we do")
    assert failure.value.result["changed"] is True
    assert [team["slug"] for team in stored(emulator, Team)] == ["acme", "zeta"]


@each_kind
def test_a_look_that_fails_says_that_a_creation_may_have_happened(kind):
    posted = []

    def reply(asked):
        if asked.method == "POST":
            posted.append(asked)
            raise ConnectionAbortedError
        return text_response("down", 503) if posted else list_response(**{kind.plural: []})

    with (
        stub_server(reply) as server,
        pytest.raises(ApiError, match="unknown whether the object was") as failure,
    ):
        run_module(kind, server.base_url, **KINDS[kind])
    assert failure.value.operation == POST[kind].replace("POST", "GET")
    assert f"{POST[kind]} failed" in str(failure.value)
    assert len(posted) == 1
