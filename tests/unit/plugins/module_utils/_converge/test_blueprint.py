# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A blueprint: what is wrong with it, what it does, and in which order."""

from typing import Any

import pytest
from acme import ACME, WEB, WWW, ZETA
from blueprints import (
    actions,
    check_then_converge,
    converge,
    converge_or_result,
    refusal_message,
    refusal_without_requests,
)

from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError

PLATFORM: dict[str, Any] = {
    "teams": [{**ACME, "name": "Acme", "description": "Makers"}, ZETA],
    "team_members": [{"team": "acme", "email": "dev@example.com", "role": "DEVELOPER"}],
    "projects": [
        {**WEB, "framework": "nextjs"},
        {"name": "api", "team": "acme"},
        {"name": "web", "team": "zeta"},
        {"name": "own", "own_scope": True},
    ],
    "aliases": [WWW],
    "domains": [{"name": "old.example.com", "team": "acme", "state": "absent"}],
}
WITHOUT_MEMBERS = {kind: entries for kind, entries in PLATFORM.items() if kind != "team_members"}

ONE_ALIAS = {"alias": "a.b.c", "project": "x"}
ABSENT = {"state": "absent"}
MEMBER = {"team": "acme", "email": "a@b.c", "role": "VIEWER"}
OWN: dict[str, Any] = {"name": "a", "team": "acme", "alias": "a.x.com"}
# By the message, what is wrong before anything is asked.
WRONG: dict[str, Any] = {
    "projects must be a list of entries, and is a dictionary": {"projects": {}},
    "projects[0]: must be a dictionary of options, and is text": {"projects": ["web"]},
    "projects[0] b (b.yml:3): unknown option nam": {
        "projects": [{"name": "b", "nam": 1, "source": "b.yml:3"}]
    },
    "projects[1] c: unknown option nam": {"projects": [{"nme": "a"}, {"name": "c", "nam": 1}]},
    "projects[0]: name: must not be empty": {"projects": [{"name": ""}]},
    "parameters must be a dictionary, and is text": {"aliases": [{**ONE_ALIAS, "parameters": "x"}]},
    "team_members[0] a@b.c: role: must be one of OWNER": {
        "team_members": [{**MEMBER, "role": "KING"}]
    },
    "team_members[0] a@b.c: team is empty: a template came out empty? Give it": {
        "team_members": [{**MEMBER, "team": ""}]
    },
    "projects[0] x: own_scope: cannot be true while": {
        "projects": [{"name": "x", "own_scope": True, "team": 0}]
    },
    "aliases[1] A.b.c. is already declared by aliases[0] a.b.c": {
        "aliases": [ONE_ALIAS, {"alias": "A.b.c.", "project": "y"}]
    },
    "teams[0]: slug: must not be empty": {"projects": [OWN], "teams": [{"slug": ""}]},
    "aliases[0] A.x.com. has state=absent, but projects[0] a declares it as its alias."
    " Remove one of the two.": {
        "projects": [OWN],
        "aliases": [{"alias": "A.x.com.", "team": "acme", **ABSENT}],
    },
    "projects[1] a has state=absent, but projects[0] a declares the same object.": {
        "projects": [{"id": "prj_1", "name": "a"}, {"name": "a", **ABSENT}]
    },
    "previously: cannot be used with state=exists": {
        "projects": [{**OWN, "state": "exists", "previously": ["b"]}]
    },
}
NO_ALIAS = {"alias": "a.x.com", "team": "acme", "state": "absent"}


@pytest.mark.parametrize(
    ("project", "alias"),
    [
        ({**OWN, "state": "exists"}, NO_ALIAS),
        ({**OWN, "state": "absent"}, NO_ALIAS),
        (OWN, {**NO_ALIAS, "team": "zeta"}),
        ({**OWN, "name": "b", "previously": ["a"], "alias": ""}, NO_ALIAS),
    ],
)
def test_entries_that_agree_do_not_contradict_each_other(emulator, project, alias):
    emulator.seed(teams=[{"slug": "acme"}, {"slug": "zeta"}])
    gone = {"id": "prj_9", "name": "a", "team": "acme", "state": "absent"}
    again = {"name": "a", "team": "zeta"}
    blueprint = {"projects": [project, gone, again], "aliases": [alias]}
    assert converge(emulator.base_url, blueprint, check_mode=True)["results"]


