# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Approved steps, and no others, are carried out."""

import pytest
from acme import ACME, WEB, WWW
from blueprints import (
    BEFORE_EVERY_CHANGE,
    EVERY_CHANGE,
    check_then_converge,
    converge,
    converge_or_result,
    refusal_message,
    refusal_without_requests,
)
from client import resource_of
from stub_server import before_forwarding, stub_server

from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._model import listing
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project


def test_the_order_and_what_else_is_declared_do_not_matter(emulator):
    emulator.seed(**BEFORE_EVERY_CHANGE)
    check = converge(emulator.base_url, EVERY_CHANGE, check_mode=True)
    turned = {kind: list(reversed(entries)) for kind, entries in EVERY_CHANGE.items()}
    sources = {
        kind: [{**entry, "source": "x.yml"} for entry in entries]
        for kind, entries in turned.items()
    }
    again = converge(emulator.base_url, sources, check_mode=True, workers=8, protect=["nothing"])
    assert set(again["steps"]) == set(check["steps"])


def test_all_that_is_sent_is_shown_and_approved(emulator):
    emulator.seed(teams=[ACME], projects=[WEB])
    parameters = {"redirect": "example.net", "redirectStatusCode": 308}
    check = converge(
        emulator.base_url, {"aliases": [{**WWW, "parameters": parameters}]}, check_mode=True
    )
    assert check["results"][0]["diff"]["after"]["parameters"] == parameters
    for others in ({}, {"redirect": "example.org"}, {**parameters, "target": "elsewhere"}):
        blueprint = {"aliases": [{**WWW, "parameters": others}]}
        assert "not approved" in refusal_message(emulator, blueprint, approved=check["steps"])


@pytest.mark.parametrize("parameters", [{}, {"target": "here"}])
@pytest.mark.parametrize("seconds", [listing.ABSENCE_SECONDS, 0])
@pytest.mark.parametrize("live", [[], [WEB]], ids=["new", "changed"])
def test_generated_alias_counts_as_planned_in_a_slow_run(
    emulator, monkeypatch, live, seconds, parameters
):
    emulator.seed(teams=[ACME], projects=live)
    monkeypatch.setattr(listing, "ABSENCE_SECONDS", seconds)
    own = {**WEB, "alias": WWW["alias"]}
    check_then_converge(
        emulator.base_url, {"projects": [own], "aliases": [{**WWW, "parameters": parameters}]}
    )
    (alias,) = (alias for alias in emulator.state()["aliases"] if alias["alias"] == WWW["alias"])
    assert alias["target"] == parameters.get("target")


@pytest.mark.parametrize("is_moved", [True, False])
def test_an_alias_does_not_go_to_another_project_of_the_approved_name(emulator, is_moved):
    emulator.seed(teams=[ACME], projects=[WEB, {**WEB, "name": "old"}])
    if is_moved:
        emulator.seed(aliases=[{**WWW, "project": "old"}])
    blueprint = {"aliases": [WWW]}
    approved = converge(emulator.base_url, blueprint, check_mode=True)["steps"]
    converge(emulator.base_url, {"projects": [{**WEB, "name": "former", "previously": ["web"]}]})
    emulator.seed(projects=[WEB])
    emulator.forget_requests()
    assert "not approved" in refusal_message(emulator, blueprint, approved=approved)


@pytest.mark.parametrize(
    "blueprint",
    [
        {"projects": [WEB]},
        {"team_members": [{"team": "acme", "email": "dev@example.com", "role": "OWNER"}]},
    ],
    ids=["project", "invitation"],
)
def test_approval_does_not_apply_to_another_team_with_the_slug(emulator, blueprint):
    emulator.seed(teams=[ACME])
    approved = converge(emulator.base_url, blueprint, check_mode=True, invite=True)["steps"]
    converge(emulator.base_url, {"teams": [{"slug": "former", "previously": ["acme"]}]})
    emulator.seed(teams=[ACME])
    emulator.forget_requests()
    if "team_members" in blueprint:
        (row,) = converge(emulator.base_url, blueprint, approved=approved, invite=True)["results"]
        assert (row["action"], row["reason"], emulator.writes) == ("skip", "invite", [])
    else:
        assert "not approved" in refusal_message(
            emulator, blueprint, approved=approved, invite=True
        )


