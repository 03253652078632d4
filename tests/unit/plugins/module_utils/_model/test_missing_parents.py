# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks below a team or project that does not exist: check mode sees the play, and a clean-up runs
twice.
"""

import pytest
from acme import ACME, WEB, WWW
from modules import perform

TYPO = "acmee"
NEAR = "Did you mean acme?"
MISSING_TEAM = (
    f"team {TYPO} does not exist. Check mode takes it for what an earlier task makes. {NEAR}"
)
MISSING_PROJECT = (
    "project wep of team acme does not exist. Check mode takes it for what an earlier task makes."
    " Did you mean web?"
)

PRESENT = [
    ("project", {"name": "shop", "framework": "hugo"}),
    ("project", {"name": "shop", "state": "exists"}),
    ("project", {"name": "shop", "previously": ["web"]}),
    ("alias", {"alias": "new.example.com", "project": "shop"}),
    ("team_member", {"email": "ada@example.com"}),
]
ABSENT = [
    ("project", {"name": "web"}, "project web"),
    ("project", {"id": "prj_web"}, "project prj_web"),
    ("alias", {"alias": "www.example.com"}, "alias www.example.com"),
    ("alias", {"alias": "www.example.com", "project": "web"}, "alias www.example.com"),
    ("domain", {"name": "example.com"}, "domain example.com"),
]
INFO = [
    ("project_info", {}, "projects"),
    ("project_info", {"name": "web"}, "projects"),
    ("project_info", {"limit": 1}, "projects"),
    ("alias_info", {}, "aliases"),
    ("alias_info", {"alias": "www.example.com"}, "aliases"),
    ("alias_info", {"project": "web"}, "aliases"),
    ("alias_info", {"domain": "example.com"}, "aliases"),
    ("domain_info", {}, "domains"),
    ("domain_info", {"name": "example.com"}, "domains"),
    ("project_domain_info", {"project": "web"}, "domains"),
]


@pytest.fixture
def platform(emulator):
    domains = [{"name": "example.com", "team": "acme"}]
    emulator.seed(teams=[ACME], projects=[{**WEB, "id": "prj_web"}], aliases=[WWW], domains=domains)
    return emulator


def assert_nothing_was_sent_for_the_missing_team(platform):
    for request in platform.requests():
        assert (
            request["path"] in ("/teams", f"/teams/{TYPO}")
            or request["operation"] == "GET /aliases/{idOrAlias}"
        )
        assert "teamId" not in request["query"]
    assert platform.writes == []


@pytest.mark.parametrize(("module", "options"), PRESENT)
def test_check_mode_takes_a_missing_team_for_what_an_earlier_task_makes(platform, module, options):
    result = perform(module, platform.base_url, check_mode=True, team=TYPO, **options)
    assert "failed" not in result
    assert result["changed"] is True
    assert MISSING_TEAM in result["warnings"]
    assert result[module]["team_id"] is None
    assert result["diff"]["before"] == {}
    assert_nothing_was_sent_for_the_missing_team(platform)


@pytest.mark.parametrize(("module", "options"), PRESENT)
def test_a_run_fails_in_a_missing_team(platform, module, options):
    result = perform(module, platform.base_url, team=TYPO, **options)
    assert result["failed"] is True
    assert (
        f"team: {TYPO} is neither the id nor the slug of a team that this token can see. {NEAR}"
        in result["msg"]
    )
    assert_nothing_was_sent_for_the_missing_team(platform)


@pytest.mark.parametrize("check_mode", [True, False])
@pytest.mark.parametrize(("module", "options", "name"), ABSENT)
def test_absent_object_of_a_missing_team_is_unchanged(platform, module, options, name, check_mode):
    result = perform(module, platform.base_url, check_mode, team=TYPO, state="absent", **options)
    assert "failed" not in result
    assert (result["changed"], result[module]) == (False, {})
    assert result["warnings"] == [
        f"team {TYPO} does not exist, so the {name} counts as absent. {NEAR}"
    ]
    assert result["diff"]["before"] == result["diff"]["after"]
    assert_nothing_was_sent_for_the_missing_team(platform)


def test_the_list_of_teams_decides_whether_a_team_is_there(platform):
    platform.plan_fault("GET /teams/{teamIdOrSlug}", "500", count=100)
    result = perform(
        "project", platform.base_url, name="web", team=TYPO, state="absent", max_retries=0
    )
    assert (result["changed"], "failed" in result) == (False, False)


@pytest.mark.parametrize(("module", "options", "key"), INFO)
def test_information_of_a_missing_team_is_an_empty_list_in_check_mode(
    platform, module, options, key
):
    result = perform(module, platform.base_url, check_mode=True, team=TYPO, **options)
    assert result[key] == []
    assert MISSING_TEAM in result["warnings"]
    assert_nothing_was_sent_for_the_missing_team(platform)
    assert perform(module, platform.base_url, team=TYPO, **options)["failed"] is True


@pytest.mark.parametrize("check_mode", [True, False])
@pytest.mark.parametrize(
    ("module", "options"),
    [
        ("project", {"id": "prj_web"}),
        ("project", {"id": "prj_web", "name": "shop"}),
        ("domain", {"name": "a.example"}),
    ],
)
def test_check_mode_assumes_nothing_that_no_task_can_create(platform, module, options, check_mode):
    result = perform(module, platform.base_url, check_mode, team=TYPO, **options)
    assert result["failed"] is True
    assert f"team: {TYPO} is neither" in result["msg"]


def test_check_mode_takes_a_missing_project_for_what_an_earlier_task_makes(platform):
    result = perform(
        "alias",
        platform.base_url,
        check_mode=True,
        team="acme",
        project="wep",
        alias="new.example.com",
    )
    assert result["warnings"] == [MISSING_PROJECT]
    assert result["diff"]["after"] == {"alias": "new.example.com", "project": "wep"}
    assert (result["changed"], result["alias"]["project_id"]) == (True, None)
    failed = perform(
        "alias", platform.base_url, team="acme", project="wep", alias="new.example.com"
    )
    assert "project: wep is neither the id nor the name" in failed["msg"]
    assert platform.writes == []


def test_an_alias_of_a_project_without_an_id_yet_asks_for_no_projects(platform):
    options = {"team": "acme", "project": "", "alias": "new.example.com"}
    foreseen = perform("alias", platform.base_url, check_mode=True, **options)
    assert foreseen["diff"]["after"] == {"alias": "new.example.com", "project": None}
    asked = {request["path"] for request in platform.requests()}
    assert asked == {"/teams", "/aliases", "/aliases/new.example.com"}


def test_an_alias_of_another_project_moves_to_one_that_an_earlier_task_makes(platform):
    options = {"team": "acme", "project": "shop", "alias": "www.example.com"}
    foreseen = perform("alias", platform.base_url, check_mode=True, **options)
    perform("project", platform.base_url, team="acme", name="shop")
    moved = perform("alias", platform.base_url, **options)
    assert foreseen["diff"]["before"] == moved["diff"]["before"] == {"project": "web"}
    assert foreseen["diff"]["after"] == moved["diff"]["after"] == {"project": "shop"}


@pytest.mark.parametrize(
    ("module", "key"), [("alias_info", "aliases"), ("project_domain_info", "domains")]
)
def test_information_of_a_missing_project_is_an_empty_list_in_check_mode(platform, module, key):
    result = perform(module, platform.base_url, check_mode=True, team="acme", project="wep")
    assert (result[key], result["warnings"]) == ([], [MISSING_PROJECT])
    asked = {request["path"] for request in platform.requests()}
    assert asked == {"/teams", "/projects", "/projects/wep"}
    assert perform(module, platform.base_url, team="acme", project="wep")["failed"] is True


ABSENT_ALIAS = {"team": "acme", "project": "gone", "alias": "www.example.com", "state": "absent"}


def test_an_absent_alias_stays_on_another_project_of_the_scope(platform):
    for check_mode in (True, False):
        failed = perform("alias", platform.base_url, check_mode, **ABSENT_ALIAS)
        assert failed["msg"].startswith(
            "project: the alias www.example.com belongs to web, not to gone. Nothing was deleted."
        )
    assert platform.writes == []


@pytest.mark.parametrize("check_mode", [True, False])
def test_an_absent_alias_stays_on_a_project_that_the_list_does_not_show_yet(platform, check_mode):
    perform("project", platform.base_url, team="acme", name="docs")
    platform.switch(lists_late_ms=60_000, lists_late="projects")
    perform("project", platform.base_url, team="acme", name="gone")
    perform("alias", platform.base_url, **{**ABSENT_ALIAS, "state": "present"})
    writes = len(platform.writes)
    options = {**ABSENT_ALIAS, "project": "docs"}
    failed = perform("alias", platform.base_url, check_mode, **options)
    assert failed["msg"].startswith(
        "project: the alias www.example.com belongs to gone, not to docs. Nothing was deleted."
    )
    assert len(platform.writes) == writes


@pytest.mark.parametrize("check_mode", [True, False])
@pytest.mark.parametrize(
    ("module", "options"),
    [
        ("blueprint", {"blueprint": {"projects": [{"name": "shop", "team": TYPO}]}}),
        (
            "blueprint",
            {"blueprint": {"projects": [{"name": "shop", "team": TYPO, "state": "absent"}]}},
        ),
        (
            "blueprint",
            {
                "blueprint": {
                    "aliases": [{"alias": "a.example.com", "project": "wep", "team": "acme"}]
                }
            },
        ),
        ("blueprint_info", {"teams": [TYPO]}),
    ],
)
def test_a_blueprint_and_its_export_assume_nothing(platform, module, options, check_mode):
    result = perform(module, platform.base_url, check_mode, **options)
    assert result["failed"] is True
    assert result["warnings"] == []


@pytest.mark.parametrize(
    ("options", "header"), [({"team": "acme"}, "project of acme"), ({}, "project")]
)
def test_an_object_without_a_name_and_an_id_is_called_by_its_kind(platform, options, header):
    diff = perform("project", platform.base_url, check_mode=True, id="", **options)["diff"]
    assert diff == {"before_header": header, "after_header": header, "before": {}, "after": {}}
