# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Before the first deletion, what deletions rest on is read once more: each must still be the same step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from acme import ACME, WEB
from blueprints import actions, converge, converge_or_fail
from emulated import Emulated
from scripted import answer_json, meanwhile, passed_on, scripted

API = {"name": "api", "team": "acme"}
SEED: dict[str, Any] = {"teams": [ACME], "projects": [{**WEB, "alias": ""}, {**API, "alias": ""}]}
BLUEPRINT: dict[str, Any] = {
    "projects": [{**API, "framework": "astro"}, {**WEB, "state": "absent"}],
    "domains": [],
}


def by_hand(emulator: Emulated, method: str, name: str, body: dict[str, Any] | None = None) -> None:
    """Somebody else changes or deletes a project."""
    (project,) = [project for project in emulator.state()["projects"] if project["name"] == name]
    emulator.ask(method, f"projects/{project['id']}", body, project["teamId"]).raise_for_status()


def names(emulator: Emulated) -> set[str]:
    return {project["name"] for project in emulator.state()["projects"]}


CHANGES: dict[str, tuple[Callable[[Emulated], object], str]] = {
    "it was renamed": (
        lambda emulator: by_hand(emulator, "PATCH", "web", {"name": "prod-db"}),
        "prod-db",
    ),
    "somebody put an alias on it": (
        lambda emulator: emulator.seed(aliases=[{"alias": "vip.example.com", "project": "web", "team": "acme"}]),
        "Deleting the project web of acme would now also delete the alias vip.example.com of acme.",
    ),
    "it got another command": (
        lambda emulator: by_hand(emulator, "PATCH", "web", {"name": "web", "buildCommand": "make"}),
        "The project web of acme has changed since the plan: it is now id prj_",
    ),
}


@pytest.mark.parametrize(("change", "words"), CHANGES.values(), ids=CHANGES)
def test_nothing_is_deleted_if_the_platform_has_changed_since(emulator, change, words):
    emulator.seed(**SEED)
    options: dict[str, Any] = {"prune": ["projects"]} if words == "prod-db" else {}
    blueprint = {"projects": BLUEPRINT["projects"][:1]} if options else BLUEPRINT
    with scripted(meanwhile(emulator, "PATCH", lambda: change(emulator))) as server:
        result = converge_or_fail(server.base_url, blueprint, **options)
    assert words in result["msg"]
    assert "Nothing was deleted, because the platform has changed since the plan." in result["msg"]
    assert len(names(emulator)) == 2
    assert [(entry["action"], entry.get("failed", False)) for entry in result["results"]] == [
        ("update", False),
        ("delete", True),
    ]


@pytest.mark.parametrize("options", [{}, {"protect": ["prod-*"]}])
def test_what_an_entry_deletes_is_gone_only_if_no_list_has_its_id(emulator, options):
    emulator.seed(**SEED)
    with scripted(
        meanwhile(emulator, "PATCH", lambda: by_hand(emulator, "PATCH", "web", {"name": "prod-db"}))
    ) as server:
        result = converge_or_fail(server.base_url, BLUEPRINT, **options)
    assert "name prod-db" in result["msg"]
    assert names(emulator) == {"api", "prod-db"}


def test_what_moves_to_another_team_meanwhile_is_not_deleted(emulator):
    emulator.seed(**{**SEED, "teams": [ACME, {"slug": "zeta"}]})
    zeta = emulator.state()["teams"][1]["id"]
    moved = {"name": "web", "teamId": zeta}
    with scripted(meanwhile(emulator, "PATCH", lambda: by_hand(emulator, "PATCH", "web", moved))) as server:
        result = converge_or_fail(server.base_url, BLUEPRINT)
    assert "The project web of acme is now id " in result["msg"]
    assert names(emulator) == {"api", "web"}


def test_a_team_is_not_deleted_as_long_as_its_list_shows_what_was_moved_out_of_it(emulator):
    """The service answers that a project has moved, and shows it where it was."""
    emulator.seed(teams=[ACME, {"slug": "zeta"}], projects=[WEB])
    zeta = emulator.state()["teams"][1]["id"]

    def reply(asked):
        if asked.method == "PATCH":
            (project,) = emulator.state()["projects"]
            return answer_json({**project, "teamId": zeta})
        return passed_on(emulator, asked)

    blueprint = {
        "teams": [{"slug": "acme", "state": "absent"}],
        "projects": [{"name": "web", "team": "zeta", "previous_team": "acme"}],
    }
    with scripted(reply) as server:
        result = converge_or_fail(server.base_url, blueprint)
    assert "The service reported success for projects[0] web, but does not show the change." in result["msg"]
    assert names(emulator) == {"web"}


def test_one_whose_object_is_gone_is_done(emulator):
    """A domain has no other address than its name."""
    emulator.seed(**SEED, domains=[{"name": "example.org", "team": "acme"}])
    blueprint = {**BLUEPRINT, "domains": [{"name": "example.org", "team": "acme", "state": "absent"}]}
    team = emulator.state()["teams"][0]["id"]

    def remove():
        by_hand(emulator, "DELETE", "web")
        emulator.ask("DELETE", "domains/example.org", team=team).raise_for_status()

    with scripted(meanwhile(emulator, "PATCH", remove)) as server:
        result = converge(server.base_url, blueprint)
    assert sorted(actions(result)) == [
        ("domains", "example.org", "delete"),
        ("projects", "api", "update"),
        ("projects", "web", "delete"),
    ]
    assert (names(emulator), emulator.state()["domains"]) == ({"api"}, [])


def test_nothing_is_deleted_if_what_it_rests_on_cannot_be_read_any_more(emulator):
    emulator.seed(**SEED)
    written: list[str] = []

    def reply(asked):
        if asked.method == "PATCH":
            emulator.fail("GET /teams", "403")
            written.append(asked.target)
        return passed_on(emulator, asked)

    with scripted(reply) as server:
        result = converge_or_fail(server.base_url, BLUEPRINT)
    assert "The deletions could not be checked again: GET /teams failed: status 403" in result["msg"]
    assert names(emulator) == {"api", "web"}
    assert len(written) == 1


def test_a_step_of_the_own_scope_is_that_of_one_user(emulator):
    """The list without a team is that of whoever asks: another user's plan approves nothing here."""
    blueprint = {"projects": [{"name": "mine", "own_scope": True}]}
    plan = converge(emulator.base_url, blueprint, check_mode=True)
    asked = [request["operation"] for request in emulator.requests()].count("GET /user")
    with scripted(lambda asked: as_another_user(passed_on(emulator, asked), asked)) as server:
        others = converge(server.base_url, blueprint, check_mode=True)
    assert asked == 1
    assert others["results"][0]["diff"] == plan["results"][0]["diff"]
    assert others["steps"] != plan["steps"]


def as_another_user(answer: Any, asked: Any) -> Any:
    return replace(answer, body=b'{"id": "usr_other"}') if asked.target.startswith("/user") else answer


def test_who_the_user_is_must_be_known_before_the_first_write(emulator):
    emulator.fail("GET /user", "403")
    result = converge_or_fail(emulator.base_url, {"projects": [{"name": "mine", "own_scope": True}]})
    assert "GET /user failed: status 403" in result["msg"]
    assert emulator.writes == []
