# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan file, what is taken from it, and the last line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from ansible.errors import AnsibleFilterError
from environments import ROOT
from jsonschema import Draft202012Validator
from outcomes import RESULTS, UNDECLARED, outcome, result

from ansible_collections.hosting.platform.plugins.filter.blueprint_line import blueprint_line
from ansible_collections.hosting.platform.plugins.filter.blueprint_plan import blueprint_plan
from ansible_collections.hosting.platform.plugins.filter.blueprint_steps import blueprint_steps
from ansible_collections.hosting.platform.plugins.filter.blueprint_used import blueprint_used

SCHEMA = Draft202012Validator(json.loads((ROOT / "docs/schemas/plan.schema.json").read_text(encoding="utf-8")))
KEYS = [
    "format",
    "base_url",
    "check",
    "changed",
    "failed",
    "refused",
    "msg",
    "summary",
    "results",
    "undeclared",
    "steps",
]
IDS = ["5d1c", "0af3"]


def plan(given: dict[str, Any], check: bool) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(blueprint_plan(given, check_mode=check))
    assert list(written) == KEYS
    SCHEMA.validate(written)
    return written


@pytest.mark.parametrize("check", [True, False])
def test_plan_holds_the_outcome_and_the_steps_that_are_left(check):
    written = plan(outcome(RESULTS, changed=True, steps=IDS), check=check)
    assert written["steps"] == IDS
    assert (written["check"], written["changed"], written["failed"], written["msg"]) == (check, True, False, None)
    assert written["results"] == RESULTS
    assert written["undeclared"] == UNDECLARED
    assert written["base_url"] == "https://api.example.com/v1"
    assert written["summary"]["requests"] == 12


def test_plan_of_a_refusal_holds_all_of_it():
    written = plan(outcome(RESULTS[:4], failed=True, msg="prune: no", steps=IDS), check=True)
    assert (written["failed"], written["msg"], written["steps"]) == (True, "prune: no", IDS)
    assert len(written["results"]) == 4


def test_plan_of_what_never_came_to_a_plan_is_empty():
    written = plan({"failed": True, "msg": "no such file", "changed": False}, check=False)
    assert (written["results"], written["undeclared"], written["steps"]) == ([], [], [])
    assert (written["base_url"], written["msg"]) == (None, "no such file")
    assert written["summary"]["create"] == 0


def test_plan_file_is_plain_ascii():
    name = "\u202e\x1b\ud800\u00fc"
    text = blueprint_plan(outcome([result("projects", name, name, "none")]))
    assert text.isascii()
    assert json.loads(text)["results"][0]["name"] == name


def test_plan_holds_what_goes_along_with_a_deletion():
    along = [{"kind": "projects", "name": "web", "team": "acme"}]
    gone = result("teams", "acme", None, "delete", along=along)
    assert plan(outcome([gone]), check=True)["results"][0]["along"] == along


@pytest.mark.parametrize(
    ("given", "refused"),
    [
        (outcome(RESULTS), False),
        (outcome(RESULTS, failed=True, msg="1 failed"), False),
        (outcome(RESULTS[:4], failed=True, msg="prune: no"), True),
        (outcome(RESULTS, failed=True, msg="prune: no", refused=True), True),
        (outcome(RESULTS[:4], failed=True, msg="odd", refused=False), False),
        ({"failed": True, "msg": "no such file"}, False),
    ],
)
def test_refusal_is_what_the_result_says_or_else_a_failure_of_no_entry(given, refused):
    assert plan(given, check=False)["refused"] is refused
    assert blueprint_line(given).startswith("Refused") is refused


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (outcome(RESULTS[:4], failed=True, msg="prune: no", steps=IDS), "the plan of a run that was refused"),
        ({"failed": True, "msg": "no such file"}, "the plan of a run that failed before it had a plan"),
    ],
)
@pytest.mark.parametrize("check", [True, False])
def test_what_nobody_could_approve_is_no_approval(given, words, check):
    with pytest.raises(AnsibleFilterError, match=words):
        blueprint_steps(blueprint_plan(given, check_mode=check))


def test_steps_that_a_run_left_undone_are_an_approval():
    failed = outcome(RESULTS, failed=True, msg="1 failed", steps=IDS)
    assert blueprint_steps(blueprint_plan(failed)) == IDS


def test_plan_that_does_not_say_whether_it_was_refused_is_no_approval():
    written = json.loads(blueprint_plan(outcome(RESULTS, steps=IDS), check_mode=True))
    del written["refused"]
    with pytest.raises(AnsibleFilterError, match="a plan file of format 1"):
        blueprint_steps(json.dumps(written))


def test_approved_steps_are_those_of_the_plan_or_of_the_list():
    assert blueprint_steps(blueprint_plan(outcome(RESULTS, steps=IDS), check_mode=True)) == IDS
    assert blueprint_steps(["a", "b"]) == ["a", "b"]
    assert blueprint_steps([]) == []


@pytest.mark.parametrize(
    "wrong",
    ["", "plan.json", "[]", "{}", '{"format": 2, "steps": []}', '{"format": 1}', '{"format": 1, "steps": "a"}'],
)
def test_what_is_no_approval_approves_nothing(wrong):
    with pytest.raises(AnsibleFilterError, match="must be a list of step ids or a plan file"):
        blueprint_steps(wrong)


