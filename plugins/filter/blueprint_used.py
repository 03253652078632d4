# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: blueprint_used
short_description: Take the invitations that were sent out of an approved plan file
version_added: 1.0.0
description:
  - Every other step of a plan that is done already is ignored when the plan is used again. Invitations are not, as the
    service does not list members. So an approved plan file must not contain them any longer once they are sent.
  - An invitation counts as sent unless the service refused it with a status of 400 to 499.
  - Text that is no plan file is returned unchanged, and so is a plan file without such steps.
author:
  - hosting.platform contributors (@hosting-platform)
positional: _input
options:
  _input:
    description: The text of the plan file.
    type: str
    required: true
  outcome:
    description:
      - The registered result of the run with M(hosting.platform.blueprint). By default, every step that may be an
        invitation is taken out.
    type: dict
seealso:
  - module: hosting.platform.blueprint
  - plugin: hosting.platform.blueprint_steps
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Carry out only the approved steps
  hosting.platform.blueprint:
    blueprint: "{{ lookup('hosting.platform.blueprint_directory', playbook_dir ~ '/blueprint') }}"
    approved: "{{ lookup('ansible.builtin.file', 'plan.json') | hosting.platform.blueprint_steps }}"
  register: outcome

- name: Show what is left of the plan
  ansible.builtin.debug:
    msg: "{{ lookup('ansible.builtin.file', 'plan.json') | hosting.platform.blueprint_used(outcome) }}"
"""

RETURN = r"""
_value:
  description: The text of a plan file.
  type: str
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from ..plugin_utils._registered import is_refused, refuse_other_input

Values = Mapping[str, Any]
INVITATION = "invite"


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"blueprint_used": blueprint_used}


def blueprint_used(plan: str, outcome: Values | None = None) -> str:
    try:
        content = json.loads(plan)
        gone = _perhaps_invitations(content) if outcome is None else _sent(outcome)
        left = [step for step in content["steps"] if step not in gone]
    except (ValueError, TypeError, KeyError, RecursionError):
        return plan
    # Steps that are no list are no approval, but what is left of them would be.
    is_same = left == content["steps"] or not isinstance(content["steps"], list)
    return plan if is_same else json.dumps({**content, "steps": left}, indent=2) + "\n"


def _perhaps_invitations(plan: Values) -> set[str]:
    """All steps except those that the plan shows to be something else."""
    known = {result["step"] for result in plan["results"] if result["action"] != INVITATION}
    return set(plan["steps"]) - known


def _sent(outcome: Values) -> set[str]:
    refuse_other_input(outcome)
    if is_refused(outcome):
        return set()
    results = [result for result in outcome.get("results") or [] if result["action"] == INVITATION]
    return {result["step"] for result in results if not _is_declined(result)}


def _is_declined(result: Values) -> bool:
    """Return whether the service certainly did not send the invitation."""
    status = (result.get("failure") or {}).get("status")
    return bool(result.get("failed")) and status is not None and 400 <= status < 500
