# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the collection's roles, and reads their output: files, last line and failure."""

import json
from typing import Any

from environments import ROOT
from jsonschema import Draft202012Validator
from player import Play, Player, Task

Options = dict[str, Any]
SCHEMA = Draft202012Validator(
    json.loads((ROOT / "docs/schemas/plan.schema.json").read_text(encoding="utf-8"))
)
BLUEPRINT: Options = {
    "teams": [{"slug": "acme"}],
    "projects": [{"name": "web", "team": "acme", "framework": "nextjs", "source": "projects.yml"}],
}
OUTPUTS: Options = {
    "converge_report": "report.html",
    "converge_markdown": "comment.md",
    "converge_plan": "plan.json",
}
# The plan of BLUEPRINT on an empty platform.
TO_CREATE = (
    "+ team acme\n+ project acme/web  framework: nextjs  projects.yml\n2 to create (1 team, 1"
    " project)"
)
WRITTEN = "Files written: report.html, comment.md, plan.json."
# Options that each role needs.
GIVEN: dict[str, Options] = {
    "converge": {"converge_blueprint": {"teams": [{"slug": "acme"}]}},
    "export": {"export_directory": "live"},
    "login": {
        "login_email": "owner@example.com",
        "login_token_name": "job",
        "login_token_path": "token",
    },
}


def role(name: str, check: bool = False, **options: Any) -> Options:
    """The role; ``check`` applies check mode where the command line does not."""
    include: Options = {"name": f"hosting.platform.{name}"}
    if check:
        include["apply"] = {"check_mode": True}
    return {"ansible.builtin.include_role": include, "vars": options}


def converge(check: bool = False, **options: Any) -> Options:
    """The role with all outputs."""
    return role("converge", check, **{"converge_blueprint": BLUEPRINT, **OUTPUTS, **options})


def include(name: str, **options: Any) -> Options:
    """The role with the options that it needs."""
    return role(name, **{**GIVEN[name], **options})


def with_rescue(task: Options) -> Options:
    """A task whose failure is recorded and does not end the play."""
    outcome = {"message": "{{ ansible_failed_result.msg }}"}
    return {
        "block": [task],
        "rescue": [{"name": "Caught", "ansible.builtin.set_fact": {"caught": outcome}}],
    }


def play_on(player: Player, *tasks: Options, **environment: str) -> Play:
    """Run tasks; unlike with the player's own ``run``, an uncaught failure ends the play."""
    return player.run_plays(
        [{"hosts": "localhost", "gather_facts": False, "tasks": list(tasks)}], **environment
    )


def tasks_named(play: Play, name: str) -> list[Task]:
    """The tasks with that name, in order."""
    return [task for task in play.tasks if task.name.endswith(name)]


def outcomes(play: Play) -> list[Options]:
    """The results of the module in the role converge."""
    return [task.result for task in tasks_named(play, "Converge the platform")]


def messages_of_caught(play: Play) -> list[str]:
    return [
        task.result["ansible_facts"]["caught"]["message"] for task in tasks_named(play, "Caught")
    ]


def plan(player: Player) -> Options:
    written: Options = json.loads((player.folder / "plan.json").read_text(encoding="utf-8"))
    SCHEMA.validate(written)
    return written


def set_stats_of(play: Play) -> list[Options]:
    """What each run of the role converge passes to the controller."""
    return [
        dict(task.result["ansible_stats"]["data"])
        for task in tasks_named(play, "the steps to approve")
    ]


def titles(player: Player) -> list[str]:
    """Those of the page and of the comment."""
    page, comment = (
        (player.folder / name).read_text(encoding="utf-8") for name in ("report.html", "comment.md")
    )
    return [
        page.partition("<h1>")[2].partition("<")[0],
        comment.partition("## ")[2].partition("\n")[0],
    ]


def failure(play: Play) -> str:
    """The message of the role's failure, which must show nothing else."""
    (failed,) = [task for task in play.tasks if task.status == "failed"]
    assert {"results", "steps", "undeclared", "diff"}.isdisjoint(failed.result), failed.result
    return str(failed.result["msg"])
