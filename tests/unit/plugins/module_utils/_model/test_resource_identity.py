# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Resources against the emulator: which object is meant, and refusing to guess."""

from functools import partial

import pytest
from acme import ACME, ZETA
from blueprints import refusal_message
from client import call_reader, check_then_run, expect_refusal, make_platform, run_module

from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.alias import Alias
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.readers import (
    read_objects,
    read_teams,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import Team


def projects_of(emulator, **options):
    return call_reader(partial(read_objects, Project), make_platform(emulator.base_url), **options)


def teams_of(emulator, **options):
    return call_reader(read_teams, make_platform(emulator.base_url), **options)


ODD_NAMES = [
    "..",
    ".",
    "a b",
    "a/b",
    "100%",
    "%2F",
    'quo"te',
    "it's",
    "näme",
    "名前",
    "12345",
    "true",
    "a?b#c",
]


@pytest.mark.parametrize(
    "name", [*ODD_NAMES, "-", "+", "{{ 7 * 6 }}", "null", " edges ", "\u65e5" * 100]
)
def test_project_of_an_odd_name_is_made_once_and_deleted(emulator, name):
    states = ("present", "present", "absent")
    results = [
        run_module(Project, emulator.base_url, name=name, own_scope=True, state=state)
        for state in states
    ]
    assert [result["changed"] for result in results] == [True, False, True]
    assert (results[1]["project"]["name"], emulator.state()["projects"]) == (name, [])


@pytest.mark.parametrize("name", [".", ".."])
def test_an_alias_of_a_project_that_no_path_can_name_fails_while_planning(emulator, name):
    emulator.seed(teams=[ACME], projects=[{"name": name, "team": "acme"}])
    entry = {"alias": "www.example.com", "project": name, "team": "acme"}
    problem = (
        f"project: no alias can be assigned to a project named {name}, because the API addresses it"
        " by this name, which is removed from an address in transit. Rename the project."
    )
    assert expect_refusal(Alias, emulator, **entry) == problem
    declared = {"projects": [{"name": name, "team": "acme"}], "aliases": [entry]}
    for blueprint in ({"aliases": [entry]}, declared):
        assert refusal_message(emulator, blueprint).endswith(problem)
    own = emulator.state()["projects"][0]["alias"]
    for result in check_then_run(Alias, emulator.base_url, **{**entry, "alias": own}):
        assert result["changed"] is False
    assert run_module(Alias, emulator.base_url, team="acme", alias=own, state="absent")["changed"]


@pytest.mark.parametrize("slug", ["a", "ab", "..", ".", "a/b"])
def test_odd_and_short_slugs(emulator, slug):
    created = run_module(Team, emulator.base_url, slug=slug)["team"]
    assert (
        run_module(Team, emulator.base_url, slug=slug, name="Named")["team"]["id"] == created["id"]
    )
    assert [team["id"] for team in teams_of(emulator, team=slug)] == [created["id"]]
    assert (
        run_module(Project, emulator.base_url, name="web", team=slug)["project"]["team_id"]
        == created["id"]
    )
    assert run_module(Team, emulator.base_url, slug=slug, state="absent")["changed"] is True
    assert emulator.state()["teams"] == []


@pytest.mark.parametrize(
    "options", [{"name": "Seven"}, {"state": "absent"}], ids=["update", "deletion"]
)
def test_a_team_that_only_the_id_of_another_addresses_says_so(emulator, options):
    """Its id is too short for a path."""
    emulator.seed(teams=[{"id": "7", "slug": "100"}, {"id": "100", "slug": "acme"}])
    assert "team 100 cannot be addressed" in expect_refusal(Team, emulator, slug="100", **options)


def test_information_about_a_name_that_nothing_can_have_is_empty(emulator):
    assert projects_of(emulator, name="a" * 101) == []


@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize(
    "scope",
    [{}, {"team": "acme"}],
    ids=["unscoped", "team"],
)
def test_a_name_that_two_projects_bear_fails_and_lists_both(emulator, scope, state):
    emulator.switch(duplicate_names="allowed")
    emulator.seed(teams=[ACME, ZETA])
    twins = emulator.seed(projects=[{"name": "web", **scope}, {"name": "web", **scope}])["projects"]
    message = expect_refusal(Project, emulator, name="web", framework="astro", state=state, **scope)
    assert message.startswith("name:")
    assert all(twin["id"] in message for twin in twins)
    with pytest.raises(PlatformError, match=message.partition(" (")[0]):
        projects_of(emulator, name="web", **scope)
    (shown,) = projects_of(emulator, id=twins[1]["id"], **scope)
    assert shown["id"] == twins[1]["id"]


@pytest.mark.parametrize("precedence", ["id", "name"])
@pytest.mark.parametrize("scope", [{}, {"team": "acme"}], ids=["unscoped", "team"])
def test_a_name_is_never_taken_for_an_id(emulator, precedence, scope):
    """One project's name is another's id: the name finds the one that bears it, or fails; never the
    other.
    """
    emulator.switch(id_or_name_precedence=precedence)
    emulator.seed(teams=[ACME])
    victim = emulator.seed(projects=[{"id": "shared", "name": "victim", **scope}])["projects"][0]
    namesake = emulator.seed(projects=[{"id": "other", "name": "shared", **scope}])["projects"][0]
    found = run_module(Project, emulator.base_url, name="shared", framework="astro", **scope)
    assert found["project"]["id"] == namesake["id"]
    if precedence == "id":
        changed = run_module(Project, emulator.base_url, id="shared", framework="vite", **scope)[
            "project"
        ]
        assert changed["id"] == victim["id"]
    else:
        with pytest.raises(PlatformError, match="cannot be addressed"):
            run_module(Project, emulator.base_url, id="shared", framework="vite", **scope)
    run_module(Project, emulator.base_url, name="shared", state="absent", **scope)
    assert [project["name"] for project in emulator.state()["projects"]] == ["victim"]


@pytest.mark.parametrize("state", ["present", "absent"])
def test_a_team_that_is_ones_id_and_anothers_slug_fails_and_names_both(emulator, state):
    emulator.seed(teams=[{"id": "shared", "slug": "first"}, {"id": "team_2", "slug": "shared"}])
    message = expect_refusal(Project, emulator, name="web", team="shared", state=state)
    assert message.startswith("team:")
    assert "first" in message
    assert "team_2" in message
    assert message.endswith("Give the name of the one with this id, or the id of the other.")


@pytest.mark.parametrize(
    ("kind", "options"), [(Project, {"framework": "astro"}), (Team, {"name": "New"})]
)
def test_an_id_that_nothing_has_fails_if_present_and_is_no_change_if_absent(
    emulator, kind, options
):
    assert "nobody" in expect_refusal(kind, emulator, id="nobody", **options)
    for result in check_then_run(kind, emulator.base_url, id="nobody", state="absent"):
        assert result["changed"] is False
        assert result[kind.singular] == {}
    assert emulator.writes == []


@pytest.mark.parametrize(("kind", "field"), [(Project, "name"), (Team, "slug")])
def test_absent_with_an_id_and_another_name_fails(emulator, kind, field):
    emulator.seed(**{kind.plural: [{"id": "known", field: "its-own"}]})
    message = expect_refusal(kind, emulator, id="known", state="absent", **{field: "another"})
    assert "another" in message
    assert "its-own" in message
    assert (
        run_module(kind, emulator.base_url, id="known", state="absent", **{field: "its-own"})[
            "changed"
        ]
        is True
    )


@pytest.mark.parametrize("duplicates", [409, 400, "allowed"])
@pytest.mark.parametrize(("kind", "field"), [(Project, "name"), (Team, "slug")])
def test_a_rename_to_a_name_that_is_taken_fails_before_any_write(emulator, kind, field, duplicates):
    emulator.switch(duplicate_names=duplicates)
    emulator.seed(**{kind.plural: [{"id": "first", field: "one"}, {"id": "second", field: "two"}]})
    message = expect_refusal(kind, emulator, id="first", **{field: "two"})
    assert "two" in message
    assert "second" in message


def test_a_project_of_another_team_is_another_project(emulator):
    """The GET of a project knows no team: it may show the wrong one."""
    emulator.seed(teams=[ACME, {"slug": "other"}], projects=[{"name": "web", "team": "other"}])
    assert projects_of(emulator, name="web", team="acme") == []
    assert run_module(Project, emulator.base_url, name="web", team="acme")["changed"] is True
    owners = {project["teamId"] for project in emulator.state()["projects"]}
    assert owners == {team["id"] for team in emulator.state()["teams"]}
    run_module(Project, emulator.base_url, name="web", team="acme", state="absent")
    assert len(emulator.state()["projects"]) == 1


@pytest.mark.parametrize("by", ["name", "id_or_name"])
def test_an_alias_is_not_assigned_to_a_name_that_may_mean_another_project(emulator, by):
    emulator.switch(alias_project_by=by)
    names = [{"name": "web", "id": "prj_web"}, {"name": "prj_web", "id": "prj_twin"}]
    emulator.seed(teams=[ACME], projects=[{**project, "team": "acme"} for project in names])
    message = expect_refusal(
        Alias, emulator, alias="www.example.com", project="prj_twin", team="acme"
    )
    assert "project: prj_web matches 2 objects" in message
    assert "rename one of them" in message
    run_module(Alias, emulator.base_url, alias="www.example.com", project="web", team="acme")
