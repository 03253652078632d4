#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: project
short_description: Create, change, rename and delete projects
version_added: 1.0.0
description:
  - Makes a project exist with the given fields, or not exist.
  - Options that are not given are left as they are. An empty string clears a field.
  - A project is found by O(name), or by O(id). Both together rename the project.
  - Nothing is ever created twice. Whether a project is there is decided by the whole list of its scope, and a creation
    whose answer was lost is looked for before it is sent again.
  - A project cannot be moved to another team.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.api.team
  - hosting.platform.attributes
  - hosting.platform.attributes.writes
  - hosting.platform.attributes.team_group
options:
  name:
    description:
      - The name, at most 100 characters. It may not be empty. Quote a name that YAML would read as a number, a date or
        a boolean.
      - A name that two projects of the scope bear fails the task; use O(id) then.
      - One of O(name) and O(id) is required.
    type: str
  id:
    description:
      - The identifier of an existing project. With O(state=present), an identifier that no project has fails the task.
      - With O(state=absent) the identifier decides which project is deleted, and a O(name) that is not its name fails
        the task.
    type: str
  state:
    description: Whether the project is to exist.
    type: str
    choices:
      - present
      - absent
    default: present
  alias:
    description: The alias of the project. If not given at the creation, the service chooses one.
    type: str
  build_command:
    description: The build command.
    type: str
  dev_command:
    description: The development command.
    type: str
  install_command:
    description: The install command.
    type: str
  framework:
    description: The framework.
    type: str
  output_directory:
    description: The directory that the build writes to.
    type: str
  command_for_ignoring_build_step:
    description: The command that tells whether a build can be skipped.
    type: str
seealso:
  - module: hosting.platform.project_info
"""

EXAMPLES = r"""
- name: A project of the team acme
  hosting.platform.project:
    name: web
    team: acme
    framework: nextjs
    build_command: npm run build

- name: Take the build command away again
  hosting.platform.project:
    name: web
    team: acme
    build_command: ""

- name: See what a change would do
  hosting.platform.project:
    name: web
    team: acme
    output_directory: dist
  check_mode: true
  diff: true
  register: project

- name: Rename it
  hosting.platform.project:
    id: "{{ project.project.id }}"
    name: website
    team: acme

- name: Many projects, in one worker
  hosting.platform.project:
    name: "{{ item }}"
    team: acme
    framework: astro
  loop:
    - docs
    - blog

- name: Delete a project
  hosting.platform.project:
    name: website
    team: acme
    state: absent
"""

RETURN = r"""
project:
  description:
    - The project, every field of the API under its name in snake_case. Fields that the specification of the API does
      not know are kept.
    - After a deletion, the last known project; V({}) if there was none.
    - In check mode, what only the service can choose is V(null) for a project that would be created.
  returned: success
  type: dict
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
diff:
  description:
    - The writable options only. For a creation, nothing and what was given; for a change, the given options that
      differ; for a deletion, the object's writable fields and nothing. The same in check mode as in the run.
  returned: success
  type: dict
  sample:
    before: {framework: nextjs}
    after: {framework: astro}
failure:
  description:
    - The call that failed, for conditions in playbooks. What does not apply is V(null), and all of it where no call
      was made.
  returned: failure
  type: dict
  sample:
    operation: PATCH /projects/{idOrName}
    method: PATCH
    path: /projects/prj_17
    status: 400
    code: 400
    message: 'Invalid value: framework'
"""

from ansible_collections.hosting.platform.plugins.module_utils._resources.project import Project
from ansible_collections.hosting.platform.plugins.module_utils._run import run_resource


def main() -> None:
    run_resource(Project)


if __name__ == "__main__":
    main()
