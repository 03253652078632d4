# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Before the first deletion, what deletions rest on is read once more: each must still be the same
step.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from acme import ACME, WEB
from blueprints import actions, converge, converge_or_result
from emulated import ControlledEmulator
from stub_server import before_forwarding, forward, stub_server

API = {"name": "api", "team": "acme"}
TEAMS = [ACME, {"slug": "zeta", "id": "team_zeta"}]
SEED: dict[str, Any] = {"teams": TEAMS, "projects": [{**WEB, "alias": ""}, {**API, "alias": ""}]}
BLUEPRINT: dict[str, Any] = {
    "projects": [{**API, "framework": "astro"}, {**WEB, "state": "absent"}],
    "domains": [],
}


def by_hand(
    emulator: ControlledEmulator, method: str, name: str, body: dict[str, Any] | None = None
) -> None:
    """Somebody else changes or deletes a project."""
    (project,) = [project for project in emulator.state()["projects"] if project["name"] == name]
    emulator.ask(method, f"projects/{project['id']}", body, project["teamId"]).raise_for_status()


def names(emulator: ControlledEmulator) -> set[str]:
    return {project["name"] for project in emulator.state()["projects"]}


CHANGES: dict[str, tuple[Callable[[ControlledEmulator], object], str]] = {
    "it was moved": (
        lambda emulator: by_hand(emulator, "PATCH", "web", {"name": "web", "teamId": "team_zeta"}),
        "The project web of acme is now id ",
    ),
    "it was renamed": (
        lambda emulator: by_hand(emulator, "PATCH", "web", {"name": "prod-db"}),
        "prod-db",
    ),
    "somebody put an alias on it": (
        lambda emulator: emulator.seed(
            aliases=[{"alias": "vip.example.com", "project": "web", "team": "acme"}]
        ),
        "Deleting the project web of acme would now also delete the alias vip.example.com of acme.",
    ),
    "it got another command": (
        lambda emulator: by_hand(emulator, "PATCH", "web", {"name": "web", "buildCommand": "make"}),
        "The project web of acme is now id prj_",
    ),
}


@pytest.mark.parametrize("is_pruned", [True, False])
@pytest.mark.parametrize(("change", "words"), CHANGES.values(), ids=CHANGES)
def test_changed_platform_stops_all_deletions(emulator, change, words, is_pruned):
    emulator.seed(**SEED)
    options: dict[str, Any] = {"prune": ["projects"]} if is_pruned else {}
    blueprint = {"projects": BLUEPRINT["projects"][:1]} if is_pruned else BLUEPRINT
    with stub_server(before_forwarding(emulator, "PATCH", lambda: change(emulator))) as server:
        result = converge_or_result(server.base_url, blueprint, **options)
    assert words in result["msg"]
    assert "Nothing was deleted, because the platform has changed since the plan." in result["msg"]
    assert len(names(emulator)) == 2
    rows = [(entry["action"], entry.get("failed", False)) for entry in result["results"]]
    assert rows == [("update", False), ("delete", True)]


def test_one_whose_object_is_gone_is_done(emulator):
    """A domain has no other address than its name."""
    emulator.seed(**SEED, domains=[{"name": "example.org", "team": "acme"}])
    blueprint = {
        **BLUEPRINT,
        "domains": [{"name": "example.org", "team": "acme", "state": "absent"}],
    }
    team = emulator.state()["teams"][0]["id"]

    def remove():
        by_hand(emulator, "DELETE", "web")
        emulator.ask("DELETE", "domains/example.org", team=team).raise_for_status()

    with stub_server(before_forwarding(emulator, "PATCH", remove)) as server:
        result = converge(server.base_url, blueprint)
    deletions = [("domains", "example.org", "delete"), ("projects", "web", "delete")]
    assert sorted(actions(result)) == sorted([*deletions, ("projects", "api", "update")])
    assert (names(emulator), emulator.state()["domains"]) == ({"api"}, [])


def test_unreadable_lists_stop_all_deletions(emulator):
    emulator.seed(**SEED)
    written: list[str] = []

    def reply(asked):
        if asked.method == "PATCH":
            emulator.plan_fault("GET /teams", "403")
            written.append(asked.target)
        return forward(emulator, asked)

    with stub_server(reply) as server:
        result = converge_or_result(server.base_url, BLUEPRINT)
    assert "GET /teams failed: status 403" in result["msg"]
    reason = "Nothing was deleted, because the deletions could not be checked again."
    assert reason in result["msg"]
    failed = [row for row in result["results"] if row.get("failed")]
    assert {row["failure"]["operation"] for row in failed} == {"GET /teams"}
    assert result["failure"]["status"] == 403
    assert "has changed" not in result["msg"]
    assert names(emulator) == {"api", "web"}
    assert len(written) == 1


def test_a_step_of_the_own_scope_is_that_of_one_user(emulator):
    """The list without a team is that of whoever asks: another user's plan approves nothing
    here.
    """
    blueprint = {"projects": [{"name": "mine", "own_scope": True}]}
    plan = converge(emulator.base_url, blueprint, check_mode=True)
    asked = [request["operation"] for request in emulator.requests()].count("GET /user")
    with stub_server(lambda asked: as_another_user(forward(emulator, asked), asked)) as server:
        others = converge(server.base_url, blueprint, check_mode=True)
    assert asked == 1
    assert others["results"][0]["diff"] == plan["results"][0]["diff"]
    assert others["steps"] != plan["steps"]


def as_another_user(answer: Any, asked: Any) -> Any:
    return (
        replace(answer, body=b'{"id": "usr_other"}') if asked.target.startswith("/user") else answer
    )


def test_unknown_user_fails_own_scope_steps_before_the_first_write(emulator):
    emulator.plan_fault("GET /user", "403")
    result = converge_or_result(
        emulator.base_url, {"projects": [{"name": "mine", "own_scope": True}]}
    )
    assert "GET /user failed: status 403" in result["msg"]
    assert emulator.writes == []