@pytest.mark.parametrize("theirs", [{}, {"framework": "theirs"}], ids=["equal", "other"])
@pytest.mark.parametrize("is_held", [True, False])
@pytest.mark.parametrize("state", ["present", "exists"])
def test_object_found_after_a_lost_creation_is_compared(emulator, theirs, is_held, state):
    """It may be ours or another's: the service answers 500, and has an object of the name with
    these values.
    """
    emulator.seed(teams=[ACME])
    emulator.plan_fault("POST /projects", "500", when="before")
    found = {**WEB, "framework": "astro", **theirs}
    with stub_server(
        before_forwarding(emulator, "POST", lambda: emulator.seed(projects=[found]))
    ) as server:
        project = resource_of(Project, server.base_url, **WEB, framework="astro", state=state)
        project.platform.is_approved_plan = is_held
        step = project.plan()
        if is_held and theirs:
            with pytest.raises(PlatformError, match="was not approved"):
                project.apply(step)
        else:
            done = project.apply(step)
            (stored,) = emulator.state()["projects"]
            assert done.expected["framework"] == stored["framework"]
            assert stored["framework"] == ("theirs" if theirs and state == "exists" else "astro")
            assert done.is_change is not bool(theirs and state == "exists")
            assert bool(done.changes) is not bool(theirs and state == "exists")
    assert len(emulator.state()["projects"]) == 1


def test_plan_of_another_platform_fails_before_the_first_request_and_names_both(emulator):
    emulator.seed(teams=[ACME])
    blueprint = {"projects": [WEB]}
    here = emulator.base_url
    steps = converge(here, blueprint, True)["steps"]
    emulator.forget_requests()
    for other in ("https://other.example.com", f"{here}/v2", "https://[::1", "x"):
        for nothing_or_all in ({}, blueprint):
            message = refusal_without_requests(
                emulator, nothing_or_all, approved={"base_url": other, "steps": steps}
            )
            assert message == (
                f"approved: the plan is for {other}, but this run is for {here}."
                " Plan this platform."
            )
    localhost = here.replace("127.0.0.1", "localhost")
    planned = converge(localhost, blueprint, True)
    shouted = f"{localhost.upper()}/"
    approved = {"base_url": shouted, "steps": converge(shouted, blueprint, True)["steps"]}
    assert approved["steps"] == planned["steps"]
    assert converge(localhost, blueprint, approved=approved)["summary"]["create"] == 1


def test_a_step_that_is_left_has_nothing_that_went_with_another(emulator):
    """The alias stands under the deletion of its domain, which fails; then it goes with a team."""
    zeta = {"slug": "zeta"}
    emulator.seed(
        teams=[ACME, zeta],
        projects=[{**WEB, "team": "zeta"}],
        aliases=[{**WWW, "team": "zeta"}],
        domains=[{"name": "example.com", "team": "acme"}],
    )
    absent = {"state": "absent"}
    blueprint = {
        "teams": [ACME, {**zeta, **absent}],
        "domains": [{"name": "example.com", "team": "acme", **absent}],
    }
    check = converge(emulator.base_url, blueprint, check_mode=True)
    emulator.fault("DELETE /domains/{domain}", "403")
    failed = converge_or_result(emulator.base_url, blueprint, approved=check["steps"])
    assert failed["summary"]["failed"] == 1
    assert WWW["alias"] in [obj["name"] for obj in failed["results"][1]["along"]]
    again = converge(emulator.base_url, blueprint, approved=failed["steps"])
    assert again["results"][2]["action"] == "delete"
