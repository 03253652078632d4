# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Resources against the emulator: the life of an object, the same however the API behaves where it
is left open.
"""

import itertools
from typing import Any

import pytest
from client import check_then_run, run_module
from emulated import ControlledEmulator
from platforms import PRESENTATION_SWITCHES
from sampling import sampled

from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.alias import Alias
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import Team

# Of these, objects of one moment make no list that could be walked.
LEFT_OUT = ("next_always", "limit_cap", "limit_refuse_over")
SWITCHES = {
    **{
        switch: values for switch, values in PRESENTATION_SWITCHES.items() if switch not in LEFT_OUT
    },
    "duplicate_names": [409, 400, "allowed"],
    "name_form": ["as_sent", "lowercase", "trimmed", "nfc"],
    "host_form": ["as_sent", "lowercase", "idna", "unicode"],
    "name_comparison": ["exact", "stored_form", "without_case"],
}
EACH_ALONE: list[dict[str, Any]] = []
for each_switch in SWITCHES:
    EACH_ALONE += [{each_switch: value} for value in SWITCHES[each_switch][1:]]
HABITS: list[dict[str, Any]] = [
    {},
    *EACH_ALONE,
    {"lists_span_teams": True, "personal_team_id": "unset"},
    {"limit_cap": 20},
    {"limit_refuse_over": 20},
    {"limit_refuse_over": 20, "limit_refuse_status": 422},
    {"clock_resolution_ms": 1000},
    {switch: values[-1] for switch, values in SWITCHES.items()},
]


def spelled(habits: dict[str, Any]) -> str:
    return "+".join(f"{name}={value}" for name, value in habits.items()) or "defaults"


# The options of each step, and what they change. The id is that of the created object.
WEB = {"name": "web", "framework": "nextjs"}
ACME = {"slug": "acme", "name": "Acme"}
LIVES: dict[Any, list[tuple[dict[str, Any], dict[str, Any]]]] = {
    Project: [
        (WEB, WEB),
        ({"name": "web", "build_command": "make"}, {"build_command": "make"}),
        ({"id": "", "framework": ""}, {"framework": ""}),
        ({"id": "", "name": "website"}, {"name": "website"}),
        ({"name": "website", "framework": "", "unlisted_fields": "clear"}, {"build_command": ""}),
        ({"name": "website", "state": "absent"}, {}),
    ],
    Team: [
        (ACME, ACME),
        ({"slug": "acme", "name": "Acme Ltd"}, {"name": "Acme Ltd"}),
        ({"id": "", "name": ""}, {"name": ""}),
        ({"id": "", "slug": "acme-two"}, {"slug": "acme-two"}),
        ({"slug": "acme-two", "state": "absent"}, {}),
    ],
    Alias: [
        ({"project": "a/b"}, {"alias": "www.example.com", "project": "a/b"}),
        ({"project": "100% {{ x }}"}, {"project": "100% {{ x }}"}),
        ({"state": "absent"}, {}),
    ],
}


def sides(result: dict[str, Any]) -> tuple[Any, Any]:
    return result["diff"]["before"], result["diff"]["after"]


def step(
    kind, service: ControlledEmulator, known: dict[str, Any], after: dict[str, Any], **options: Any
):
    """One change: the same in check mode as in the run, and not made again; returns what is known
    of the object.
    """
    state = service.state()
    foreseen = run_module(kind, service.base_url, True, **options)
    assert service.state() == state
    done = run_module(kind, service.base_url, **options)
    touched = after or [option for option in kind.fields.writable if option in known]
    before = {option: known[option] for option in touched if option in known}
    assert foreseen["changed"] is done["changed"] is True
    assert foreseen["diff"] == done["diff"]
    removed = {option: names for option, names in done.items() if option.startswith("removed_")}
    before |= {option: names for option, names in removed.items() if names}
    assert sides(done) == (before, after)
    shown = done[kind.singular]
    predicted = foreseen[kind.singular]
    open_fields = ("updated_at", "team_id") if kind is Alias else ("updated_at",)
    certain = {
        field: value
        for field, value in predicted.items()
        if value is not None and field not in open_fields
    }
    assert certain.items() <= shown.items()
    assert set(kind.fields.returned) <= set(shown)
    again_foreseen, again = check_then_run(kind, service.base_url, **options)
    assert again_foreseen == again
    assert again["changed"] is False
    assert again["diff"]["before"] == again["diff"]["after"]
    again_shown = again[kind.singular]
    assert again_shown == {} or after
    assert after == {} or all(
        again_shown.get(field) == shown.get(field) for field in kind.fields.writable
    )
    return {**known, **shown, **after}


# Each habit with one of them in `make test`.
OBJECTS: list[tuple[Any, dict[str, Any]]] = [
    (Project, {}),
    (Project, {"team": "other"}),
    (Team, {}),
]
OBJECTS.append((Alias, {"team": "other", "alias": "www.example.com"}))


@pytest.mark.parametrize(
    "case",
    sampled(itertools.product(HABITS, OBJECTS), 3),
    ids=lambda case: f"{case[1][0].singular}{'-of-team' * bool(case[1][1])}-{spelled(case[0])}",
)
def test_the_life_of_an_object(emulator, case):
    habits, (kind, scope) = case
    emulator.switch(**habits)
    emulator.seed(teams=[{"slug": "other"}, {"slug": "another"}], projects=[{"name": "blog"}])
    emulator.seed(projects=[{"name": name, "team": "other"} for name in ("a/b", "100% {{ x }}")])
    known: dict[str, Any] = {}
    before = emulator.state()
    others = ("teams", "projects", "aliases")
    for number, (options, after) in enumerate(LIVES[kind], start=1):
        by_id = {"id": known["id"]} if "id" in options else {}
        known = step(kind, emulator, known, after, **{**scope, **options, **by_id})
        assert len(emulator.writes) == number
    left = emulator.state()
    assert [left[plural] for plural in others] == [before[plural] for plural in others]


@pytest.mark.parametrize("state", ["exists", "absent"])
def test_unlisted_fields_are_cleared_only_with_state_present(emulator, state):
    emulator.seed(projects=[{"name": "web", "framework": "astro"}])
    run_module(Project, emulator.base_url, name="web", state=state, unlisted_fields="clear")
    assert [write.split()[0] for write in emulator.writes] == (
        ["DELETE"] if state == "absent" else []
    )


@pytest.mark.parametrize("habits", sampled(HABITS, 3), ids=spelled)
def test_every_write_carries_the_team_that_the_own_project_names(emulator, habits):
    emulator.switch(**habits)
    emulator.seed(
        teams=[{"slug": "acme"}], projects=[{"name": "web"}, {"name": "x", "team": "acme"}]
    )
    shown = run_module(Project, emulator.base_url, name="web", framework="astro")["project"]
    run_module(Project, emulator.base_url, name="web", state="absent")
    written = [
        request for request in emulator.requests() if request["method"] in ("PATCH", "DELETE")
    ]
    query = {"teamId": shown["team_id"]} if shown["team_id"] else {}
    assert [request["query"] for request in written] == [query] * 2
    assert [project["name"] for project in emulator.state()["projects"]] == ["x"]


def test_write_only_fields_are_sent_on_creation_and_then_only_named(emulator):
    options = {"slug": "acme", "description": "We make everything", "email_domain": "acme.example"}
    foreseen, created = check_then_run(Team, emulator.base_url, **options)
    assert foreseen["diff"] == created["diff"]
    assert sides(created) == ({}, options)
    assert created["not_compared"] == []
    (team,) = emulator.state()["teams"]
    assert (team["description"], team["emailDomain"]) == ("We make everything", "acme.example")
    for again in check_then_run(Team, emulator.base_url, **options | {"description": "Other"}):
        assert again["changed"] is False
        assert sorted(again["not_compared"]) == ["description", "email_domain"]
    for always in check_then_run(
        Team, emulator.base_url, **options | {"description": "Other"}, write_only_fields="always"
    ):
        assert always["changed"] is True
        assert "description" not in always["team"]
        assert always["diff"]["before"] == {"description": None, "email_domain": None}
        assert always["diff"]["after"] == {"description": "Other", "email_domain": "acme.example"}
    assert emulator.state()["teams"][0]["description"] == "Other"
