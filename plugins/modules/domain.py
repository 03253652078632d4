#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: domain
short_description: Delete a registered domain, or assert that it is there
version_added: 1.0.0
description:
  - Makes a registered domain not exist. Its aliases go with it.
  - The API has no operation that registers a domain, so O(state=present) asserts that it is there, and fails if not.
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
    description: The domain name. Neither case nor a trailing dot counts.
    type: str
    required: true
  state:
    description: V(absent) deletes the domain, V(present) fails if it is not registered.
    type: str
    choices:
      - present
      - absent
    default: present
seealso:
  - module: hosting.platform.domain_info
"""

EXAMPLES = r"""
- name: The domain must be registered before anything else is done
  hosting.platform.domain:
    name: example.com
    team: acme

- name: See which aliases would go with a domain
  hosting.platform.domain:
    name: old.example.com
    team: acme
    state: absent
  check_mode: true
  register: old

- name: Delete it if it has none
  hosting.platform.domain:
    name: old.example.com
    team: acme
    state: absent
  when: old.removed_aliases | length == 0
"""

RETURN = r"""
domain:
  description:
    - The domain, every field of the API under its name in snake_case. Fields that the specification of the API does not
      know are kept.
    - After a deletion, the last known domain; V({}) if there was none.
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
      description: The type of the service.
      type: str
      sample: external
    created_by:
      description: The user who created it.
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
  description: The aliases that went with the domain, or would go.
  returned: success
  type: list
  elements: str
  sample:
    - www.old.example.com
diff:
  description:
    - The name of a domain that was deleted, and nothing; else both sides are empty. The same in check mode as in the
      run.
  returned: success
  type: dict
  sample:
    before: {name: old.example.com}
    after: {}
failure:
  description:
    - The call that failed, for conditions in playbooks. What does not apply is V(null), and all of it where no call
      was made.
  returned: failure
  type: dict
  sample:
    operation: DELETE /domains/{domain}
    method: DELETE
    path: /domains/example.com
    status: 400
    code: 400
    message: 'Invalid value: domain'
"""

from ansible_collections.hosting.platform.plugins.module_utils._resources.domain import Domain
from ansible_collections.hosting.platform.plugins.module_utils._run import run_resource


def main() -> None:
    run_resource(Domain)


if __name__ == "__main__":
    main()
