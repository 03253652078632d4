# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: blueprint_files
short_description: Convert a blueprint into the files of a directory
version_added: 1.0.0
description:
  - Converts a blueprint, such as RV(hosting.platform.blueprint_info#module:blueprint), into files for
    P(hosting.platform.blueprint_directory#lookup). The content of each file is that of
    P(hosting.platform.blueprint_yaml#filter), below a line that tells editors the JSON schema of its kind.
author:
  - hosting.platform contributors (@hosting-platform)
positional: _input
options:
  _input:
    description: The blueprint.
    type: dict
    required: true
  layout:
    description:
      - V(kinds) creates a file for each kind.
      - V(teams) creates a folder for each team, with a file for each kind that the team has objects of. The folder is
        named after the slug of the team, if that can be the name of a folder. The folder of the own scope of the
        token's user is C(own-scope).
    type: str
    choices:
      - kinds
      - teams
    default: kinds
seealso:
  - plugin: hosting.platform.blueprint_yaml
    plugin_type: filter
  - plugin: hosting.platform.blueprint_directory
    plugin_type: lookup
"""

EXAMPLES = r"""
- name: Read the platform
  hosting.platform.blueprint_info:
  register: live

- name: Write the files
  ansible.builtin.copy:
    content: "{{ item.content }}"
    dest: "{{ item.path }}"
    mode: "0644"
  loop: "{{ live.blueprint | hosting.platform.blueprint_files }}"
  loop_control:
    label: "{{ item.path }}"
"""

RETURN = r"""
_value:
  description: The files, each with its C(path) relative to the directory, and its C(content).
  type: list
  elements: dict
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ansible.errors import AnsibleFilterError

from ..module_utils._model.kinds.registry import KINDS
from ..module_utils._model.options import type_name
from ..module_utils._text import printable
from ..plugin_utils._schemas import schema_address
from ..plugin_utils._templates import as_data
from .blueprint_yaml import blueprint_yaml, entries_of

Entry = Mapping[str, Any]
OWN_SCOPE = "own-scope"
GOOD_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}")


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"blueprint_files": blueprint_files}


def blueprint_files(blueprint: Mapping[str, list[Any]], layout: str = "kinds") -> list[dict[str, str]]:
    if layout not in ("kinds", "teams"):
        raise AnsibleFilterError(f"The layout must be kinds or teams, and is {layout}.")
    lists = _lists_of(blueprint)
    # If there are no entries, empty files say so: an empty directory is not a blueprint.
    folders = (_by_team(lists) if layout == "teams" else {}) or {"": lists}
    # The items of a loop are variables, and these contain text from the service.
    return [
        as_data({"path": f"{folder}{kind}.yml", "content": _content(kind, entries)})
        for folder, kinds in folders.items()
        for kind, entries in kinds.items()
    ]


def _lists_of(given: Any) -> dict[str, list[Any]]:
    """The lists of a blueprint by kind."""
    if not isinstance(given, Mapping):
        raise AnsibleFilterError(f"The input must be a blueprint, and is {type_name(given)}.")
    other = [str(kind) for kind in given if kind not in KINDS]
    if other:
        raise AnsibleFilterError(f"The input must be a blueprint, and {printable(other[0])} is no kind of object.")
    return {kind: entries_of(entries) for kind, entries in given.items()}


def _content(kind: str, entries: list[Any]) -> str:
    return f"# yaml-language-server: $schema={schema_address(kind)}\n{blueprint_yaml(entries)}"


def _by_team(blueprint: Mapping[str, list[Entry]]) -> dict[str, dict[str, list[Entry]]]:
    """The entries of each team, by folder."""
    teams: dict[str, dict[str, list[Entry]]] = {}
    for kind, entries in blueprint.items():
        for entry in entries:
            team = str(entry["slug"] if kind == "teams" else entry.get("team") or "")
            teams.setdefault(team, {}).setdefault(kind, []).append(entry)
    names = _folder_names(teams)
    return {f"{names[team]}/": kinds for team, kinds in teams.items()}


def _folder_names(teams: Iterable[str]) -> dict[str, str]:
    """A unique folder name for each team: slugs are untrusted text, and the name of a kind would mean that kind."""
    names: dict[str, str] = {}
    for team in teams:
        good = team if GOOD_NAME.fullmatch(team) and team not in KINDS else "team"
        name = wanted = good if team else OWN_SCOPE
        number = 1
        while name in names.values():
            number += 1
            name = f"{wanted}-{number}"
        names[team] = name
    return names