@pytest.mark.parametrize("wrong", [None, 5, {"steps": []}, [1], [None], ["a", []]])
def test_what_is_no_list_of_ids_approves_nothing(wrong):
    with pytest.raises(AnsibleFilterError, match="must be a list of step ids or a plan file"):
        blueprint_steps(wrong)


def test_line_names_what_changes():
    assert blueprint_line(outcome(RESULTS), check_mode=True) == (
        "1 failed: project cart of media; 1 to delete: alias old.example.com of acme; 1 to create: project shop;"
        " 1 to change: project web of acme; 1 to invite: team member dev@example.com of acme; 1 skipped; 1 unchanged;"
        " 2 undeclared."
    )
    assert blueprint_line(outcome(RESULTS[3:4], undeclared=[])) == "1 created: project shop; 0 unchanged."


def test_line_names_ten_and_counts_the_rest():
    many = [result("teams", f"t{number}", None, "create") for number in range(1200)]
    gone = [result("domains", f"d{number}.example.com", "acme", "delete") for number in range(3)]
    names = ", ".join(f"team t{number}" for number in range(7))
    assert blueprint_line(outcome([*many, *gone], undeclared=[])) == (
        "3 deleted: domain d0.example.com of acme, domain d1.example.com of acme, domain d2.example.com of acme;"
        f" 1,200 created: {names} and 1,193 more; 0 unchanged."
    )
    assert "1,200 to create; 0 unchanged" in blueprint_line(outcome([*gone * 4, *many]), check_mode=True)


def test_line_counts_what_goes_along():
    along = [{"kind": "projects", "name": name, "team": "acme"} for name in ("web", "api")]
    given = outcome([result("teams", "acme", None, "delete", along=along)], undeclared=[])
    assert blueprint_line(given, check_mode=True) == "1 to delete (2 more go along): team acme; 0 unchanged."
    assert blueprint_line(given) == "1 deleted (2 more went along): team acme; 0 unchanged."
    changed = outcome([result("projects", "web", "acme", "update", along=along[:1])], undeclared=[])
    assert blueprint_line(changed) == "1 changed (1 more went along): project web of acme; 0 unchanged."


def test_line_says_what_was_refused_or_failed_altogether():
    refused = blueprint_line(outcome(RESULTS[3:4], failed=True, msg="no", undeclared=[]))
    assert refused == "Refused, and nothing was written: 1 to create: project shop; 0 unchanged."
    assert blueprint_line({"failed": True, "msg": "no"}, check_mode=True) == "The check failed."


def test_line_stays_one_and_acts_on_no_terminal():
    line = blueprint_line(outcome([result("projects", "a\nb\x1b[31m\u202e", "a\r", "create")], undeclared=[]))
    assert line == "1 created: project a\\u000ab\\u001b[31m\\u202e of a\\u000d; 0 unchanged."


def invitation(step: str, **more: Any) -> dict[str, Any]:
    return result("team_members", f"{step}@example.com", "acme", "invite", step=step, **more)


INVITED = [invitation("a"), invitation("b"), {**RESULTS[3], "step": "c"}]


def failed(step: str, status: int | None) -> dict[str, Any]:
    return invitation(step, failed=True, msg="no", failure={"status": status})


@pytest.mark.parametrize(
    ("results", "more", "left"),
    [
        (INVITED, {}, ["c", "unknown"]),
        ([INVITED[0], failed("b", 403), INVITED[2]], {"failed": True}, ["b", "c", "unknown"]),
        ([failed("a", 500), failed("b", None)], {"failed": True}, ["c", "unknown"]),
        (
            [result("team_members", "a@example.com", "acme", "skip", reason="dependency")],
            {},
            ["a", "b", "c", "unknown"],
        ),
        (INVITED, {"failed": True, "msg": "prune: no"}, ["a", "b", "c", "unknown"]),
        (INVITED, {"failed": True, "refused": True}, ["a", "b", "c", "unknown"]),
    ],
)
def test_invitations_that_were_sent_are_taken_out_of_the_plan(results, more, left):
    approved = blueprint_plan(outcome(INVITED, steps=["a", "b", "c", "unknown"]), check_mode=True)
    used = blueprint_used(approved, outcome(results, **more))
    assert json.loads(used) == {**json.loads(approved), "steps": left}
    assert (used == approved) is (len(left) == 4)


def test_without_an_outcome_all_that_may_be_an_invitation_is_taken_out():
    approved = blueprint_plan(outcome(INVITED, steps=["a", "b", "c", "unknown"]), check_mode=True)
    assert json.loads(blueprint_used(approved))["steps"] == ["c"]
    harmless = blueprint_plan(outcome(INVITED, steps=["c"]), check_mode=True)
    assert blueprint_used(harmless) == blueprint_used(harmless, outcome(INVITED)) == harmless


@pytest.mark.parametrize("text", ["", "no plan", "[]", "{}", '{"steps": 5}', '{"steps": ["a"]}', "null"])
def test_what_is_no_plan_is_left_alone(text):
    assert blueprint_used(text) == text
    assert blueprint_used(text, {"failed": True, "msg": "no"}) == text
