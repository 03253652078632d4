# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Approved steps, and no others, are carried out."""

from __future__ import annotations

from typing import Any

import pytest
from blueprints import BUILD, START, actions, converge, converge_or_fail
from client import resource_of

from ansible_collections.hosting.platform.plugins.module_utils._client.errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._resources.project import Project

ACME = {"slug": "acme"}
WEB = {"name": "web", "team": "acme"}


def steps(result: dict[str, Any]) -> list[str]:
    return [entry["step"] for entry in result["results"] if entry["step"]]


def test_a_plan_that_was_approved_is_carried_out_as_it_was_shown(emulator):
    emulator.seed(**START)
    check = converge(emulator.base_url, BUILD, check_mode=True)
    assert check["steps"] == steps(check)
    assert len(set(check["steps"])) == len(check["steps"]) == 7
    result = converge(emulator.base_url, BUILD, approved=check["steps"])
    assert result["results"] == check["results"]
    assert result["steps"] == []


def test_approved_steps_that_are_done_are_no_violation(emulator):
    check = converge(emulator.base_url, BUILD, check_mode=True)
    converge(emulator.base_url, BUILD, approved=check["steps"])
    again = converge(emulator.base_url, BUILD, approved=check["steps"])
    assert (again["changed"], again["steps"]) == (False, [])


@pytest.mark.parametrize("check_mode", [True, False])
def test_a_step_that_nobody_approved_refuses_the_run_and_is_named(emulator, check_mode):
    emulator.seed(**START)
    check = converge(emulator.base_url, BUILD, check_mode=True)
    missing = next(entry for entry in check["results"] if entry["name"] == "api")
    approved = [step for step in check["steps"] if step != missing["step"]]
    result = converge_or_fail(emulator.base_url, BUILD, check_mode, approved=approved)
    assert result["msg"].startswith("approved: 1 step is not approved: project api of acme (create).")
    assert result["results"] == check["results"]
    assert emulator.writes == []


def test_an_empty_list_allows_nothing_and_no_change_needs_no_approval(emulator):
    assert "not approved" in converge_or_fail(emulator.base_url, BUILD, approved=[])["msg"]
    converge(emulator.base_url, BUILD)
    assert converge(emulator.base_url, BUILD, approved=[])["changed"] is False


def test_an_invitation_is_a_step_too(emulator):
    emulator.seed(teams=[ACME])
    blueprint = {"team_members": [{"team": "acme", "email": "dev@example.com", "role": "VIEWER"}]}
    check = converge(emulator.base_url, blueprint, check_mode=True)
    assert (check["changed"], check["summary"]["invite"], len(check["steps"])) == (False, 1, 1)
    assert "not approved" in converge_or_fail(emulator.base_url, blueprint, approved=[])["msg"]
    assert converge(emulator.base_url, blueprint, approved=check["steps"])["summary"]["invite"] == 1


CHANGES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("another value", {"projects": [{**WEB, "framework": "next"}]}, {"framework": "old"}),
    ("another value before", {"projects": [{**WEB, "framework": "astro"}]}, {"framework": "older"}),
    ("another field", {"projects": [{**WEB, "build_command": "astro"}]}, {"framework": "old"}),
    ("emptied", {"projects": [{**WEB, "framework": ""}]}, {"framework": "old"}),
    ("another object", {"projects": [{"name": "other", "team": "acme", "framework": "astro"}]}, {"framework": "old"}),
    ("deleted", {"projects": [{**WEB, "state": "absent"}]}, {"framework": "old"}),
    ("created", {"projects": [{"name": "new", "team": "acme", "framework": "astro"}]}, {"framework": "old"}),
]


def test_every_other_change_has_another_id(emulator):
    found = {}
    for name, blueprint, live in [("", {"projects": [{**WEB, "framework": "astro"}]}, {"framework": "old"}), *CHANGES]:
        emulator.reset()
        ids = {"id": "prj_1"}
        emulator.seed(teams=[{**ACME, "id": "team_1"}], projects=[{**WEB, **ids, **live}, {**WEB, "name": "other"}])
        (step,) = steps(converge(emulator.base_url, blueprint, check_mode=True))
        found[name] = step
    assert len(set(found.values())) == len(found), found


def test_an_object_that_was_made_anew_is_another(emulator):
    ids = []
    for number in ("prj_1", "prj_2"):
        emulator.reset()
        emulator.seed(teams=[ACME], projects=[{**WEB, "id": number, "framework": "old"}])
        check = converge(emulator.base_url, {"projects": [{**WEB, "framework": "new"}]}, check_mode=True)
        ids += steps(check)
    assert len(set(ids)) == 2


def test_the_order_and_what_else_is_declared_do_not_matter(emulator):
    emulator.seed(**START)
    check = converge(emulator.base_url, BUILD, check_mode=True)
    turned = {kind: list(reversed(entries)) for kind, entries in BUILD.items()}
    sources = {kind: [{**entry, "source": "x.yml"} for entry in entries] for kind, entries in turned.items()}
    again = converge(emulator.base_url, sources, check_mode=True, workers=8, protect=["nothing"])
    assert set(again["steps"]) == set(check["steps"])


def test_the_rest_of_a_plan_keeps_its_ids_when_a_part_was_done(emulator):
    """Its team did not exist when it was approved, and has an id afterwards."""
    check = converge(emulator.base_url, BUILD, check_mode=True)
    emulator.fail("POST /projects", "403", count=1)
    failed = converge_or_fail(emulator.base_url, BUILD, approved=check["steps"], workers=1)
    assert "1 of" in failed["msg"]
    left = failed["steps"]
    assert set(left) < set(check["steps"])
    again = converge(emulator.base_url, BUILD, approved=left)
    assert sorted(steps(again)) == sorted(left)
    assert actions(converge(emulator.base_url, BUILD)) == []


@pytest.mark.parametrize("theirs", [{}, {"framework": "theirs"}])
def test_what_others_create_meanwhile_is_not_changed_without_approval(emulator, theirs):
    emulator.seed(teams=[ACME])
    project = resource_of(Project, emulator.base_url, **WEB, framework="astro")
    step = project.plan()
    emulator.seed(projects=[{**WEB, "framework": "astro", **theirs}])
    if theirs:
        with pytest.raises(PlatformError, match="was not approved"):
            project.apply(step, True)
    else:
        assert project.apply(step, True).changed is False
    assert [project["framework"] for project in emulator.state["projects"]] == [theirs.get("framework", "astro")]
