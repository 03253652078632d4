#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: alias
short_description: Assign an alias to a project, or delete it
version_added: 1.0.0
description:
  - Makes an alias lead to a project, or not exist. An alias of another project is moved, and read back to prove it.
  - The API's specification does not show the request of an assignment. The module sends C(alias); what else the service
    wants can be given as O(parameters).
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.api.team
  - hosting.platform.attributes
  - hosting.platform.attributes.writes
  - hosting.platform.attributes.team_group
options:
  alias:
    description: The alias. Neither case nor a trailing dot counts. It may not be empty.
    type: str
    required: true
  project:
    description:
      - The name or the id of the project. It must be there. Required with O(state=present).
      - With O(state=absent), an alias of another project fails the task.
      - A value that is one project's id and another's name fails the task.
    type: str
  state:
    description: Whether the alias is to exist.
    type: str
    choices:
      - present
      - absent
    default: present
  parameters:
    description:
      - Merged into the body of the assignment, as it stands. Sent when the alias is assigned or moved, and not compared
        afterwards.
    type: dict
    default: {}
seealso:
  - module: hosting.platform.alias_info
"""

EXAMPLES = r"""
- name: The site's address
  hosting.platform.alias:
    alias: www.example.com
    project: web
    team: acme

- name: An alias that redirects, for a service that takes these fields
  hosting.platform.alias:
    alias: example.com
    project: web
    team: acme
    parameters:
      redirect: www.example.com
      redirectStatusCode: 308

- name: Take an address away
  hosting.platform.alias:
    alias: beta.example.com
    team: acme
    state: absent
"""

RETURN = r"""
alias:
  description:
    - The alias, every field of the API under its name in snake_case. Fields that the specification of the API does not
      know are kept.
    - After a deletion, the last known alias; V({}) if there was none.
    - In check mode, what only the service can choose is V(null) for an alias that would be created.
  returned: success
  type: dict
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
diff:
  description:
    - The writable options only. For a creation, nothing and what was given; for a change, the given options that
      differ; for a deletion, the object's writable fields and nothing. The same in check mode as in the run.
  returned: success
  type: dict
  sample:
    before: {project: web}
    after: {project: website}
failure:
  description:
    - The call that failed, for conditions in playbooks. What does not apply is V(null), and all of it where no call
      was made.
  returned: failure
  type: dict
  sample:
    operation: POST /{projectName}/alias
    method: POST
    path: /web/alias
    status: 400
    code: 400
    message: 'Invalid value: alias'
"""

from ansible_collections.hosting.platform.plugins.module_utils._resources.alias import Alias
from ansible_collections.hosting.platform.plugins.module_utils._run import run_resource


def main() -> None:
    run_resource(Alias)


if __name__ == "__main__":
    main()
