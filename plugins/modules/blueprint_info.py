#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: blueprint_info
short_description: Write the live platform down as a blueprint
version_added: 1.0.0
description:
  - Returns what is there as a blueprint. M(hosting.platform.blueprint) takes it as it stands, and changes nothing.
  - It holds names and slugs, and no identifiers, empty fields or fields that only the service can set. A name that is
    not unique, or is another object's identifier, fails the task.
  - Members are not part of it, because the API does not list them. An alias that redirects is exported without its
    redirect, with a warning.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.attributes
  - hosting.platform.attributes.reads
  - hosting.platform.attributes.group
options:
  teams:
    description:
      - The ids or slugs of the teams to write down. V("") is the scope of the token's user.
      - Without it, the scope of the token's user and every team of theirs.
    type: list
    elements: str
  kinds:
    description: The kinds to write down.
    type: list
    elements: str
    choices:
      - teams
      - projects
      - aliases
      - domains
    default:
      - teams
      - projects
      - aliases
  workers:
    description: How many lists to read side by side.
    type: int
    default: 8
seealso:
  - module: hosting.platform.blueprint
"""

EXAMPLES = r"""
- name: Write everything down
  hosting.platform.blueprint_info:
  register: live

- name: Keep it in a file
  ansible.builtin.copy:
    content: "{{ live.blueprint | to_nice_yaml }}"
    dest: blueprint.yml
    mode: "0644"

- name: Only the projects of one team
  hosting.platform.blueprint_info:
    teams:
      - acme
    kinds:
      - projects
"""

RETURN = r"""
blueprint:
  description: The blueprint, a list under each of O(kinds).
  returned: success
  type: dict
  sample:
    teams:
      - {slug: acme, name: Acme}
    projects:
      - {name: web, team: acme, framework: nextjs}
    aliases:
      - {alias: www.example.com, project: web, team: acme}
failure:
  description:
    - The call that failed, for conditions in playbooks. What does not apply is V(null), and all of it where no call
      was made.
  returned: failure
  type: dict
  sample:
    operation: GET /teams
    method: GET
    path: /teams
    status: 401
    code: null
    message: null
"""

from ansible_collections.hosting.platform.plugins.module_utils._blueprint._exporting import (
    EXPORTED_KINDS,
    export_blueprint,
)
from ansible_collections.hosting.platform.plugins.module_utils._run import run_info


def main() -> None:
    kinds = list(EXPORTED_KINDS)
    options = {
        "teams": {"type": "list", "elements": "str"},
        "kinds": {"type": "list", "elements": "str", "choices": kinds, "default": kinds[:3]},
        "workers": {"type": "int", "default": 8},
    }
    run_info("blueprint", export_blueprint, options)


if __name__ == "__main__":
    main()
