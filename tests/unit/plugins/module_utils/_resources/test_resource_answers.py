# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers that show less than the object, an old one, or nothing yet."""

from __future__ import annotations

import json
from typing import Any

import pytest
from client import ManualClock, api_to, converge_on, platform_to, run
from scripted import Answer, Asked, answer_json, answer_lists, scripted

from ansible_collections.hosting.platform.plugins.module_utils._common.errors import ApiError, PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._kinds.login import verify_login
from ansible_collections.hosting.platform.plugins.module_utils._kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._kinds.team import Team

ID = "prj_1"


class Service:
    """One project at most; ``created`` and ``updated`` make the answers of its writes."""

    def __init__(self, created: Any = dict, updated: Any = dict, **project: Any) -> None:
        self.project = {"id": ID, "name": "web", "createdAt": 5, **project} if project else None
        self.created, self.updated = created, updated

    def __call__(self, asked: Asked) -> Any:
        if asked.method == "POST":
            self.project = {"id": ID, "createdAt": 5, **json.loads(asked.body)}
            return answer_json(self.created(self.project), 201)
        if asked.method == "PATCH" and self.project is not None:
            old = dict(self.project)
            self.project.update(json.loads(asked.body))
            return answer_json(self.updated(old, self.project))
        items = [self.project] if self.project else []
        return answer_lists(projects=items)


@pytest.mark.parametrize("shown", [["id"], ["id", "name"]])
def test_what_a_creations_answer_leaves_out_is_read(shown):
    """The object may serve the next item of a loop, which must not find different what is not."""

    def created(project: dict[str, Any]) -> dict[str, Any]:
        project["alias"] = "web.example.app"
        return {key: project[key] for key in shown}

    with scripted(Service(created=created)) as server:
        platform = platform_to(server.base_url, in_loop=True)
        first = converge_on(platform, Project, name="web", framework="astro")
        again = converge_on(platform, Project, name="web", framework="astro", alias="web.example.app")
    assert [asked.method for asked in server.asked] == ["GET", "POST", "GET"]
    assert (first["changed"], again["changed"]) == (True, False)
    assert first["project"] == again["project"]
    assert first["project"]["framework"] == "astro"
    assert not [warning for warning in again["warnings"] if "every run" in warning]


@pytest.mark.parametrize(
    ("updated", "methods"),
    [
        (lambda _old, new: {"id": new["id"], "framework": new["framework"]}, ["GET", "PATCH", "GET"]),
        (lambda old, _new: old, ["GET", "PATCH", "GET"]),
        (lambda _old, new: {"framework": new["framework"]}, ["GET", "PATCH", "GET"]),
        (lambda _old, new: {key: new[key] for key in ("id", "name", "framework")}, ["GET", "PATCH"]),
    ],
    ids=["partial", "old", "without its id", "without what stays"],
)
def test_what_an_updates_answer_leaves_out_is_read_or_stays_as_it_was(updated, methods):
    """The object may serve the next item of a loop, which must not find changed what is not."""
    service = Service(updated=updated, framework="astro", buildCommand="make")
    with scripted(service) as server:
        result = run(Project, server.base_url, name="web", framework="next")
    assert [asked.method for asked in server.asked] == methods
    assert result["changed"] is True
    shown = result["project"]
    assert (shown["name"], shown["framework"], shown["build_command"]) == ("web", "next", "make")


def lowering(service: Service, field: str) -> Any:
    """The service, which writes a field in lower case whatever it is sent."""

    def reply(asked: Asked) -> Any:
        answer = service(asked)
        if service.project is None or asked.method == "GET":
            return answer
        service.project[field] = service.project[field].lower()
        return answer_json(service.project)

    return reply


def test_a_change_that_shows_late_is_not_taken_for_none_in_a_loop():
    """Trying again without the cached list would find it made, and say that nothing has changed."""
    service = Service(updated=lambda _old, new: new, framework="astro")
    old = dict(service.project or {})
    late: list[Any] = []

    def reply(asked: Asked) -> Any:
        if asked.method == "PATCH":
            late.append(old)
            service(asked)
            return Answer(202)
        if late:
            return answer_lists(projects=[late.pop()])
        return service(asked)

    with scripted(reply) as server:
        platform = platform_to(server.base_url, in_loop=True)
        assert converge_on(platform, Project, name="web", framework="astro")["changed"] is False
        with pytest.raises(PlatformError, match="shows it unchanged") as failure:
            converge_on(platform, Project, name="web", framework="next")
    assert failure.value.result == {"changed": True}


@pytest.mark.parametrize("status", [200, 204])
def test_a_changed_team_that_only_a_get_shows_is_read_by_one(status):
    """The list has the teams that the user belongs to."""
    team = {"id": "team_1", "slug": "acme", "name": "Old", "createdAt": 5}

    def reply(asked: Asked) -> Answer:
        if asked.method == "PATCH":
            team.update(json.loads(asked.body))
            return Answer(status)
        if asked.target.startswith("/teams?"):
            return answer_lists(teams=[])
        return answer_json(team)

    with scripted(reply) as server:
        result = run(Team, server.base_url, slug="acme", name="New")
    assert (result["changed"], result["team"]["name"]) == (True, "New")


