#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: project_domain_info
short_description: List the domains of a project
version_added: 1.0.0
description:
  - Returns the domain records that are attached to a project.
  - A list is complete, each record once, or the task fails. It is never cut.
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
  project:
    description:
      - The name or the id of the project. It must be there.
      - A value that is one project's id and another's name fails the task.
      - Without O(team), the project's own team is sent along.
    type: str
    required: true
  production:
    description: Only records of production, or only others.
    type: bool
  redirects:
    description: Only records that redirect, or only others.
    type: bool
  verified:
    description: Only verified records, or only others.
    type: bool
  order:
    description: The order of the records, ascending or descending. Without it, the service's own.
    type: str
    choices:
      - ASC
      - DESC
seealso:
  - module: hosting.platform.alias_info
"""

EXAMPLES = r"""
- name: The production domains of a project, oldest first
  hosting.platform.project_domain_info:
    project: web
    team: acme
    production: true
    order: ASC
  register: web_domains

- name: Show where the project is reached
  ansible.builtin.debug:
    msg: "{{ web_domains.domains | map(attribute='alias') | list }}"
"""

RETURN = r"""
domains:
  description: The domain records, in the order asked for.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: The identifier, a number.
      type: int
      sample: 41
    team_id:
      description: The identifier of the team, V(null) if there is none.
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
      description: The identifier of the zone.
      type: str
      sample: zone_8
    target:
      description: The target.
      type: str
      sample: production
    redirect:
      description: Where it redirects to, V(null) if it does not.
      type: str
      sample: example.com
    redirect_status_code:
      description: The status of the redirect, V(null) if there is none.
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
      description: The user who created it.
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
    - The call that failed, for conditions in playbooks. What does not apply is V(null), and all of it where no call
      was made.
  returned: failure
  type: dict
  sample:
    operation: GET /projects/{idOrName}/domains
    method: GET
    path: /projects/prj_17/domains
    status: 403
    code: null
    message: null
"""

from ansible_collections.hosting.platform.plugins.module_utils._resources._options import PAGE_OPTIONS, TEAM_OPTION
from ansible_collections.hosting.platform.plugins.module_utils._resources.project import read_project_domains
from ansible_collections.hosting.platform.plugins.module_utils._run import run_info


def main() -> None:
    options = {
        "project": {"type": "str", "required": True},
        "production": {"type": "bool"},
        "redirects": {"type": "bool"},
        "verified": {"type": "bool"},
        "order": {"type": "str", "choices": ["ASC", "DESC"]},
    }
    run_info("domains", read_project_domains, {**options, **PAGE_OPTIONS, **TEAM_OPTION})


if __name__ == "__main__":
    main()
