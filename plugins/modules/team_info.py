#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: team_info
short_description: Get information about teams
version_added: 1.0.0
description:
  - Returns one team, or all teams that the token's user belongs to.
  - A list is always complete, and contains each team once. If that cannot be ensured, the task
    fails.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.api.page
  - hosting.platform.attributes.reads
  - hosting.platform.attributes
options:
  team:
    description:
      - Return only the team with this id or slug. If it does not exist, the list is empty.
      - Mutually exclusive with O(since), O(until) and O(limit).
      - No environment variable is read for this option.
    type: str
seealso:
  - module: hosting.platform.team
"""

EXAMPLES = r"""
- name: Get all teams of the token's user
  hosting.platform.team_info:
  register: all_teams

- name: Get one team
  hosting.platform.team_info:
    team: acme
  register: acme

- name: Fail if the team does not exist
  ansible.builtin.assert:
    that: acme.teams | length == 1
"""

RETURN = r"""
teams:
  description: The teams, in the order in which the service lists them.
  returned: success
  type: list
  elements: dict
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
failure:
  description:
    - The API call that failed, for use in conditions. Keys that do not apply are V(null).
  returned: when a call failed
  type: dict
  sample:
    operation: GET /teams
    method: GET
    path: /teams
    status: 400
    code: 400
    message: 'Invalid value: since'
"""

from ..module_utils._interpreter import check_interpreter

check_interpreter()

from ..module_utils._model.kinds.readers import read_teams
from ..module_utils._model.options import PAGE_OPTIONS, TEXT, ArgumentSpec
from ..module_utils._run.platform_module import info_module

EXCLUSIVE = [("team", option) for option in PAGE_OPTIONS]
OPTIONS = ArgumentSpec({"team": TEXT, **PAGE_OPTIONS}, {"mutually_exclusive": EXCLUSIVE})
MODULE = info_module("teams", read_teams, OPTIONS)
main = MODULE.run

if __name__ == "__main__":
    main()