@pytest.mark.parametrize("options", [{"name": "Web"}, {"id": ID, "name": "Web"}], ids=["created", "renamed"])
def test_a_name_that_the_service_writes_otherwise_fails_and_says_which(options):
    """The next run would not find it, and make another."""
    service = Service(updated=lambda _old, new: new, **({"framework": "astro"} if "id" in options else {}))
    said = "calls the project prj_1 web, not Web"
    with scripted(lowering(service, "name")) as server, pytest.raises(PlatformError, match=said) as failure:
        run(Project, server.base_url, **options)
    assert failure.value.result["changed"] is True
    assert failure.value.result["project"]["name"] == "web"


def test_what_the_service_writes_otherwise_is_told_even_if_a_creations_answer_is_a_bare_id():
    def created(project: dict[str, Any]) -> dict[str, Any]:
        project.update(name=project["name"].lower(), framework=project["framework"].lower())
        return {"id": project["id"]}

    with scripted(Service(created=created)) as server:
        result = run(Project, server.base_url, name="web", framework="NEXT")
        assert any(warning.startswith("framework: the service shows another") for warning in result["warnings"])
    with scripted(Service(created=created)) as server, pytest.raises(PlatformError, match="prj_1 web, not Web"):
        run(Project, server.base_url, name="Web", framework="next")


def test_a_name_that_the_service_composes_is_said_to_look_the_same():
    decomposed, composed = "cafe\u0301", "caf\u00e9"
    service = Service(created=lambda project: {**project, "name": composed})
    with scripted(service) as server, pytest.raises(PlatformError, match=f"calls .* {composed}, .* look the same"):
        run(Project, server.base_url, name=decomposed)


def test_a_user_that_is_wrapped_is_no_user_of_nulls():
    with scripted(answer_json({"user": {"id": "usr_1"}})) as server, pytest.raises(ApiError, match="promises"):
        api_to(server.base_url).get_user()


@pytest.mark.parametrize("former", [{}, {"framework": "astro"}], ids=["created", "changed"])
def test_a_value_that_the_service_writes_otherwise_is_shown_as_it_stands_and_told(former):
    service = Service(created=dict, updated=lambda _old, new: new, **former)
    with scripted(lowering(service, "framework")) as server:
        result = run(Project, server.base_url, name="web", framework="NEXT")
    assert (result["changed"], result["project"]["framework"]) == (True, "next")
    assert any(warning.startswith("framework: the service shows another") for warning in result["warnings"])


def test_what_the_service_writes_otherwise_is_shown_where_the_answer_is_the_old_object():
    """Its old name is no other name that the service has given the project."""
    service = Service(updated=lambda old, _new: old, framework="astro")

    def reply(asked: Asked) -> Any:
        answer = service(asked)
        if asked.method == "PATCH" and service.project:
            service.project["framework"] = service.project["framework"].lower()
        return answer

    with scripted(reply) as server:
        result = run(Project, server.base_url, id=ID, name="shop", framework="NEXT")
    assert (result["project"]["name"], result["project"]["framework"]) == ("shop", "next")
    assert any(warning.startswith("framework: the service shows another") for warning in result["warnings"])


@pytest.mark.parametrize("former", [{}, {"alias": "old.example.com"}], ids=["created", "changed"])
def test_a_projects_alias_that_the_service_writes_in_lower_case_is_the_same(former):
    service = Service(created=dict, updated=lambda _old, new: new, **former)
    with scripted(lowering(service, "alias")) as server:
        results = [run(Project, server.base_url, name="web", alias="Shop.Example.com.") for _time in range(2)]
    assert [result["changed"] for result in results] == [True, False]
    assert results[1]["project"]["alias"] == "shop.example.com."
    assert [warning for result in results for warning in result["warnings"] if warning.startswith("alias: ")] == []


def test_a_creation_whose_answer_cannot_be_decoded_is_found():
    service = Service()

    def spoiling(asked: Asked) -> Any:
        answer = service(asked)
        return Answer(201, b"not gzip", {"Content-Encoding": "gzip"}) if asked.method == "POST" else answer

    with scripted(spoiling) as server:
        result = run(Project, server.base_url, name="web")
    assert [asked.method for asked in server.asked] == ["GET", "POST", "GET"]
    assert (result["changed"], result["project"]["name"]) == (True, "web")


def test_a_verification_without_a_token_is_tried_until_it_brings_one():
    pending = answer_json({"status": "pending"}, 202)
    nothing = Answer(204)
    confirmed = answer_json({"token": "token-of-the-login", "email": "dev@example.com", "teamId": None})
    options = {"email": "dev@example.com", "verification_token": "v", "wait_timeout": 10.0, "wait_interval": 2.0}
    clock = ManualClock()
    with scripted(pending, nothing, confirmed) as server:
        platform = platform_to(server.base_url, clock)
        assert verify_login(platform, {**options, "wait": True}, False)["access_token"] == "token-of-the-login"
        assert clock.slept == [2.0, 2.0]
    with scripted(pending) as server, pytest.raises(PlatformError, match="contains no token") as failure:
        verify_login(platform_to(server.base_url, clock), {**options, "wait": False}, False)
    assert len(server.asked) == 1
    # Another request would make the message that waits for its click worthless.
    assert "was not confirmed yet (and wait is false). Click the link in the message" in str(failure.value)
