#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: team_member
short_description: Invite a user to a team
version_added: 1.0.0
description:
  - Invites a user to a team, with a role. Only an owner of the team may invite.
  - The API can neither list members nor remove them. So every run sends the invitation, and the
    response shows whether it changed anything. Nothing was changed if the status is 409, if the API
    rejects the invitation because the user already is a member (status 400 or 422; a warning quotes
    the response), or if the returned record was created more than 10 seconds before the response.
  - An invitation whose response was lost is not sent again.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.attributes.team_group
  - hosting.platform.attributes
attributes:
  check_mode:
    support: partial
    details: Reports a change, with a warning, because the outcome is unknown before the invitation
      is sent.
  diff_mode:
    support: full
  idempotent:
    support: partial
    details: A repeat within 10 seconds of the first invitation is reported as a change.
options:
  team:
    description:
      - The id or the slug of the team.
      - If the team does not exist, the task fails. In check mode, it is taken for one that an
        earlier task makes, with a warning.
      - If not set, the environment variable E(HOSTING_PLATFORM_TEAM) is used.
    type: str
    required: true
  email:
    description: The email address of the user. Exactly one of O(email) and O(user_id) is required.
    type: str
  user_id:
    description: The identifier of the user. Exactly one of O(email) and O(user_id) is required.
    type: str
  role:
    description:
      - The role of the user in the team. By default, no role is sent and the service chooses one.
      - Only an V(OWNER) can invite users. The API's specification does not say what else a role
        allows.
    type: str
    choices:
      - OWNER
      - MEMBER
      - DEVELOPER
      - BILLING
      - VIEWER
      - CONTRIBUTOR
notes:
  - Whether a repeated invitation sends the user another message depends on the service. To invite
    only in the runs that need it, give the task a tag or a C(when) condition, as the second example
    does.
seealso:
  - module: hosting.platform.team_join
"""

EXAMPLES = r"""
- name: Invite a developer
  hosting.platform.team_member:
    team: acme
    email: dev@example.com
    role: DEVELOPER

- name: Invite a developer only if the playbook is run with --tags invitations
  hosting.platform.team_member:
    team: acme
    email: dev@example.com
    role: DEVELOPER
  tags:
    - never
    - invitations
"""

RETURN = r"""
team_member:
  description:
    - The membership, with every field of the API under its name in snake_case. Fields that the
      API's specification does not list are kept.
    - It holds what the API returned, and the O(email) or O(user_id) that was given. All else is
      V(null).
  returned: success
  type: dict
  contains:
    id:
      description: The identifier of the membership.
      type: str
      sample: mbr_6
    email:
      description: The email address of the user.
      type: str
      sample: dev@example.com
    user_id:
      description: The identifier of the user, as given.
      type: str
      sample: user_12
    role:
      description:
        - The role, as given, if the invitation counts as a change. Otherwise V(null), because an
          invitation does not change the role of a member, and the API does not show it.
      type: str
      sample: DEVELOPER
    team_id:
      description: The identifier of the team.
      type: str
      sample: team_3
    role_id:
      description: The number of the role.
      type: int
      sample: 3
    created_by:
      description: The number of the user who sent the invitation.
      type: int
      sample: 12
    created_at:
      description: When the membership was created, a timestamp in milliseconds.
      type: int
      sample: 1767225600000
    updated_at:
      description: When the membership was last updated, a timestamp in milliseconds.
      type: int
      sample: 1767225600000
not_compared:
  description: The O(role), if it was given and the invitation changed nothing.
  returned: success
  type: list
  elements: str
  sample: []
diff:
  description:
    - If anything was changed, C(before) is empty and C(after) holds the given options. Otherwise
      both are empty.
    - Its headers name the object.
  returned: success
  type: dict
  sample:
    before_header: team_member dev@example.com of acme
    after_header: team_member dev@example.com of acme
    before: {}
    after: {email: dev@example.com, role: DEVELOPER}
failure:
  description:
    - The API call that failed, for use in conditions. Keys that do not apply are V(null).
  returned: when a call failed
  type: dict
  sample:
    operation: POST /teams/{teamId}/members
    method: POST
    path: /teams/team_3/members
    status: 400
    code: 400
    message: 'Invalid value: email'
"""

from ..module_utils._interpreter import check_interpreter

check_interpreter()

from ..module_utils._model.kinds.team_member import TeamMember
from ..module_utils._run.platform_module import resource_module

MODULE = resource_module(TeamMember)
main = MODULE.run

if __name__ == "__main__":
    main()
