#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: blueprint_info
short_description: Export the live platform as a blueprint
version_added: 1.0.0
description:
  - Returns the existing objects as a blueprint, and writes them to the files of a directory. Given
    to M(hosting.platform.blueprint), it changes nothing.
  - The blueprint refers to objects by name or slug. It holds no identifiers, no empty fields, and
    no fields that only the service can set.
  - The task fails if there is something that no blueprint can say, such as a name that is not
    unique or is the identifier of another object, an alias of a project that is not in its team, or
    a value with asterisks in the place of a secret. The message names all such objects, and the
    O(ignore) that leaves them out.
  - The entries are sorted by name. A project's own alias is the option C(alias) of the project's
    entry, and no entry of its own.
  - Members are not included, because the API cannot list them. An alias that redirects is exported
    without its redirect, with a warning. What the service holds under a name that is no host name,
    such as the alias V(www.example.com:443), is left out with a warning, too, and is never pruned.
    So is a field that is no text.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.attributes.reads
  - hosting.platform.attributes
options:
  teams:
    description:
      - The ids or slugs of the teams to export.
      - By default, the own scope of the token's user and every team that they belong to.
    type: list
    elements: str
  ignore:
    description:
      - Selectors of objects that others manage, as O(hosting.platform.blueprint#module:ignore)
        describes them. They are left out.
    type: list
    elements: raw
    default: []
  directory:
    description:
      - The directory on the control node to write the blueprint to, as
        O(hosting.platform.blueprint#module:directory) reads it. It is created if it does not exist.
        In check mode, nothing is written.
      - Only files that an export wrote and nobody has edited since are overwritten. Their first
        line contains a checksum of what follows the line of three hyphens. Delete an edited file to
        renew it. Other files, and links, are named before anything is written. A file that differs
        only in the address of the schema in its head is left as it is. A warning lists files of an
        earlier export that are no longer written.
      - A directory is refused if a C(defaults.yml) would change what is exported. Such a file is in
        it, anywhere below it, or above it, up to a directory of O(undeclared_in) in which it lies,
        or else in the folder above.
      - All text is quoted, so that none of it becomes a number, a date or a boolean. An object
        whose name looks like a template cannot be written, and the message says which
        O(ignore) leaves it out.
      - A relative path starts from the directory in which Ansible was started.
    type: path
  layout:
    description:
      - V(kinds) writes a file for each kind.
      - V(teams) writes a folder for each team, with a file for each kind that the team has objects
        of, which say C(team) once. The folder is named after the slug of the team. A slug that
        cannot name a folder on every system, or would mean a kind or the folder of another team, is
        written in small letters, with the first eight digits of its SHA-256. The folder of the own
        scope of the token's user is C(own-scope).
    type: str
    choices:
      - kinds
      - teams
    default: kinds
  undeclared_in:
    description:
      - The paths of directories of files on the control node that declare a part of the platform
        already, as O(hosting.platform.blueprint#module:directory). What an entry of them declares,
        with any C(state), is left out. Converge them first, so that both blueprints together change
        nothing.
      - None of these files is touched, and only files that have an entry are written.
      - An entry of them that names neither a team nor the own scope belongs to the team that the
        environment variable E(HOSTING_PLATFORM_TEAM) names, as it does for
        M(hosting.platform.blueprint), or else to the own scope. If that module gets its C(team) in
        another way, name the team in each entry.
    type: list
    elements: raw
  kinds:
    description: The kinds of objects to export.
    type: list
    elements: str
    choices:
      - teams
      - projects
      - aliases
      - domains
    default:
      - teams
      - projects
      - aliases
  workers:
    description: The number of requests to send in parallel.
    type: int
    default: 8
seealso:
  - module: hosting.platform.blueprint
"""

EXAMPLES = r"""
- name: Export the whole platform
  hosting.platform.blueprint_info:
  register: live

- name: Save it as the files of a directory
  hosting.platform.blueprint_info:
    directory: blueprint

- name: Save what the files of a directory do not declare yet
  hosting.platform.blueprint_info:
    directory: blueprint/adopted
    undeclared_in: blueprint

- name: Export only the projects of one team
  hosting.platform.blueprint_info:
    teams:
      - acme
    kinds:
      - projects
"""

RETURN = r"""
blueprint:
  description: The blueprint, with a list of entries for each of O(kinds).
  returned: success
  type: dict
  sample:
    teams:
      - {slug: acme, name: Acme}
    projects:
      - {name: web, team: acme, framework: nextjs}
    aliases:
      - {alias: www.example.com, project: web, team: acme}
files:
  description: The paths of all files of the export, also of those that did not change.
  returned: if O(directory) is set
  type: list
  elements: str
  sample:
    - /home/ada/blueprint/teams.yml
    - /home/ada/blueprint/projects.yml
failure:
  description:
    - The API call that failed, for use in conditions. Keys that do not apply are V(null).
  returned: when a call failed
  type: dict
  sample:
    operation: GET /teams
    method: GET
    path: /teams
    status: 401
    code: null
    message: null
"""

from ..module_utils._interpreter import check_interpreter

check_interpreter()

from ..module_utils._converge.export import export_blueprint, read_export
from ..module_utils._model.kinds.registry import listed_kinds
from ..module_utils._model.options import ArgumentSpec
from ..module_utils._run.platform_module import info_module

EXPORTABLE = [kind.plural for kind in listed_kinds()]
# What the action plugin does on the control node.
LAYOUTS = ["kinds", "teams"]
OPTIONS_OF_THE_CONTROL_NODE = {
    "directory": {"type": "path"},
    "layout": {"type": "str", "choices": LAYOUTS, "default": LAYOUTS[0]},
}
OPTIONS = {
    **OPTIONS_OF_THE_CONTROL_NODE,
    "teams": {"type": "list", "elements": "str"},
    "ignore": {"type": "list", "elements": "raw", "default": []},
    "undeclared_in": {"type": "list", "elements": "raw"},
    "kinds": {"type": "list", "elements": "str", "choices": EXPORTABLE, "default": EXPORTABLE[:3]},
    "workers": {"type": "int", "default": 8},
}
MODULE = info_module(
    "blueprint",
    export_blueprint,
    ArgumentSpec(OPTIONS),
    read_options=read_export,
    control_node=(*OPTIONS_OF_THE_CONTROL_NODE, "undeclared_in"),
)
main = MODULE.run

if __name__ == "__main__":
    main()
