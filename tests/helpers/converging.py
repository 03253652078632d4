# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the role converge with any options, and reads its output: files, last line and failure."""

from __future__ import annotations

import json
from typing import Any

from environments import ROOT
from jsonschema import Draft202012Validator
from playing import Play, Player

Options = dict[str, Any]
SCHEMA = Draft202012Validator(json.loads((ROOT / "docs/schemas/plan.schema.json").read_text(encoding="utf-8")))
BLUEPRINT: Options = {
    "teams": [{"slug": "acme"}],
    "projects": [{"name": "web", "team": "acme", "framework": "nextjs", "source": "projects.yml"}],
}
MEMBERS = {"team_members": [{"team": "acme", "email": "dev@example.com", "role": "DEVELOPER"}]}
OUTPUTS = {"converge_report": "report.html", "converge_markdown": "comment.md", "converge_plan": "plan.json"}
WRITTEN = " Written: report.html, comment.md, plan.json."
AND_OUTPUTS = WRITTEN.replace("Written", "Outputs")


def converge(check: bool = False, **options: Any) -> Options:
    include = {"name": "hosting.platform.converge", "apply": {"check_mode": check}}
    return {"ansible.builtin.include_role": include, "vars": {"converge_blueprint": BLUEPRINT, **OUTPUTS, **options}}


def play(player: Player, *tasks: Options) -> Play:
    return player.run_plays([{"hosts": "localhost", "gather_facts": False, "tasks": list(tasks)}])


def named(played: Play, name: str) -> list[Any]:
    return [task for task in played.tasks if task.name.endswith(name)]


def plan(player: Player) -> Options:
    written: Options = json.loads((player.folder / "plan.json").read_text(encoding="utf-8"))
    SCHEMA.validate(written)
    return written


def line(played: Play) -> str:
    """The last line shown, or the failure if the platform has drifted."""
    shown = named(played, "Show the changes")[-1]
    return failure(played) if shown.status == "skipped" else str(shown.result["msg"])


def handed(played: Play) -> Options:
    (task,) = [task for task in played.tasks if "Pass the summary to the controller" in task.name]
    return dict(task.result["ansible_stats"]["data"])


def failure(played: Play) -> str:
    """The message of the role's failure, which must show nothing else."""
    (failed,) = [task for task in played.tasks if task.status == "failed"]
    assert {"results", "summary", "diff"}.isdisjoint(failed.result), failed.result
    return str(failed.result["msg"])
