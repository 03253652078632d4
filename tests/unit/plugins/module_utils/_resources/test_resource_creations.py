# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Loops of creations beside others that create the same: a kept list is no proof that an object does not exist."""

from __future__ import annotations

import pytest
from client import ManualClock, converge_on, platform_to

from ansible_collections.hosting.platform.plugins.module_utils._common.errors import ApiError
from ansible_collections.hosting.platform.plugins.module_utils._kinds.alias import Alias
from ansible_collections.hosting.platform.plugins.module_utils._kinds.project import Project

SCOPES = pytest.mark.parametrize("scope", [{}, {"own_scope": True}, {"team": "acme"}], ids=["unscoped", "own", "team"])


def stored_in(scope):
    """The scope as the emulator's seed takes it."""
    return {"team": scope["team"]} if "team" in scope else {}


def seed(emulator, count, scope):
    """As many projects of the scope, made long ago."""
    projects = [{"name": f"old{number}", "createdAt": 1000 + number, **stored_in(scope)} for number in range(count)]
    emulator.seed(teams=[{"slug": "acme"}], projects=projects)


@SCOPES
def test_what_another_play_has_created_since_is_not_created_twice(emulator, scope):
    emulator.switch(duplicate_names="allowed")
    seed(emulator, 150, scope)
    clock = ManualClock()
    platform = platform_to(emulator.base_url, clock, in_loop=True)
    for number in range(10):
        emulator.seed(projects=[{"name": f"p{number}", **stored_in(scope)}] if number > 1 else [])
        converge_on(platform, Project, name=f"p{number}", **scope)
        clock.sleep(0.6)
    names = [project["name"] for project in emulator.state()["projects"] if project["name"].startswith("p")]
    assert sorted(names) == [f"p{number}" for number in range(10)]


@SCOPES
def test_the_look_before_a_creation_is_one_request_now_and_then(emulator, scope):
    """At 20 ms for each creation: 1.1 requests for each, the pages once, and two."""
    seed(emulator, 250, scope)
    clock = ManualClock()
    platform = platform_to(emulator.base_url, clock, in_loop=True)
    for number in range(100):
        converge_on(platform, Project, name=f"p{number}", **scope)
        clock.sleep(0.025)
    assert len([project for project in emulator.state()["projects"] if project["name"].startswith("p")]) == 100
    pages, teams = 4, 1 if scope else 0
    assert len(emulator.requests()) <= 1.1 * 100 + pages + teams + 2


@pytest.mark.parametrize("team_id", ["id", "unset"])
def test_an_alias_that_another_play_has_created_since_for_a_new_project_is_seen(emulator, team_id):
    emulator.switch(alias_team_id=team_id)
    emulator.seed(projects=[{"name": "web"}])
    clock = ManualClock()
    platform = platform_to(emulator.base_url, clock, in_loop=True)
    converge_on(platform, Alias, alias="one.example.com", project="web", own_scope=True)
    emulator.seed(projects=[{"name": "other"}], aliases=[{"alias": "two.example.com", "project": "other"}])
    clock.sleep(0.6)
    moved = converge_on(platform, Alias, alias="two.example.com", project="web", own_scope=True)
    assert moved["diff"]["before"] == {"project": "other"}


def test_what_an_item_of_a_loop_may_have_written_is_asked_for_by_the_next(emulator):
    emulator.seed(teams=[{"slug": "beta"}], projects=[{"name": "web", "team": "beta"}])
    platform = platform_to(emulator.base_url, in_loop=True)
    emulator.fail("PATCH /projects/{idOrName}", "504", when="after", count=9)
    with pytest.raises(ApiError, match="status 504"):
        converge_on(platform, Project, name="site", previously=["web"], team="beta")
    emulator.recover()
    assert converge_on(platform, Project, name="web", team="beta")["changed"] is True
    assert sorted(project["name"] for project in emulator.state()["projects"]) == ["site", "web"]
