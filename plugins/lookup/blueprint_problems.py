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
seealso:
  - plugin: hosting.platform.blueprint_directory
    plugin_type: lookup
"""

EXAMPLES = r"""
- name: Show the problems in the files
  ansible.builtin.debug:
    msg: "{{ query('hosting.platform.blueprint_problems', playbook_dir ~ '/blueprint') }}"
"""

RETURN = r"""
_raw:
  description: The problems, each with its file, relative to the directory where an entry is meant, and the line.
  type: list
  elements: str
  sample:
    - 'projects[3] shop (projects.yml:12): unknown option framwork. Did you mean framework?'
"""

from pathlib import Path
from typing import Any

from ansible.utils.path import unfrackpath

from ansible_collections.hosting.platform.plugins.lookup.blueprint_directory import LookupModule as BlueprintDirectory


class LookupModule(BlueprintDirectory):
    def run(self, terms: list[str], variables: Any = None, **kwargs: Any) -> list[Any]:
        self.set_options(var_options=variables, direct=kwargs)  # type: ignore[no-untyped-call]
        return [problem for term in terms for problem in self._read(Path(unfrackpath(term)))[1]]
