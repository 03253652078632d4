# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""After a write, all that was given is compared with what is stored, sent or not."""

import pytest
from acme import ACME, WEB, ZETA
from client import run_module
from hypothesis import assume, given
from hypothesis import strategies as st
from modules import perform
from sampling import examples

from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import Team

WHAT_TO_DO = (
    "If the service stores it so, write that; if it shows changes late, or has changed it with"
    " another field, run again."
)
SHOP = {"name": "shop", "framework": "astro", "buildCommand": "make"}
WANTED = {"name": "shop", "framework": "hugo", "build_command": "make"}
GET_PROJECT = "GET /projects/{idOrName}"
PATCH_PROJECT = "PATCH /projects/{idOrName}"
NAMES = ["web", "Web", " web", "cafe\u0301"]
VALUES = ["", "astro", "Astro "]


@pytest.mark.parametrize("scope", [{}, {"team": "acme"}], ids=["own", "team"])
def test_a_field_that_the_service_changes_with_another_draws_a_warning(emulator, scope):
    emulator.seed(teams=[ACME], projects=[{**SHOP, **scope}])
    emulator.switch(patch_clears="framework:buildCommand")
    done = run_module(Project, emulator.base_url, **scope, **WANTED)
    place = "acme/" if scope else ""
    told = f'project {place}shop: build_command is "", not "make". {WHAT_TO_DO}'
    assert [warning for warning in done["warnings"] if "No team" not in warning] == [told]
    assert (done["changed"], done["project"]["build_command"]) == (True, "")
    assert emulator.operations[-2:] == [PATCH_PROJECT, GET_PROJECT]
    for again in (True, False):
        done = run_module(Project, emulator.base_url, **scope, **WANTED)
        assert (done["changed"], done["project"]["build_command"]) == (again, "make")
        assert done["warnings"] == []


def test_so_does_one_that_unlisted_fields_clears(emulator):
    emulator.seed(teams=[ACME], projects=[{**SHOP, "devCommand": "run", "team": "acme"}])
    emulator.switch(patch_ignores="devCommand")
    done = run_module(Project, emulator.base_url, team="acme", name="shop", unlisted_fields="clear")
    assert done["warnings"] == [f'project acme/shop: dev_command is "run", not "". {WHAT_TO_DO}']


def test_a_field_that_was_not_given_draws_none_and_is_not_looked_at(emulator):
    emulator.seed(teams=[ACME], projects=[{**SHOP, "team": "acme"}])
    emulator.switch(patch_clears="framework:buildCommand")
    done = run_module(Project, emulator.base_url, team="acme", name="shop", framework="hugo")
    assert done["warnings"] == []
    assert emulator.operations[-1] == PATCH_PROJECT


@pytest.mark.parametrize("result", ["object", "old", "empty"])
def test_a_change_that_the_service_leaves_out_draws_one(emulator, result):
    emulator.seed(teams=[ACME], projects=[{**SHOP, "team": "acme"}])
    emulator.switch(patch_ignores="framework", patch_result=result)
    done = run_module(Project, emulator.base_url, team="acme", **WANTED)
    assert done["warnings"] == [
        f'project acme/shop: framework is "astro", not "hugo". {WHAT_TO_DO}'
    ]
    assert done["project"]["framework"] == "astro"


@pytest.mark.parametrize("get_fails", [False, True])
@pytest.mark.parametrize(
    ("kind", "former", "options", "told"),
    [
        (
            Project,
            {},
            {"team": "acme", "name": "Web"},
            'project acme/Web: name is "web", not "Web".',
        ),
        (
            Project,
            {"projects": [WEB]},
            {"team": "acme", "name": "cafe\u0301", "previously": ["web"]},
            'project acme/cafe\\u0301: name is "caf\u00e9", not "cafe\\u0301".',
        ),
        (Team, {}, {"slug": "Zeta"}, 'team Zeta: slug is "zeta", not "Zeta".'),
    ],
    ids=["created", "renamed", "team"],
)
def test_a_name_that_is_stored_otherwise_has_failed(
    emulator, kind, former, options, told, get_fails
):
    """The next run would not find it, and make another."""
    emulator.seed(teams=[ACME], **former)
    emulator.switch(name_form="nfc" if former else "lowercase")
    if get_fails:
        for operation in (GET_PROJECT, "GET /teams/{teamIdOrSlug}"):
            emulator.plan_fault(operation, "404", count=9)
    with pytest.raises(PlatformError) as failure:
        run_module(kind, emulator.base_url, **options)
    assert str(failure.value) == f"{told} {WHAT_TO_DO}"
    assert failure.value.result["changed"] is True
    stored = failure.value.result[kind.singular][kind.name_field]
    assert stored in {record[kind.name_field] for record in emulator.state()[kind.plural]}


def test_the_result_of_a_move_is_read_from_the_list_of_the_new_team(emulator):
    emulator.seed(teams=[ACME, ZETA], projects=[{**SHOP, "team": "acme"}])
    emulator.switch(patch_clears="framework:buildCommand")
    emulator.forget_requests()
    done = run_module(Project, emulator.base_url, team="zeta", previous_team="acme", **WANTED)
    assert done["warnings"] == [f'project zeta/shop: build_command is "", not "make". {WHAT_TO_DO}']
    assert emulator.operations[-2:] == [PATCH_PROJECT, "GET /projects"]


@given(
    st.dictionaries(
        st.sampled_from(["framework", "build_command", "dev_command"]),
        st.sampled_from(VALUES),
        max_size=3,
    ),
    st.dictionaries(
        st.sampled_from(["framework", "buildCommand", "devCommand"]), st.sampled_from(VALUES)
    ),
    st.fixed_dictionaries(
        {},
        optional={
            "patch_clears": st.sampled_from(["framework:buildCommand", "devCommand:framework"]),
            "patch_ignores": st.sampled_from(["framework", "buildCommand"]),
            "patch_result": st.sampled_from(["object", "old", "empty"]),
            "unset_fields": st.sampled_from(["empty", "null", "missing"]),
            "name_form": st.sampled_from(["lowercase", "trimmed", "nfc"]),
        },
    ),
    st.sampled_from(NAMES),
    st.sampled_from(["keep", "clear"]),
)
@examples(200)
def test_each_field_that_is_stored_otherwise_than_given_is_said_and_no_other(
    in_process, options, former, habits, name, unlisted_fields
):
    in_process.reset()
    in_process.seed(teams=[ACME])
    if former:
        in_process.seed(projects=[{"name": name, "team": "acme", **former}])
    in_process.switch(**habits)
    wanted = {"name": name, "team": "acme", **options}
    done = perform("project", in_process.base_url, **wanted, unlisted_fields=unlisted_fields)
    assume(done["changed"])
    (stored,) = perform("project_info", in_process.base_url, team="acme")["projects"]
    if unlisted_fields == "clear" and former:
        cleared = ("framework", "build_command", "dev_command")
        wanted = {**dict.fromkeys(cleared, ""), **wanted}
    del wanted["team"]
    differing = {option for option in wanted if (stored[option] or "") != wanted[option]}
    messages = done["warnings"] if "failed" not in done else [*done["warnings"], done["msg"]]
    told = {message.split(": ", 1)[1].split(" is ")[0] for message in messages}
    assert told == differing
    assert ("name" in differing) is ("failed" in done)
    assert {option: done["project"][option] or "" for option in wanted} == {
        option: stored[option] or "" for option in wanted
    }
