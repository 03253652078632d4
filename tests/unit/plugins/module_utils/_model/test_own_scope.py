# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""``own_scope: true`` is what belongs to none of the caller's teams, and nothing else."""

from typing import Any

import pytest
from acme import ACME, WEB, WWW, ZETA
from blueprints import actions, converge, refusal_message, refusal_without_requests
from client import expect_refusal, run_module

from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.alias import Alias
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.domain import Domain
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project

OWN: dict[str, Any] = {"own_scope": True}
ABSENT: dict[str, Any] = {**OWN, "state": "absent"}
DOMAIN = {"name": "acme.org", "team": "acme"}
TEAM_OBJECTS = [
    (Project, {"name": "web"}, "project web"),
    (Project, {"id": "prj_acme"}, "project web"),
    (Domain, {"name": "ACME.org."}, "domain acme.org"),
    (Alias, {"alias": "www.example.com"}, "alias www.example.com"),
]


@pytest.fixture(params=[True, "one_team"], ids=["spanning", "of one team"])
def acme(emulator, request):
    """The list without a team shows what is acme's, with what is nobody's or alone."""
    emulator.seed(teams=[ACME], projects=[{**WEB, "id": "prj_acme"}], aliases=[WWW])
    emulator.seed(domains=[DOMAIN])
    if request.param is True:
        emulator.seed(teams=[ZETA], projects=[{"name": "mine"}])
    emulator.switch(lists_span_teams=request.param)
    return emulator


@pytest.mark.parametrize(("kind", "options", "label"), TEAM_OBJECTS)
def test_absent_is_unchanged_and_says_whose_it_is(acme, kind, options, label):
    before = acme.state()
    for _run in range(2):
        result = run_module(kind, acme.base_url, **options, **ABSENT)
        assert result["changed"] is False
        assert result["warnings"] == [
            f"own_scope: the {label} belongs to the team acme, so it counts as absent. To delete"
            " it, set team to acme."
        ]
    assert acme.state() == before


@pytest.mark.parametrize("state", ["present", "exists"])
def test_present_fails_before_it_creates(acme, state):
    message = expect_refusal(Project, acme, name="web", state=state, **OWN)
    assert message == "own_scope: the project web belongs to the team acme. Set team to acme."


def test_present_alias_and_domain_fail_before_they_are_sent(acme):
    for kind, options in ((Domain, {"name": "acme.org"}), (Project, {"id": "prj_acme"})):
        message = expect_refusal(kind, acme, **options, **OWN)
        assert message.endswith("belongs to the team acme. Set team to acme.")


def test_a_project_of_a_team_is_not_that_of_an_own_alias(acme):
    new = {"alias": "new.example.com", "project": "web"}
    with pytest.raises(PlatformError, match="web is neither the id nor the name of a project"):
        run_module(Alias, acme.base_url, **new, **OWN)
    assert acme.writes == []
    created = run_module(Alias, acme.base_url, **new)
    assert created["changed"] is True


def test_an_earlier_name_of_a_team_s_project_is_not_renamed(acme):
    result = run_module(Project, acme.base_url, name="site", previously=["web"], **OWN)
    assert result["diff"]["before"] == {}
    assert "web" in [project["name"] for project in acme.state()["projects"]]


def test_a_second_run_leaves_the_team_s_object_of_the_name(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": "web"}, WEB])
    emulator.switch(lists_span_teams=True)
    changed = [
        run_module(Project, emulator.base_url, name="web", **ABSENT)["changed"] for _run in range(3)
    ]
    assert changed == [True, False, False]
    assert len(emulator.state()["projects"]) == 1


def test_a_creation_that_comes_to_a_team_is_said(emulator):
    emulator.seed(teams=[ACME])
    emulator.switch(lists_span_teams="one_team")
    (warning,) = run_module(Project, emulator.base_url, name="web", **OWN)["warnings"]
    assert warning.startswith("own_scope: the service put the project web into the team acme.")


def test_objects_that_name_no_team_are_read_without_the_teams(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": "web"}])
    emulator.switch(personal_team_id="unset")
    run_module(Project, emulator.base_url, name="web", framework="astro", **OWN)
    run_module(Project, emulator.base_url, name="web", **ABSENT)
    assert "GET /teams" not in [request["operation"] for request in emulator.requests()]


class TestBlueprints:
    def test_absent_entry_keeps_the_team_s_object_and_warns(self, acme):
        before = acme.state()
        blueprint = {
            "projects": [{"name": "web", **ABSENT}],
            "domains": [{"name": "acme.org", **ABSENT}],
        }
        for check_mode in (True, False):
            result = converge(acme.base_url, blueprint, check_mode)
            assert actions(result) == []
            said = [
                text for text in result["warnings"] if "belongs to the team acme, so it" in text
            ]
            assert len(said) == 2
        assert acme.state() == before

    def test_present_entry_is_refused_unless_the_team_declares_the_name(self, acme):
        own = {"name": "web", **OWN}
        message = refusal_message(acme, {"projects": [own]})
        assert message == (
            "projects[0] web: own_scope: the project web belongs to the team acme."
            " Set team to acme."
        )
        result = converge(acme.base_url, {"projects": [own, WEB]}, check_mode=True)
        assert actions(result) == [("projects", "web", "create")]

    def test_creation_that_comes_to_a_team_is_said(self, emulator):
        emulator.seed(teams=[ACME])
        emulator.switch(lists_span_teams="one_team")
        result = converge(emulator.base_url, {"projects": [{"name": "web", **OWN}]})
        assert result["warnings"] == [
            "own_scope: the service put the project web into the team acme. Set team to acme, or no"
            " later task finds it."
        ]

    def test_project_of_a_team_is_not_that_of_an_own_alias(self, acme):
        alias = {"alias": "new.example.com", "project": "web", **OWN}
        message = refusal_message(acme, {"aliases": [alias]})
        assert "project: web is not declared and does not exist in your own scope" in message

    def test_own_and_team_s_entry_of_one_name_are_two_from_the_second_run_on(self, emulator):
        emulator.seed(teams=[ACME])
        emulator.switch(lists_span_teams=True)
        blueprint = {"projects": [WEB, {"name": "web", **OWN}]}
        assert converge(emulator.base_url, blueprint)["summary"]["create"] == 2
        assert converge(emulator.base_url, blueprint)["changed"] is False

    def test_entries_with_it_and_without_any_team_are_duplicates(self, emulator):
        projects = [{"name": "web"}, {"name": "web", **OWN}]
        message = refusal_without_requests(emulator, {"projects": projects})
        assert message == "projects[1] web is already declared by projects[0] web."
