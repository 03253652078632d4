# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: blueprint_line
short_description: Summarize the result of a blueprint in one line
version_added: 1.0.0
description:
  - Summarizes the changes in a result of M(hosting.platform.blueprint). The line names the first ten objects, and
    counts the rest.
  - Accepts the result of a failed task as well.
author:
  - hosting.platform contributors (@hosting-platform)
positional: _input
options:
  _input:
    description: The registered result.
    type: dict
    required: true
  check_mode:
    description: Whether the task ran in check mode.
    type: bool
    default: false
seealso:
  - module: hosting.platform.blueprint
"""

EXAMPLES = r"""
- name: Converge the platform
  hosting.platform.blueprint:
    blueprint: "{{ lookup('hosting.platform.blueprint_directory', playbook_dir ~ '/blueprint') }}"
  register: outcome

- name: Summarize the changes
  ansible.builtin.debug:
    msg: "{{ outcome | hosting.platform.blueprint_line }}"
"""

RETURN = r"""
_value:
  description: The line.
  type: str
  sample: "1 deleted: alias old.example.com of acme; 2 created: project shop of acme, team media; 40 unchanged."
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ansible_collections.hosting.platform.plugins.plugin_utils._outcome import (
    OWN_SCOPE,
    Entry,
    Outcome,
    kind_in_words,
    outcome_of,
)

NAMED = 10
ORDER = ("failed", "delete", "create", "update", "invite")


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"blueprint_line": blueprint_line}


def blueprint_line(outcome: Mapping[str, Any], check_mode: bool = False) -> str:
    model = outcome_of(outcome, check_mode)
    if not model.has_plan:
        return model.verdict
    refused = "Refused, and nothing was written: " if model.is_refused else ""
    return f"{refused}{'; '.join(_parts(model))}."


def _parts(model: Outcome) -> Iterator[str]:
    left = NAMED
    for state in ORDER:
        entries = model.of(state)
        if entries:
            yield f"{model.counted(state)}{_names(entries, left)}"
            left -= min(left, len(entries))
    if model.count("skip"):
        yield f"{model.count('skip'):,} skipped"
    yield f"{model.count('none'):,} unchanged"
    if model.undeclared:
        yield f"{len(model.undeclared):,} undeclared"


def _names(entries: Sequence[Entry], at_most: int) -> str:
    """The first of them by name, as long as there are names to give."""
    named = [_name(entry) for entry in entries[:at_most]]
    if not named:
        return ""
    rest = len(entries) - len(named)
    return f": {', '.join(named)}{f' and {rest:,} more' if rest else ''}"


def _name(entry: Entry) -> str:
    belongs = entry.kind != "teams" and entry.team != OWN_SCOPE
    return f"{kind_in_words(entry.kind)[0]} {entry.name}{f' of {entry.team}' if belongs else ''}"
