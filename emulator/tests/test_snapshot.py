# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots: the whole state as a document, and back."""

import json
from functools import reduce
from operator import getitem
from typing import Any

import pytest

from hosting_platform_emulator import running
from support import DEV_EMAIL, DEV_TOKEN, OWNER_TOKEN, Api, assert_refused, pairs

TABLES = (
    "users",
    "tokens",
    "logins",
    "teams",
    "members",
    "projects",
    "project_domains",
    "aliases",
    "domains",
    "changes",
)


def snapshot(api: Api) -> bytes:
    return api.post("/_emulator/snapshot").content


def restore(api: Api, content: bytes) -> None:
    answer = api.post("/_emulator/restore", content=content)
    assert answer.is_success, answer.text


@pytest.fixture
def full(api: Api) -> Api:
    """A platform with something of everything, times and faults under way included."""
    api.post("/_emulator/clock", json={"now": 1_767_225_600_000, "stopped": True})
    api.control.switch(ids="numeric", not_found=403, rate_limit="100000/60", join_parameter="code")
    api.control.seed(
        users=[{"email": DEV_EMAIL, "token": DEV_TOKEN}],
        teams=[
            {
                "slug": "acme",
                "name": "\u00c4cme \U0001f600",
                "description": "a\u0000b",
                "owner": DEV_EMAIL,
            }
        ],
        domains=[{"name": "example.com", "team": "acme"}],
        projects=[
            {"name": "web", "team": "acme", "createdAt": 5},
            {"name": "a/b", "framework": ""},
        ],
        aliases=[{"alias": "www.example.com", "project": "web", "team": "acme", "id": 2**63 - 1}],
        project_domains=[
            {"alias": "p.example.com", "project": "web", "team": "acme", "verified": False}
        ],
    )
    api.post("/auth/signin", json={"email": "x@example.com", "tokenName": "x"})
    for name in ("one", "two"):
        api.new_project(name)
    api.control.switch(lists_late_ms=1000)
    api.patch("/teams/acme", json={"name": "Other"})
    api.patch("/projects/one", json={"framework": "vite"})
    api.delete("/projects/two")
    api.control.fault("GET /user", "503", probability=0.5, seed=7)
    api.control.fault("*", "500", count=9, skip=100, retry_after="3")
    for _ in range(5):
        api.get("/user")
    return api


def test_a_snapshot_comes_back_byte_by_byte(full: Api) -> None:
    before = snapshot(full)
    state = full.get("/_emulator/state").content
    outbox = full.get("/_emulator/outbox").content
    assert snapshot(full) == before
    full.post("/_emulator/reset")
    full.control.seed(projects=[{"name": "other"}])
    full.control.switch(limit_cap=3)
    assert snapshot(full) != before
    full.get("/user")
    log = full.control.requests()
    restore(full, before)
    assert full.control.requests() == log != [], "the log is no part of it"
    assert snapshot(full) == before
    assert full.get("/_emulator/state").content == state
    assert full.get("/_emulator/outbox").content == outbox
    assert full.as_user(DEV_TOKEN).names("/projects", teamId="acme") == ["web"]


def test_restoration_is_followed_by_the_same_as_the_snapshot(full: Api) -> None:
    """Faults go on where they were, and new objects get the same numbers and times."""

    def what_follows() -> list[Any]:
        outcomes: list[Any] = [full.get("/user").status_code for _ in range(20)]
        made = full.new_project("three")
        return [*outcomes, made, full.get("/_emulator/faults").json(), full.page("/aliases")]

    before = snapshot(full)
    first = what_follows()
    restore(full, before)
    assert what_follows() == first


def test_a_snapshot_of_another_emulator(full: Api) -> None:
    """The token that an emulator was started with is its own; users' tokens go along."""
    before = snapshot(full)
    other_token = "token-of-another-emulator-0123"
    assert OWNER_TOKEN.encode() not in before
    assert DEV_TOKEN.encode() not in before
    with running(owner_token=other_token) as platform, Api(platform.base_url, other_token) as other:
        restore(other, before)
        assert snapshot(other) == before
        assert other.control.state() == full.control.state()
        other.delete("/_emulator/faults")
        assert other.get("/user").json()["id"] == full.control.state()["users"][0]["id"]
        assert other.as_user(OWNER_TOKEN).get("/user").status_code == 401
        assert other.as_user(DEV_TOKEN).get("/user").is_success


def changed(document: Any, path: str, value: Any) -> Any:
    """The document with another value at a path such as `stored.users.0.email`."""
    *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    place = reduce(getitem, parents, document)
    if value is KeyError:
        del place[last]
    else:
        place[last] = value
    return document


# By path, values that are wrong there; KeyError: it is not there at all.
WRONG: dict[str, list[Any]] = {
    "format": [2, "1"],
    "clock": [KeyError],
    "stored": [[]],
    "stored.counter": [-1, 2**60, "5", KeyError],
    **{f"stored.{table}": [None, {}, [1], [{}], KeyError] for table in TABLES},
    "stored.users.0.isOwner": [0, 2],
    "stored.users.1.email": ["owner@example.com"],
    "stored.users.0.id": [None, 5],
    "stored.users.0.createdAt": [2**60, 1.5, True],
    "stored.members.0.role": ["KING", None],
    "stored.projects.0.framework": [KeyError, []],
    "stored.changes.0.kind": ["users", "nothing"],
    "stored.changes.0.row": ["{", "[]", "{}", '{"id": 5}'],
    "stored.changes.0.changedAt": [None, "now"],
    "switches.not_found": [418],
    "faults.0.thrown": [-1, KeyError],
    "faults.0.fault": ["418"],
    "faults.1.remaining": ["many"],
    "clock.offset": ["x"],
}


@pytest.mark.parametrize(("path", "value"), pairs(WRONG))
def test_wrong_snapshot_is_refused(full: Api, path: str, value: Any) -> None:
    before = snapshot(full)
    document = changed(json.loads(before), path, value)
    assert_refused(full.post("/_emulator/restore", content=json.dumps(document)), 400, "")
    assert snapshot(full) == before, "all or nothing"
