#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: blueprint
short_description: Converge a whole platform in one task
version_added: 1.0.0
description:
  - Makes teams, members, projects, aliases and domains be as a blueprint declares them, and deletes what it does not
    declare if told to.
  - The blueprint is checked whole before the first request, and planned whole before the first write. Each list is read
    once. Independent steps are carried out side by side, what depends on another after it, deletions last.
  - One entry's failure does not stop the others; what depends on it is skipped. The task fails at the end, with every
    result.
  - A run that was interrupted can be repeated. It ends in the same state.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.api.team
  - hosting.platform.attributes
  - hosting.platform.attributes.writes
  - hosting.platform.attributes.team_group
attributes:
  check_mode:
    details:
      - The results are those of the run that follows. Only whether an invitation changes anything, nobody can know.
  idempotent:
    details: Except for invitations, and for teams with C(write_only_fields=always).
options:
  blueprint:
    description:
      - Lists of entries under C(teams), C(team_members), C(projects), C(aliases) and C(domains).
      - An entry takes the options of M(hosting.platform.team), M(hosting.platform.team_member),
        M(hosting.platform.project), M(hosting.platform.alias) or M(hosting.platform.domain), without those of the
        connection, C(state=absent) included.
      - An entry without C(team) is of O(team). C(team="") is the scope of the token's user.
      - A team or project that an entry names must be declared as well, or be there.
    type: dict
    required: true
  prune:
    description:
      - The kinds of which everything is deleted that is there and is not declared.
      - Only in the teams that an entry names or declares, and in O(team). In the scope of the token's user only if its
        list shows the objects of one team.
      - An alias that the service made together with its project is left alone. Teams are never pruned.
    type: list
    elements: str
    choices:
      - projects
      - aliases
      - domains
    default: []
  prune_limit:
    description:
      - Where a scope holds more than 10 of a kind, deleting more than so many percent of them is refused, before
        anything is written. Aliases that go with a deleted domain count too.
    type: int
    default: 30
  protect:
    description:
      - Names that O(prune) leaves alone, as shell patterns such as V(prod-*). They are listed with the action C(skip).
    type: list
    elements: str
    default: []
  workers:
    description: How many steps to carry out side by side.
    type: int
    default: 8
seealso:
  - module: hosting.platform.blueprint_info
"""

EXAMPLES = r"""
- name: Converge the platform
  hosting.platform.blueprint:
    blueprint:
      teams:
        - slug: acme
          name: Acme
      team_members:
        - team: acme
          email: dev@example.com
          role: DEVELOPER
      projects:
        - name: web
          team: acme
          framework: nextjs
      aliases:
        - alias: www.example.com
          project: web
          team: acme

- name: See what is there and not declared
  hosting.platform.blueprint:
    team: acme
    blueprint:
      projects:
        - name: web
        - name: api
    prune:
      - projects
    protect:
      - prod-*
  check_mode: true
  register: drift

- name: Show it
  ansible.builtin.debug:
    msg: "{{ drift.results | rejectattr('action', 'eq', 'none') | map(attribute='name') | list }}"
"""

RETURN = r"""
base_url:
  description: The address of the service, for reports.
  returned: when the blueprint could be planned
  type: str
  sample: https://api.example.com
results:
  description:
    - One for each entry, in the order of kinds and of the blueprint, then one for each pruned object.
  returned: when the blueprint could be planned
  type: list
  elements: dict
  contains:
    kind:
      description: The kind, as the blueprint calls it.
      type: str
      sample: projects
    name:
      description: The entry's name, slug, alias or email.
      type: str
      sample: web
    team:
      description: The slug of its team, V("") in the scope of the token's user, V(null) for teams.
      type: str
      sample: acme
    action:
      description: One of V(none), V(create), V(update), V(delete), V(invite) and V(skip). A failed entry keeps its own.
      type: str
      sample: update
    changed:
      description: Whether anything was changed.
      type: bool
      sample: true
    diff:
      description: As the entry's own module returns it.
      type: dict
      sample:
        before: {framework: nextjs}
        after: {framework: astro}
    failed:
      description: V(true) for an entry that failed.
      type: bool
      returned: if the entry failed
      sample: true
    msg:
      description: Why it failed.
      type: str
      returned: if the entry failed
      sample: 'PATCH /projects/{idOrName} failed: status 400.'
    failure:
      description: The call that failed.
      type: dict
      returned: if the entry failed
      sample: {operation: 'PATCH /projects/{idOrName}', status: 400}
summary:
  description: How many results there are of each action, how many failed, and how many requests were sent.
  returned: when the blueprint could be planned
  type: dict
  sample: {none: 18, create: 1, update: 1, delete: 0, invite: 0, skip: 0, failed: 0, requests: 7}
diff:
  description: One part for each entry that changed.
  returned: when the blueprint could be planned
  type: list
  elements: dict
  sample:
    - before_header: 'projects: web of acme'
      after_header: 'projects: web of acme'
      before: {framework: nextjs}
      after: {framework: astro}
failure:
  description:
    - The call that failed, for conditions in playbooks. What does not apply is V(null), and all of it where no call
      was made.
  returned: failure
  type: dict
  sample:
    operation: POST /projects
    method: POST
    path: /projects
    status: 400
    code: 400
    message: 'Invalid value: framework'
"""

from ansible_collections.hosting.platform.plugins.module_utils._blueprint._converging import converge_blueprint
from ansible_collections.hosting.platform.plugins.module_utils._blueprint._pruning import PRUNABLE
from ansible_collections.hosting.platform.plugins.module_utils._resources._options import TEAM_OPTION
from ansible_collections.hosting.platform.plugins.module_utils._run import run_action


def main() -> None:
    options = {
        "blueprint": {"type": "dict", "required": True},
        "prune": {"type": "list", "elements": "str", "choices": list(PRUNABLE), "default": []},
        "prune_limit": {"type": "int", "default": 30},
        "protect": {"type": "list", "elements": "str", "default": []},
        "workers": {"type": "int", "default": 8},
    }
    run_action(converge_blueprint, {**options, **TEAM_OPTION})


if __name__ == "__main__":
    main()
