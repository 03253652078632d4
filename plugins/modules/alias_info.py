#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: alias_info
short_description: Get information about aliases
version_added: 1.0.0
description:
  - Returns one alias, or all aliases of a scope, a project or a domain.
  - A list is always complete, and contains each alias once. If that cannot be ensured, the task
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
  alias:
    description:
      - Return only this alias, given as its id or as the alias itself. If it does not exist, the
        list is empty.
      - The task fails if the value is the name of one alias and the id of another.
      - Mutually exclusive with O(project), O(domain), O(since), O(until) and O(limit).
    type: str
  project:
    description:
      - Return only aliases of this project, given as its name or id. If the project does not exist,
        the task fails. In check mode, the list is empty, with a warning.
      - An empty value is refused. In check mode, this module takes it for what an earlier task
        makes, with a warning.
    type: str
  domain:
    description:
      - Return only aliases whose field C(domain) has this value. Case, a trailing dot and the form
        of letters outside of ASCII (IDNA) are ignored.
      - The module filters the list itself, because the API's specification does not show the
        parameter of the service's own filter.
    type: str
seealso:
  - module: hosting.platform.alias
"""

EXAMPLES = r"""
- name: Get all aliases of a project
  hosting.platform.alias_info:
    project: web
    team: acme
  register: web_aliases

- name: Get one alias
  hosting.platform.alias_info:
    alias: www.example.com
    team: acme
  register: www

- name: Show the project of the alias
  ansible.builtin.debug:
    msg: "{{ www.aliases | map(attribute='project') | list }}"
"""

RETURN = r"""
aliases:
  description: The aliases, in the order in which the service lists them.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: The identifier. Unlike other identifiers, it is a number.
      type: int
      sample: 41
    team_id:
      description: The identifier of the team. V(null) if the alias belongs to none.
      type: str
      sample: team_3
    alias:
      description: The alias.
      type: str
      sample: www.example.com
    project:
      description: The name of the project. V(null) if the project is not visible to the token's
        user.
      type: str
      sample: web
    domain:
      description: The domain.
      type: str
      sample: example.com
    zone_id:
      description: The identifier of the zone. The API's specification does not describe it.
      type: str
      sample: zone_8
    target:
      description: The target. The API's specification does not describe its values.
      type: str
      sample: production
    redirect:
      description: The destination of the redirect. V(null) if the alias does not redirect.
      type: str
      sample: example.com
    redirect_status_code:
      description: The HTTP status of the redirect. V(null) if the alias does not redirect.
      type: int
      sample: 308
    created_at:
      description: When the alias was created, a timestamp in milliseconds.
      type: int
      sample: 1767225600000
    updated_at:
      description: When the alias was last updated, a timestamp in milliseconds.
      type: int
      sample: 1767225600000
    created_by:
      description: The number of the user who created it.
      type: int
      sample: 12
    deployment_id:
      description: The identifier of the deployment.
      type: str
      sample: dpl_5
    project_id:
      description: The identifier of the project.
      type: str
      sample: prj_17
failure:
  description:
    - The API call that failed, for use in conditions. Keys that do not apply are V(null).
  returned: when a call failed
  type: dict
  sample:
    operation: GET /aliases
    method: GET
    path: /aliases
    status: 400
    code: 400
    message: 'Invalid value: since'
"""

from ..module_utils._interpreter import check_interpreter

check_interpreter()

from ..module_utils._model.kinds.project_lists import read_aliases
from ..module_utils._model.kinds.readers import list_options
from ..module_utils._run.platform_module import info_module

OPTIONS = list_options("alias", filters=("project", "domain"))
MODULE = info_module("aliases", read_aliases, OPTIONS)
main = MODULE.run

if __name__ == "__main__":
    main()
