# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A platform that is down ends the run soon; objects that always fail end nothing."""

import json
from collections import Counter
from typing import Any

import pytest
from acme import ACME
from blueprints import converge, converge_or_result
from emulated import ControlledEmulator
from stored_objects import projects, projects_of_acme
from stub_server import ReceivedRequest, StubResponse, forward, stub_server

from ansible_collections.hosting.platform.plugins.module_utils._converge import apply

# Each worker may try two steps, and their tries overlap.
MOST_REQUESTS = 100
# 103 steps, of which the last is a deletion.
SEED: dict[str, Any] = {"teams": [ACME], "projects": [{"name": "old", "team": "acme"}]}
BLUEPRINT: dict[str, Any] = {
    "projects": [
        *({"name": f"p{number}", "team": "acme"} for number in range(102)),
        {"name": "old", "team": "acme", "state": "absent"},
    ]
}


@pytest.mark.parametrize("fault", ["503", "500", "reset"])
def test_a_platform_that_is_down_ends_the_run_soon(emulator, fault):
    emulator.seed(**SEED)
    emulator.fault("*", fault, skip=30, count=10_000)
    result = converge_or_result(emulator.base_url, BLUEPRINT, workers=8)
    assert len(emulator.requests()) < 30 + MOST_REQUESTS
    rows = result["results"]
    failed = [row for row in rows if row.get("failed")]
    untried = [row for row in rows if row["reason"] == "unavailable"]
    assert emulator.operations.count("GET /user") == 1
    assert 3 <= len(failed) <= 16, "each worker ends the step that it had begun"
    assert {(row["action"], row["step"]) for row in untried} == {("skip", None)}
    assert rows[-1] in untried
    assert len(untried) == 103 - len(failed) - sum(row["changed"] for row in rows)
    assert len(result["steps"]) == len(failed) + len(untried)
    assert result["msg"].startswith(
        f"The service is unavailable, so {len(untried)} steps were not tried."
    )
    emulator.recover()
    assert converge(emulator.base_url, BLUEPRINT)["summary"]["create"] == len(result["steps"]) - 1


def test_throttling_without_an_end_ends_the_run(emulator):
    emulator.seed(**SEED)
    emulator.fault("*", "429", skip=30, count=10_000)
    result = converge_or_result(emulator.base_url, BLUEPRINT, workers=8)
    assert {row["reason"] for row in result["results"]} == {None, "unavailable"}
    assert emulator.operations.count("GET /user") == 1


def answering_500(emulator: ControlledEmulator) -> Any:
    """The emulator, where three projects can never be changed."""

    def reply(request: ReceivedRequest) -> StubResponse:
        is_broken = (
            request.method == "PATCH" and json.loads(request.body).get("framework") == "broken"
        )
        return StubResponse(500) if is_broken else forward(emulator, request)

    return reply


@pytest.mark.parametrize("workers", [1, 4])
def test_projects_that_always_fail_stop_nothing(emulator, workers):
    names = [f"p{number}" for number in range(40)]
    emulator.seed(
        teams=[ACME], projects=[{"name": name, "team": "acme"} for name in [*names, "old"]]
    )
    frameworks = {"p5": "broken", "p20": "broken", "p35": "broken"}
    # Their retries make them end last, in a row.
    projects = [
        {"name": name, "team": "acme", "framework": frameworks.get(name, "hugo")} for name in names
    ]
    with stub_server(answering_500(emulator)) as server:
        result = converge_or_result(
            server.base_url, {"projects": projects}, prune=["projects"], workers=workers
        )
    failed = [row["name"] for row in result["results"] if row.get("failed")]
    assert failed == list(frameworks)
    assert result["summary"]["update"] == 40
    assert result["summary"]["skip"] == 0
    assert "old" not in {project["name"] for project in emulator.state()["projects"]}


def test_three_failures_in_a_row_end_nothing_if_the_service_answers(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": name, "team": "acme"} for name in "abcdefgh"])
    # The last two fail after the count has begun anew.
    projects = [
        {"name": name, "team": "acme", "framework": "hugo" if name == "f" else "broken"}
        for name in "abcdefgh"
    ]
    with stub_server(answering_500(emulator)) as server:
        result = converge_or_result(server.base_url, {"projects": projects}, workers=1)
    assert [row["name"] for row in result["results"] if row["changed"]] == ["f"]
    assert result["summary"]["failed"] == 7
    assert emulator.operations.count("GET /user") == 1


def test_equal_errors_are_one_line_with_their_entries(emulator):
    emulator.seed(teams=[ACME])
    emulator.fault("POST /projects", "400", count=12)
    projects = [{"name": f"p{number}", "team": "acme"} for number in range(12)]
    result = converge_or_result(emulator.base_url, {"projects": projects}, workers=1)
    head, line = result["msg"].split("\n")
    assert head == "12 of 12 steps failed:"
    assert line.startswith("projects[0] p0, projects[1] p1, ")
    assert ", projects[9] p9 and 2 more: POST /projects failed: status 400" in line


def test_one_step_is_no_steps(emulator):
    emulator.seed(teams=[ACME])
    emulator.fault("POST /projects", "400")
    blueprint = {"projects": [{"name": "web", "team": "acme"}]}
    result = converge_or_result(emulator.base_url, blueprint)
    assert result["msg"].startswith("1 of 1 step failed:\n")


def test_progress_is_said_only_if_it_differs(emulator, monkeypatch):
    monkeypatch.setattr(apply, "PROGRESS_SECONDS", 0.01)
    emulator.seed(teams=[ACME])
    emulator.fault("POST /projects", "slow", delay=0.2)
    said: list[str] = []
    converge(emulator.base_url, {"projects": [{"name": "slow", "team": "acme"}]}, say=said.append)
    assert said == ["blueprint: 0 of 1 step done, 0 failed"]


def test_progress_does_not_count_a_failed_step_as_done(emulator, monkeypatch):
    monkeypatch.setattr(apply, "PROGRESS_SECONDS", 0.01)
    emulator.seed(teams=[ACME])
    emulator.fault("POST /projects", "400")
    emulator.fault("POST /projects", "slow", delay=0.2)
    said: list[str] = []
    projects = [{"name": name, "team": "acme"} for name in "ab"]
    converge_or_result(emulator.base_url, {"projects": projects}, say=said.append)
    assert said[-1] == "blueprint: 0 of 2 steps done, 1 failed"


def test_revoked_token_ends_the_run(emulator: ControlledEmulator) -> None:
    emulator.seed(teams=[ACME], projects=projects_of_acme("old"))
    names = [f"p{number}" for number in range(100)]
    blueprint = {"projects": projects_of_acme(*names)}
    emulator.fault("*", "401", skip=20, count=None)
    result = converge_or_result(emulator.base_url, blueprint, prune=["projects"], workers=4)
    assert len(emulator.requests()) < 20 + 4 * 3
    assert Counter(row["reason"] for row in result["results"])["unavailable"] > 70
    assert "no longer accepts the token" in result["msg"]
    emulator.recover()
    converge(emulator.base_url, blueprint, prune=["projects"])
    assert projects(emulator).keys() == set(names)
