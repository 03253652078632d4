#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: team
short_description: Manage teams
version_added: 1.0.0
description:
  - Creates, changes, renames and deletes teams.
  - Options that are not given keep their current value. An empty string clears a field.
  - A team is identified by O(slug) or by O(id). Both together change the slug, and so does
    O(previously).
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.attributes
attributes:
  idempotent:
    details: Except with O(write_only_fields=always), which sends fields that cannot be compared in
      every run.
options:
  slug:
    description:
      - The slug of the team, by which it is addressed. It must not be empty.
      - One of O(slug) and O(id) is required.
    type: str
  id:
    description:
      - The identifier of an existing team. With O(state=present), the task fails if no team has it.
      - With O(state=absent), the team with this identifier is deleted. The task fails if O(slug) is
        given too and is not its slug.
      - An empty value is refused. In check mode, this module takes it for what an earlier task
        makes, with a warning.
    type: str
  previously:
    description:
      - Earlier slugs of the team. If no team has the new slug, and one has an earlier one, that
        team is renamed. It keeps its identifier and everything that belongs to it.
      - If teams with both slugs exist, or two with earlier slugs, the task fails and names them.
      - Ignored with O(id) and with O(state=absent), so that nothing is deleted by an earlier slug.
        It is never sent to the service.
    type: list
    elements: str
    default: []
  state:
    description:
      - Whether the team should exist.
      - V(exists) creates the team if it is missing, and changes nothing if it exists. It cannot be
        used with O(previously).
    type: str
    choices:
      - present
      - absent
      - exists
    default: present
  name:
    description: The name of the team, with at most 256 characters.
    type: str
  description:
    description:
      - The description of the team, with at most 140 characters. The API never returns it, see
        O(write_only_fields).
    type: str
  email_domain:
    description:
      - The domain of the team's email addresses, such as V(example.com). The API never returns it,
        see O(write_only_fields).
      - The API's specification does not say what the service uses it for.
    type: str
  write_only_fields:
    description:
      - When to send O(description) and O(email_domain). They cannot be compared, because the API
        never returns them.
      - V(on_create) sends them right after the team is created. Later runs only list them in
        RV(not_compared).
      - V(always) sends them in every run, so every run reports a change.
    type: str
    choices:
      - on_create
      - always
    default: on_create
seealso:
  - module: hosting.platform.team_info
"""

EXAMPLES = r"""
- name: Ensure a team exists
  hosting.platform.team:
    slug: acme
    name: Acme
    description: Makers of everything

- name: Set the description of an existing team
  hosting.platform.team:
    slug: acme
    description: Makers of nearly everything
    write_only_fields: always
  register: team

- name: Change the slug
  hosting.platform.team:
    id: "{{ team.team.id }}"
    slug: acme-inc

- name: Delete the team
  hosting.platform.team:
    slug: acme-inc
    state: absent
"""

RETURN = r"""
team:
  description:
    - The team, with every field of the API under its name in snake_case. Fields that the API's
      specification does not list are kept.
    - After a deletion, the team as it was last seen. V({}) if it did not exist.
    - For a team that would be created in check mode, fields that only the service can set are
      V(null).
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
not_compared:
  description: The options that were set but neither sent nor compared, because the API never
    returns their values.
  returned: success
  type: list
  elements: str
  sample:
    - description
removed_projects:
  description:
    - The projects that were, or in check mode would be, deleted with the team. Empty if nothing is
      deleted, and V(null) if the service refuses the list of projects.
  returned: success
  type: list
  elements: str
  sample:
    - web
removed_aliases:
  description: The same for aliases.
  returned: success
  type: list
  elements: str
  sample:
    - www.example.com
removed_domains:
  description: The same for registered domains.
  returned: success
  type: list
  elements: str
  sample:
    - example.com
diff:
  description:
    - The difference, in writable options only. It is the same in check mode as in the run.
    - For a creation, C(before) is empty and C(after) holds the given options. For a change, both
      hold the given options that differ. For a deletion, C(before) holds the writable fields, and
      what is deleted with the team, as in RV(removed_projects), and C(after) is empty.
    - Its headers name the object.
  returned: success
  type: dict
  sample:
    before_header: team acme
    after_header: team acme
    before: {name: Acme}
    after: {name: Acme Inc.}
failure:
  description:
    - The API call that failed, for use in conditions. Keys that do not apply are V(null).
  returned: when a call failed
  type: dict
  sample:
    operation: PATCH /teams/{teamIdOrSlug}
    method: PATCH
    path: /teams/team_3
    status: 400
    code: 400
    message: 'Invalid value: slug'
"""

from ..module_utils._interpreter import check_interpreter

check_interpreter()

from ..module_utils._model.kinds.team import Team
from ..module_utils._run.platform_module import resource_module

MODULE = resource_module(Team)
main = MODULE.run

if __name__ == "__main__":
    main()
