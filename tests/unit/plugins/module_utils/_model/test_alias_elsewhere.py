# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An alias is where it is: one of another project or scope is taken from there, and the diff shows
it.
"""

import pytest
from acme import ACME, WEB, ZETA
from modules import perform
from stub_server import json_response, list_response, stub_server, text_response

GET = "GET /aliases/{idOrAlias}"
SITE = {"alias": "www.example.com", "project": "site", "team": "zeta"}
WANTED = {"alias": "www.example.com", "project": "web", "team": "acme"}


@pytest.fixture
def platform(emulator):
    emulator.switch(assignment_takes="everywhere", own_alias_takes="everywhere")
    emulator.seed(
        teams=[ACME, ZETA], projects=[WEB, {"name": "site", "team": "zeta"}], aliases=[SITE]
    )
    return emulator


def project_of(platform, alias="www.example.com"):
    state = platform.state()
    (project_id,) = [record["projectId"] for record in state["aliases"] if record["alias"] == alias]
    return next(project["name"] for project in state["projects"] if project["id"] == project_id)


def test_an_alias_of_another_scope_is_taken_from_there_as_the_diff_shows(platform):
    foreseen, done = (
        perform("alias", platform.base_url, check, **WANTED) for check in (True, False)
    )
    for result in (foreseen, done):
        assert result["changed"] is True
        assert result["diff"]["before"] == {"project": "site"}
        assert result["diff"]["after"] == {"project": "web"}
    for field in ("id", "project_id", "team_id"):
        assert foreseen["alias"][field] == done["alias"][field]
    assert project_of(platform) == "web"
    assert platform.writes == ["POST /web/alias"]
    assert perform("alias", platform.base_url, **WANTED)["changed"] is False


@pytest.mark.parametrize(
    "name", ["WWW.Example.com.", "xn--bcher-kva.example.com", "b\u00fccher.example.com"]
)
def test_it_is_asked_for_in_every_form_in_which_it_may_be_stored(platform, name):
    platform.seed(aliases=[{**SITE, "alias": "xn--bcher-kva.example.com"}])
    result = perform("alias", platform.base_url, check_mode=True, **{**WANTED, "alias": name})
    assert result["diff"]["before"] == {"project": "site"}


def test_an_alias_that_the_list_shows_is_not_asked_for(platform):
    platform.seed(aliases=[{**WANTED, "alias": "shop.example.com"}])
    perform("alias", platform.base_url, **{**WANTED, "alias": "shop.example.com"})
    perform("alias", platform.base_url, **{**WANTED, "alias": "gone.example.com"}, state="absent")
    assert GET not in platform.operations


def test_an_absent_alias_of_another_scope_stays_there(platform):
    result = perform("alias", platform.base_url, **WANTED, state="absent")
    assert (result["changed"], project_of(platform)) == (False, "site")


@pytest.mark.parametrize(
    "answer", [text_response("no", 404), text_response("no", 403), json_response({}, 400)]
)
def test_a_refusal_says_nothing_of_where_an_alias_is(answer):
    assert "failed" not in check_against(answer)


@pytest.mark.parametrize("alias", ["other.example.com", None, ["www.example.com"]])
def test_another_answer_says_nothing_of_where_an_alias_is(alias):
    result = check_against(json_response({"id": "al_1", "alias": alias, "projectId": "prj_site"}))
    assert result["diff"]["before"] == {}


@pytest.mark.parametrize("answer", [text_response("", 401), text_response("", 429)])
def test_a_token_that_is_not_accepted_or_throttling_fails(answer):
    result = check_against(answer)
    assert (result["failed"], result["failure"]["operation"]) == (True, GET)


def check_against(answer):
    """The prediction of an alias, by a service that answers so when it is asked for it."""
    lists = list_response(
        teams=[{"id": "team_1", "slug": "acme"}],
        projects=[{"id": "prj_web", "name": "web", "teamId": "team_1"}],
        aliases=[],
    )
    with stub_server(lambda request: answer if "/aliases/" in request.target else lists) as server:
        return perform("alias", server.base_url, check_mode=True, max_retries=0, **WANTED)


@pytest.mark.parametrize("options", [{"name": "web"}, {"name": "new"}])
def test_a_project_that_takes_an_alias_as_its_own_says_which_project_loses_it(platform, options):
    for check_mode in (True, False):
        result = perform(
            "project",
            platform.base_url,
            check_mode,
            **options,
            team="acme",
            alias="www.example.com",
        )
        loss = (
            "alias: www.example.com is an alias of the project site, which may lose it to"
            f" {options['name']}."
        )
        assert result["warnings"] == [loss]
    assert project_of(platform) == options["name"]
    again = perform("project", platform.base_url, **options, team="acme", alias="www.example.com")
    assert (again["changed"], again["warnings"]) == (False, [])


def test_a_project_may_make_one_of_its_aliases_its_own(platform):
    platform.seed(aliases=[{**WANTED, "alias": "shop.example.com"}])
    result = perform("project", platform.base_url, check_mode=True, **WEB, alias="shop.example.com")
    assert (result["changed"], result["warnings"]) == (True, [])


def test_alias_info_names_the_project_of_another_scope(platform):
    """A service may leave the aliases of a project that moves to another team."""
    platform.switch(aliases_move=False)
    perform("project", platform.base_url, name="site", team="acme", previous_team="zeta")
    for asked in ({}, {"domain": "example.com"}, {"alias": "www.example.com"}):
        listed = perform("alias_info", platform.base_url, team="zeta", **asked)["aliases"]
        projects = {alias["alias"]: alias["project"] for alias in listed}
        assert projects["www.example.com"] == "site"


def test_an_own_alias_without_a_team_is_deleted_for_the_team_that_its_project_names(platform):
    platform.seed(
        projects=[{"name": "mine"}], aliases=[{"alias": "my.example.com", "project": "mine"}]
    )
    platform.switch(lists_span_teams=True, alias_team_id="unset")
    absent = {"alias": "my.example.com", "state": "absent"}
    assert perform("alias", platform.base_url, **absent)["changed"] is True
    (deletion,) = [request for request in platform.requests() if request["method"] == "DELETE"]
    (mine,) = [item for item in platform.state()["projects"] if item["name"] == "mine"]
    assert deletion["query"] == {"teamId": mine["teamId"]}


@pytest.mark.parametrize("shown", ["id", "unset"])
def test_whether_a_new_alias_shows_its_team_is_not_foreseen(platform, shown):
    platform.switch(alias_team_id=shown)
    new = {**WANTED, "alias": "shop.example.com"}
    foreseen, done = (perform("alias", platform.base_url, check, **new) for check in (True, False))
    assert foreseen["alias"]["team_id"] is None
    assert (done["alias"]["team_id"] is None) is (shown == "unset")
