# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields and plans: pure, from options and objects to names, comparisons and differences."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.hosting.platform.plugins.module_utils._common.errors import InvalidOption
from ansible_collections.hosting.platform.plugins.module_utils._kinds.project import PROJECT
from ansible_collections.hosting.platform.plugins.module_utils._kinds.team import TEAM
from ansible_collections.hosting.platform.plugins.module_utils._kinds.user import USER
from ansible_collections.hosting.platform.plugins.module_utils._resources.fields import is_same, snake_case
from ansible_collections.hosting.platform.plugins.module_utils._resources.plan import Action, plan_absent, plan_present

# Section 2 of the specification, and what section 4 takes on input.
RETURNED = {
    PROJECT: "id name teamId alias buildCommand devCommand installCommand framework outputDirectory"
    " commandForIgnoringBuildStep createdAt updatedAt",
    TEAM: "id slug name avatar createdBy createdAt updatedAt",
    USER: "id username name email createdAt updatedAt",
}
WRITABLE = {
    PROJECT: "name alias buildCommand devCommand installCommand framework outputDirectory commandForIgnoringBuildStep",
    TEAM: "slug name description emailDomain",
    USER: "",
}
EMPTY = [None, "", "missing"]
texts = st.none() | st.sampled_from(["", "a", "b"]) | st.text(max_size=5)


def mechanically(key: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter.group().lower()}", key)


def options_of(fields):
    given_names = st.text(min_size=1, max_size=5)
    required = {option: given_names for option in fields.writable if option in ("name", "slug")}
    return st.fixed_dictionaries(required, optional=dict.fromkeys(set(fields.writable) - set(required), texts))


def live_objects(fields):
    """Values that the API may show: each field present, null, empty or missing."""
    keys = [key for key in RETURNED[fields].split() if key != "id"]
    return st.fixed_dictionaries({"id": st.just("id_1")}, optional=dict.fromkeys(keys, texts)).map(fields.result)


@pytest.mark.parametrize("fields", RETURNED, ids=["project", "team", "user"])
def test_a_result_has_every_field_of_the_specification_under_its_name_in_snake_case(fields):
    full = {key: f"value of {key}" for key in RETURNED[fields].split()}
    assert fields.result(full) == {mechanically(key): value for key, value in full.items()}
    assert fields.result({}) == {mechanically(key): None for key in full}


@pytest.mark.parametrize("fields", WRITABLE, ids=["project", "team", "user"])
def test_options_are_the_writable_fields_and_bodies_bear_the_apis_names(fields):
    full = {mechanically(key): f"value of {key}" for key in WRITABLE[fields].split()}
    assert set(fields.argument_spec().options) == set(full)
    assert fields.body(fields.given(full)) == {key: f"value of {key}" for key in WRITABLE[fields].split()}


def test_fields_that_the_specification_does_not_know_are_kept():
    shown = PROJECT.result({"id": "prj_1", "nodeVersion": "20.x", "latestDeployment": {"readyState": 1}})
    assert shown["node_version"] == "20.x"
    assert shown["latest_deployment"] == {"readyState": 1}


@pytest.mark.parametrize("spelled", ["team_id", "TeamId", "TeamID"])
def test_a_field_that_the_specification_does_not_know_never_takes_the_place_of_one_that_it_does(spelled):
    """With another team, the project would not be found, and be created again in every run."""
    assert PROJECT.result({"teamId": "team_1", spelled: 17})["team_id"] == "team_1"
    assert PROJECT.result({spelled: 17, "teamId": "team_1"})["team_id"] == "team_1"
    assert PROJECT.result({spelled: 17})["team_id"] is None


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("commandForIgnoringBuildStep", "command_for_ignoring_build_step"),
        ("id", "id"),
        ("zoneID", "zone_id"),
        ("HTTPStatus", "http_status"),
        ("ipv4Address", "ipv4_address"),
        ("already_snake", "already_snake"),
    ],
)
def test_snake_case(key, name):
    assert snake_case(key) == name


