# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: blueprint_plan
short_description: Convert the result of a blueprint into a plan file
version_added: 1.0.0
description:
  - Converts a result of M(hosting.platform.blueprint) into JSON for other programs. With
    P(hosting.platform.blueprint_steps#filter), a later run can be restricted to this plan.
  - C(steps) contains the identifiers of the steps to take. After a run, these are the steps that were not completed.
  - A plan that was refused, or that could not be made, is no approval. P(hosting.platform.blueprint_steps#filter) does
    not accept it.
  - Accepts the result of a failed task as well.
author:
  - hosting.platform contributors (@hosting-platform)
notes:
  - The JSON schema of a plan file is C(docs/schemas/plan.schema.json) of the collection.
positional: _input
extends_documentation_fragment:
  - hosting.platform.outcome
seealso:
  - module: hosting.platform.blueprint
  - plugin: hosting.platform.blueprint_steps
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Predict the changes
  hosting.platform.blueprint:
    blueprint: "{{ lookup('hosting.platform.blueprint_directory', playbook_dir ~ '/blueprint') }}"
  check_mode: true
  register: drift

- name: Save the plan for approval
  ansible.builtin.copy:
    content: "{{ drift | hosting.platform.blueprint_plan(check_mode=true) | string }}"
    dest: plan.json
    mode: "0644"
"""

RETURN = r"""
_value:
  description:
    - A JSON object with C(format), which is V(1), C(base_url), C(check), C(changed), C(failed), C(refused), C(msg),
      C(summary), C(results), C(undeclared) and C(steps).
  type: str
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from ..module_utils._converge.passes.report import ACTIONS
from ..plugin_utils._registered import PLAN_FORMAT, address, has_failed, is_refused, message_of, refuse_other_input


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"blueprint_plan": blueprint_plan}


def blueprint_plan(outcome: Mapping[str, Any], check_mode: bool = False, option_prefix: str = "") -> str:
    refuse_other_input(outcome)
    failed = has_failed(outcome)
    counts = {**dict.fromkeys(ACTIONS, 0), "along": 0, "failed": 0, "undeclared": 0, "requests": None}
    plan = {
        "format": PLAN_FORMAT,
        "base_url": address(outcome.get("base_url") or "") or None,
        "check": check_mode,
        "changed": bool(outcome.get("changed")),
        "failed": failed,
        "refused": is_refused(outcome),
        "msg": message_of(outcome, option_prefix) if failed else None,
        "summary": {**counts, **(outcome.get("summary") or {})},
        "results": outcome.get("results") or [],
        "undeclared": outcome.get("undeclared") or [],
        "steps": outcome.get("steps") or [],
    }
    return json.dumps(plan, indent=2, default=str) + "\n"
