# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The own scope is what its list shows and what belongs to none of the caller's teams."""

from typing import Any

import pytest
from acme import ACME, WEB
from blueprints import (
    export,
)
from client import converge_on, expect_refusal, make_platform, run_module
from modules import perform
from stub_server import list_response, stub_server

from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.alias import Alias
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.domain import Domain
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project

OWN: dict[str, Any] = {"own_scope": True}
ABSENT: dict[str, Any] = {**OWN, "state": "absent"}
WAYS = pytest.mark.parametrize("own", [{}, OWN], ids=["no team", "own scope"])
TEAM_OBJECTS = [
    (Project, {"name": "web"}, "project web"),
    (Project, {"id": "prj_acme"}, "project web"),
    (Domain, {"name": "ACME.org."}, "domain acme.org"),
    (Alias, {"alias": "www.example.com"}, "alias www.example.com"),
]


@WAYS
@pytest.mark.parametrize(("kind", "options", "label"), TEAM_OBJECTS)
def test_absent_is_unchanged_and_says_whose_it_is(own_list, kind, options, label, own):
    before = own_list.state()
    for check_mode in (True, False):
        result = run_module(kind, own_list.base_url, check_mode, **options, **own, state="absent")
        assert result["changed"] is False
        assert result["warnings"] == [
            f"team: the {label} belongs to the team acme, so it counts as absent. To delete"
            " it, set team to acme."
        ]
    assert own_list.state() == before


@WAYS
@pytest.mark.parametrize("check_mode", [True, False])
@pytest.mark.parametrize(
    "options", [{"name": "web"}, {"id": "prj_acme"}, {"name": "site", "previously": ["web"]}]
)
def test_present_fails_before_it_creates(own_list, options, check_mode, own):
    with pytest.raises(PlatformError) as failure:
        run_module(Project, own_list.base_url, check_mode, **options, **own)
    message = "team: the project web belongs to the team acme. Set team to acme."
    assert str(failure.value) == message
    assert own_list.writes == []


@WAYS
def test_exists_fails_before_it_creates(own_list, own):
    message = expect_refusal(Project, own_list, name="web", state="exists", **own)
    assert message.endswith("belongs to the team acme. Set team to acme.")


def test_present_alias_and_domain_fail_before_they_are_sent(own_list):
    for kind, options in ((Domain, {"name": "acme.org"}), (Project, {"id": "prj_acme"})):
        message = expect_refusal(kind, own_list, **options, **OWN)
        assert message.endswith("belongs to the team acme. Set team to acme.")


@WAYS
@pytest.mark.parametrize("check_mode", [True, False])
@pytest.mark.parametrize("project", ["web", "prj_acme"])
def test_a_project_of_a_team_is_not_that_of_an_own_alias(own_list, project, check_mode, own):
    new = {"alias": "new.example.com", "project": project}
    with pytest.raises(PlatformError) as failure:
        run_module(Alias, own_list.base_url, check_mode, **new, **own)
    message = "team: the project web belongs to the team acme. Set team to acme."
    assert str(failure.value) == message
    assert own_list.writes == []


@pytest.fixture(params=["id", "unset"])
def alias_of_team(emulator, request):
    """An alias of acme's, which the own list shows or not, and a project of one's own."""
    emulator.seed(
        teams=[ACME],
        projects=[WEB, {"name": "mine"}],
        aliases=[{"alias": "shop.example.com", "project": "web", "team": "acme"}],
    )
    emulator.switch(alias_team_id=request.param)
    return emulator


@WAYS
@pytest.mark.parametrize("spans", [False, True, "one_team"])
def test_an_alias_of_a_team_is_taken_by_no_task_without_a_team(alias_of_team, spans, own):
    alias_of_team.switch(lists_span_teams=spans)
    before = alias_of_team.state()
    project = "web" if spans == "one_team" else "mine"
    with pytest.raises(PlatformError, match="belongs to the team acme"):
        run_module(Alias, alias_of_team.base_url, alias="shop.example.com", project=project, **own)
    if spans != "one_team":
        message = expect_refusal(
            Project, alias_of_team, name="mine", alias="shop.example.com", **own
        )
        assert message.endswith(
            "alias shop.example.com belongs to the team acme. Set team to acme."
        )
    assert (
        run_module(Alias, alias_of_team.base_url, alias="shop.example.com", state="absent", **own)[
            "changed"
        ]
        is False
    )
    assert alias_of_team.state() == before


def test_an_own_alias_whose_project_the_own_list_lacks_is_nobody_s():
    alias = {"id": "als_1", "alias": "my.example.com", "projectId": "prj_gone"}
    lists = list_response(teams=[], projects=[], domains=[], aliases=[alias])
    with stub_server(lists) as server:
        result = run_module(Alias, server.base_url, alias="my.example.com", **ABSENT)
        exported = export(server.base_url)
        (shown,) = perform("alias_info", server.base_url)["aliases"]
    assert (result["changed"], result["warnings"]) == (False, [])
    assert exported["aliases"] == []
    assert shown["id"] == "als_1"


