# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: visible
short_description: Make all characters of a text visible
version_added: 1.0.0
description:
  - Replaces characters that act on a terminal, change how the text around them is shown, or show nothing at all, by
    their escape sequences. The result is one line.
  - For text of the service in messages of one's own, such as the name of a project.
author:
  - hosting.platform contributors (@hosting-platform)
positional: _input
options:
  _input:
    description: The text.
    type: raw
    required: true
"""

EXAMPLES = r"""
- name: Read the projects
  hosting.platform.project_info:
    team: acme
  register: live

- name: Show their names
  ansible.builtin.debug:
    msg: "{{ live.projects | map(attribute='name') | map('hosting.platform.visible') | join(', ') }}"
"""

RETURN = r"""
_value:
  description: The text.
  type: str
  sample: 'web\ufe0f'
"""

from collections.abc import Callable
from typing import Any

from ..module_utils._text import printable


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"visible": visible}


def visible(text: Any) -> str:
    return printable(text)
