#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: team
short_description: Create, change and delete teams
version_added: 1.0.0
description:
  - Makes a team exist with the given fields, or not exist.
  - Options that are not given are left as they are. An empty string clears a field.
  - A team is found by O(slug), or by O(id). Both together change the slug.
  - The user who creates a team owns it.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.attributes
  - hosting.platform.attributes.writes
  - hosting.platform.attributes.group
attributes:
  idempotent:
    details: Except with O(write_only_fields=always), which sends what cannot be compared in every run.
options:
  slug:
    description:
      - The slug, which names the team in addresses. It may not be empty.
      - One of O(slug) and O(id) is required.
    type: str
  id:
    description:
      - The identifier of an existing team. With O(state=present), an identifier that no team has fails the task.
      - With O(state=absent) the identifier decides which team is deleted, and a O(slug) that is not its slug fails the
        task.
    type: str
  state:
    description: Whether the team is to exist.
    type: str
    choices:
      - present
      - absent
    default: present
  name:
    description: The name, at most 256 characters.
    type: str
  description:
    description: The description, at most 140 characters. The API never returns it, see O(write_only_fields).
    type: str
  email_domain:
    description: The email domain. The API never returns it, see O(write_only_fields).
    type: str
  write_only_fields:
    description:
      - When to send O(description) and O(email_domain), which the API never returns, so that they cannot be compared.
      - V(on_create) sends them right after the creation of the team. Later they are only named in RV(not_compared).
      - V(always) sends them in every run, and every run is changed.
    type: str
    choices:
      - on_create
      - always
    default: on_create
seealso:
  - module: hosting.platform.team_info
"""

EXAMPLES = r"""
- name: A team
  hosting.platform.team:
    slug: acme
    name: Acme
    description: Makers of everything

- name: Set the description again
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
    - The team, every field of the API under its name in snake_case. Fields that the specification of the API does not
      know are kept.
    - After a deletion, the last known team; V({}) if there was none.
    - In check mode, what only the service can choose is V(null) for a team that would be created.
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
not_compared:
  description: The given options that were neither sent nor compared, because the API never returns them.
  returned: success
  type: list
  elements: str
  sample:
    - description
diff:
  description:
    - The writable options only. For a creation, nothing and what was given; for a change, the given options that
      differ; for a deletion, the object's writable fields and nothing. The same in check mode as in the run.
  returned: success
  type: dict
  sample:
    before: {name: Acme}
    after: {name: Acme Inc.}
failure:
  description:
    - The call that failed, for conditions in playbooks. What does not apply is V(null), and all of it where no call
      was made.
  returned: failure
  type: dict
  sample:
    operation: PATCH /teams/{teamIdOrSlug}
    method: PATCH
    path: /teams/team_3
    status: 400
    code: 400
    message: 'Invalid value: slug'
"""

from ansible_collections.hosting.platform.plugins.module_utils._resources.team import Team
from ansible_collections.hosting.platform.plugins.module_utils._run import run_resource


def main() -> None:
    run_resource(Team)


if __name__ == "__main__":
    main()
