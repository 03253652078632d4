# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: blueprint_report
short_description: Convert the result of a blueprint into an HTML report
version_added: 1.0.0
description:
  - Converts a result of M(hosting.platform.blueprint) into a single HTML page that loads nothing else. The page shows
    what was, or in check mode would be, created, changed, deleted, skipped and refused.
  - Every value is escaped, and a content security policy allows only the page's own script. The page shows everything
    without scripts too.
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
    description: Whether the task ran in check mode. The page is then a drift report.
    type: bool
    default: false
  base_url:
    description:
      - The address of the service. By default, the one in the result. User info, query and fragment are removed.
    type: str
  time:
    description: The time of the task, as the page should show it. By default, the current time in UTC.
    type: str
seealso:
  - module: hosting.platform.blueprint
"""

EXAMPLES = r"""
- name: Find drift
  hosting.platform.blueprint:
    blueprint: "{{ lookup('hosting.platform.blueprint_directory', playbook_dir ~ '/blueprint') }}"
  check_mode: true
  register: drift

- name: Write the report
  ansible.builtin.copy:
    content: "{{ drift | hosting.platform.blueprint_report(check_mode=true) }}"
    dest: drift.html
    mode: "0644"
"""

RETURN = r"""
_value:
  description: The HTML page.
  type: str
  sample: "<!DOCTYPE html>..."
"""

import base64
import hashlib
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ansible_collections.hosting.platform.plugins.module_utils._resources.kinds import KINDS
from ansible_collections.hosting.platform.plugins.module_utils._version import VERSION
from ansible_collections.hosting.platform.plugins.plugin_utils._outcome import (
    STATES,
    Entry,
    Undeclared,
    kind_in_words,
    outcome_of,
)

TEMPLATES = Path(__file__).resolve().parents[2] / "roles" / "converge" / "templates"
UNDECLARED = "undeclared"


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"blueprint_report": blueprint_report}


def blueprint_report(
    outcome: Mapping[str, Any], check_mode: bool = False, base_url: str | None = None, time: str | None = None
) -> str:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    model = outcome_of(outcome, check_mode, time, base_url)
    counts = {state: model.count(state) for state in STATES}
    style, script = (_read(name) for name in ("report.css", "report.js"))
    things: list[Entry | Undeclared] = [*model.entries, *model.undeclared]
    kinds = _kinds({thing.kind for thing in things})
    return environment.get_template("report.html.j2").render(
        model=model,
        words={**{state: model.word(state) for state in STATES}, UNDECLARED: "Undeclared"},
        counts=counts,
        tiles={**counts, UNDECLARED: len(model.undeclared)},
        bar=_bar(counts),
        kinds=kinds,
        kind_in_words=kind_in_words,
        sections=[
            (kind, one_and_all[1], [entry for entry in model.entries if entry.kind == kind])
            for kind, one_and_all in kinds.items()
            if any(entry.kind == kind for entry in model.entries)
        ],
        teams=sorted({thing.team for thing in things}),
        by_team=model.by_team(),
        version=VERSION,
        style=Markup(style),  # noqa: S704 (a file of ours)
        script=Markup(script),  # noqa: S704 (a file of ours)
        style_hash=_hash(style),
        script_hash=_hash(script),
    )


def _kinds(there: Collection[str]) -> dict[str, tuple[str, str]]:
    """How one, and all, of those that the page shows are called, in the order of a blueprint."""
    known = [kind for kind in KINDS if kind in there]
    return {kind: kind_in_words(kind) for kind in [*known, *sorted(set(there) - set(known))]}


def _bar(counts: Mapping[str, int]) -> list[tuple[str, float, float]]:
    """State, start and width of each part, in percent."""
    total, start, parts = sum(counts.values()), 0.0, []
    for state, count in counts.items():
        if count:
            width = 100 * count / total
            parts.append((state, round(start, 3), round(width, 3)))
            start += width
    return parts


def _read(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    """As a content security policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
