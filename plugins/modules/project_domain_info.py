#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: project_domain_info
short_description: Get information about the domains of a project
version_added: 1.0.0
description:
  - Returns the domain records that are attached to a project.
  - A list is always complete, and contains each record once. If that cannot be ensured, the task
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
  project:
    description:
      - The name or the id of the project. If it does not exist, the task fails. In check mode, the
        list is empty, with a warning.
      - The task fails if the value is the id of one project and the name of another.
      - Without O(team), the request is made on behalf of the project's own team.
      - An empty value is refused. In check mode, this module takes it for what an earlier task
        makes, with a warning.
    type: str
    required: true
  production:
    description: V(true) returns only records of the production environment. V(false) returns only
      the others.
    type: bool
  redirects:
    description: V(true) returns only records that redirect. V(false) returns only the others.
    type: bool
  verified:
    description: V(true) returns only verified records. V(false) returns only the others.
    type: bool
  order:
    description: The order of the records, ascending or descending. By default, the service chooses
      the order.
    type: str
    choices:
      - ASC
      - DESC
seealso:
  - module: hosting.platform.alias_info
"""

EXAMPLES = r"""
- name: Get the production domains of a project in ascending order
  hosting.platform.project_domain_info:
    project: web
    team: acme
    production: true
    order: ASC
  register: web_domains

- name: Show the addresses of the project
  ansible.builtin.debug:
    msg: "{{ web_domains.domains | map(attribute='alias') | list }}"
"""

RETURN = r"""
domains:
  description: The domain records, in the requested order.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: The identifier. Unlike other identifiers, it is a number.
      type: int
      sample: 41
    team_id:
      description: The identifier of the team. V(null) if the record belongs to none.
      type: str
      sample: team_3
    alias:
      description: The alias.
      type: str
      sample: www.example.com
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
      description: The destination of the redirect. V(null) if the record does not redirect.
      type: str
      sample: example.com
    redirect_status_code:
      description: The HTTP status of the redirect. V(null) if the record does not redirect.
      type: int
      sample: 308
    created_at:
      description: When the record was created, a timestamp in milliseconds.
      type: int
      sample: 1767225600000
    updated_at:
      description: When the record was last updated, a timestamp in milliseconds.
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
    operation: GET /projects/{idOrName}/domains
    method: GET
    path: /projects/prj_17/domains
    status: 403
    code: null
    message: null
"""

from ..module_utils._interpreter import check_interpreter

check_interpreter()

from ..module_utils._model.kinds.project_lists import read_project_domains
from ..module_utils._model.options import PAGE_OPTIONS, SCOPE_OPTIONS, ArgumentSpec
from ..module_utils._run.platform_module import info_module

OPTIONS = {
    "project": {"type": "str", "required": True},
    "production": {"type": "bool"},
    "redirects": {"type": "bool"},
    "verified": {"type": "bool"},
    "order": {"type": "str", "choices": ["ASC", "DESC"]},
    **PAGE_OPTIONS,
    **SCOPE_OPTIONS,
}
MODULE = info_module("domains", read_project_domains, ArgumentSpec(OPTIONS))
main = MODULE.run

if __name__ == "__main__":
    main()
