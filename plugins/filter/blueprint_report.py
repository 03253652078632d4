# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: blueprint_report
short_description: What came of a blueprint, as a page for people
version_added: 1.0.0
description:
  - Turns the result of M(hosting.platform.blueprint) into one HTML page that needs nothing from outside. It shows what
    was created, changed, deleted, skipped and refused, or would be.
  - Every value is escaped, and a content security policy lets nothing run but the page's own script. Without scripts
    the page shows everything.
  - A result of a task that failed will do as well.
author:
  - hosting.platform contributors (@hosting-platform)
positional: _input
options:
  _input:
    description: The registered result.
    type: dict
    required: true
  check_mode:
    description: Whether the task ran in check mode. The page is a drift report then.
    type: bool
    default: false
  base_url:
    description:
      - The address of the service, by default the one in the result. User info, query and fragment are left out.
    type: str
  time:
    description: When the task ran, as the page is to say it. By default now, in UTC.
    type: str
seealso:
  - module: hosting.platform.blueprint
"""

EXAMPLES = r"""
- name: See what has drifted
  hosting.platform.blueprint:
    blueprint: "{{ lookup('hosting.platform.blueprint_directory', playbook_dir ~ '/blueprint') }}"
  check_mode: true
  register: drift

- name: Write it down
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
import datetime
import hashlib
import json
import typing as t
from pathlib import Path
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ansible_collections.hosting.platform.plugins.module_utils._version import VERSION

TEMPLATES = Path(__file__).resolve().parents[2] / "roles" / "converge" / "templates"
# What may have become of an entry, and how it is said of check mode and of a run.
STATES = {
    "failed": ("Failed", "Failed"),
    "create": ("To create", "Created"),
    "update": ("To change", "Changed"),
    "delete": ("To delete", "Deleted"),
    "invite": ("To invite", "Invited"),
    "skip": ("Skipped", "Skipped"),
    "none": ("Unchanged", "Unchanged"),
}
INTENTIONS = {"create": "to create", "update": "to change", "delete": "to delete", "invite": "to invite"}
KINDS = {
    "teams": "Teams",
    "team_members": "Team members",
    "projects": "Projects",
    "aliases": "Aliases",
    "domains": "Domains",
}
OWN_SCOPE = "own scope"


class FilterModule:
    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"blueprint_report": blueprint_report}


def blueprint_report(
    outcome: t.Mapping[str, t.Any], check_mode: bool = False, base_url: str | None = None, time: str | None = None
) -> str:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    words = {state: said[0 if check_mode else 1] for state, said in STATES.items()}
    entries = [_entry(result) for result in outcome.get("results") or []]
    counts = {state: sum(1 for entry in entries if entry["state"] == state) for state in words}
    style, script = (_read(name) for name in ("report.css", "report.js"))
    return environment.get_template("report.html.j2").render(
        title="Drift report" if check_mode else "Run report",
        check_mode=check_mode,
        time=time or datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC"),
        base_url=_address(base_url or outcome.get("base_url", "")),
        is_planned="results" in outcome,
        message=str(outcome.get("msg", "")) if outcome.get("failed") else "",
        warnings=[str(warning) for warning in outcome.get("warnings") or []],
        words=words,
        counts=counts,
        bar=_bar(counts),
        changes=sum(1 for result in outcome.get("results") or [] if result["changed"]),
        kinds={kind: [entry for entry in entries if entry["kind"] == kind] for kind in KINDS},
        kind_names=KINDS,
        teams=sorted({entry["team"] for entry in entries}),
        requests=outcome.get("summary", {}).get("requests"),
        version=VERSION,
        style=Markup(style),  # noqa: S704 (a file of ours)
        script=Markup(script),  # noqa: S704 (a file of ours)
        style_hash=_hash(style),
        script_hash=_hash(script),
    )


def _entry(result: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    state = "failed" if result.get("failed") else result["action"]
    before, after = result["diff"]["before"], result["diff"]["after"]
    is_shown = state != "none"
    return {
        "kind": result["kind"],
        "name": str(result["name"]),
        # A team is found among its own things.
        "team": str(result["name"] if result["kind"] == "teams" else result["team"] or OWN_SCOPE),
        "state": state,
        "intention": INTENTIONS.get(result["action"], "") if state == "failed" else "",
        "message": str(result.get("msg", "")),
        "has_before": bool(before),
        "has_after": bool(after),
        "fields": [
            {"name": name, "before": _text(before.get(name)), "after": _text(after.get(name))}
            for name in dict.fromkeys([*after, *before])
            if is_shown
        ],
    }


def _text(value: t.Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _bar(counts: t.Mapping[str, int]) -> list[tuple[str, float, float]]:
    """State, start and width of each part, in percent."""
    total, start, parts = sum(counts.values()), 0.0, []
    for state, count in counts.items():
        if count:
            width = 100 * count / total
            parts.append((state, round(start, 3), round(width, 3)))
            start += width
    return parts


def _address(url: str) -> str:
    """The URL without what may be a secret."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def _read(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    """As a content security policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
