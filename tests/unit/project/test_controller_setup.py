# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What sets a controller up, as far as its files say it of themselves. Before a release it is run on an AWX."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from controlling import EXAMPLE
from environments import ROOT
from jsonschema import Draft202012Validator

MODULES = yaml.safe_load((ROOT / "tests/controller_modules.yml").read_text(encoding="utf-8"))["modules"]
(SETUP,) = yaml.safe_load((EXAMPLE / "setup.yml").read_text(encoding="utf-8"))
FILES = {
    name: yaml.safe_load((EXAMPLE / f"tasks/{name}.yml").read_text(encoding="utf-8")) for name in ("setup", "workflow")
}
TASKS: list[dict[str, Any]] = [
    task for task in [*SETUP["tasks"], *FILES["setup"], *FILES["workflow"]] if "action" in task
]
SURVEY = yaml.safe_load((EXAMPLE / "survey.yml").read_text(encoding="utf-8"))
ROLE = yaml.safe_load((ROOT / "roles/converge/meta/argument_specs.yml").read_text(encoding="utf-8"))
# What AWX checks of a survey when it is saved, for the types of questions in the example.
QUESTION = {
    "required": ["type", "question_name", "variable", "required"],
    "properties": {
        "question_name": {"type": "string"},
        "required": {"type": "boolean"},
        "min": {"type": "integer"},
        "max": {"type": "integer"},
        "type": {"enum": ["integer", "multiplechoice", "multiselect"]},
    },
    "if": {"properties": {"type": {"const": "integer"}}},
    "then": {"properties": {"default": {"type": "integer"}}},
    "else": {
        "properties": {"default": {"type": "string"}, "choices": {"items": {"type": "string"}}},
        "required": ["choices"],
    },
}


def loop_of(name: str) -> list[dict[str, Any]]:
    (found,) = (task["loop"] for task in TASKS if task["name"] == name)
    return list(found)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task["name"])
def test_modules_of_a_controller_have_these_options(task: dict[str, Any]) -> None:
    options = MODULES[task["action"].rpartition(".")[2]]
    assert set(task["args"]) <= set(options)
    assert {name for name, option in options.items() if option.get("required")} <= set(task["args"])


def test_a_controller_takes_the_survey_and_the_answers_of_the_night() -> None:
    for question in SURVEY["spec"]:
        Draft202012Validator(QUESTION).validate(question)
        assert set(str(question["default"]).splitlines()) <= set(question.get("choices", [str(question["default"])]))
    asked = {question["variable"]: question for question in SURVEY["spec"]}
    assert len(asked) == len(SURVEY["spec"])
    options = ROLE["argument_specs"]["main"]["options"]
    assert asked["converge_prune"]["choices"] == ["projects", "aliases", "domains"]
    assert set(asked) <= set(options)
    nightly = SETUP["vars"]["nightly"]
    assert {name for name, question in asked.items() if question["required"]} <= set(nightly) <= set(asked)


def test_the_workflow_goes_from_the_plan_over_the_approval_to_the_run() -> None:
    nodes: dict[str, dict[str, Any]] = {}
    for item in loop_of("Ensure the workflow has its nodes"):
        following = item.get("success", []) + item.get("failure", [])
        assert set(following) <= set(nodes), "a node names those that there are"
        nodes[item["identifier"]] = {**nodes.get(item["identifier"], {}), **item}
    assert nodes["drift"]["success"] == ["changes"]
    assert nodes["changes"]["failure"] == ["approval"]
    assert nodes["approval"]["success"] == ["converge"]
    assert "success" not in nodes["changes"], "without a change nothing is to be approved"
    jobs = {job["name"]: job for job in loop_of("Ensure the drift job and the converge job exist")}
    assert {node["job"] for node in nodes.values() if "job" in node} == {*jobs, "Platform changes"}
    drift, converge = jobs["Platform drift"], jobs["Platform converge"]
    assert (drift["job_type"], converge["job_type"]) == ("check", "run")
    assert converge["workflow"] == {"converge_approved": []}, "by itself it may do nothing"


def test_the_project_has_what_the_jobs_name() -> None:
    sources = [source["path"] for source in loop_of("Ensure the inventory sources exist")]
    playbooks = ["converge.yml", "converge_by_team.yml", "changes.yml"]
    named = [*(f"inventory/{path}" for path in sources), *playbooks]
    assert [path for path in named if not (EXAMPLE / "project" / path).exists()] == []
    text = "".join((EXAMPLE / f"tasks/{name}.yml").read_text(encoding="utf-8") for name in FILES)
    assert [path for path in playbooks if path not in text] == []
