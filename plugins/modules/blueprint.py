#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: blueprint
short_description: Converge a whole platform in one task
version_added: 1.0.0
description:
  - Converges teams, members, projects, aliases and domains to a blueprint. With O(prune), also
    deletes objects that the blueprint does not declare.
  - The whole blueprint is validated before the first request, and the whole plan is made before the
    first write. Each list is read once. Independent steps run in parallel, dependent steps follow,
    and deletions come last.
  - If an entry fails, only the entries that depend on it are skipped. The task fails at the end and
    returns the result of every entry.
  - An interrupted run can be repeated. It ends in the same state.
  - Shows its plan on standard error, a line per change, before it writes. Reports are written on
    the control node, also after a failure or a refusal.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.api.team
  - hosting.platform.attributes.team_group
  - hosting.platform.attributes
attributes:
  check_mode:
    details:
      - Returns the results that the run would return, except that the outcome of an invitation
        cannot be predicted.
  idempotent:
    details: Except for invitations, and for teams with C(write_only_fields=always).
options:
  blueprint:
    description:
      - Lists of entries under C(teams), C(team_members), C(projects), C(aliases) and C(domains).
      - An entry takes the options of M(hosting.platform.team), M(hosting.platform.team_member),
        M(hosting.platform.project), M(hosting.platform.alias) or M(hosting.platform.domain),
        including C(state) and C(previously) but not the connection options.
      - An entry may also have a C(source), the place at which it is declared, such as
        C(projects/shop.yml:12). Messages and results contain it. It is never sent to the service.
      - Exactly one of O(blueprint) and O(directory) is required.
      - An entry without C(team) belongs to O(team). An entry with C(own_scope=true), or without
        C(team) if O(own_scope) is V(true) or O(team) is not set either, belongs to the own scope of
        the token's user. In the last case, a creation causes a warning.
      - A project's entry may hold C(aliases), a list of names, or of entries without C(project),
        C(team) and C(own_scope). Each is an entry of that project in its scope, as if it stood
        under C(aliases). Those of a project with C(state=absent) say nothing, because they are
        deleted with it.
      - A kind that the blueprint does not name is neither pruned nor listed in RV(undeclared). An
        empty list names it, and declares that there is none. A key without a value is an error.
      - A team or project that an entry refers to must be declared as well, or exist.
    type: dict
  directory:
    description:
      - The directories of files on the control node that together are the blueprint. One is the
        usual case.
      - Several directories are one blueprint, without order or precedence. What two of them declare
        is declared twice, which is an error. C(defaults.yml) of one does nothing in another. Each
        must contain a file, and none may be another one or lie in it. Paths in C(source), plans and
        messages then begin with the directory as it was given, such as C(common/shop.yml:12).
      - Text that is the path of something that exists is one directory. Any other text is split at
        its commas, as V(common,staging).
      - C(projects.yml), and every file in a folder C(projects), contains a list of projects, or a
        dictionary with C(projects) as a key. The same applies to C(teams), C(team_members),
        C(aliases) and C(domains). Any other file contains a dictionary with a list for each of
        several kinds. A folder with any other name is again such a directory, so files can be
        grouped, for example by team. The suffix is C(.yml) or C(.yaml).
      - A file that is a dictionary may say C(team), or C(own_scope), for its entries that say
        neither. A file without entries says so by an empty list under the name of its kind. An
        empty file is an error.
      - The file C(defaults.yml) of a folder contains a dictionary of kinds with values of options
        for the entries in the folder and below that do not say them, and perhaps C(team) or
        C(own_scope). The nearest value wins, option by option. An empty text clears a field.
        V(null) is an error, also in an entry for what a default gives. Entries with
        C(state=absent) have no defaults.
      - A default may be given to what an object holds, such as its C(framework), C(role) or
        C(parameters), but not to what says which object it is, to which it belongs, or how it is
        managed.
      - C(README) files and names that begin with a dot are left alone. Any other file is an error,
        and so is a link.
      - The files are data. They are plain YAML without tags. No template is evaluated, and nothing
        is decrypted, so untrusted files can be planned without running any of their content. Text
        that looks like a template is an error in what names an object (C(name), C(slug),
        C(alias), C(email), C(project), C(team), C(previously)), and text elsewhere. Before such
        text is sent, a warning says so. Templates are evaluated in O(blueprint).
      - Every entry gets its C(source), the path of its file below the directory and the line where
        it begins. An entry that has one itself is an error. So are a key that a dictionary has
        twice, and a whole number that YAML reads otherwise than it is written, such as C(010). A
        date is the text that is written. A file or folder whose name is not UTF-8 is an error, and
        so is a character in a file that ends a line for YAML, but not in every editor.
      - All that a blueprint holds is shown in plans and reports. Keep secrets out of it.
      - A relative path starts from the directory in which Ansible was started.
    type: list
    elements: path
  prune:
    description:
      - The kinds of objects to delete if they exist and the blueprint does not declare them. A kind
        that the blueprint does not name is not pruned, and a warning says so.
      - This applies to the teams that an entry or a file names or declares, and to O(team). The own
        scope of the token's user is never pruned, because nobody can tell whether everything in it
        is theirs.
      - A project's own alias (its field C(alias)) is never pruned, and neither is a team.
    type: list
    elements: str
    choices:
      - projects
      - aliases
      - domains
    default: []
  prune_limit:
    description:
      - The highest percentage of the objects of one kind that O(prune) may delete in a scope that
        holds more than 10 of them. If more would be deleted, the task fails before anything is
        written.
      - Aliases that are deleted along with a domain count as well. If an entry declares one of
        them, the task fails.
    type: int
    default: 30
  only:
    description:
      - Selectors of the part of the blueprint to converge. The other entries are validated, and
        count as declared, but the task does not read or write anything for them. Their results have
        the action C(skip) and the reason C(not_selected).
      - A selector is a pattern for a name, or a dictionary with any of the keys C(kind) (a key of
        O(blueprint), or a list of them), C(team) (a pattern for the slug, or the id; V("") is the
        own scope of the token's user), C(name) and C(source) (without its line). All that is given
        must match.
      - A pattern is a shell-style pattern such as V(shop-*) for the whole name (a team's slug, a
        member's email, a project's name, an alias or a domain), or the name itself. Case matters,
        except in aliases and domains. A text with a slash, such as V(acme/shop-*), is also a
        pattern for the slug of a team and the name of what is in it.
      - A selector that matches nothing (no entry, not even by C(previously), and nothing that the
        task has read) makes the task fail before anything is written. With O(prune) and neither
        O(fail_on_drift) nor O(fail_on_undeclared), it draws a warning, because what it selects may
        be gone.
      - O(prune) and RV(undeclared) are limited to objects that a selector without C(source)
        matches.
      - The task fails before anything is written if a selected entry needs one that is not
        selected. Examples are a project that does not exist yet, and a name that another project
        gives up.
      - A plan of a part is approved and applied with the same selectors. V([]) selects nothing.
      - By default, everything is selected.
    type: list
    elements: raw
  ignore:
    description:
      - Selectors (see O(only), without C(source)) of objects that others manage. They are never
        pruned, and not listed in RV(undeclared).
      - The task fails before anything is written if an entry declares one of them, or if one would
        be deleted along with another object.
    type: list
    elements: raw
    default: []
  protect:
    description:
      - Selectors (see O(only), without C(source)) of objects that are never deleted, such as
        V(prod-*).
      - O(prune) keeps them and lists them with the action C(skip). The task fails before anything
        is written if an entry with C(state=absent) would delete one of them, or if one would be
        deleted along with a team, a project, a domain or a change of a project's C(alias).
      - A team whose slug a selector names is renamed only if a selector names the new slug, too. A
        selector that names the team by its id needs no change.
      - RV(guards) and the plan say of each selector of O(protect) and O(ignore) how many objects it
        matches. If one matches nothing and misspells the name of what would be deleted, the task
        fails before anything is written.
    type: list
    elements: raw
    default: []
  invite:
    description:
      - Whether to send the invitations that C(team_members) declares. The API does not list
        members, so every run sends all of them again.
      - Otherwise, their results have the action C(skip) and the reason C(invite).
    type: bool
    default: false
  limits:
    description:
      - The highest number of objects that may be created, changed and deleted, and of members that
        may be invited. If a plan exceeds one of them, the task fails before anything is written.
      - Each is 0 or more. By default, there is no limit.
    type: dict
    suboptions:
      create:
        description: How many objects may be created.
        type: int
      update:
        description: How many objects may be changed.
        type: int
      delete:
        description:
          - How many objects may be deleted.
          - Objects that are deleted along with a step count as well, such as the projects, aliases
            and domains of a team, and the aliases of a project. So deleting one project usually
            counts as two.
        type: int
      invite:
        description: How many members may be invited.
        type: int
  unlisted_fields:
    description:
      - How to treat C(build_command), C(command_for_ignoring_build_step), C(dev_command),
        C(framework), C(install_command) and C(output_directory) of a project if its entry does not
        set them.
      - V(keep) keeps their values. V(clear) clears them, so that a value that the entry does not
        set is drift.
      - An entry may set C(unlisted_fields) itself.
    type: str
    choices:
      - keep
      - clear
    default: keep
  approved:
    description:
      - The identifiers of the steps that may be taken, from RV(steps) or from the C(step) of
        RV(results) of an earlier run in check mode, as a list; or the path of a plan file on the
        control node that O(plan) wrote.
      - If the plan needs any other step, the task fails before anything is written, in check mode
        too. V([]) allows nothing.
      - A step stands for the change of this very object, with everything that is sent and deleted
        along. If a project that it refers to was replaced by another one of the same name, or if
        more would be deleted along, it is another step.
      - Approved steps that are already done are ignored, so an interrupted run can be repeated with
        the same list. But an approved invitation is sent again, if O(invite) is set.
      - From a plan file, the invitations that the run sends are taken out before the first write,
        and stay out whatever becomes of them. The plan of a run that was refused, or that has not
        ended, approves nothing.
      - By default, every step is allowed.
    type: raw
  confirm:
    description:
      - Whether to show the plan and ask at the terminal before anything is written. Any answer but
        C(yes) refuses the run. Exactly the plan that was shown is applied.
      - Nothing is asked in check mode, and where there is nothing to do. Without a terminal that
        somebody answers, and with C(no_log), the task fails before the first request.
    type: bool
    default: false
  report:
    description:
      - The path of a report on the control node, an HTML page. It is written in check mode too, and
        after a failure or a refusal. Before the first request it is written as well, and says that
        its run has not ended. V("") writes none.
      - A relative path starts from the directory in which Ansible was started. Missing directories
        are created. A file that is there is replaced. A link, and a path in O(directory), are
        refused before the first request, as is whatever else cannot be written.
    type: path
  markdown:
    description:
      - The path of a report in Markdown, for a comment or the summary of a job, of at most 65,000
        characters. See O(report).
    type: path
  plan:
    description:
      - The path of the plan file, in JSON, whose schema is C(docs/schemas/plan.schema.json) of the
        collection. See O(report). Pass it to O(approved) to restrict a later run to these steps.
      - As long as it says that its run has not ended, it approves nothing.
      - It may name the file of O(approved). Then no plan is written.
    type: path
  fail_on_drift:
    description:
      - Whether to fail in check mode if anything would change, invitations alone aside. Reports are
        then titled C(Drift report).
    type: bool
    default: false
  fail_on_undeclared:
    description: Whether to fail in check mode if objects exist that no entry declares.
    type: bool
    default: false
  workers:
    description: The number of requests to send in parallel. Where the system lets fewer threads
      start, the run goes on with those.
    type: int
    default: 8
seealso:
  - module: hosting.platform.blueprint_info
"""

EXAMPLES = r"""
- name: Ensure the platform is as declared
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

- name: Converge to the files of a directory, and write a report
  hosting.platform.blueprint:
    directory: "{{ playbook_dir }}/blueprint"
    report: report.html

- name: Save a plan, to be approved
  hosting.platform.blueprint:
    directory: "{{ playbook_dir }}/blueprint"
    plan: plan.json
  check_mode: true

- name: Apply the approved plan, and nothing else
  hosting.platform.blueprint:
    directory: "{{ playbook_dir }}/blueprint"
    approved: plan.json

- name: Find projects that exist and are not declared
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

- name: Show the names of the objects that the run would change
  ansible.builtin.debug:
    msg: "{{ drift.results | rejectattr('action', 'eq', 'none') | map(attribute='name') | list }}"
"""

RETURN = r"""
text:
  description: The plan as it was shown, a line per change, without colors.
  returned: when the blueprint could be planned, and not with C(async)
  type: str
  sample: |-
    Plan for https://api.example.com
    + project acme/shop  framework: hugo  projects/shop.yml:1
    - project acme/old
    1 to create (1 project), 1 to delete (1 project); 40 unchanged.
outcome:
  description:
    - What was done, in one line, which is also the last line that the task shows. In check mode,
      the counts of the plan.
    - 'It begins with C(Done), C(Failed), C(Refused) or C(Nothing to do), and in check mode may
      begin with a number.'
  returned: if the task has ended, and not with C(async)
  type: str
  sample: 'Done: 3 created, 1 changed, 2 deleted and 4 along with them, 5 invited; 96 unchanged.'
check_mode:
  description: Whether the task ran in check mode, also by the keyword C(check_mode) of its play,
    role or block.
  returned: always
  type: bool
  sample: false
base_url:
  description: The base address of the service, for use in reports.
  returned: when the blueprint could be planned
  type: str
  sample: https://api.example.com
results:
  description:
    - A result for each entry, by kind and in the order of the blueprint, then one for each pruned
      object.
  returned: when the blueprint could be planned
  type: list
  elements: dict
  contains:
    kind:
      description: The kind, as the key of the blueprint.
      type: str
      sample: projects
    name:
      description: The entry's name, slug, alias or email.
      type: str
      sample: web
    team:
      description: The slug of its team. V("") in the own scope of the token's user. V(null) for
        teams.
      type: str
      sample: acme
    action:
      description: One of V(none), V(create), V(update), V(delete), V(invite) and V(skip). A failed
        entry keeps the action that was intended.
      type: str
      sample: update
    step:
      description:
        - The identifier of the step. Two identifiers are equal only for the same change of the same
          object. V(null) for the actions V(none) and V(skip).
      type: str
      sample: 5d1c3ab0f2c54d7e9a3f6a1c0e8b7d42
    source:
      description: The C(source) of the entry.
      type: str
      sample: projects/shop.yml:12
    reason:
      description:
        - The reason for the action V(skip). V(null) for other actions.
        - V(protected) if O(protect) keeps an undeclared object, V(dependency) if what it depends on
          failed, V(not_selected) if O(only) does not select it, V(invite) if O(invite) is not set,
          V(unavailable) if it was not tried because the platform did not respond to the steps
          before it.
      type: str
      sample:
    changed:
      description: Whether the entry was changed. In check mode, V(false) for invitations.
      type: bool
      sample: true
    diff:
      description: The difference, as the module for this kind returns it.
      type: dict
      sample:
        before: {framework: nextjs}
        after: {framework: astro}
    not_compared:
      description:
        - The options of the entry whose live values the API does not show, and that this step does
          not send. They may differ from the declared values.
        - These are a team's C(description) and C(email_domain), and an alias's C(parameters).
      type: list
      elements: str
      sample: [description]
    along:
      description:
        - The objects that the service deletes with this step, as far as they can be read, each with
          its C(kind), C(name) and C(team).
        - These are the projects, aliases and domains of a team, the aliases of a project and of a
          domain, and the old own alias of a project that gets another one.
      type: list
      elements: dict
      sample:
        - {kind: aliases, name: www.example.com, team: acme}
    failed:
      description: V(true) if the entry failed.
      type: bool
      returned: if the entry failed
      sample: true
    msg:
      description: Why the entry failed.
      type: str
      returned: if the entry failed
      sample: 'PATCH /projects/{idOrName} failed: status 400.'
    failure:
      description: The API call that failed.
      type: dict
      returned: if a call failed
      sample:
        operation: PATCH /projects/{idOrName}
        method: PATCH
        path: /projects/prj_17
        status: 400
        code: 400
        message: 'Invalid value: framework'
summary:
  description:
    - The number of results of each action, of objects that are deleted along, of failures, of
      undeclared objects, and of requests sent.
  returned: when the blueprint could be planned
  type: dict
  sample:
    none: 18
    create: 1
    update: 0
    delete: 1
    invite: 0
    skip: 0
    along: 2
    failed: 0
    undeclared: 0
    requests: 7
undeclared:
  description:
    - The teams, projects, aliases and domains that exist, are not declared by any entry and are not
      deleted, of the kinds that the blueprint names. Projects' own aliases are left out, and so is
      what O(ignore) matches.
    - Teams are those that the token's user belongs to. The others are sought in the teams that an
      entry or a file names or declares, in O(team), and in the own scope of the token's user if an
      entry or a file names that.
  returned: when the blueprint could be planned
  type: list
  elements: dict
  contains:
    kind:
      description: The kind, as the key of the blueprint.
      type: str
      sample: projects
    name:
      description: The name of the object.
      type: str
      sample: forgotten
    team:
      description: The slug of its team. V("") in the own scope of the token's user. V(null) for
        teams.
      type: str
      sample: acme
    protected:
      description: Whether O(protect) matches it.
      type: bool
      sample: false
guards:
  description:
    - What holds in this plan. V(null) where there is none.
    - C(protect), C(ignore) and C(only) list their selectors, each as C(selector), as it was given,
      with C(matches), the number of objects that it matches, entries without an object included.
      C(only) is V(null) if it is not given.
    - C(limits), C(prune) and C(prune_limit) are these options.
  returned: if the task has ended. With C(async), when the blueprint could be planned
  type: dict
  sample:
    protect: [{selector: prod-*, matches: 3}]
    ignore: []
    only:
    limits: {delete: 5}
    prune: [projects, aliases]
    prune_limit: 30
plan_warnings:
  description:
    - What planning warns of, as it stands in the plan. C(warnings) holds what no person was shown
      before the first write.
  returned: when the blueprint could be planned, and not with C(async)
  type: list
  elements: str
  sample: ['prune: the blueprint names no domains, so none are pruned.']
refused:
  description: Whether a guard refused the plan, so that nothing was written.
  returned: when the blueprint could be planned
  type: bool
  sample: false
refusals:
  description: What was refused, by which guard.
  returned: when the blueprint could be planned
  type: list
  elements: dict
  contains:
    guard:
      description:
        - The option that refused it, such as C(protect) or C(limits.delete); C(blueprint) for what
          no option decides.
      type: str
      sample: limits.delete
    message:
      description: What it refused.
      type: str
      sample: >-
        2 would be deleted (2 projects), but the limit is 1: project a, project b. If this is
        intended, raise the limit.
steps:
  description: The identifiers of the steps that are still to be taken. In check mode, all steps of
    the plan.
  returned: when the blueprint could be planned
  type: list
  elements: str
  sample:
    - 5d1c3ab0f2c54d7e9a3f6a1c0e8b7d42
diff:
  description: The difference of each entry that changed.
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
    - The API call that failed, for use in conditions. Keys that do not apply are V(null).
  returned: when a call failed
  type: dict
  sample:
    operation: POST /projects
    method: POST
    path: /projects
    status: 400
    code: 400
    message: 'Invalid value: framework'
"""

from ..module_utils._interpreter import check_interpreter

check_interpreter()

from ..module_utils._converge.blueprint.options import OPTIONS
from ..module_utils._converge.converge import converge_blueprint, read_task
from ..module_utils._model.options import ArgumentSpec
from ..module_utils._run.platform_module import action_module

# What the action plugin does on the control node.
OPTIONS_OF_THE_CONTROL_NODE = {
    "directory": {"type": "list", "elements": "path"},
    "confirm": {"type": "bool", "default": False},
    "report": {"type": "path"},
    "markdown": {"type": "path"},
    "plan": {"type": "path"},
}
MODULE = action_module(
    converge_blueprint,
    ArgumentSpec(
        {**OPTIONS_OF_THE_CONTROL_NODE, **OPTIONS},
        {"required_one_of": [("blueprint", "directory")]},
    ),
    read_options=read_task,
    control_node=(*OPTIONS_OF_THE_CONTROL_NODE, "fail_on_drift", "fail_on_undeclared"),
)
main = MODULE.run

if __name__ == "__main__":
    main()
