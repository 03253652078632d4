#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: alias_info
short_description: List aliases
version_added: 1.0.0
description:
  - Returns one alias, or all aliases of a scope, of a project or of a domain.
  - A list is complete, each alias once, or the task fails. It is never cut.
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
  alias:
    description:
      - Only this alias, by its id or by the alias itself. If there is none, the list is empty.
      - A value that is one alias and another's id fails the task.
      - It excludes O(project), O(domain), O(since), O(until) and O(limit).
    type: str
  project:
    description:
      - Only aliases of this project, by its name or id. It must be there.
    type: str
  domain:
    description:
      - Only aliases whose field C(domain) is this. Neither case nor a trailing dot counts.
      - The module looks through the list itself, because the API's specification does not show its own filter.
    type: str
seealso:
  - module: hosting.platform.alias
"""

EXAMPLES = r"""
- name: All aliases of a project
  hosting.platform.alias_info:
    project: web
    team: acme
  register: web_aliases

- name: Which project does an address lead to
  hosting.platform.alias_info:
    alias: www.example.com
    team: acme
  register: www

- name: Show it
  ansible.builtin.debug:
    msg: "{{ www.aliases | map(attribute='project') | list }}"
"""

RETURN = r"""
aliases:
  description: The aliases, in the service's order.
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
    project:
      description: The name of the project, V(null) where it cannot be seen.
      type: str
      sample: web
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
      description: When the alias was created, a timestamp in milliseconds.
      type: int
      sample: 1767225600000
    updated_at:
      description: When the alias was last updated, a timestamp in milliseconds.
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
    operation: GET /aliases
    method: GET
    path: /aliases
    status: 400
    code: 400
    message: 'Invalid value: since'
"""

from ansible_collections.hosting.platform.plugins.module_utils._resources._options import (
    PAGE_OPTIONS,
    TEAM_OPTION,
    not_with_page,
)
from ansible_collections.hosting.platform.plugins.module_utils._resources.alias import read_aliases
from ansible_collections.hosting.platform.plugins.module_utils._run import run_info


def main() -> None:
    options = {"alias": {"type": "str"}, "project": {"type": "str"}, "domain": {"type": "str"}}
    run_info(
        "aliases",
        read_aliases,
        {**options, **PAGE_OPTIONS, **TEAM_OPTION},
        mutually_exclusive=[("alias", "project"), ("alias", "domain"), *not_with_page("alias")],
    )


if __name__ == "__main__":
    main()
