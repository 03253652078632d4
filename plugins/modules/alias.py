#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: alias
short_description: Manage aliases of projects
version_added: 1.0.0
description:
  - Assigns an alias to a project, or deletes it.
  - An alias of another project is moved, and read back to confirm the move. This includes one in
    another scope, if the service shows it by its name. The diff shows the project that it leaves.
    Without O(team), no alias of one of the user's teams is taken, and the task fails.
  - The API's specification does not show the request body of an assignment. The module sends
    C(alias). If the service expects other fields, set O(parameters).
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.api.team
  - hosting.platform.attributes.team_group
  - hosting.platform.attributes
options:
  alias:
    description:
      - The alias, the name of a host such as V(www.example.com). Anything else is refused, such as
        V(https://www.example.com/) or V(www.example.com:443).
      - Case, a trailing dot and the form of letters outside of ASCII (IDNA) are ignored.
    type: str
    required: true
  project:
    description:
      - The name or the id of the project. Required with O(state=present).
      - If the project does not exist, the task fails. In check mode, it is taken for one that an
        earlier task makes, with a warning.
      - With O(state=absent), the task fails if the alias belongs to another project of the scope,
        also if this one does not exist.
      - The task fails if the value is the id of one project and the name of another.
      - An empty value is refused. In check mode, this module takes it for what an earlier task
        makes, with a warning.
    type: str
  state:
    description: Whether the alias should exist.
    type: str
    choices:
      - present
      - absent
    default: present
  parameters:
    description:
      - Additional fields for the request body of the assignment. They are sent unchanged when the
        alias is assigned or moved, shown in the diff, and never compared.
      - The fields C(alias), C(domain) and C(name) must not be set to anything but the alias.
    type: dict
    default: {}
seealso:
  - module: hosting.platform.alias_info
"""

EXAMPLES = r"""
- name: Ensure the alias is assigned to the project
  hosting.platform.alias:
    alias: www.example.com
    project: web
    team: acme

- name: Ensure a redirecting alias exists, on a service that accepts these fields
  hosting.platform.alias:
    alias: example.com
    project: web
    team: acme
    parameters:
      redirect: www.example.com
      redirectStatusCode: 308

- name: Delete an alias
  hosting.platform.alias:
    alias: beta.example.com
    team: acme
    state: absent
"""

RETURN = r"""
alias:
  description:
    - The alias, with every field of the API under its name in snake_case. Fields that the API's
      specification does not list are kept.
    - After a deletion, the alias as it was last seen. V({}) if it did not exist.
    - For an alias that would be created in check mode, fields that only the service can set are
      V(null).
  returned: success
  type: dict
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
diff:
  description:
    - The difference, in writable options only. It is the same in check mode as in the run.
    - For a creation, C(before) is empty and C(after) holds the given options. For a change, both
      hold the given options that differ. For a deletion, C(before) holds the writable fields and
      C(after) is empty.
    - Its headers name the object.
  returned: success
  type: dict
  sample:
    before_header: alias www.example.com of acme
    after_header: alias www.example.com of acme
    before: {project: web}
    after: {project: website}
failure:
  description:
    - The API call that failed, for use in conditions. Keys that do not apply are V(null).
  returned: when a call failed
  type: dict
  sample:
    operation: POST /{projectName}/alias
    method: POST
    path: /web/alias
    status: 400
    code: 400
    message: 'Invalid value: alias'
"""

from ..module_utils._interpreter import check_interpreter

check_interpreter()

from ..module_utils._model.kinds.alias import Alias
from ..module_utils._run.platform_module import resource_module

MODULE = resource_module(Alias)
main = MODULE.run

if __name__ == "__main__":
    main()
