# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""For how long a list that was read may serve again."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from ansible_collections.hosting.platform.plugins.module_utils._fields import host_form
from ansible_collections.hosting.platform.plugins.module_utils._resources._listing import (
    LOOP_SECONDS,
    TEAMS,
    Listing,
    Lists,
)

PROJECTS = ("projects", "team team_1")
OTHERS = ("projects", "team team_2")


class Reader:
    """Reads as many objects as it was asked times."""

    def __init__(self):
        self.reads = 0

    def __call__(self):
        self.reads += 1
        return Listing({"id": str(number), "name": f"p{number}"} for number in range(self.reads))


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def read():
    return Reader()


def test_a_list_serves_for_sixty_seconds_and_no_longer(clock, read):
    lists = Lists(LOOP_SECONDS, clock)
    lists.get(PROJECTS, read)
    clock.now += 60
    assert len(lists.get(PROJECTS, read)) == 1
    clock.now += 0.001
    assert len(lists.get(PROJECTS, read)) == 2


def test_the_seconds_count_from_before_the_reading(clock, read):
    lists = Lists(LOOP_SECONDS, clock)

    def slowly():
        clock.now += 50
        return read()

    lists.get(PROJECTS, slowly)
    clock.now += 11
    lists.get(PROJECTS, read)
    assert read.reads == 2


def test_without_keeping_every_question_is_asked(clock, read):
    lists = Lists(clock=clock)
    assert [len(lists.get(PROJECTS, read)) for _time in range(3)] == [1, 2, 3]


def test_scopes_are_never_mixed(clock, read):
    lists = Lists(LOOP_SECONDS, clock)
    assert [len(lists.get(key, read)) for key in (PROJECTS, OTHERS, PROJECTS)] == [1, 2, 1]


def test_one_object_is_asked_for_alone_only_once(clock):
    lists = Lists(LOOP_SECONDS, clock)
    assert lists.may_glance(PROJECTS)
    assert not lists.may_glance(PROJECTS)
    lists.forget()
    assert not lists.may_glance(PROJECTS)


def test_a_list_that_is_there_is_cheaper_than_a_glance(clock, read):
    lists = Lists(LOOP_SECONDS, clock)
    lists.get(PROJECTS, read)
    assert not lists.may_glance(PROJECTS)


def test_an_own_write_changes_its_list_and_forgets_others_but_the_teams(clock, read):
    lists = Lists(LOOP_SECONDS, clock)
    for key in (PROJECTS, OTHERS, TEAMS):
        lists.get(key, read)
    lists.wrote(PROJECTS, {}, {"id": "new", "name": "web"})
    assert [item["id"] for item in lists.get(PROJECTS, read).where("name", "web")] == ["new"]
    lists.get(TEAMS, read)
    assert read.reads == 3
    lists.get(OTHERS, read)
    assert read.reads == 4


def test_a_teams_own_write_forgets_what_teams_hold(clock, read):
    lists = Lists(LOOP_SECONDS, clock)
    for key in (PROJECTS, TEAMS):
        lists.get(key, read)
    lists.wrote(TEAMS, {"id": "0", "name": "p0"}, None)
    assert [list(lists.get(TEAMS, read)), read.reads] == [[{"id": "1", "name": "p1"}], 2]
    lists.get(PROJECTS, read)
    assert read.reads == 3


def test_after_forgetting_everything_is_read_again(clock, read):
    lists = Lists(LOOP_SECONDS, clock)
    lists.get(PROJECTS, read)
    lists.forget()
    lists.get(PROJECTS, read)
    assert read.reads == 2


def test_an_index_can_be_made_while_another_thread_writes():
    listing = Listing({"id": str(number), "name": f"p{number}"} for number in range(2000))
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(max_workers=2) as threads:
            news = [{"id": f"new {number}", "name": "new"} for number in range(2000)]
            writing = threads.submit(lambda: list(map(listing.put, news)))
            reading = threads.submit(lambda: [listing.where(f"field {number}", "none") for number in range(50)])
            assert (len(writing.result()), reading.result()) == (2000, [[]] * 50)
    finally:
        sys.setswitchinterval(interval)
    assert len(listing.where("name", "new")) == 2000


def test_a_form_that_leaves_nothing_of_a_value_finds_nothing():
    listing = Listing([{"id": "1", "alias": ""}, {"id": "2", "alias": None}])
    assert listing.where("alias", ".", host_form) == []
