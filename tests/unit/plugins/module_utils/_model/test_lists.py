# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""For how long a list that was read may serve again, and that it is no proof that an object does
not exist.
"""

import threading

import pytest
from client import converge_on, make_platform

from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    ApiError,
    Effect,
    Fault,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.alias import Alias
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._model.listing import (
    LOOP_SECONDS,
    WHOLE_TASK,
    ListCache,
    Listing,
    ListKey,
)

PROJECTS = ListKey("projects", "team_1")
OTHERS = ListKey("projects", "team_2")
UNSCOPED = ListKey("projects")
ALIASES = ListKey("aliases", "team_1")
TEAMS = ListKey("teams")


class Reader:
    """Reads as many objects as it was asked times."""

    def __init__(self):
        self.reads = 0

    def __call__(self):
        self.reads += 1
        records = [{"id": str(number), "name": f"p{number}"} for number in range(self.reads)]
        return Listing(records, Project.fields)


@pytest.fixture
def lists(clock):
    return ListCache(LOOP_SECONDS, clock.now)


@pytest.fixture
def read():
    return Reader()


def test_a_list_serves_for_ten_seconds_and_no_longer(clock, lists, read):
    lists.get(PROJECTS, read)
    clock.sleep(10)
    assert len(list(lists.get(PROJECTS, read))) == 1
    clock.sleep(0.001)
    assert len(list(lists.get(PROJECTS, read))) == 2


def test_the_seconds_count_from_before_the_reading(clock, lists, read):
    def slowly():
        clock.sleep(8)
        return read()

    lists.get(PROJECTS, slowly)
    clock.sleep(3)
    lists.get(PROJECTS, read)
    assert read.reads == 2


@pytest.mark.parametrize("seconds", [LOOP_SECONDS, WHOLE_TASK])
def test_write_updates_its_list_and_invalidates_affected_ones(clock, read, seconds):
    lists = ListCache(seconds, clock.now)
    for key in (PROJECTS, OTHERS, UNSCOPED, ALIASES, TEAMS):
        lists.get(key, read)
    lists.record_write(PROJECTS, {"id": "new", "name": "web"}, touched=("aliases",))
    assert [item["id"] for item in lists.get(PROJECTS, read).where("name", "web")] == ["new"]
    for key in (OTHERS, TEAMS):
        lists.get(key, read)
    assert read.reads == 5
    for key in (UNSCOPED, ALIASES):
        lists.get(key, read)
    assert read.reads == 7


def test_two_threads_that_are_first_at_the_same_time_share_a_lock(monkeypatch):
    listing = Listing([], Project.fields)
    both = threading.Barrier(2)
    used = set()
    make = threading.RLock

    class Lock:
        def __init__(self):
            self.lock = make()
            both.wait()  # two locks are made at the same time

        def __enter__(self):
            used.add(self)
            self.lock.acquire()

        def __exit__(self, *_error):
            self.lock.release()

    monkeypatch.setattr(threading, "RLock", Lock)
    lists = ListCache(LOOP_SECONDS)
    threads = [
        threading.Thread(target=lists.get, args=(PROJECTS, lambda: listing)) for _one in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(used) == 1


def test_a_read_that_has_just_failed_is_not_tried_again_by_those_that_waited(clock, lists, read):
    def fail():
        clock.sleep(8)
        raise ApiError(
            "GET /projects", "/projects", Fault("status 503.", Effect.INTERRUPTED, status=503)
        )

    with pytest.raises(ApiError):
        lists.get(PROJECTS, fail)
    listing = Listing([], Project.fields)
    for act in (lists.get, lambda key, read: lists.catch_up(key, listing, read)):
        with pytest.raises(ApiError, match=r"status 503\.$") as caught:
            act(PROJECTS, read)
        caught.value.add_sentence("Only this one.")
    lists.get(OTHERS, read)
    clock.sleep(0.5)
    lists.get(PROJECTS, read)
    assert read.reads == 2


def test_a_read_that_has_failed_is_tried_again_once_lists_are_forgotten(lists, read):
    def fail():
        raise ApiError(
            "GET /projects", "/projects", Fault("status 503.", Effect.INTERRUPTED, status=503)
        )

    with pytest.raises(ApiError):
        lists.get(PROJECTS, fail)
    lists.invalidate()
    lists.get(PROJECTS, read)
    assert read.reads == 1


SCOPES = pytest.mark.parametrize(
    "scope", [{}, {"own_scope": True}, {"team": "acme"}], ids=["unscoped", "own", "team"]
)


def stored_in(scope):
    """The scope as the emulator's seed takes it."""
    return {"team": scope["team"]} if "team" in scope else {}


