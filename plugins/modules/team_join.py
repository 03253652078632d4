#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: team_join
short_description: Join a team
version_added: 1.0.0
description:
  - Joins a team as the token's user, with an invite code or with the team's id or slug alone.
  - If the user already belongs to the team, nothing is changed.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.attributes
options:
  team:
    description:
      - The id or the slug of the team. It is sent unchanged if the user does not belong to the team
        yet, because such a team cannot be looked up.
      - No environment variable is read for this option.
    type: str
    required: true
  invite_code:
    description:
      - The invite code. The collection never shows it in a result, message, diff or log. Do not
        write it literally into a playbook.
    type: str
  invite_code_parameter:
    description: The name of the query parameter for the invite code. The API's specification does
      not show it.
    type: str
    default: inviteCode
seealso:
  - module: hosting.platform.team_member
"""

EXAMPLES = r"""
- name: Join a team with a vaulted invite code
  hosting.platform.team_join:
    team: acme
    invite_code: "{{ vault_invite_code }}"
"""

RETURN = r"""
team:
  description:
    - The team, with every field of the API under its name in snake_case. Fields that the API's
      specification does not list are kept.
    - For a team that would be joined in check mode, all fields are V(null).
  returned: success
  type: dict
  contains:
    id:
      description: The identifier of the team.
      type: str
      sample: team_3
    slug:
      description: The slug of the team, by which it is addressed.
      type: str
      sample: acme
    name:
      description: The name of the team.
      type: str
      sample: Acme
    avatar:
      description: The avatar. The API's specification does not describe its format.
      type: str
      sample: ''
    created_by:
      description: The number of the user who created the team.
      type: int
      sample: 12
    created_at:
      description: When the team was created, a timestamp in milliseconds.
      type: int
      sample: 1767225600000
    updated_at:
      description: When the team was last updated, a timestamp in milliseconds.
      type: int
      sample: 1767225600000
diff:
  description:
    - If the user joins the team, C(before) is empty and C(after) holds the team as given. Otherwise
      both are empty. It is the same in check mode as in the run.
  returned: success
  type: dict
  sample:
    before: {}
    after: {team: acme}
failure:
  description:
    - The API call that failed, for use in conditions. Keys that do not apply are V(null).
  returned: when a call failed
  type: dict
  sample:
    operation: GET /teams/{teamId}/join
    method: GET
    path: /teams/team_3/join
    status: 400
    code: 400
    message: 'Invalid value: inviteCode'
"""

from ..module_utils._interpreter import check_interpreter

check_interpreter()

from ..module_utils._model.kinds.team_join import join_team
from ..module_utils._model.options import ArgumentSpec
from ..module_utils._run.platform_module import action_module

OPTIONS = {
    "team": {"type": "str", "required": True},
    "invite_code": {"type": "str", "no_log": True},
    "invite_code_parameter": {"type": "str", "default": "inviteCode", "no_log": False},
}
MODULE = action_module(join_team, ArgumentSpec(OPTIONS))
main = MODULE.run

if __name__ == "__main__":
    main()
