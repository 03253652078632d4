#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: team_join
short_description: Join a team
version_added: 1.0.0
description:
  - Makes the token's user join a team, with an invite code or with the team's id or slug alone.
  - Nothing is changed for a team that the user's list holds already.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.attributes
  - hosting.platform.attributes.writes
  - hosting.platform.attributes.group
options:
  team:
    description:
      - The id or the slug of the team. It is sent as given, because a team that the user does not belong to cannot be
        looked up.
      - No environment variable is read for it.
    type: str
    required: true
  invite_code:
    description: The invite code. No result, message, diff or log of the collection shows it. Do not write it literally.
    type: str
  invite_code_parameter:
    description: The name of the query parameter for the code, which the API's specification does not show.
    type: str
    default: inviteCode
seealso:
  - module: hosting.platform.team_member
"""

EXAMPLES = r"""
- name: Join with a code from the vault
  hosting.platform.team_join:
    team: acme
    invite_code: "{{ vault_invite_code }}"
"""

RETURN = r"""
team:
  description:
    - The team, every field of the API under its name in snake_case. Fields that the specification of the API does not
      know are kept.
    - In check mode V(null) in all fields, if it would be joined.
  returned: success
  type: dict
  contains:
    id:
      description: The identifier of the team.
      type: str
      sample: team_3
    slug:
      description: The slug, which names the team in addresses.
      type: str
      sample: acme
    name:
      description: The name.
      type: str
      sample: Acme
    avatar:
      description: The avatar.
      type: str
      sample: ''
    created_by:
      description: The user who created the team.
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
    - Nothing, and the team. Where nothing was changed, both sides are empty. The same in check mode as in the run.
  returned: success
  type: dict
  sample:
    before: {}
    after: {team: acme}
failure:
  description:
    - The call that failed, for conditions in playbooks. What does not apply is V(null), and all of it where no call
      was made.
  returned: failure
  type: dict
  sample:
    operation: GET /teams/{teamId}/join
    method: GET
    path: /teams/team_3/join
    status: 400
    code: 400
    message: 'Invalid value: inviteCode'
"""

from ansible_collections.hosting.platform.plugins.module_utils._resources.team_join import join_team
from ansible_collections.hosting.platform.plugins.module_utils._run import run_action


def main() -> None:
    options = {
        "team": {"type": "str", "required": True},
        "invite_code": {"type": "str", "no_log": True},
        "invite_code_parameter": {"type": "str", "default": "inviteCode", "no_log": False},
    }
    run_action(join_team, options)


if __name__ == "__main__":
    main()
