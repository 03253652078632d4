# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The own scope of a blueprint: what its list shows and what belongs to no team of the caller's."""

from typing import Any

import pytest
from acme import ACME, WEB, WWW
from blueprints import (
    actions,
    converge,
    converge_or_result,
    refusal_message,
    refusal_without_requests,
)

OWN: dict[str, Any] = {"own_scope": True}
ABSENT: dict[str, Any] = {**OWN, "state": "absent"}
WAYS = pytest.mark.parametrize("own", [{}, OWN], ids=["no team", "own scope"])


def test_absent_entry_keeps_the_team_s_object_and_warns(own_list):
    before = own_list.state()
    blueprint = {
        "projects": [{"name": "web", **ABSENT}],
        "domains": [{"name": "acme.org", **ABSENT}],
    }
    for check_mode in (True, False):
        result = converge(own_list.base_url, blueprint, check_mode)
        assert actions(result) == []
        said = [text for text in result["warnings"] if "belongs to the team acme, so it" in text]
        assert len(said) == 2
    assert own_list.state() == before


def test_present_entry_is_refused_unless_the_team_declares_the_name(own_list):
    own = {"name": "web", **OWN}
    message = refusal_message(own_list, {"projects": [own]})
    assert message == (
        "projects[0] web: team: the project web belongs to the team acme. Set team to acme."
    )
    result = converge(own_list.base_url, {"projects": [own, WEB]}, check_mode=True)
    assert actions(result) == [("projects", "web", "create")]


@WAYS
def test_creation_that_comes_to_a_team_has_failed(emulator, own):
    emulator.seed(teams=[ACME])
    emulator.switch(lists_span_teams="one_team")
    blueprint = {
        "projects": [{"name": "web", **own}],
        "aliases": [{"alias": "new.example.com", "project": "web", **own}],
    }
    result = converge_or_result(emulator.base_url, blueprint)
    assert "the service put the project web" in result["results"][0]["msg"]
    assert result["results"][1]["reason"] == "dependency"


@WAYS
def test_earlier_name_of_a_team_s_project_is_refused(own_list, own):
    entry = {"name": "site", "previously": ["web"], **own}
    message = refusal_message(own_list, {"projects": [entry]})
    assert message.endswith("the project web belongs to the team acme. Set team to acme.")


@WAYS
def test_project_of_a_team_is_not_that_of_an_own_alias(own_list, own):
    alias = {"alias": "new.example.com", "project": "web", **own}
    message = refusal_message(own_list, {"aliases": [alias]})
    assert message.endswith("the project web belongs to the team acme. Set team to acme.")


@WAYS
def test_alias_of_a_team_is_not_taken(own_list, own):
    mine = {"name": "new", **own}
    for project in ({**mine, "alias": "www.example.com"}, {**mine, "aliases": [WWW["alias"]]}):
        assert "www.example.com" in refusal_message(own_list, {"projects": [project]})


def test_own_and_team_s_entry_of_one_name_are_two_from_the_second_run_on(emulator):
    emulator.seed(teams=[ACME])
    emulator.switch(lists_span_teams=True)
    blueprint = {"projects": [WEB, {"name": "web", **OWN}]}
    assert converge(emulator.base_url, blueprint)["summary"]["create"] == 2
    assert converge(emulator.base_url, blueprint)["changed"] is False


def test_entries_with_it_and_without_any_team_are_duplicates(emulator):
    projects = [{"name": "web"}, {"name": "web", **OWN}]
    message = refusal_without_requests(emulator, {"projects": projects})
    assert message == "projects[1] web is already declared by projects[0] web."


@WAYS
def test_a_creation_that_lands_in_a_team_is_not_repeated_there(emulator, own):
    emulator.seed(teams=[ACME])
    emulator.switch(lists_span_teams="one_team", duplicate_names="allowed")
    blueprint = {"projects": [{"name": "web", **own}, WEB]}
    result = converge_or_result(emulator.base_url, blueprint, workers=1)
    assert [bool(row.get("failed")) for row in result["results"]] == [True, False]
    assert len(emulator.state()["projects"]) == 1
