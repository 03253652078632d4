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
extends_documentation_fragment:
  - hosting.platform.outcome
options:
  drift:
    description:
      - Whether the task in check mode was to find drift. The title is then C(Drift report), and otherwise C(Plan).
    type: bool
    default: false
  plan:
    description:
      - The path of the plan file that was written, if any. After a check, the page then says how to apply this plan
        with the role P(hosting.platform.converge#role).
    type: str
  approved:
    description:
      - The identifiers of the steps that the task was restricted to, if it was. In a plan that was refused, the page
        marks the other steps.
    type: list
    elements: str
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
    content: "{{ drift | hosting.platform.blueprint_report(check_mode=true, drift=true) }}"
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
import json
import re
import shlex
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ..module_utils._model.kinds.registry import KINDS
from ..module_utils._version import VERSION
from ..plugin_utils._outcome import Outcome
from ..plugin_utils._registered import STATES, UNDECLARED

TEMPLATES = Path(__file__).resolve().parents[2] / "roles" / "converge" / "templates"
# Initially shown are about two lines of a message, and the first three messages.
MESSAGE = 240
MESSAGES = 3
# A path that neither a shell nor the option -e treats specially.
PLAIN_PATH = re.compile(r"[\w./+-]+")


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"blueprint_report": blueprint_report}


def blueprint_report(
    outcome: Mapping[str, Any],
    check_mode: bool = False,
    base_url: str | None = None,
    time: str | None = None,
    drift: bool = False,
    option_prefix: str = "",
    plan: str | None = None,
    approved: Collection[str] | None = None,
) -> str:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    model = Outcome(outcome, check_mode, time, base_url, drift, option_prefix, approved)
    tiles = {state: model.count(state) for state in STATES}
    counts = {state: count for state, count in tiles.items() if state != UNDECLARED}
    style, script = (_read(name) for name in ("report.css", "report.js"))
    things = [*model.entries, *model.undeclared]
    return environment.get_template("report.html.j2").render(
        model=model,
        counts=counts,
        tiles=tiles,
        kinds=_kinds({thing.kind for thing in things}),
        shown_messages=MESSAGES,
        folded=_folded,
        option=_option_for(plan) if plan and _can_be_applied(model) else "",
        teams=sorted({thing.team for thing in things}),
        by_team=model.by_team(),
        version=VERSION,
        style=Markup(style),  # noqa: S704 (a file of ours)
        script=Markup(script),  # noqa: S704 (a file of ours)
        style_hash=_hash(style),
        script_hash=_hash(script),
    )


def _folded(message: str) -> tuple[str, str]:
    """The beginning of a long message, and the rest of it."""
    if len(message) <= MESSAGE:
        return message, ""
    end = message.rfind(" ", MESSAGE // 2, MESSAGE)
    end = MESSAGE if end < 0 else end
    return message[:end], message[end:].lstrip()


def _can_be_applied(model: Outcome) -> bool:
    pending = model.changes + model.count("invite")
    return model.is_check and model.has_plan and not model.causes and bool(pending)


def _option_for(plan: str) -> str:
    """The option of a command line that restricts a run to the plan, which is then no output any more."""
    options = {"converge_plan": "", "converge_approved": plan}
    is_plain = PLAIN_PATH.fullmatch(plan)
    given = " ".join(f"{name}={path}" for name, path in options.items()) if is_plain else json.dumps(options)
    return f"-e {shlex.quote(given)}"


def _kinds(there: Collection[str]) -> dict[str, str]:
    """The title of each kind on the page, in the order of a blueprint."""
    known = {kind: kind.replace("_", " ").capitalize() for kind in KINDS if kind in there}
    return {**known, **{kind: kind for kind in sorted(set(there) - set(known))}}


def _read(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    """The hash in the format of a content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
