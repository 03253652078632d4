# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A collection for controllers whose modules write down what they are asked for, and rules of AWX 24.6.1 for that."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from environments import ROOT, collection_tree
from jsonschema import Draft202012Validator
from playing import Play

MODULES = yaml.safe_load((ROOT / "tests/controller_modules.yml").read_text())["modules"]
# Stands in for a module of a controller's collection: the options are checked as Ansible does, and what may write is
# written down. The inputs of the objects in $RECORDER_HELD are compared as the modules do: as a whole, and a secret
# equals any. An action needs no process of its own.
STAND_IN = """
import json, os
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.plugins.action import ActionBase

class ActionModule(ActionBase):
    def run(self, tmp=None, task_vars=None):
        validator = ArgumentSpecValidator(json.loads({specification!r}), mutually_exclusive={exclusive!r})
        checked = validator.validate(self._task.args)
        if checked.error_messages:
            return {{"failed": True, "msg": checked.errors.msg}}
        given = {{name: value for name, value in checked.validated_parameters.items() if value is not None}}
        if not self._task.check_mode:
            with open(os.environ["RECORDER_WRITTEN_DOWN"], "a") as file:
                file.write(json.dumps([{name!r}, given]) + "\\n")
        held = json.loads(os.environ["RECORDER_HELD"]).get({name!r}, {{}})
        if given.get("name") not in held:
            return {{"changed": True}}
        old, new = held[given["name"]], given.get("inputs")
        same = new is None or old.keys() == new.keys() and all(old[key] in (new[key], "$encrypted$") for key in old)
        return {{"id": 1, "changed": given["state"] != "exists" and (not same or given.get("update_secrets", False))}}
"""


class Made:
    """The requests of the playbook to a controller: ``made.of("schedule")``."""

    def __init__(self, play: Play, calls: list[tuple[str, dict[str, Any]]]) -> None:
        self.play = play
        self.calls = calls

    def of(self, module: str) -> list[dict[str, Any]]:
        return [options for name, options in self.calls if name == module]

    @property
    def templates(self) -> dict[str, dict[str, Any]]:
        """The templates that can be launched, by name."""
        return {made["name"]: made for made in self.of("job_template") + self.of("workflow_job_template")}


@cache
def collections_with(name: str, folder: Path) -> Path:
    """A folder of collections: this one, and one of that name with the stand-ins."""
    tree = folder / f"beside-{name}"
    shutil.copytree(
        collection_tree() / "ansible_collections/hosting", tree / "ansible_collections/hosting", symlinks=True
    )
    plugins = tree / "ansible_collections" / name.replace(".", "/") / "plugins"
    for kind in ("action", "modules"):
        (plugins / kind).mkdir(parents=True)
    for module, options in MODULES.items():
        stand_in = STAND_IN.format(specification=json.dumps(options), name=module, exclusive=EXCLUSIVE.get(module, []))
        (plugins / "action" / f"{module}.py").write_text(stand_in)
        (plugins / "modules" / f"{module}.py").touch()
    return tree


# An approval node accepts no links, not even empty ones: its module applies them again to the approval.
EXCLUSIVE: Mapping[str, list[tuple[str, str]]] = {
    "workflow_job_template_node": [
        ("approval_node", other) for other in ("unified_job_template", "success_nodes", "failure_nodes", "always_nodes")
    ]
}
# Objects that belong to a template are looked up in it, and deleted with it.
TEMPLATES = ("job_template", "workflow_job_template")
BELONGS_TO: Mapping[str, str] = {
    "schedule": "unified_job_template",
    "workflow_job_template_node": "workflow_job_template",
}


def held(calls: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[tuple[str, str, str], dict[str, Any]]:
    """The objects of a controller after calls of its modules: options by module, name and owning template.

    Raises LookupError for a call that names a missing template: the modules fail.
    """
    objects: dict[tuple[str, str, str], dict[str, Any]] = {}
    for module, options in calls:
        name = options.get("name") or options["identifier"]
        template = options[BELONGS_TO[module]] if module in BELONGS_TO else ""
        if template and not any((kind, template, "") in objects for kind in TEMPLATES):
            raise LookupError(f"{module} {name}: there is no {template}")
        key = (module, name, template)
        if options["state"] == "absent":
            objects.pop(key, None)
            if module in TEMPLATES:
                objects = {other: kept for other, kept in objects.items() if other[2] != name}
        else:
            objects[key] = {**objects.get(key, {}), **options}
    return objects


# What AWX checks of a survey when it is saved, for the types of questions in the example.
QUESTION = {
    "required": ["type", "question_name", "variable", "required"],
    "properties": {
        "question_name": {"type": "string"},
        "variable": {"type": "string"},
        "required": {"type": "boolean"},
        "min": {"type": "integer"},
        "max": {"type": "integer"},
        "type": {"enum": ["integer", "multiplechoice", "multiselect"]},
    },
    "if": {"properties": {"type": {"const": "integer"}}},
    "then": {"properties": {"default": {"anyOf": [{"const": ""}, {"type": "integer"}]}}},
    "else": {"properties": {"default": {"type": "string"}}, "required": ["choices"]},
}
SURVEY = {
    "required": ["name", "description", "spec"],
    "properties": {
        "name": {"type": "string"},
        "description": {"type": "string"},
        "spec": {"type": "array", "minItems": 1, "items": QUESTION},
    },
}


def survey_errors(survey: Mapping[str, Any]) -> Iterator[str]:
    """The objections of AWX to a survey when it is saved."""
    yield from (error.message for error in Draft202012Validator(SURVEY).iter_errors(survey))
    variables = [question["variable"] for question in survey["spec"]]
    if len(set(variables)) < len(variables):
        yield "there are two questions for one variable"
    for question in survey["spec"]:
        if "choices" in question and not {*question.get("default", "").splitlines()} <= {*question["choices"]}:
            yield f"{question['variable']}: the default is none of the choices"


def launch_errors(template: Mapping[str, Any], answers: Mapping[str, Any]) -> Iterator[str]:
    """The objections of AWX to the variables of a launch, or of a schedule, of a template."""
    questions = template["survey_spec"]["spec"] if template.get("survey_enabled") else []
    accepted = {
        "properties": {question["variable"]: _answer(question) for question in questions},
        "required": [question["variable"] for question in questions if question["required"]],
        "additionalProperties": bool(template.get("ask_variables_on_launch")),
    }
    yield from (error.message for error in Draft202012Validator(accepted).iter_errors(answers))


def _answer(question: Mapping[str, Any]) -> dict[str, Any]:
    if question["type"] == "integer":
        bounds = {"minimum": question.get("min", -math.inf), "maximum": question.get("max", math.inf)}
        return {"type": "integer", **bounds}
    choice = {"enum": question["choices"]}
    return choice if question["type"] == "multiplechoice" else {"type": "array", "items": choice}
