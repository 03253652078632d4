#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: project
short_description: Manage projects
version_added: 1.0.0
description:
  - Creates, changes, renames and deletes projects.
  - Options that are not given keep their current value. An empty string clears a field.
  - A project is identified by O(name) or by O(id). Both together rename the project, and so does
    O(previously).
  - A retry never creates a second project. Before a creation, the complete list of projects is
    searched. If the response to a creation is lost, the project is looked up before the request is
    sent again.
  - With O(previous_team), a project moves to another team. Without it, nothing moves.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.api.team
  - hosting.platform.attributes.team_group
  - hosting.platform.attributes
options:
  name:
    description:
      - The name of the project, with at most 100 characters. It must not be empty. Quote a name
        that YAML would read as a number or a boolean, such as V(0123), which YAML reads as 83.
      - If two projects of the team, or of the own scope, have this name, the task fails rather than
        change or delete one of them. Use O(id) in that case.
      - One of O(name) and O(id) is required.
    type: str
  id:
    description:
      - The identifier of an existing project. With O(state=present), the task fails if no project
        has it.
      - With O(state=absent), the project with this identifier is deleted. The task fails if O(name)
        is given too and is not its name.
      - An empty value is refused. In check mode, this module takes it for what an earlier task
        makes, with a warning.
    type: str
  previously:
    description:
      - Earlier names of the project. If no project has the new name, and one has an earlier one,
        that project is renamed. It keeps its identifier and everything that belongs to it.
      - If projects with both names exist, or two with earlier names, the task fails and names them.
      - Ignored with O(id) and with O(state=absent), so that nothing is deleted by an earlier name.
        It is never sent to the service.
    type: list
    elements: str
    default: []
  previous_team:
    description:
      - The id or the slug of a team from which the project moves to O(team). If the team has no
        project with this O(name) (or O(previously), or O(id)), and the previous team has exactly
        one, that project is moved and keeps its identifier. If the previous team has two of them,
        the task fails and names both.
      - If the project is in the team already, or the previous team does not exist, this does
        nothing. If a team with a near slug exists, a warning names it.
      - The API's specification does not say whether the service moves a project, or what happens to
        its aliases. If the service did not move it, the task fails and says so. Check mode assumes
        that it does.
      - It needs O(team) and O(state=present). Nothing moves into the own scope, or out of it.
    type: str
  state:
    description:
      - Whether the project should exist.
      - V(exists) creates the project if it is missing, and changes nothing if it exists. It cannot
        be used with O(previously).
    type: str
    choices:
      - present
      - absent
      - exists
    default: present
  unlisted_fields:
    description:
      - How to treat O(build_command), O(command_for_ignoring_build_step), O(dev_command),
        O(framework), O(install_command) and O(output_directory) if they are not given.
      - V(keep) keeps their values. V(clear) clears them, as if each was given as an empty text.
      - Only used with O(state=present).
    type: str
    choices:
      - keep
      - clear
    default: keep
  alias:
    description:
      - The project's own alias, the name of a host such as V(shop.example.com). An empty text
        clears it. If it is not set on creation, the service chooses one.
      - Case, a trailing dot and the form of letters outside of ASCII (IDNA) are ignored when
        it is compared.
      - If another project has this alias, a warning says so. Whether it loses the alias is up to
        the service. Without O(team), the task fails if it is an alias of one of the user's teams.
      - Use M(hosting.platform.alias) for more aliases.
    type: str
  build_command:
    description: The command that builds the project, such as V(npm run build).
    type: str
  dev_command:
    description: The command that starts the project's development server, such as V(npm run dev).
    type: str
  install_command:
    description: The command that installs the project's dependencies before a build, such as V(npm
      ci).
    type: str
  framework:
    description:
      - The framework that the project is built with, such as V(nextjs) or V(astro).
      - The service defines the values, and its API specification does not list them. The value is
        sent unchanged. To find the value of a framework, read a project that uses it with
        M(hosting.platform.project_info).
    type: str
  output_directory:
    description: The directory that the build writes its result to, such as V(dist).
    type: str
  command_for_ignoring_build_step:
    description:
      - The command that decides whether a build can be skipped, such as V(git diff --quiet HEAD^
        HEAD).
      - The API's specification does not say how the service interprets its exit status.
    type: str
seealso:
  - module: hosting.platform.project_info
"""

EXAMPLES = r"""
- name: Ensure a project of the team acme exists
  hosting.platform.project:
    name: web
    team: acme
    framework: nextjs
    build_command: npm run build

- name: Clear the build command
  hosting.platform.project:
    name: web
    team: acme
    build_command: ""

- name: Predict a change
  hosting.platform.project:
    name: web
    team: acme
    output_directory: dist
  check_mode: true
  diff: true
  register: project

- name: Rename the project
  hosting.platform.project:
    id: "{{ project.project.id }}"
    name: website
    team: acme

- name: Move the project to another team
  hosting.platform.project:
    name: website
    team: storefront
    previous_team: acme

- name: Ensure several projects exist
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
    - The project, with every field of the API under its name in snake_case. Fields that the API's
      specification does not list are kept.
    - After a deletion, the project as it was last seen. V({}) if it did not exist.
    - For a project that would be created in check mode, fields that only the service can set are
      V(null).
  returned: success
  type: dict
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
removed_aliases:
  description:
    - The aliases that were, or in check mode would be, deleted with the project. Empty if nothing
      is deleted, and V(null) if the service refuses the list of aliases.
  returned: success
  type: list
  elements: str
  sample:
    - web.example.app
diff:
  description:
    - The difference, in writable options only. It is the same in check mode as in the run.
    - For a creation, C(before) is empty and C(after) holds the given options. For a change, both
      hold the given options that differ, and the C(team) if the project moves. For a deletion,
      C(before) holds the writable fields, and RV(removed_aliases) if there are any, and C(after)
      is empty.
    - Its headers name the object.
  returned: success
  type: dict
  sample:
    before_header: project web of acme
    after_header: project web of acme
    before: {framework: nextjs}
    after: {framework: astro}
failure:
  description:
    - The API call that failed, for use in conditions. Keys that do not apply are V(null).
  returned: when a call failed
  type: dict
  sample:
    operation: PATCH /projects/{idOrName}
    method: PATCH
    path: /projects/prj_17
    status: 400
    code: 400
    message: 'Invalid value: framework'
"""

from ..module_utils._interpreter import check_interpreter

check_interpreter()

from ..module_utils._model.kinds.project import Project
from ..module_utils._run.platform_module import resource_module

MODULE = resource_module(Project)
main = MODULE.run

if __name__ == "__main__":
    main()
