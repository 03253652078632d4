#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: domain
short_description: Delete registered domains, or assert that they exist
version_added: 1.0.0
description:
  - Deletes a registered domain. The service deletes the aliases of the domain together with it.
  - The API has no operation that registers a domain. With O(state=present), the task fails if the
    domain is not registered.
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
      - The domain name, such as V(example.com). Anything else is refused, such as
        V(https://example.com/).
      - Case, a trailing dot and the form of letters outside of ASCII (IDNA) are ignored.
    type: str
    required: true
  state:
    description: V(absent) deletes the domain. V(present) fails if it is not registered.
    type: str
    choices:
      - present
      - absent
    default: present
seealso:
  - module: hosting.platform.domain_info
"""

EXAMPLES = r"""
- name: Fail unless the domain is registered
  hosting.platform.domain:
    name: example.com
    team: acme

- name: Find the aliases that would be deleted with a domain
  hosting.platform.domain:
    name: old.example.com
    team: acme
    state: absent
  check_mode: true
  register: old

- name: Delete the domain if it has no aliases
  hosting.platform.domain:
    name: old.example.com
    team: acme
    state: absent
  when: old.removed_aliases == []
"""

RETURN = r"""
domain:
  description:
    - The domain, with every field of the API under its name in snake_case. Fields that the API's
      specification does not list are kept.
    - After a deletion, the domain as it was last seen. V({}) if it did not exist.
  returned: success
  type: dict
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
removed_aliases:
  description:
    - The aliases that were, or in check mode would be, deleted with the domain. Empty if nothing is
      deleted, and V(null) if the service refuses the list of aliases.
  returned: success
  type: list
  elements: str
  sample:
    - www.old.example.com
diff:
  description:
    - For a deletion, C(before) holds the name, and RV(removed_aliases) if there are any, and
      C(after) is empty. Otherwise both are empty. It is the same in check mode as in the run.
    - Its headers name the object.
  returned: success
  type: dict
  sample:
    before_header: domain old.example.com of acme
    after_header: domain old.example.com of acme
    before: {name: old.example.com, removed_aliases: [www.old.example.com]}
    after: {}
failure:
  description:
    - The API call that failed, for use in conditions. Keys that do not apply are V(null).
  returned: when a call failed
  type: dict
  sample:
    operation: DELETE /domains/{domain}
    method: DELETE
    path: /domains/example.com
    status: 400
    code: 400
    message: 'Invalid value: domain'
"""

from ..module_utils._interpreter import check_interpreter

check_interpreter()

from ..module_utils._model.kinds.domain import Domain
from ..module_utils._run.platform_module import resource_module

MODULE = resource_module(Domain)
main = MODULE.run

if __name__ == "__main__":
    main()
