# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan file, what is taken from it, and why a run failed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from ansible.errors import AnsibleFilterError
from environments import ROOT
from jsonschema import Draft202012Validator
from outcomes import ALONG, RESULTS, UNDECLARED, outcome, result

from ansible_collections.hosting.platform.plugins.filter.blueprint_failure import blueprint_failure
from ansible_collections.hosting.platform.plugins.filter.blueprint_line import blueprint_line
from ansible_collections.hosting.platform.plugins.filter.blueprint_plan import blueprint_plan
from ansible_collections.hosting.platform.plugins.filter.blueprint_steps import blueprint_steps
from ansible_collections.hosting.platform.plugins.filter.blueprint_used import blueprint_used

SCHEMA = json.loads((ROOT / "docs/schemas/plan.schema.json").read_text(encoding="utf-8"))
DEEP = "[" * 100_000
IDS = ["5d1c", "0af3"]


def plan(given: dict[str, Any], check: bool, **more: Any) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(blueprint_plan(given, check_mode=check, **more))
    Draft202012Validator(SCHEMA).validate(written)
    assert list(written) == list(SCHEMA["properties"])
    return written


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("told", [{"changed": True}, {"failed": True, "msg": "prune: no"}])
def test_plan_holds_the_outcome_and_the_steps_that_are_left(check, told):
    results = [*RESULTS, result("teams", "acme", None, "delete", along=ALONG)]
    written = plan(outcome(results, steps=IDS, **told), check=check)
    assert written["steps"] == IDS
    expected = {"check": check, "changed": False, "failed": False, "msg": None, **told}
    assert {key: written[key] for key in expected} == expected
    assert written["results"] == results
    assert written["undeclared"] == UNDECLARED
    assert written["base_url"] == "https://api.example.com/v1"
    assert written["summary"]["requests"] == 12


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


def test_approved_steps_are_those_of_the_plan_or_of_the_list():
    assert blueprint_steps(blueprint_plan(outcome(RESULTS, steps=IDS), check_mode=True)) == IDS
    assert blueprint_steps(["a", "b"]) == ["a", "b"]
    assert blueprint_steps([]) == []


PLAN = json.loads(blueprint_plan(outcome(RESULTS, steps=IDS), check_mode=True))
UNSAID = {key: value for key, value in PLAN.items() if key != "refused"}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        *((text, ", and is not JSON: ") for text in ("", "plan.json", DEEP)),
        *((text, " of format 1.") for text in ("[]", "{}", '{"format": 1}')),
        *((json.dumps(plan), " of format 1.") for plan in ({**PLAN, "format": 2}, {**PLAN, "format": True}, UNSAID)),
        (json.dumps({**PLAN, "steps": "a"}), ", and is text."),
        (None, ", and is null."),
        (5, ", and is a number."),
        ({"steps": []}, ", and is a dictionary."),
        ([1], ", and a number is no step id."),
        ([None], ", and null is no step id."),
        (["a", []], ", and a list is no step id."),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_no_plan_and_no_list_of_ids_approves_nothing(wrong, said):
    with pytest.raises(AnsibleFilterError, match=f"^The approval must be a list of step ids or a plan file{said}"):
        blueprint_steps(wrong)


REFUSALS = [
    {"guard": "protect", "message": "projects[0] limits.delete: prune_limit is protected, but would be deleted."},
    {"guard": "prune_limit", "message": "12 of 12 projects would be deleted: prune_limit, limits.delete."},
    {"guard": "limits.delete", "message": "84 would be deleted (84 projects), more than 10."},
]


@pytest.mark.parametrize(
    "message",
    [
        "only[0].kind: unknown kind project.",
        "protect[12]: may not be empty.",
        "limits must be a dictionary.",
        "prune_limit must be a number, and is a boolean.",
    ],
)
def test_wrong_values_are_named_as_the_reader_sets_them(message):
    failed = {"failed": True, "msg": message}
    assert plan(failed, check=True, option_prefix="converge_")["msg"] == f"converge_{message}"
    assert plan(failed, check=True)["msg"] == message


@pytest.mark.parametrize("prefix", ["", "converge_"])
def test_guards_are_named_as_the_reader_sets_them(prefix):
    given = outcome(RESULTS[3:4], failed=True, refused=True, refusals=REFUSALS, undeclared=[])
    line = blueprint_line(given, option_prefix=prefix)
    guards = f"{prefix}protect, {prefix}prune_limit and {prefix}limits.delete"
    assert line.startswith(f"Refused by {guards}; nothing was written. Planned: 1 to create")
    lines = [f"{prefix}{refusal['guard']}: {refusal['message']}" for refusal in REFUSALS]
    assert plan(given, check=True, option_prefix=prefix)["msg"] == "\n".join(lines) + " Nothing was written."


def test_failure_is_told_in_a_few_lines():
    assert blueprint_failure(outcome(RESULTS)) == ""
    assert blueprint_failure({"failed": True}) == "It failed, and does not say why."
    assert blueprint_failure({"failed": False, "failed_when_result": False, "msg": "no\nand no"}) == "no\nand no"
    many = blueprint_failure({"failed": True, "msg": "\n".join(f"{n}{'x' * 5000}\x1b" for n in range(30))})
    assert many.endswith("\nand 20 lines more")
    assert len(many) < 10_200
    assert "\x1b" not in many


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


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no plan",
        "[]",
        "{}",
        '{"steps": 5}',
        '{"steps": ["a"]}',
        '{"steps": {"a": 1}, "results": []}',
        '{"steps": "a", "results": []}',
        "null",
        DEEP,
    ],
    ids=lambda text: text[:40],
)
def test_what_is_no_plan_is_left_alone(text):
    """Without what is not a list of steps, it could become an approval."""
    assert blueprint_used(text) == text
    assert blueprint_used(text, {"failed": True, "msg": "no"}) == text
