# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: blueprint_steps
short_description: Read the approved steps from a plan file
version_added: 1.0.0
description:
  - Converts the content of a plan file, as P(hosting.platform.blueprint_plan#filter) creates it, into the value of the
    option O(hosting.platform.blueprint#module:approved).
  - A list of step identifiers is returned unchanged. Any other value is an error, so that nothing runs without
    approval. So is the plan of a run that was refused, and of one that failed before it had a plan.
author:
  - hosting.platform contributors (@hosting-platform)
positional: _input
options:
  _input:
    description: The text of a plan file, or a list of step identifiers.
    type: raw
    required: true
seealso:
  - module: hosting.platform.blueprint
  - plugin: hosting.platform.blueprint_plan
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Carry out only the approved steps
  hosting.platform.blueprint:
    blueprint: "{{ lookup('hosting.platform.blueprint_directory', playbook_dir ~ '/blueprint') }}"
    approved: "{{ lookup('ansible.builtin.file', 'plan.json') | hosting.platform.blueprint_steps }}"
"""

RETURN = r"""
_value:
  description: The identifiers of the steps.
  type: list
  elements: str
"""

import json
from collections.abc import Callable
from typing import Any

from ansible.errors import AnsibleFilterError

from ..module_utils._model.options import type_name
from ..plugin_utils._registered import PLAN_FORMAT

WRONG = "The approval must be a list of step ids or a plan file"


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"blueprint_steps": blueprint_steps}


def blueprint_steps(approved: Any) -> list[str]:
    """Raises AnsibleFilterError for anything but a list of step ids or a plan."""
    steps = _steps_of(approved) if isinstance(approved, str) else approved
    if not isinstance(steps, (list, tuple)):
        raise AnsibleFilterError(f"{WRONG}, and is {type_name(steps)}.")
    for step in steps:
        if not isinstance(step, str):
            raise AnsibleFilterError(f"{WRONG}, and {type_name(step)} is no step id.")
    return list(steps)


def _steps_of(text: str) -> Any:
    try:
        plan = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise AnsibleFilterError(f"{WRONG}, and is not JSON: {error}.") from None
    is_plan = isinstance(plan, dict) and plan.get("format") == PLAN_FORMAT and plan["format"] is not True
    if not is_plan or not isinstance(plan.get("refused"), bool):
        raise AnsibleFilterError(f"{WRONG} of format {PLAN_FORMAT}.")
    if plan["refused"]:
        raise AnsibleFilterError(f"{WRONG}, and is the plan of a run that was refused.")
    if plan.get("failed") is not False and not plan.get("results"):
        raise AnsibleFilterError(f"{WRONG}, and is the plan of a run that failed before it had a plan.")
    return plan.get("steps")
