# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A collection for controllers whose modules write down what they are asked for."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from controller_rules import EXCLUSIVE
from environments import ROOT, collection_tree
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
