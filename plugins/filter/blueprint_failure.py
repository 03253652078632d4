# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: blueprint_failure
short_description: Tell why a blueprint failed, in a few lines
version_added: 1.0.0
description:
  - Takes the reasons from a result of M(hosting.platform.blueprint) that failed or was refused. At most 10 lines are
    shown, and the rest is counted. The result of a task that did not fail gives V("").
  - Also accepts the result of a task whose C(failed_when) is V(false). A playbook can then fail with this text, and not
    with the whole result.
author:
  - hosting.platform contributors (@hosting-platform)
positional: _input
options:
  _input:
    description: The registered result.
    type: dict
    required: true
  option_prefix:
    description:
      - What precedes the names of the module's options in messages, because readers set them under other names. The
        role P(hosting.platform.converge#role) passes V(converge_).
    type: str
    default: ""
seealso:
  - module: hosting.platform.blueprint
  - plugin: hosting.platform.blueprint_line
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Converge the platform
  hosting.platform.blueprint:
    blueprint: "{{ lookup('hosting.platform.blueprint_directory', playbook_dir ~ '/blueprint') }}"
  register: outcome
  failed_when: false

- name: Ensure the platform was converged
  ansible.builtin.assert:
    that: (outcome | hosting.platform.blueprint_failure) == ''
    fail_msg: "{{ outcome | hosting.platform.blueprint_failure }}"
"""

RETURN = r"""
_value:
  description: The reasons, one to a line.
  type: str
  sample: |-
    1 of 40 entries failed:
    projects[3] shop (projects.yml:12): POST /projects failed: status 403.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ..plugin_utils._outcome import cut
from ..plugin_utils._registered import failure_of

LINES = 10
LENGTH = 1_000


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"blueprint_failure": blueprint_failure}


def blueprint_failure(outcome: Mapping[str, Any], option_prefix: str = "") -> str:
    lines = failure_of(outcome, option_prefix)
    shown = [cut(line, LENGTH) for line in lines[:LINES]]
    return "\n".join([*shown, *([f"and {len(lines) - LINES:,} lines more"] if len(lines) > LINES else [])])
