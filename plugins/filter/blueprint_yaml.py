# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: blueprint_yaml
short_description: Convert entries of a blueprint into unambiguous YAML
version_added: 1.0.0
description:
  - Converts a list of entries, such as those in RV(hosting.platform.blueprint_info#module:blueprint), into a file for
    P(hosting.platform.blueprint_directory#lookup).
  - All text is quoted, so that none of it becomes a number, a date or a boolean. Text that Ansible would evaluate as a
    template has the tag C(!unsafe), so that it is never evaluated.
  - Text stays readable in any language. Only invisible characters are written as escape sequences. No line is folded.
author:
  - hosting.platform contributors (@hosting-platform)
positional: _input
options:
  _input:
    description: The entries.
    type: list
    elements: dict
    required: true
seealso:
  - plugin: hosting.platform.blueprint_directory
    plugin_type: lookup
"""

EXAMPLES = r"""
- name: Read the platform
  hosting.platform.blueprint_info:
  register: live

- name: Write the projects to a file
  ansible.builtin.copy:
    content: "{{ live.blueprint.projects | hosting.platform.blueprint_yaml }}"
    dest: projects.yml
    mode: "0644"
"""

RETURN = r"""
_value:
  description: The text of a YAML file.
  type: str
  sample: |
    ---
    - name: "web"
      team: "acme"
      build_command: !unsafe "echo {{ nothing }}"
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ansible.errors import AnsibleFilterError
from yaml.representer import SafeRepresenter

from ..module_utils._model.options import type_name
from ..module_utils._text import printable
from ..plugin_utils._templates import is_template

# The pattern of an option's name.
WORD = re.compile(r"[a-z][a-z_]{0,62}")
# Words that YAML does not read as text.
NO_TEXT = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
# YAML requires a question mark before longer keys.
LONGEST_SIMPLE_KEY = 1000


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"blueprint_yaml": blueprint_yaml}


def blueprint_yaml(entries: Iterable[dict[str, Any]]) -> str:
    """Raises AnsibleFilterError for anything but dictionaries."""
    return "---\n" + ("".join(map(_block, entries_of(entries))) or "[]\n")


def entries_of(given: Any) -> list[dict[str, Any]]:
    """The entries, which filters such as ``select`` give as a generator."""
    if isinstance(given, (str, Mapping)) or not isinstance(given, Iterable):
        raise AnsibleFilterError(f"The input must be a list of entries, and is {type_name(given)}.")
    entries = list(given)
    for entry in entries:
        if not isinstance(entry, Mapping):
            raise AnsibleFilterError(f"Each entry of the input must be a dictionary, and one is {type_name(entry)}.")
    return entries


def _block(entry: dict[str, Any]) -> str:
    if not entry or not all(map(_is_word, entry)):
        return f"- {_inline(entry)}\n"
    lines = [f"{option}: {_inline(value)}\n" for option, value in entry.items()]
    return "- " + "  ".join(lines)


def _is_word(key: Any) -> bool:
    return isinstance(key, str) and WORD.fullmatch(key) is not None and key not in NO_TEXT


def _inline(value: Any) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)}: {_inline(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    if isinstance(value, float):
        return str(SafeRepresenter().represent_float(value).value)
    return json.dumps(value)


def _key(key: Any) -> str:
    text = _inline(key)
    return text if len(text) <= LONGEST_SIMPLE_KEY else f"? {text} "


def _quoted(text: str) -> str:
    """The text with all but printable characters escaped, including unusual spaces and marks of text direction."""
    tag = "!unsafe " if is_template(text) else ""
    return tag + printable(json.dumps(text, ensure_ascii=False))