@pytest.mark.parametrize("message", WRONG)
def test_invalid_blueprint_is_rejected_before_the_first_request(emulator, message):
    assert message in refusal_without_requests(emulator, WRONG[message])


HOME_GOES = {"teams": [{"slug": "home", **ABSENT}]}
UNKNOWN_SHOP = {"id": "prj_none", "name": "shop"}
OF_SHOP = {**ONE_ALIAS, "project": "shop"}
UNKNOWN_TEAM = {"id": "team_none", "slug": "apex"}
OF_APEX = {"name": "web", "team": "apex"}
# By the message, references that lead nowhere, and objects that are declared twice.
UNRESOLVABLE: dict[str, Any] = {
    "projects[0] web: team: nobody is not declared, and is neither the id": {
        "projects": [{"name": "web", "team": "nobody"}]
    },
    "aliases[0] a.b.c: project: x is not declared": {"aliases": [ONE_ALIAS]},
    "projects[0] prj_none: id: no project has the id prj_none": {"projects": [{"id": "prj_none"}]},
    "domains[0] new.example.com: name: new.example": {"domains": [{"name": "new.example.com"}]},
    "aliases[0] a.b.c: project: projects[0] there declares there with state=absent": {
        "projects": [{"name": "there", **ABSENT}],
        "aliases": [{**ONE_ALIAS, "project": "there"}],
    },
    "a: team: teams[0] home declares home with state=absent. Remove what needs it, too": {
        **HOME_GOES,
        "projects": [{**OWN, "team": "home"}],
    },
    "home.yml:1: team: teams[0] home declares home with state=absent. Remove what needs it, too": {
        **HOME_GOES,
        "projects": [{"name": "web", "team": "home", "_places": {"team": "home.yml:1"}}],
        "_scopes": [{"team": "home", "source": "home.yml:1"}],
    },
    "a@b.c: team: teams[0] home declares": {
        **HOME_GOES,
        "team_members": [{**MEMBER, "team": "home"}],
    },
    "shop is declared by projects[0] shop, which is invalid.": {
        "projects": [UNKNOWN_SHOP],
        "aliases": [OF_SHOP],
    },
    "apex is declared by teams[0] apex, which is invalid.": {
        "teams": [UNKNOWN_TEAM],
        "projects": [OF_APEX],
    },
    "there: projects[0] prj_1 declares the same project": {
        "projects": [{"id": "prj_1"}, {"name": "there"}]
    },
    "projects[1] b: projects[0] b declares the same project. Remove": {
        "projects": [{"id": "prj_1", "name": "b"}, {"name": "b"}]
    },
    "projects[1] web: projects[0] web declares the same project.": {
        "projects": [{"name": "web", "team": team} for team in ("home", "team_home")]
    },
}


@pytest.mark.parametrize("message", UNRESOLVABLE)
def test_unresolvable_reference_fails_before_the_first_write(emulator, message):
    projects = [{"id": "prj_1", "name": "there"}, {"name": "old", "team": "home"}]
    emulator.seed(teams=[{"id": "team_home", "slug": "home"}], projects=projects)
    assert message in refusal_message(
        emulator, {"teams": [{"slug": "new"}], **UNRESOLVABLE[message]}
    )


def test_converging_twice(emulator):
    check = converge(emulator.base_url, PLATFORM, check_mode=True, invite=True)
    assert emulator.writes == []
    first = converge(emulator.base_url, PLATFORM, invite=True)
    assert [{**entry, "changed": entry["action"] != "none"} for entry in check["results"]] == first[
        "results"
    ]
    assert [entry["changed"] for entry in check["results"] if entry["action"] == "invite"] == [
        False
    ]
    nothing = dict.fromkeys(["update", "delete", "skip", "failed", "undeclared", "along"], 0)
    requests = first["summary"]["requests"]
    assert first["summary"] == {
        "none": 1,
        "create": 7,
        "invite": 1,
        **nothing,
        "requests": requests,
    }
    headers = ["teams: acme", "teams: zeta", "team_members: dev@example.com of acme"]
    assert [part["after_header"] for part in first["diff"]][:3] == headers
    assert "cannot tell" in check["warnings"][0]
    emulator.forget_requests()
    again = converge(emulator.base_url, WITHOUT_MEMBERS)
    assert again["changed"] is False
    assert (again["diff"], actions(again), emulator.writes) == ([], [], [])
    assert again["summary"]["requests"] == len(emulator.requests())


