#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: project_info
short_description: Get information about projects
version_added: 1.0.0
description:
  - Returns one project, or all projects of a scope.
  - A list is always complete, and contains each project once. If that cannot be ensured, the task
    fails.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.api.team
  - hosting.platform.api.page
  - hosting.platform.attributes.reads
  - hosting.platform.attributes.team_group
  - hosting.platform.attributes
options:
  name:
    description:
      - Return only the project of this name. If it does not exist, the list is empty. If two
        projects have this name, the task fails and lists both.
      - Mutually exclusive with O(id), O(since), O(until) and O(limit).
    type: str
  id:
    description:
      - Return only the project with this identifier. If it does not exist, the list is empty.
      - Mutually exclusive with O(name), O(since), O(until) and O(limit).
      - An empty value is refused. In check mode, this module takes it for what an earlier task
        makes, with a warning.
    type: str
seealso:
  - module: hosting.platform.project
"""

EXAMPLES = r"""
- name: Get all projects of a team
  hosting.platform.project_info:
    team: acme
  register: all_projects

- name: Get one project
  hosting.platform.project_info:
    name: web
    team: acme
  register: web

- name: Fail if the project does not exist
  ansible.builtin.assert:
    that: web.projects | length == 1

- name: Get the projects that were created during the last day
  hosting.platform.project_info:
    team: acme
    since: "{{ (now().timestamp() * 1000) | int - 24 * 3600 * 1000 }}"
"""

RETURN = r"""
projects:
  description: The projects, in the order in which the service lists them.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: The identifier of the project.
      type: str
      sample: prj_17
    name:
      description: The name of the project.
      type: str
      sample: web
    team_id:
      description: The identifier of the team that owns the project.
      type: str
      sample: team_3
    alias:
      description: The project's own alias.
      type: str
      sample: web.example.app
    build_command:
      description: The command that builds the project.
      type: str
      sample: npm run build
    dev_command:
      description: The command that starts the project's development server.
      type: str
      sample: npm run dev
    install_command:
      description: The command that installs the project's dependencies.
      type: str
      sample: npm ci
    framework:
      description: The framework that the project is built with.
      type: str
      sample: nextjs
    output_directory:
      description: The directory that the build writes its result to.
      type: str
      sample: dist
    command_for_ignoring_build_step:
      description: The command that decides whether a build can be skipped.
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
    - The API call that failed, for use in conditions. Keys that do not apply are V(null).
  returned: when a call failed
  type: dict
  sample:
    operation: GET /projects
    method: GET
    path: /projects
    status: 400
    code: 400
    message: 'Invalid value: since'
"""

from ..module_utils._interpreter import check_interpreter

check_interpreter()

import functools

from ..module_utils._model.kinds.project import Project
from ..module_utils._model.kinds.readers import list_options, read_objects
from ..module_utils._run.platform_module import info_module

READ = functools.partial(read_objects, Project)
MODULE = info_module("projects", READ, list_options("name", "id"))
main = MODULE.run

if __name__ == "__main__":
    main()
