#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: team_info
short_description: List teams
version_added: 1.0.0
description:
  - Returns one team, or all teams that the token's user belongs to.
  - A list is complete, each team once, or the task fails. It is never cut.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.api.page
  - hosting.platform.attributes
  - hosting.platform.attributes.reads
  - hosting.platform.attributes.group
options:
  team:
    description:
      - Only the team of this id or slug. If there is none, the list is empty.
      - It excludes O(since), O(until) and O(limit).
      - No environment variable is read for it.
    type: str
seealso:
  - module: hosting.platform.team
"""

EXAMPLES = r"""
- name: All teams of the token's user
  hosting.platform.team_info:
  register: all_teams

- name: One team
  hosting.platform.team_info:
    team: acme
  register: acme

- name: Create it where it is missing
  hosting.platform.team:
    slug: acme
    name: Acme
  when: acme.teams | length == 0
"""

RETURN = r"""
teams:
  description: The teams, in the service's order.
  returned: success
  type: list
  elements: dict
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
failure:
  description:
    - The call that failed, for conditions in playbooks. What does not apply is V(null), and all of it where no call
      was made.
  returned: failure
  type: dict
  sample:
    operation: GET /teams
    method: GET
    path: /teams
    status: 400
    code: 400
    message: 'Invalid value: since'
"""

from ansible_collections.hosting.platform.plugins.module_utils._resources._options import PAGE_OPTIONS, not_with_page
from ansible_collections.hosting.platform.plugins.module_utils._resources.team import read_teams
from ansible_collections.hosting.platform.plugins.module_utils._run import run_info


def main() -> None:
    run_info("teams", read_teams, {"team": {"type": "str"}, **PAGE_OPTIONS}, mutually_exclusive=not_with_page("team"))


if __name__ == "__main__":
    main()
