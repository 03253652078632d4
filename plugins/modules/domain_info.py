#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: domain_info
short_description: Get information about registered domains
version_added: 1.0.0
description:
  - Returns one registered domain, or all registered domains of a scope.
  - A list is always complete, and contains each domain once. If that cannot be ensured, the task
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
      - Return only the domain of this name. If it does not exist, the list is empty.
      - Case, a trailing dot and the form of letters outside of ASCII (IDNA) are ignored.
      - Mutually exclusive with O(since), O(until) and O(limit).
    type: str
seealso:
  - module: hosting.platform.domain
"""

EXAMPLES = r"""
- name: Get all domains of a team
  hosting.platform.domain_info:
    team: acme
  register: registered

- name: Show the domains that expire within 30 days
  ansible.builtin.debug:
    msg: "{{ item.name }}"
  loop: "{{ registered.domains }}"
  when: item.expires_at / 1000 < now().timestamp() + 30 * 24 * 3600
"""

RETURN = r"""
domains:
  description: The domains, in the order in which the service lists them.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: The identifier of the domain.
      type: str
      sample: dom_2
    team_id:
      description: The identifier of the team that owns the domain.
      type: str
      sample: team_3
    name:
      description: The domain name.
      type: str
      sample: example.com
    service_type:
      description: The type of the service. The API's specification does not describe its values.
      type: str
      sample: external
    created_by:
      description: The number of the user who created it.
      type: int
      sample: 12
    created_at:
      description: When the domain was created, a timestamp in milliseconds.
      type: int
      sample: 1767225600000
    updated_at:
      description: When the domain was last updated, a timestamp in milliseconds.
      type: int
      sample: 1767225600000
    expires_at:
      description: When the registration expires, a timestamp in milliseconds.
      type: int
      sample: 1798761600000
failure:
  description:
    - The API call that failed, for use in conditions. Keys that do not apply are V(null).
  returned: when a call failed
  type: dict
  sample:
    operation: GET /domains
    method: GET
    path: /domains
    status: 400
    code: 400
    message: 'Invalid value: since'
"""

from ..module_utils._interpreter import check_interpreter

check_interpreter()

import functools

from ..module_utils._model.kinds.domain import Domain
from ..module_utils._model.kinds.readers import list_options, read_objects
from ..module_utils._run.platform_module import info_module

READ = functools.partial(read_objects, Domain)
MODULE = info_module("domains", READ, list_options("name"))
main = MODULE.run

if __name__ == "__main__":
    main()
