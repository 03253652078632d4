# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Resources against the emulator: the life of an object, the same however the API behaves where it is left open."""

from __future__ import annotations

from typing import Any

import pytest
from client import run, run_both
from emulated import Emulated
from platforms import PRESENTATION

from ansible_collections.hosting.platform.plugins.module_utils._kinds.alias import Alias
from ansible_collections.hosting.platform.plugins.module_utils._kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._kinds.team import Team

# Of these, objects of one moment make no list that could be walked.
LEFT_OUT = ("next_always", "limit_cap", "limit_refuse_over")
SWITCHES = {
    **{switch: values for switch, values in PRESENTATION.items() if switch not in LEFT_OUT},
    "duplicate_names": [409, 400, "allowed"],
}
HABITS: list[dict[str, Any]] = [
    {},
    *({switch: value} for switch, values in SWITCHES.items() for value in values[1:]),
    {"limit_cap": 20},
    {"limit_refuse_over": 20},
    {"clock_resolution_ms": 1000},
    {switch: values[-1] for switch, values in SWITCHES.items()},
]
under_every_habit = pytest.mark.parametrize(
    "habits", HABITS, ids=lambda habits: "+".join(f"{name}={value}" for name, value in habits.items()) or "defaults"
)


class Life:
    """Runs a module step by step, and checks what holds for every step."""

    def __init__(self, kind, service: Emulated, **scope) -> None:
        self.kind = kind
        self.service = service
        self.scope = scope

    def step(self, before=None, after=None, **options):
        """One change: the same in check mode as in the run, written once, and not again."""
        key, writable = self.kind.singular, self.kind.fields.writable
        state = self.service.state()
        foreseen = run(self.kind, self.service.base_url, True, **self.scope, **options)
        assert self.service.state() == state
        done = run(self.kind, self.service.base_url, **self.scope, **options)
        writes = len(self.service.writes)
        assert foreseen["changed"] is done["changed"] is True
        assert foreseen["diff"] == done["diff"] == {"before": before or {}, "after": after or {}}
        open_fields = ("updated_at", "team_id") if self.kind is Alias else ("updated_at",)
        known = {
            field: value for field, value in foreseen[key].items() if value is not None and field not in open_fields
        }
        assert {field: done[key][field] for field in known} == known
        again_foreseen, again = run_both(self.kind, self.service.base_url, **self.scope, **options)
        assert again_foreseen == again
        assert again["changed"] is False
        assert again["diff"]["before"] == again["diff"]["after"]
        if options.get("state") == "absent":
            assert again[key] == {}
        else:
            assert {field: again[key].get(field) for field in writable} == {
                field: done[key].get(field) for field in writable
            }
        assert len(self.service.writes) == writes
        assert set(self.kind.fields.returned) <= set(done[key])
        return done[key]


def only_written(service: Emulated, *methods: str) -> None:
    assert [write.split()[0] for write in service.writes] == list(methods)


@under_every_habit
@pytest.mark.parametrize("scope", [{}, {"team": "acme"}], ids=["unscoped", "team"])
def test_the_life_of_a_project(emulator, habits, scope):
    emulator.switch(**habits)
    emulator.seed(teams=[{"slug": "acme"}, {"slug": "other"}], projects=[{"name": "blog"}, {"name": "shop"}])
    life = Life(Project, emulator, **scope)

    created = life.step(after={"name": "web", "framework": "nextjs"}, name="web", framework="nextjs")
    assert created["name"] == "web"
    assert created["framework"] == "nextjs"
    if scope:
        teams = {team["id"]: team["slug"] for team in emulator.state()["teams"]}
        assert teams[created["team_id"]] == "acme"
    changed = life.step(
        {"build_command": created["build_command"]}, {"build_command": "make"}, name="web", build_command="make"
    )
    assert changed["framework"] == "nextjs"
    life.step({"framework": "nextjs"}, {"framework": ""}, id=created["id"], framework="")
    renamed = life.step({"name": "web"}, {"name": "website"}, id=created["id"], name="website")
    assert renamed["id"] == created["id"]
    assert renamed["build_command"] == "make"
    cleared = life.step(
        {"build_command": "make"},
        {"build_command": ""},
        name="website",
        framework="",
        unlisted_fields="clear",
    )
    assert cleared["alias"] == renamed["alias"]
    gone = {field: cleared.get(field) for field in Project.fields.writable}
    life.step(gone, {}, name="website", state="absent")
    only_written(emulator, "POST", "PATCH", "PATCH", "PATCH", "PATCH", "DELETE")
    assert sorted(project["name"] for project in emulator.state()["projects"]) == ["blog", "shop"]


