# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: blueprint_problems
short_description: Find the problems in the files of a blueprint
version_added: 1.0.0
description:
  - Reads a directory on the control node, as P(hosting.platform.blueprint_directory#lookup) does, and returns every
    problem in its files. The list is empty if there is none.
  - Needs no token and sends no request. So it cannot know whether an object that an entry refers to exists on the
    service.
author:
  - hosting.platform contributors (@hosting-platform)
options:
  _terms:
    description:
      - The directories.
      - A relative path starts from the directory in which C(ansible-playbook) is run.
    type: list
    elements: path
    required: true
  approved:
    description:
      - The path of a plan file, as the option O(hosting.platform.converge#role:main:converge_approved), to be read as
        well. A list of step identifiers is accepted too.
    type: raw
  templates:
    description:
      - As O(hosting.platform.blueprint_directory#lookup:templates).
    type: bool
    default: true
seealso:
  - plugin: hosting.platform.blueprint_directory
    plugin_type: lookup
  - plugin: hosting.platform.blueprint_steps
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Show the problems in the files
  ansible.builtin.debug:
    msg: "{{ query('hosting.platform.blueprint_problems', playbook_dir ~ '/blueprint') }}"
"""

RETURN = r"""
_raw:
  description: The problems. Each names the file and the line, and the entry and the option as far as there is one.
  type: list
  elements: str
  sample:
    - 'projects[3] shop (projects.yml:12): unknown option framwork. Did you mean framework?'
    - '/home/me/blueprint/teams.yml, line 4, column 3: the key name is already in line 3 of the same mapping.'
"""

from pathlib import Path
from typing import Any

from ansible.errors import AnsibleError, AnsibleFilterError
from ansible.utils.path import unfrackpath

from ..filter.blueprint_steps import blueprint_steps
from ..filter.blueprint_used import blueprint_used
from ..module_utils._text import printable
from .blueprint_directory import LookupModule as BlueprintDirectory


class LookupModule(BlueprintDirectory):
    def run(self, terms: list[str], variables: Any = None, **kwargs: Any) -> list[Any]:
        self.set_options(var_options=variables, direct=kwargs)  # type: ignore[no-untyped-call]
        problems = [problem for term in terms for problem in self._read(term)[1]]
        approved = self.get_option("approved")  # type: ignore[no-untyped-call]
        return problems if approved is None else [*problems, *self._of_approval(approved)]

    def _of_approval(self, approved: Any) -> list[str]:
        """The reasons why the value of ``converge_approved`` is not a valid approval."""
        name = "converge_approved"
        try:
            if isinstance(approved, str) and approved:
                name = unfrackpath(approved)
                if not Path(name).is_file():
                    return [printable(f"{name} does not exist or is not a file. It is to be the approved plan.")]
                data, is_plain = self._loader._get_file_contents(name)
                approved = data.decode("utf-8")
                if not is_plain and blueprint_used(approved) != approved:
                    return [printable(f"{name} is vaulted, and invitations are taken out of it once sent. Decrypt it.")]
            blueprint_steps(approved)
        except AnsibleFilterError as error:
            return [printable(f"{name}: {error}")]
        except (AnsibleError, OSError, UnicodeDecodeError) as error:
            return [printable(f"{name} cannot be read as a plan file: {' '.join(str(error).split())}")]
        return []
