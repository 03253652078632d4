# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A project moves to another team where it is said to come from there, and where the service does
it.
"""

from typing import Any

import pytest
from client import check_then_run, expect_refusal, run_module
from emulated import ControlledEmulator
from stub_server import altering_responses, stub_server

from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    ApiError,
    InvalidOption,
    PlatformError,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project

PATCH = "PATCH /projects/{idOrName}"
TEAMS = [
    {"slug": "old", "id": "team_old", "createdAt": 1},
    {"slug": "new", "id": "team_new", "createdAt": 1},
]
MOVED: dict[str, Any] = {"name": "web", "team": "new", "previous_team": "old"}


@pytest.fixture
def service(emulator: ControlledEmulator) -> ControlledEmulator:
    web = {"name": "web", "id": "prj_web", "team": "old", "framework": "hugo", "createdAt": 1}
    emulator.seed(teams=TEAMS, projects=[web])
    return emulator


def teams_of(service: ControlledEmulator) -> dict[str, str]:
    return {project["name"]: project["teamId"] for project in service.state()["projects"]}


def lists_read(service: ControlledEmulator) -> list[str | None]:
    return [
        request["query"].get("teamId")
        for request in service.requests()
        if request["path"] == "/projects"
    ]


@pytest.mark.parametrize("previous_team", ["old", "team_old"])
@pytest.mark.parametrize(
    ("options", "before", "after"),
    [
        ({"name": "web"}, {}, {}),
        ({"id": "prj_web"}, {}, {}),
        ({"name": "web", "framework": "astro"}, {"framework": "hugo"}, {"framework": "astro"}),
        ({"name": "shop", "previously": ["site", "web"]}, {"name": "web"}, {"name": "shop"}),
        ({"name": "shop", "id": "prj_web"}, {"name": "web"}, {"name": "shop"}),
        ({"name": "web", "unlisted_fields": "clear"}, {"framework": "hugo"}, {"framework": ""}),
    ],
)
def test_a_project_of_the_previous_team_moves_with_all_that_differs(
    service, options, before, after, previous_team
):
    options = {**options, "team": "new", "previous_team": previous_team}
    foreseen, moved = check_then_run(Project, service.base_url, **options)
    assert foreseen["changed"] is moved["changed"] is True
    assert foreseen["diff"] == moved["diff"]
    assert moved["diff"]["before"] == {**before, "team": "old"}
    assert moved["diff"]["after"] == {**after, "team": "new"}
    assert foreseen["project"] == {
        **moved["project"],
        "updated_at": foreseen["project"]["updated_at"],
    }
    assert (moved["project"]["id"], moved["project"]["team_id"]) == ("prj_web", "team_new")
    (sent,) = [request for request in service.requests() if request["method"] == "PATCH"]
    assert (sent["path"], sent["query"]) == ("/projects/prj_web", {"teamId": "team_old"})
    assert sent["body"] == {"name": "web", **after, "teamId": "team_new"}
    again = run_module(Project, service.base_url, **options)
    assert (again["changed"], again["project"]) == (False, moved["project"])


def test_project_already_in_the_team_is_not_moved(service):
    service.seed(projects=[{"name": "web", "team": "new", "framework": "vite"}])
    result = run_module(Project, service.base_url, **MOVED, framework="astro")
    assert result["diff"]["after"] == {"framework": "astro"}
    assert "team_old" not in lists_read(service)


def test_an_earlier_name_in_the_team_comes_before_the_previous_team(service):
    service.seed(projects=[{"name": "site", "team": "new"}])
    result = run_module(Project, service.base_url, **MOVED, previously=["site"])
    assert result["diff"] == {
        **result["diff"],
        "before": {"name": "site"},
        "after": {"name": "web"},
    }
    assert "team_old" not in lists_read(service)


@pytest.mark.parametrize(
    "previous_team", ["nowhere", "new", "team_new"], ids=["no team", "itself", "its id"]
)
def test_a_previous_team_that_has_nothing_to_do_with_it_is_nothing(service, previous_team):
    for result in check_then_run(
        Project, service.base_url, name="web", team="new", previous_team=previous_team
    ):
        assert result["diff"]["after"] == {"name": "web"}
    assert service.writes == ["POST /projects"]


def test_a_previous_team_that_does_not_exist_is_named_with_what_is_near(service):
    for result in check_then_run(
        Project, service.base_url, name="web", team="new", previous_team="oldd"
    ):
        near = "previous_team: oldd does not exist, so it has no projects. Did you mean old?"
        assert (result["diff"]["after"], result["warnings"]) == ({"name": "web"}, [near])
    assert (
        run_module(Project, service.base_url, name="web", team="new", previous_team="oldd")[
            "warnings"
        ]
        == []
    )


def test_a_move_to_a_team_that_an_earlier_task_makes_is_predicted(service):
    options = {"name": "web", "team": "newer", "previous_team": "old"}
    foreseen = run_module(Project, service.base_url, check_mode=True, **options)
    service.seed(teams=[{"slug": "newer"}])
    moved = run_module(Project, service.base_url, **options)
    for side in ("before", "after"):
        assert foreseen["diff"][side] == moved["diff"][side]


def test_two_projects_in_the_previous_team_are_both_named(service):
    service.seed(projects=[{"name": "site", "id": "prj_site", "team": "old"}])
    message = expect_refusal(Project, service, **MOVED, previously=["site"])
    assert "web (id prj_web" in message
    assert "site (id prj_site" in message
    service.switch(duplicate_names="allowed")
    service.seed(projects=[{"name": "web", "id": "prj_twin", "team": "old"}])
    message = expect_refusal(Project, service, **MOVED)
    assert "prj_web" in message
    assert "prj_twin" in message


@pytest.mark.parametrize("options", [{"id": "prj_web"}, {"id": "prj_web", "name": "shop"}])
def test_a_project_does_not_move_to_where_its_name_is_taken(service, options):
    name = options.get("name", "web")
    service.seed(projects=[{"name": name, "id": "prj_there", "team": "new"}])
    message = expect_refusal(Project, service, **{**MOVED, "name": None, **options})
    assert (
        f"prj_web cannot be renamed to {name}, because the project prj_there already has that name"
        in message
    )


def test_a_name_that_is_taken_in_the_previous_team_alone_is_free(service):
    service.seed(projects=[{"name": "shop", "team": "old"}])
    moved = run_module(
        Project, service.base_url, id="prj_web", name="shop", team="new", previous_team="old"
    )
    assert moved["diff"]["after"] == {"name": "shop", "team": "new"}


def test_an_id_that_neither_team_has_says_so(service):
    message = expect_refusal(Project, service, **{**MOVED, "name": None}, id="prj_none")
    assert message.startswith("id: no project has the id")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"state": "absent"}, "needs state=present, but state is absent"),
        ({"state": "exists"}, "needs state=present, but state is exists"),
        ({"team": None}, "requires team"),
        ({"team": None, "own_scope": True}, "requires team"),
        ({"previous_team": ""}, "must not be empty"),
    ],
)
def test_invalid_previous_team_is_rejected_before_the_first_request(service, options, words):
    with pytest.raises(InvalidOption, match=f"^previous_team: {words}"):
        run_module(Project, service.base_url, **{**MOVED, **options})
    assert service.requests() == []


@pytest.mark.parametrize("options", [{}, {"framework": "astro"}], ids=["alone", "with a change"])
@pytest.mark.parametrize("switch", ["ignored", 400])
def test_ignored_move_fails_the_run_but_not_check_mode(service, switch, options):
    service.switch(team_id_on_patch=switch)
    assert run_module(Project, service.base_url, True, **MOVED, **options)["changed"] is True
    with pytest.raises(
        PlatformError, match="The service did not move the project web from team old to team new"
    ) as no:
        run_module(Project, service.base_url, **MOVED, **options)
    assert isinstance(no.value, ApiError) is (switch == 400)
    assert bool(no.value.result.get("changed")) is (switch == "ignored" and bool(options))
    assert teams_of(service) == {"web": "team_old"}


@pytest.mark.parametrize("not_found", [404, 400, 403])
@pytest.mark.parametrize("fault", ["504", "reset"])
def test_a_move_whose_answer_was_lost_is_found_in_the_new_team(service, fault, not_found):
    service.switch(not_found=not_found)
    service.plan_fault(PATCH, fault, when="after")
    moved = run_module(Project, service.base_url, **MOVED, framework="astro")
    assert (moved["changed"], moved["project"]["team_id"], moved["project"]["framework"]) == (
        True,
        "team_new",
        "astro",
    )
    assert service.operations.count(PATCH) == 2


@pytest.mark.parametrize("switch", ["honoured", "ignored"])
def test_move_is_confirmed_by_list_if_the_response_has_no_team(service, switch):
    service.switch(team_id_on_patch=switch)

    def without_team(method: str, project: dict[str, Any]) -> dict[str, Any]:
        return {**project, "teamId": None} if method == "PATCH" else project

    with stub_server(altering_responses(service, without_team)) as server:
        if switch == "honoured":
            assert run_module(Project, server.base_url, **MOVED)["project"]["team_id"] == "team_new"
        else:
            with pytest.raises(PlatformError, match="did not move"):
                run_module(Project, server.base_url, **MOVED)


def test_an_id_of_another_team_is_not_there(service):
    assert "prj_web" in expect_refusal(
        Project, service, id="prj_web", team="new", framework="astro"
    )
    assert (
        run_module(Project, service.base_url, id="prj_web", team="new", state="absent")["changed"]
        is False
    )