@pytest.mark.parametrize("state", ["exists", "absent"])
def test_fields_that_are_not_given_are_only_cleared_of_a_project_that_is_to_be_present(emulator, state):
    emulator.seed(projects=[{"name": "web", "framework": "astro"}])
    run(Project, emulator.base_url, name="web", state=state, unlisted_fields="clear")
    only_written(emulator, *(["DELETE"] if state == "absent" else []))


@under_every_habit
def test_the_life_of_a_team(emulator, habits):
    emulator.switch(**habits)
    emulator.seed(teams=[{"slug": "other"}, {"slug": "another"}])
    life = Life(Team, emulator)

    created = life.step(after={"slug": "acme", "name": "Acme"}, slug="acme", name="Acme")
    assert created["slug"] == "acme"
    life.step({"name": "Acme"}, {"name": "Acme Ltd"}, slug="acme", name="Acme Ltd")
    life.step({"name": "Acme Ltd"}, {"name": ""}, id=created["id"], name="")
    renamed = life.step({"slug": "acme"}, {"slug": "acme-two"}, id=created["id"], slug="acme-two")
    assert renamed["id"] == created["id"]
    gone = {"slug": "acme-two", "name": renamed["name"]}
    life.step(gone, {}, slug="acme-two", state="absent")
    only_written(emulator, "POST", "PATCH", "PATCH", "PATCH", "DELETE")
    assert sorted(team["slug"] for team in emulator.state()["teams"]) == ["another", "other"]


@under_every_habit
def test_the_life_of_an_alias(emulator, habits):
    emulator.switch(**habits)
    emulator.seed(
        teams=[{"slug": "acme"}], projects=[{"name": name, "team": "acme"} for name in ("a/b", "100% {{ x }}")]
    )
    life = Life(Alias, emulator, team="acme", alias="www.example.com")
    life.step(after={"alias": "www.example.com", "project": "a/b"}, project="a/b")
    life.step({"project": "a/b"}, {"project": "100% {{ x }}"}, project="100% {{ x }}")
    life.step({"alias": "www.example.com", "project": "100% {{ x }}"}, {}, state="absent")
    only_written(emulator, "POST", "POST", "DELETE")
    assert "www.example.com" not in [alias["alias"] for alias in emulator.state()["aliases"]]


@under_every_habit
def test_every_write_carries_the_team_that_owns_the_project(emulator, habits):
    """Without ``team`` it is the one of the object that the list shows."""
    emulator.switch(**habits, **({} if "lists_span_teams" in habits else {"lists_span_teams": True}))
    teams = emulator.seed(teams=[{"slug": "acme"}])["teams"]
    emulator.seed(projects=[{"name": "web", "team": "acme"}])
    run(Project, emulator.base_url, name="web", framework="astro")
    run(Project, emulator.base_url, name="web", state="absent")
    written = [request for request in emulator.requests() if request["method"] in ("PATCH", "DELETE")]
    assert [request["query"] for request in written] == [{"teamId": teams[0]["id"]}] * 2
    assert emulator.state()["projects"] == []


def test_write_only_fields_are_sent_on_creation_and_then_only_named(emulator):
    options = {"slug": "acme", "description": "We make everything", "email_domain": "acme.example"}
    foreseen, created = run_both(Team, emulator.base_url, **options)
    assert foreseen["diff"] == created["diff"] == {"before": {}, "after": options}
    assert created["not_compared"] == []
    (team,) = emulator.state()["teams"]
    assert (team["description"], team["emailDomain"]) == ("We make everything", "acme.example")
    for again in run_both(Team, emulator.base_url, **options | {"description": "Other"}):
        assert again["changed"] is False
        assert sorted(again["not_compared"]) == ["description", "email_domain"]
    for always in run_both(Team, emulator.base_url, **options | {"description": "Other"}, write_only_fields="always"):
        assert always["changed"] is True
        assert "description" not in always["team"]
        assert always["diff"]["before"] == {"description": None, "email_domain": None}
        assert always["diff"]["after"] == {"description": "Other", "email_domain": "acme.example"}
    assert emulator.state()["teams"][0]["description"] == "Other"
