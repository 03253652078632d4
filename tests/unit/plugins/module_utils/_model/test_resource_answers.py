# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers that show less than the object, an old one, or nothing yet."""

from typing import Any

import pytest
from client import converge_on, make_platform, run_module
from stub_server import StubResponse, altering_responses, json_response, stub_server

from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import Team
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.user import verify_login

Item = dict[str, Any]


def seed(emulator, **project: Any) -> Item:
    """The project as it is stored, if it has any fields."""
    (stored,) = (
        emulator.seed(projects=[{"id": "prj_1", "name": "web", **project}])["projects"]
        if project
        else [{}]
    )
    return dict(stored)


@pytest.mark.parametrize("shown", [["id"], ["id", "name"]])
def test_partial_response_to_a_creation_is_completed_by_reading(emulator, shown):
    """The object may serve the next item of a loop, which must not find different what is not."""

    def show(method: str, project: Item) -> Item:
        return {key: project[key] for key in shown} if method == "POST" else project

    with stub_server(altering_responses(emulator, show)) as server:
        platform = make_platform(server.base_url)
        first = converge_on(platform, Project, name="web", framework="astro")
        again = converge_on(
            platform, Project, name="web", framework="astro", alias="web.hosting.example"
        )
    # The last one asks whether the team that the project names is one of the caller's.
    paths = [f"{request.method} {request.target.partition('?')[0]}" for request in server.requests]
    identifier = first["project"]["id"]
    assert paths == ["GET /projects", "POST /projects", f"GET /projects/{identifier}", "GET /teams"]
    assert (first["changed"], again["changed"]) == (True, False)
    assert first["project"] == again["project"]
    assert first["project"]["framework"] == "astro"
    assert not [warning for warning in again["warnings"] if "run again" in warning]


@pytest.mark.parametrize(
    ("updated", "methods"),
    [
        (
            lambda _old, new: {"id": new["id"], "framework": new["framework"]},
            ["PATCH", "GET"],
        ),
        (lambda old, _new: old, ["PATCH", "GET"]),
        (lambda _old, new: {"framework": new["framework"]}, ["PATCH", "GET"]),
        (
            lambda _old, new: {key: new[key] for key in ("id", "name", "framework")},
            ["PATCH"],
        ),
    ],
    ids=["partial", "old", "without its id", "without what stays"],
)
def test_partial_response_to_an_update_is_completed(emulator, updated, methods):
    """The object may serve the next item of a loop, which must not find changed what is not."""
    old = seed(emulator, framework="astro", buildCommand="make")

    def show(method: str, project: Item) -> Item:
        return updated(old, project) if method == "PATCH" else project

    with stub_server(altering_responses(emulator, show)) as server:
        result = run_module(Project, server.base_url, name="web", framework="next")
    # Before that, the list of projects, and that of the caller's teams.
    assert [request.method for request in server.requests[2:]] == methods
    assert result["changed"] is True
    shown = result["project"]
    assert (shown["name"], shown["framework"], shown["build_command"]) == ("web", "next", "make")


@pytest.mark.parametrize("kind", [Project, Team])
def test_a_field_that_was_cleared_is_empty_where_the_answer_leaves_out_what_is(emulator, kind):
    name, option, field = (
        ("name", "framework", "framework") if kind is Project else ("slug", "name", "name")
    )
    emulator.seed(**{kind.plural: [{name: "web", field: "astro"}]})
    filled = altering_responses(
        emulator, lambda _method, item: {key: value for key, value in item.items() if value}
    )
    with stub_server(filled) as server:
        result = run_module(kind, server.base_url, **{name: "web", option: ""})
        again = run_module(kind, server.base_url, **{name: "web", option: ""})
    assert (result["changed"], result[kind.singular][option]) == (True, "")
    assert (again["changed"], again[kind.singular][option]) == (False, None)


def test_a_verification_without_a_token_is_tried_until_it_brings_one(clock):
    pending = json_response({"status": "pending"}, 202)
    nothing = StubResponse(204)
    confirmed = json_response(
        {"token": "token-of-the-login", "email": "dev@example.com", "teamId": None}
    )
    options = {
        "email": "dev@example.com",
        "verification_token": "v",
        "wait_timeout": 10.0,
        "wait_interval": 2.0,
    }
    with stub_server(pending, nothing, confirmed) as server:
        platform = make_platform(server.base_url, clock)
        assert (
            verify_login(platform, {**options, "wait": True}, False)["access_token"]
            == "token-of-the-login"
        )
        assert clock.slept == [2.0, 2.0]
    with (
        stub_server(pending) as server,
        pytest.raises(PlatformError, match="contains no token") as failure,
    ):
        verify_login(make_platform(server.base_url, clock), {**options, "wait": False}, False)
    assert len(server.requests) == 1
    # Another request would make the message that waits for its click worthless.
    assert "was not confirmed yet (and wait is false). Click the link in the message" in str(
        failure.value
    )
