# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Renames by earlier names: one PATCH, and everything that hangs on the object kept."""

import pytest
from acme import ACME
from blueprints import (
    actions,
    check_then_converge,
    converge,
    converge_or_result,
    refusal_message,
)
from client import check_then_run, expect_refusal, run_module

from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import Team

KINDS = pytest.mark.parametrize(
    ("kind", "name"), [(Project, "name"), (Team, "slug")], ids=["project", "team"]
)


def seed(emulator, kind, *names):
    """Objects of these names; their ids by name."""
    objects = emulator.seed(**{kind.plural: [{kind.name_field: name} for name in names]})[
        kind.plural
    ]
    return {item[kind.name_field]: item["id"] for item in objects}


def stored(emulator, kind):
    return {item[kind.name_field]: item["id"] for item in emulator.state()[kind.plural]}


@KINDS
def test_an_object_of_an_earlier_name_is_renamed_by_one_patch(emulator, kind, name):
    ids = seed(emulator, kind, "other", "older")
    wanted = {name: "newest", "previously": ["oldest", "older", "older", "newest"]}
    assert "previously: cannot be used with state=exists" in expect_refusal(
        kind, emulator, **wanted, state="exists"
    )
    check, done = check_then_run(kind, emulator.base_url, **wanted)
    assert check["diff"] == done["diff"]
    assert (done["diff"]["before"], done["diff"]["after"]) == ({name: "older"}, {name: "newest"})
    assert stored(emulator, kind) == {"other": ids["other"], "newest": ids["older"]}
    assert len(emulator.writes) == 1
    assert run_module(kind, emulator.base_url, **wanted)["changed"] is False


@KINDS
@pytest.mark.parametrize("there", [("new1", "old1"), ("old1", "old2"), ("new1", "old1", "old2")])
def test_two_that_could_be_meant_fail_and_are_named(emulator, kind, name, there):
    seed(emulator, kind, *there)
    message = expect_refusal(kind, emulator, **{name: "new1", "previously": ["old1", "old2"]})
    assert message.startswith("previously: ")
    assert all(one in message for one in there)


@KINDS
def test_exists_creates_what_is_missing_and_changes_nothing_of_what_is_there(emulator, kind, name):
    other = {"framework": "astro"} if kind is Project else {"name": "Theirs"}
    mine = dict.fromkeys(other, "Mine")
    assert (
        run_module(kind, emulator.base_url, **{name: "one1", "state": "exists"}, **other)["changed"]
        is True
    )
    again = run_module(kind, emulator.base_url, **{name: "one1", "state": "exists"}, **mine)
    assert again["changed"] is False
    assert {option: again[kind.singular][option] for option in other} == other
    assert len(emulator.writes) == 1


@KINDS
def test_absent_ignores_previous_names(emulator, kind, name):
    seed(emulator, kind, "old1")
    assert (
        run_module(
            kind, emulator.base_url, **{name: "new1", "previously": ["old1"], "state": "absent"}
        )["changed"]
        is False
    )
    assert emulator.writes == []


@KINDS
@pytest.mark.parametrize("workers", [1, 8])
def test_a_chain_of_renames_on_an_empty_platform_creates_all_of_them(emulator, kind, name, workers):
    chain = [
        {name: "one1"},
        {name: "two2", "previously": ["one1", "one1"]},
        {name: "three3", "previously": ["two2"]},
    ]
    check = converge(emulator.base_url, {kind.plural: chain}, check_mode=True)
    emulator.plan_fault(f"POST /{kind.plural}", "500")
    result = converge(emulator.base_url, {kind.plural: chain}, workers=workers)
    assert result["results"] == check["results"]
    assert list(stored(emulator, kind)) == ["three3", "two2", "one1"]
    assert actions(converge(emulator.base_url, {kind.plural: chain})) == []


@KINDS
def test_a_name_that_was_another_ones_waits_until_that_exists(emulator, kind, name):
    """Otherwise, after an interruption, it would be taken for the other one before its rename."""
    entries = {kind.plural: [{name: "old1"}, {name: "new1", "previously": ["old1"]}]}
    emulator.plan_fault(f"POST /{kind.plural}", "403")
    failed = converge_or_result(emulator.base_url, entries)
    assert [entry["reason"] for entry in failed["results"]] == ["dependency", None]
    assert stored(emulator, kind) == {}
    alone = converge_or_result(emulator.base_url, entries, only=["old1"])
    assert f"depends on {kind.plural}[1] new1, which is not selected" in alone["msg"]
    assert actions(converge(emulator.base_url, entries)) == [
        (kind.plural, one, "create") for one in ("old1", "new1")
    ]


