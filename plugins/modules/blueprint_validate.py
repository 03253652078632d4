#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

DOCUMENTATION = r"""
module: blueprint_validate
short_description: Check the files of a blueprint
version_added: 1.0.0
description:
  - Checks the files of a blueprint on the control node, and fails with everything that is wrong
    with them.
  - Needs no token and sends no request. So it cannot know whether an object that an entry refers to
    exists.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.attributes.reads
  - hosting.platform.attributes
attributes:
  action_group:
    description: The module has no connection options, and belongs to no group.
    support: none
    membership: []
options:
  directory:
    description: As O(hosting.platform.blueprint#module:directory).
    type: list
    elements: path
    required: true
seealso:
  - module: hosting.platform.blueprint
"""

EXAMPLES = r"""
- name: Check untrusted files without running any of their content
  hosting.platform.blueprint_validate:
    directory: request/blueprint
"""

RETURN = r"""
problems:
  description:
    - What is wrong. Each names the file and the line, and the entry and the option as far as there
      is one.
  returned: always
  type: list
  elements: str
  sample:
    - 'projects[3] shop (projects.yml:12): unknown option framwork. Did you mean framework?'
entries:
  description: How many entries the files declare, V(0) if one of them is wrong.
  returned: always
  type: int
  sample: 42
files:
  description: The paths of the files.
  returned: always
  type: list
  elements: str
  sample:
    - /home/ada/blueprint/projects.yml
blueprint:
  description:
    - What a run plans, as O(hosting.platform.blueprint#module:blueprint) takes it. Each entry has
      the C(team) or C(own_scope) of its file, and no C(source).
  returned: success
  type: dict
  sample:
    projects:
      - {name: shop, team: acme, framework: hugo}
"""

from ..module_utils._interpreter import check_interpreter

check_interpreter()

from typing import NoReturn

from ..module_utils._errors import InvalidOption
from ..module_utils._model.options import ArgumentSpec
from ..module_utils._run.invocation import Invocation
from ..module_utils._run.module import UNSERVED, Module

OPTIONS = {
    "directory": {"type": "list", "elements": "path", "required": True},
}


def refuse(_invocation: Invocation) -> NoReturn:
    raise InvalidOption("directory", UNSERVED, separator=" ")


MODULE = Module(ArgumentSpec(OPTIONS), refuse)
main = MODULE.run

if __name__ == "__main__":
    main()
