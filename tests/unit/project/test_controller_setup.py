# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What sets a controller up, as far as its files say it of themselves. Before a release it is run
on an AWX.
"""

import re
from itertools import chain
from typing import Any

import pytest
import yaml
from controlling import EXAMPLE
from environments import ROOT
from guides import GUIDES

from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.options import (
    OPTIONS,
)

MODULES = yaml.safe_load((ROOT / "tests/controller_modules.yml").read_text(encoding="utf-8"))[
    "modules"
]
(SETUP,) = yaml.safe_load((EXAMPLE / "setup.yml").read_text(encoding="utf-8"))
NAMES = ("setup", "workflow")
FILES = {
    name: yaml.safe_load((EXAMPLE / f"tasks/{name}.yml").read_text(encoding="utf-8"))
    for name in NAMES
}
ALL_TASKS: list[dict[str, Any]] = [*SETUP["tasks"], *FILES["setup"], *FILES["workflow"]]
TASKS = [task for task in ALL_TASKS if "action" in task]
SURVEY = yaml.safe_load((EXAMPLE / "survey.yml").read_text(encoding="utf-8"))
ROLE = yaml.safe_load((ROOT / "roles/converge/meta/argument_specs.yml").read_text(encoding="utf-8"))


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
        assert set(str(question["default"]).splitlines()) <= set(
            question.get("choices", [str(question["default"])])
        )
    asked = {question["variable"]: question for question in SURVEY["spec"]}
    assert len(asked) == len(SURVEY["spec"])
    assert asked["converge_prune"]["choices"] == OPTIONS["prune"]["choices"]
    assert set(asked) <= set(ROLE["argument_specs"]["main"]["options"])
    nightly = SETUP["vars"]["nightly"]
    assert (
        {name for name, question in asked.items() if question["required"]}
        <= set(nightly)
        <= set(asked)
    )


def test_the_project_has_what_the_jobs_name() -> None:
    sources = [source["path"] for source in loop_of("Ensure the inventory sources exist")]
    playbooks = ["converge.yml", "converge_by_team.yml", "changes.yml"]
    named = [*(f"inventory/{path}" for path in sources), *playbooks]
    assert [path for path in named if not (EXAMPLE / "project" / path).exists()] == []
    text = "".join((EXAMPLE / f"tasks/{name}.yml").read_text(encoding="utf-8") for name in FILES)
    assert [path for path in playbooks if path not in text] == []


def test_the_guide_names_each_variable_of_the_set_up() -> None:
    text = "".join(
        path.read_text(encoding="utf-8") for path in sorted(EXAMPLE.glob("**/setup.yml"))
    )
    text += (EXAMPLE / "tasks/workflow.yml").read_text(encoding="utf-8")
    optional = set(re.findall(r"(\w+) is (?:un)?defined|(\w+) \| default\(omit\)", text))
    named = set(filter(None, chain.from_iterable(optional))) | set(SETUP["vars"])
    named -= {"access_token", "project_url", "image", "id", "approval", "success", "failure"}
    named -= {"credential", "job", "job_templates", "workflows"}
    guide = GUIDES["controller"].read_text(encoding="utf-8")
    assert {"project_credential", "image_credential", "approvers", "directory"} <= named
    assert [name for name in sorted(named) if f"``{name}``" not in guide] == []


def test_the_base_of_the_image_is_pinned() -> None:
    definition = yaml.safe_load((EXAMPLE / "execution-environment.yml").read_text(encoding="utf-8"))
    base = definition["images"]["base_image"]["name"]
    assert re.fullmatch(r"[\w.-]+(/[\w.-]+)+:\d+", base)
    assert f" {base}``" in GUIDES["controller"].read_text(encoding="utf-8")
