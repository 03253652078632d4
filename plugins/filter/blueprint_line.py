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
    counts the rest. It names what refused the plan, or the first cause of a failure.
  - Accepts the result of a failed task as well.
author:
  - hosting.platform contributors (@hosting-platform)
positional: _input
extends_documentation_fragment:
  - hosting.platform.outcome
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

from ..plugin_utils._outcome import Outcome
from ..plugin_utils._registered import OWN_SCOPE, STATES, Thing

NAMED = 10
NOT_NAMED = ("skip", "none")


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"blueprint_line": blueprint_line}


def blueprint_line(outcome: Mapping[str, Any], check_mode: bool = False, option_prefix: str = "") -> str:
    model = Outcome(outcome, check_mode, option_prefix=option_prefix)
    if not model.has_plan:
        return f"{model.verdict.rstrip('.')}: {model.first_cause}" if model.first_cause else model.verdict
    refused = f"{model.beginning} Planned: " if model.is_refused else ""
    return f"{refused}{'; '.join(_parts(model))}."


def _parts(model: Outcome) -> Iterator[str]:
    left = NAMED
    for state in STATES:
        entries = model.of(state)
        named = entries[: 0 if state in NOT_NAMED else left]
        left -= len(named)
        if entries or state == "none":
            yield f"{model.counted(state)}{_names(named, len(entries))}{_why(model, state)}"
    yield from model.notes


def _why(model: Outcome, state: str) -> str:
    """The first cause, which for a widespread error is that of all."""
    return f" (the first: {model.first_cause})" if state == "failed" and model.first_cause else ""


def _names(things: Sequence[Thing], of: int) -> str:
    """The names of the things, and how many more there are."""
    if not things:
        return ""
    rest = of - len(things)
    return f": {', '.join(map(_name, things))}{f' and {rest:,} more' if rest else ''}"


def _name(thing: Thing) -> str:
    belongs = thing.kind != "teams" and thing.team != OWN_SCOPE
    return f"{thing.kind_in_words} {thing.name}{f' of {thing.team}' if belongs else ''}"