@pytest.mark.parametrize("wanted", ["", "next"])
@pytest.mark.parametrize("live", [*EMPTY, "next"])
def test_null_empty_and_missing_are_equal(wanted, live):
    shown = PROJECT.result({"id": "prj_1", "name": "web", **({} if live == "missing" else {"framework": live})})
    is_equal = wanted == (live if live == "next" else "")
    assert PROJECT.differing({"framework": wanted}, shown) == ({} if is_equal else {"framework": wanted})


@pytest.mark.parametrize(
    ("fields", "option", "most"),
    [(PROJECT, "name", 100), (TEAM, "name", 256), (TEAM, "description", 140)],
)
def test_lengths_count_characters(fields, option, most):
    assert fields.given({option: "日" * most}) == {option: "日" * most}
    with pytest.raises(InvalidOption) as failure:
        fields.given({option: "日" * (most + 1)})
    assert failure.value.option == option
    assert str(most) in str(failure.value)


@pytest.mark.parametrize(
    ("fields", "option", "is_clearable"),
    [
        (PROJECT, "name", False),
        (TEAM, "slug", False),
        (TEAM, "name", True),
        (TEAM, "description", True),
        *((PROJECT, option, True) for option in PROJECT.writable if option != "name"),
    ],
)
def test_the_empty_string_clears_what_may_be_empty(fields, option, is_clearable):
    if is_clearable:
        assert fields.body(fields.given({option: ""})) != {}
    else:
        with pytest.raises(InvalidOption):
            fields.given({option: ""})


def test_what_is_not_given_is_not_sent():
    assert PROJECT.given({"name": "web", "framework": None, "state": "present", "team": "acme"}) == {"name": "web"}


@pytest.mark.parametrize(
    ("this", "that", "same"),
    [("1", 1, True), (17, 17, True), ("a", "a", True), ("a", "A", False), (None, None, False), ("", "", False)],
)
def test_ids_of_digits_may_be_numbers(this, that, same):
    assert is_same(this, that) is same


@pytest.mark.parametrize("fields", [PROJECT, TEAM], ids=["project", "team"])
@given(data=st.data())
def test_a_plan_that_was_applied_leaves_nothing_to_plan(fields, data):
    wanted = fields.given(data.draw(options_of(fields)))
    live = data.draw(st.none() | live_objects(fields))
    step = plan_present(fields, wanted, live)
    afterwards = {**(live or fields.result({"id": "id_1"})), **step.changes}
    again = plan_present(fields, wanted, afterwards)
    assert again.action is Action.NONE
    assert again.before == again.after
    assert plan_absent(fields, None).action is Action.NONE
    assert plan_absent(fields, afterwards).action is Action.DELETE


@pytest.mark.parametrize("fields", [PROJECT, TEAM], ids=["project", "team"])
@given(data=st.data())
def test_a_change_touches_and_shows_only_what_differs(fields, data):
    wanted = fields.given(data.draw(options_of(fields)))
    live = data.draw(live_objects(fields))
    step = plan_present(fields, wanted, live)
    assert set(step.before) == set(step.after) == set(step.changes) <= set(wanted)
    for option in step.changes:
        assert (step.before[option] or None) != (step.after[option] or None)
        assert step.before[option] == live.get(option)
    untouched = set(live) - set(step.changes)
    assert {option: step.expected[option] for option in untouched} == {option: live[option] for option in untouched}


def test_write_only_fields_are_compared_with_nothing_and_resent_only_if_asked():
    live = TEAM.result({"id": "team_1", "slug": "acme", "name": "Acme"})
    wanted = {"slug": "acme", "description": "New"}
    assert plan_present(TEAM, wanted, live).action is Action.NONE
    step = plan_present(TEAM, wanted, live, resend=True)
    assert (step.action, step.before, step.after) == (Action.UPDATE, {"description": None}, {"description": "New"})
    assert "description" not in step.expected