def test_deletions_come_last_and_the_other_way_round(emulator):
    converge(emulator.base_url, WITHOUT_MEMBERS)
    emulator.forget_requests()
    gone = {
        "teams": [{**ACME, "state": "absent"}],
        "projects": [{**WEB, "state": "absent"}, {"name": "new", "team": "zeta"}],
        "aliases": [{"alias": "www.example.com", "team": "acme", "state": "absent"}],
    }
    check_then_converge(emulator.base_url, gone)
    written = [write.split("/")[0] + write.split("/")[1] for write in emulator.writes]
    assert written == ["POST projects", "DELETE aliases", "DELETE projects", "DELETE teams"]


def test_failure_skips_only_dependent_entries(emulator):
    emulator.plan_fault("POST /teams", "403", count=1)
    with pytest.raises(PlatformError) as failure:
        converge(emulator.base_url, PLATFORM, workers=1)
    result = failure.value.result
    rows = {(entry["kind"], entry["name"], entry["team"]): entry for entry in result["results"]}
    failed = rows["teams", "acme", None]
    assert (failed["action"], failed["changed"], failed["failed"]) == ("create", False, True)
    assert failed["failure"] == result["failure"]
    assert failed["failure"]["operation"] == "POST /teams"
    skipped = [key for key, entry in rows.items() if entry["action"] == "skip"]
    assert skipped == [
        ("team_members", "dev@example.com", "acme"),
        ("projects", "web", "acme"),
        ("projects", "api", "acme"),
        ("aliases", "www.example.com", "acme"),
    ]
    assert {project["name"] for project in emulator.state()["projects"]} == {"web", "own"}
    assert "teams[0] acme: POST /teams failed: status 403" in str(failure.value)
    assert (result["summary"]["failed"], result["summary"]["skip"], result["changed"]) == (
        1,
        4,
        True,
    )


@pytest.mark.parametrize("is_pruned", [True, False])
@pytest.mark.parametrize("fault", ["POST /{projectName}/alias", "POST /projects"])
def test_a_project_is_not_deleted_while_an_alias_still_leads_to_it(emulator, fault, is_pruned):
    """Neither is anything taken for new of which nobody approved."""
    old = {"name": "old", "team": "acme"}
    new = {"name": "new", "team": "acme"}
    emulator.seed(teams=[ACME], projects=[old], aliases=[{**WWW, "project": "old"}])
    projects = [new] if is_pruned else [new, {**old, "state": "absent"}]
    blueprint = {"projects": projects, "aliases": [{**WWW, "project": "new"}]}
    options: dict[str, Any] = {"prune": ["projects"] if is_pruned else []}
    options["approved"] = converge(emulator.base_url, blueprint, check_mode=True, **options)[
        "steps"
    ]
    emulator.plan_fault(fault, "400", count=1)
    failed = converge_or_result(emulator.base_url, blueprint, **options)
    (kept,) = [entry for entry in failed["results"] if entry["name"] == "old"]
    assert (kept["action"], kept["reason"], kept.get("failed")) == ("skip", "dependency", None)
    assert "www.example.com" in [alias["alias"] for alias in emulator.state()["aliases"]]
    assert ("projects", "old", "delete") in actions(
        converge(emulator.base_url, blueprint, **options)
    )
    assert [project["name"] for project in emulator.state()["projects"]] == ["new"]


def test_a_wrong_team_of_a_file_is_one_problem_at_its_line(emulator):
    emulator.seed(teams=[ACME])
    of_file = {"team": "acmee", "_places": {"team": "shop/projects.yml:1"}}
    projects = [
        {"name": f"p{line}", "source": f"shop/projects.yml:{line}", **of_file} for line in (3, 4)
    ]
    with pytest.raises(PlatformError) as problem:
        converge(emulator.base_url, {"projects": projects, "_scopes": []})
    assert str(problem.value) == (
        "shop/projects.yml:1: team: acmee is not declared, and is neither the id nor the slug of"
        " a team that this"
        " token can see. Did you mean acme?"
    )