def seed(emulator, count, scope):
    """As many projects of the scope, made long ago."""
    projects = [
        {"name": f"old{number}", "createdAt": 1000 + number, **stored_in(scope)}
        for number in range(count)
    ]
    emulator.seed(teams=[{"slug": "acme"}], projects=projects)


@SCOPES
def test_object_created_by_another_play_is_not_created_again(emulator, clock, scope):
    emulator.switch(duplicate_names="allowed")
    seed(emulator, 150, scope)
    platform = make_platform(emulator.base_url, clock)
    for number in range(10):
        emulator.seed(projects=[{"name": f"p{number}", **stored_in(scope)}] if number > 1 else [])
        converge_on(platform, Project, name=f"p{number}", **scope)
        clock.sleep(0.6)
    names = [
        project["name"]
        for project in emulator.state()["projects"]
        if project["name"].startswith("p")
    ]
    assert sorted(names) == [f"p{number}" for number in range(10)]


@SCOPES
def test_the_look_before_a_creation_is_one_request_now_and_then(emulator, clock, scope):
    """At 20 ms for each creation: 1.1 requests for each, the pages once, and two."""
    seed(emulator, 250, scope)
    platform = make_platform(emulator.base_url, clock)
    for number in range(100):
        converge_on(platform, Project, name=f"p{number}", **scope)
        clock.sleep(0.025)
    assert (
        len(
            [project for project in emulator.state()["projects"] if project["name"].startswith("p")]
        )
        == 100
    )
    pages = 4
    teams = 1 if scope else 0
    assert len(emulator.requests()) <= 1.1 * 100 + pages + teams + 2


def test_failed_write_makes_the_next_loop_item_read_again(emulator):
    emulator.seed(teams=[{"slug": "beta"}], projects=[{"name": "web", "team": "beta"}])
    platform = make_platform(emulator.base_url)
    emulator.plan_fault("PATCH /projects/{idOrName}", "504", when="after", count=9)
    with pytest.raises(ApiError, match="status 504"):
        converge_on(platform, Project, name="site", previously=["web"], team="beta")
    emulator.recover()
    assert converge_on(platform, Project, name="web", team="beta")["changed"] is True
    assert sorted(project["name"] for project in emulator.state()["projects"]) == ["site", "web"]


@pytest.mark.parametrize(
    ("options", "left"), [({"framework": "vue"}, ["a", "b"]), ({"state": "absent"}, [])]
)
def test_object_deleted_during_the_loop_is_not_found_in_memory(emulator, options, left):
    seeded = emulator.seed(
        teams=[{"slug": "acme"}], projects=[{"name": name, "team": "acme"} for name in "ab"]
    )
    platform = make_platform(emulator.base_url)
    other = seeded["projects"][1]
    converge_on(platform, Project, name="a", team="acme", **options)
    emulator.ask("DELETE", f"projects/{other['id']}", team=other["teamId"]).raise_for_status()
    converge_on(platform, Project, name="b", team="acme", **options)
    assert sorted(project["name"] for project in emulator.state()["projects"]) == left


def test_alias_finds_a_project_created_during_the_loop(emulator):
    platform = make_platform(emulator.base_url)
    scope = {"team": "acme"}
    for name in ("old", "new"):
        emulator.seed(
            projects=[{"name": name, **scope}], teams=[{"slug": "acme"}] if name == "old" else []
        )
        assert (
            converge_on(platform, Alias, alias=f"{name}.example.com", project=name, **scope)[
                "changed"
            ]
            is True
        )
