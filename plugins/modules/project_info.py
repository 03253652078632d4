#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: project_info
short_description: List projects
version_added: 1.0.0
description:
  - Returns one project, or all projects of a scope.
  - A list is complete, each project once, or the task fails. It is never cut.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.api.team
  - hosting.platform.api.page
  - hosting.platform.attributes
  - hosting.platform.attributes.reads
  - hosting.platform.attributes.team_group
options:
  name:
    description:
      - Only the project of this name. If there is none, the list is empty.
      - It excludes O(id), O(since), O(until) and O(limit).
    type: str
  id:
    description:
      - Only the project of this identifier. If there is none, the list is empty.
      - It excludes O(name), O(since), O(until) and O(limit).
    type: str
seealso:
  - module: hosting.platform.project
"""

EXAMPLES = r"""
- name: All projects of a team
  hosting.platform.project_info:
    team: acme
  register: all_projects

- name: One project
  hosting.platform.project_info:
    name: web
    team: acme
  register: web

- name: Those of the last day
  hosting.platform.project_info:
    team: acme
    since: "{{ (now().timestamp() * 1000) | int - 24 * 3600 * 1000 }}"

- name: Fail if it is not there
  ansible.builtin.assert:
    that: web.projects | length == 1
"""

RETURN = r"""
projects:
  description: The projects, in the service's order.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: The identifier of the project.
      type: str
      sample: prj_17
    name:
      description: The name.
      type: str
      sample: web
    team_id:
      description: The identifier of the team that owns the project.
      type: str
      sample: team_3
    alias:
      description: The alias of the project.
      type: str
      sample: web.example.app
    build_command:
      description: The build command.
      type: str
      sample: npm run build
    dev_command:
      description: The development command.
      type: str
      sample: npm run dev
    install_command:
      description: The install command.
      type: str
      sample: npm ci
    framework:
      description: The framework.
      type: str
      sample: nextjs
    output_directory:
      description: The directory that the build writes to.
      type: str
      sample: dist
    command_for_ignoring_build_step:
      description: The command that tells whether a build can be skipped.
      type: str
      sample: git diff --quiet HEAD^ HEAD
    created_at:
      description: When the project was created, a timestamp in milliseconds.
      type: int
      sample: 1767225600000
    updated_at:
      description: When the project was last updated, a timestamp in milliseconds.
      type: int
      sample: 1767225600000
failure:
  description:
    - The call that failed, for conditions in playbooks. What does not apply is V(null), and all of it where no call
      was made.
  returned: failure
  type: dict
  sample:
    operation: GET /projects
    method: GET
    path: /projects
    status: 400
    code: 400
    message: 'Invalid value: since'
"""

from ansible_collections.hosting.platform.plugins.module_utils._resources._options import (
    ID_OPTION,
    PAGE_OPTIONS,
    TEAM_OPTION,
    not_with_page,
)
from ansible_collections.hosting.platform.plugins.module_utils._resources.project import read_projects
from ansible_collections.hosting.platform.plugins.module_utils._run import run_info


def main() -> None:
    run_info(
        "projects",
        read_projects,
        {"name": {"type": "str"}, **ID_OPTION, **PAGE_OPTIONS, **TEAM_OPTION},
        mutually_exclusive=[("name", "id"), *not_with_page("name", "id")],
    )


if __name__ == "__main__":
    main()