@pytest.mark.parametrize("options", [{"framework": "astro"}, {"state": "absent"}])
@pytest.mark.parametrize("precedence", ["id", "name"])
def test_a_project_whose_id_is_the_name_of_a_team_s_is_not_mistaken_for_it(
    emulator, precedence, options
):
    emulator.seed(
        teams=[ACME],
        projects=[{"name": "mine", "id": "1234"}, {"name": "1234", "team": "acme"}],
    )
    emulator.switch(lists_span_teams=True, id_or_name_precedence=precedence)
    if precedence == "name":
        message = expect_refusal(Project, emulator, name="mine", **options)
        assert "The project mine cannot be addressed" in message
        return
    assert run_module(Project, emulator.base_url, name="mine", **options)["changed"] is True
    (of_acme,) = [item for item in emulator.state()["projects"] if item["name"] == "1234"]
    assert not of_acme["framework"]


@WAYS
def test_a_team_list_that_is_refused_leaves_what_names_a_team(own_list, own):
    own_list.plan_fault("GET /teams", "403", count=9)
    before = own_list.state()
    result = run_module(Project, own_list.base_url, name="web", state="absent", **own)
    assert result["changed"] is False
    refused, whose = result["warnings"]
    assert refused.startswith("GET /teams failed: status 403")
    assert "What names a team is not taken for your own" in refused
    assert "so it counts as absent" in whose
    message = expect_refusal(Project, own_list, name="web", **own)
    assert "the project web belongs to the team" in message
    assert own_list.state() == before


@WAYS
def test_the_teams_are_asked_once_a_task(emulator, own):
    emulator.seed(teams=[ACME], projects=[{"name": "mine"}, {"name": "other"}])
    platform = make_platform(emulator.base_url)
    for framework in ("astro", "hugo"):
        for name in ("mine", "other"):
            converge_on(platform, Project, name=name, framework=framework, **own)
    assert emulator.operations.count("GET /teams") == 1
    assert emulator.operations.count("GET /projects") == 1


def test_a_task_that_finds_no_object_of_a_team_does_not_ask_for_the_teams(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": "mine"}])
    run_module(Project, emulator.base_url, name="missing", state="absent")
    assert "GET /teams" not in emulator.operations


def test_a_second_run_leaves_the_team_s_object_of_the_name(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": "web"}, WEB])
    emulator.switch(lists_span_teams=True)
    changed = [
        run_module(Project, emulator.base_url, name="web", **ABSENT)["changed"] for _run in range(3)
    ]
    assert changed == [True, False, False]
    assert len(emulator.state()["projects"]) == 1


def test_whose_the_others_are_is_not_asked_before_a_creation(emulator):
    emulator.seed(teams=[ACME], projects=[WEB])
    emulator.switch(lists_span_teams=True)
    assert run_module(Project, emulator.base_url, name="shop", own_scope=True)["changed"] is True
    assert emulator.operations[:2] == ["GET /projects", "POST /projects"]


@WAYS
def test_a_creation_that_comes_to_a_team_has_failed_and_names_it(emulator, own):
    emulator.seed(teams=[ACME])
    emulator.switch(lists_span_teams="one_team")
    with pytest.raises(PlatformError) as failure:
        run_module(Project, emulator.base_url, name="web", **own)
    (project,) = emulator.state()["projects"]
    assert str(failure.value) == (
        f"team: the service put the project web (id {project['id']}) into the team acme"
        " instead of your own scope (no team is set)."
        " Set team to acme, or contact the service's operator."
    )
    assert failure.value.result["changed"] is True
    assert failure.value.result["project"]["id"] == project["id"]
    assert run_module(Project, emulator.base_url, **WEB)["changed"] is False


@WAYS
def test_a_lost_creation_that_comes_to_a_team_is_not_sent_again(emulator, own):
    emulator.seed(teams=[ACME])
    emulator.switch(lists_span_teams="one_team", duplicate_names="allowed")
    emulator.plan_fault("POST /projects", "reset", when="after")
    with pytest.raises(PlatformError, match="project web belongs to the team acme"):
        run_module(Project, emulator.base_url, name="web", **own)
    assert len(emulator.state()["projects"]) == 1


def test_objects_that_name_no_team_are_read_without_the_teams(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": "web"}])
    emulator.switch(personal_team_id="unset")
    run_module(Project, emulator.base_url, name="web", framework="astro", **OWN)
    run_module(Project, emulator.base_url, name="web", **ABSENT)
    assert "GET /teams" not in [request["operation"] for request in emulator.requests()]
