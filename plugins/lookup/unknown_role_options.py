# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: unknown_role_options
short_description: Find variables that look like options of a role and are none
version_added: 1.0.0
description:
  - Returns a message for each variable that begins with the name of a role of this collection and an underscore, and is
    none of the options of the role. The list is empty if there is none.
  - The roles of this collection use it, so that a misspelled option is not ignored.
author:
  - hosting.platform contributors (@hosting-platform)
options:
  _terms:
    description: The names of the roles, such as V(converge).
    type: list
    elements: str
    required: true
  handed_on:
    description: Variables that the role itself hands on to later plays.
    type: list
    elements: str
    default: []
"""

EXAMPLES = r"""
- name: Show misspelled options
  ansible.builtin.debug:
    msg: "{{ query('hosting.platform.unknown_role_options', 'converge') }}"
"""

RETURN = r"""
_raw:
  description: The messages.
  type: list
  elements: str
  sample:
    - converge_approve is not an option of the role converge. Did you mean converge_approved?
"""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from ansible.errors import AnsibleLookupError
from ansible.plugins.lookup import LookupBase

from ..module_utils._text import nearest, printable

ROLES = Path(__file__).resolve().parents[2] / "roles"


class LookupModule(LookupBase):
    def run(self, terms: list[str], variables: Mapping[str, Any] | None = None, **kwargs: Any) -> list[str]:
        self.set_options(var_options=variables, direct=kwargs)  # type: ignore[no-untyped-call]
        handed_on = self.get_option("handed_on")  # type: ignore[no-untyped-call]
        return [message for role in terms for message in _messages(role, variables or {}, handed_on)]


def _messages(role: str, variables: Collection[str], handed_on: Collection[str]) -> Iterator[str]:
    roles = sorted(folder.name for folder in ROLES.iterdir())
    if role not in roles:
        raise AnsibleLookupError(printable(f"{role} is not a role of this collection.{nearest(role, roles)}"))
    specification = (ROLES / role / "meta" / "argument_specs.yml").read_text(encoding="utf-8")
    options = yaml.safe_load(specification)["argument_specs"]["main"]["options"]
    for name in sorted(map(str, variables)):
        if name.startswith(f"{role}_") and name not in options and name not in handed_on:
            yield printable(f"{name} is not an option of the role {role}.{nearest(name, options)}")