def test_of_several_things_that_are_not_selected_the_first_is_named(emulator):
    names = [f"new{number}" for number in range(8)]
    entries = {
        "teams": [{"slug": "acme"}],
        "projects": [{"name": name, "team": "acme"} for name in names],
        "aliases": [
            {"alias": f"{name}.example.com", "project": name, "team": "acme"} for name in names
        ],
    }
    alone = converge_or_result(emulator.base_url, entries, only=[{"kind": "aliases"}])
    needed = "depends on teams[0] acme, which is not selected"
    assert [needed in line for line in alone["msg"].splitlines()] == [True] * len(names)


@pytest.mark.parametrize("other", [{"name": "old"}, {"name": "old", "state": "absent"}])
def test_an_object_that_two_entries_mean_is_not_taken_from_either(emulator, other):
    seed(emulator, Project, "old")
    entries = [
        {"name": "new", "previously": ["old"], "own_scope": True},
        {**other, "own_scope": True},
    ]
    message = refusal_message(emulator, {"projects": entries})
    assert (
        "projects[0] new: previously: old exists and new does not, and projects[1] old declares old"
        in message
    )


def test_an_old_name_may_be_given_anew_once_the_rename_is_done(emulator):
    seed(emulator, Project, "new")
    entries = [
        {"name": "new", "previously": ["old"], "own_scope": True},
        {"name": "old", "own_scope": True},
    ]
    assert actions(check_then_converge(emulator.base_url, {"projects": entries})) == [
        ("projects", "old", "create")
    ]


def test_a_new_name_beside_one_that_goes_draws_a_warning(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": "store", "team": "acme"}])
    blueprint = {"projects": [{"name": "storefront", "team": "acme"}]}
    for check_mode in (True, False):
        result = converge(emulator.base_url, blueprint, check_mode, prune=["projects"])
        (warning,) = result["warnings"]
        assert all(word in warning for word in ("storefront", "store", "previously"))


@KINDS
def test_an_earlier_name_that_is_the_name_of_another_entry_is_refused(emulator, kind, name):
    seed(emulator, kind, "one1", "two2")
    chain = [{name: "three3", "previously": ["two2"]}, {name: "two2", "previously": ["one1"]}]
    message = refusal_message(emulator, {kind.plural: chain})
    assert f"three3: previously: two2 exists and three3 does not, and {kind.plural}[1]" in message
    assert f"{kind.plural}[1] two2: previously: " in message
    assert emulator.writes == []


def test_an_earlier_name_of_two_entries_is_refused_where_it_exists(emulator):
    entries = [{"name": new, "previously": ["old"], "own_scope": True} for new in ("a", "b")]
    seed(emulator, Project, "old")
    assert "projects[0] a declares the same project" in refusal_message(
        emulator, {"projects": entries}
    )


@pytest.mark.parametrize("changed", [{}, {"framework": "astro"}])
def test_entries_that_name_each_other_are_no_swap_in_one_run(emulator, changed):
    ids = seed(emulator, Project, "blue", "green")
    entries = [
        {"name": "blue", "previously": ["green"], "own_scope": True, **changed},
        {"name": "green", "previously": ["blue"], "own_scope": True},
    ]
    if changed:
        message = refusal_message(emulator, {"projects": entries})
        assert message.startswith("projects[0] blue and projects[1] green name each other")
        assert "rename one of them to an unused name in a run before" in message
    else:
        assert check_then_converge(emulator.base_url, {"projects": entries})["changed"] is False
    half = [entries[0], {"name": "green", "own_scope": True}]
    check_then_converge(emulator.base_url, {"projects": half})
    assert stored(emulator, Project) == ids


def test_a_near_earlier_name_is_said_whatever_only_selects(emulator):
    emulator.seed(teams=[ACME], projects=[{"name": "storefront", "team": "acme"}])
    entry = {"name": "store", "team": "acme", "previously": ["storefrnt"], "source": "a.yml:1"}
    for selector in ("store", {"source": "a.yml"}):
        result = converge(emulator.base_url, {"projects": [entry]}, True, only=[selector])
        assert result["warnings"] == [
            "projects[0] store (a.yml:1): previously: storefrnt matches nothing."
            " Did you mean storefront?"
        ]
