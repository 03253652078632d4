# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the role converge says and leaves where it fails, is refused, or finds drift."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playing import Player

from roles import (
    AND_OUTPUTS,
    BLUEPRINT,
    OUTPUTS,
    WRITTEN,
    Options,
    converge,
    failure,
    handed,
    line,
    plan,
    play_on,
    role,
    write,
)


def titles(player: Player) -> list[str]:
    page, comment = ((player.folder / name).read_text(encoding="utf-8") for name in ("report.html", "comment.md"))
    return [page.partition("<h1>")[2].partition("<")[0], comment.partition("## ")[2].partition("\n")[0]]


@pytest.mark.core_differences
def test_failed_entry_leaves_its_step_in_the_plan(player: Player) -> None:
    player.emulator.fail("POST /projects", "403")
    failed = play_on(player.failing, converge(converge_fail_on_drift=True))
    written = plan(player)
    assert [result["action"] for result in written["results"]] == ["create", "create"]
    assert written["steps"] == [written["results"][1]["step"]]
    assert "1 of 2 entries failed; 1 change was made." in (player.folder / "comment.md").read_text(encoding="utf-8")
    assert line(failed).startswith("1 failed: project web of acme (the first: POST /projects failed: ")
    assert line(failed).endswith("); 1 created: team acme; 0 unchanged." + WRITTEN)
    assert failure(failed).startswith("1 of 2 entries failed:\nprojects[0] web (projects.yml): POST /projects failed: ")
    assert failure(failed).endswith(AND_OUTPUTS)


@pytest.mark.core_differences
def test_option_that_every_module_refuses_is_told_by_the_last_task(player: Player) -> None:
    failed = play_on(player.failing, role("converge", converge_blueprint=BLUEPRINT), HOSTING_PLATFORM_TIMEOUT="soon")
    assert failed.tasks[-1].name.endswith("Ensure the platform is as declared")
    assert "'timeout' is of type" in failure(failed)


@pytest.mark.core_differences
def test_output_that_cannot_be_written_after_all_hides_nothing(player: Player) -> None:
    """The place is taken once the outputs have been looked at, which is before the files are read."""
    taken = f"{player.folder}/report.html"
    spoiled = f"{{{{ lookup('pipe', 'test ! -e approved.json || {{ rm -rf {taken}; mkdir {taken}; }}') }}}}"
    files = {"teams": f'- {{slug: acme, name: "{spoiled}Acme"}}', "projects": "- {name: web, team: acme}"}
    write(player.folder / "blueprint", **files, team_members="- {team: acme, email: dev@example.com, role: VIEWER}")
    given: Options = {"converge_directory": "blueprint", "converge_invite": True, **OUTPUTS}
    play_on(player, role("converge", check=True, **given))
    (player.folder / "plan.json").rename(player.folder / "approved.json")
    player.emulator.fail("POST /projects", "403")
    failed = play_on(player.failing, role("converge", **given, converge_approved="approved.json"))
    unwritten = f" converge_report cannot be written to {taken}: it is a directory."
    assert failure(failed).startswith(
        "1 of 3 entries failed:\nprojects[0] web (projects.yml:1): POST /projects failed: "
    )
    assert failure(failed).endswith(f"permission for this.{unwritten}")
    assert line(failed).endswith("; 1 created: team acme; 1 invited: team member dev@example.com of acme; 0 unchanged.")
    assert len(json.loads((player.folder / "approved.json").read_text(encoding="utf-8"))["steps"]) == 2

    given["converge_invite"] = False
    Path(taken).rmdir()
    done = play_on(player.failing, role("converge", **given, converge_approved="approved.json"))
    assert failure(done).startswith("1 created: project web of acme; 1 unchanged; 1 invitation was not sent")
    assert failure(done).endswith(unwritten)


@pytest.mark.parametrize("check", [True, False])
def test_what_never_comes_to_a_plan_is_told_too(player: Player, check: bool) -> None:
    failed = play_on(player.failing, converge(check=check, converge_blueprint={"project": []}))
    written = plan(player)
    assert (written["check"], written["failed"], written["results"], written["steps"]) == (check, True, [], [])
    assert "unknown kind project" in written["msg"]
    words = "The check failed." if check else "The run failed."
    assert words in (player.folder / "report.html").read_text(encoding="utf-8")
    assert words in (player.folder / "comment.md").read_text(encoding="utf-8")
    cause = "blueprint: unknown kind project. Did you mean projects?"
    assert line(failed) == f"{words.rstrip('.')}: {cause}{WRITTEN}"
    assert failure(failed) == f"{cause}{AND_OUTPUTS}"
    assert handed(failed)[0] == ({"converge_approved": []} if check else {}), "what was never planned is not approved"


def test_drift_fails_when_everything_is_written(player: Player) -> None:
    drifted = play_on(player.failing, converge(check=True, converge_fail_on_drift=True))
    assert line(drifted) == (
        "The platform has drifted: 2 to create: team acme, project web of acme; 0 unchanged." + WRITTEN
    )
    assert "failed_when" not in drifted.output
    assert plan(player)["failed"] is False
    assert plan(player)["changed"] is True
    assert handed(drifted)[0]["converge_summary"]["create"] == 2
    assert titles(player) == ["Drift report"] * 2

    play_on(player, converge(converge_fail_on_drift=True))  # a run has no drift
    assert titles(player) == ["Run report"] * 2
    play_on(player, converge(check=True, converge_fail_on_drift=True))
    play_on(player, converge(check=True))
    assert titles(player) == ["Plan"] * 2


def test_invitations_and_what_is_undeclared_are_no_drift(player: Player) -> None:
    player.emulator.seed(
        teams=[{"slug": "acme"}],
        projects=[{"name": "web", "team": "acme", "framework": "nextjs"}, {"name": "old", "team": "acme"}],
    )
    members = {"team_members": [{"team": "acme", "email": "dev@example.com", "role": "DEVELOPER"}]}
    blueprint = {**BLUEPRINT, **members}
    given: dict[str, Any] = {"converge_fail_on_drift": True, "converge_blueprint": blueprint, "converge_invite": True}
    checked = play_on(player, converge(check=True, **given))
    assert line(checked).startswith(
        "1 to invite: team member dev@example.com of acme; 2 unchanged; 1 undeclared: project"
    )
    assert [entry["name"] for entry in plan(player)["undeclared"]] == ["old"]
    assert plan(player)["steps"] == handed(checked)[0]["converge_approved"]
    assert len(plan(player)["steps"]) == 1


def test_guard_keeps_the_whole_plan(player: Player) -> None:
    names = [f"p{number}" for number in range(12)]
    player.emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": name, "team": "acme"} for name in names])
    refused = play_on(player.failing, converge(check=True, converge_prune=["projects"], converge_limits={"create": 5}))
    written = plan(player)
    assert "converge_prune_limit: 12 of 12 projects of team acme would be deleted, more than 30 %." in (written["msg"])
    assert [result["action"] for result in written["results"]].count("delete") == 12
    assert written["refused"] is True
    assert handed(refused)[0]["converge_summary"]["delete"] == 12
    page = (player.folder / "report.html").read_text(encoding="utf-8")
    assert page.count('class="entry delete"') == 12
    assert page.index("prune_limit") < page.index('class="entry ')
    assert line(refused).startswith(
        "Refused by converge_prune_limit; nothing was written. Planned: 12 to delete (24 with what"
    )
    assert " and 2 more; 1 to create" in line(refused)
    assert failure(refused) == written["msg"] + AND_OUTPUTS
    assert len(refused.output) < 6_000, "the result with all its entries is not shown"


def test_limits_and_unlisted_fields_are_handed_on(player: Player) -> None:
    player.emulator.seed(
        teams=[{"slug": "acme"}],
        projects=[{"name": "web", "team": "acme", "framework": "nextjs", "buildCommand": "make"}],
    )
    limited = play_on(player.failing, converge(converge_unlisted_fields="clear", converge_limits={"update": 0}))
    assert failure(limited).startswith("converge_limits.update: 1 would be changed (1 project), more than 0.")
    assert line(limited).startswith("Refused by converge_limits.update; nothing was written. Planned: 1 to change:")
    assert line(limited).endswith(WRITTEN)
    play_on(player, converge(converge_unlisted_fields="clear"))
    (project,) = player.emulator.state()["projects"]
    assert not project["buildCommand"]


def test_undeclared_objects_fail_a_check_if_they_are_to(player: Player) -> None:
    projects = [{"name": name, "team": "acme"} for name in ("old", "prod-old")]
    player.emulator.seed(
        teams=[{"slug": "acme"}], projects=[{"name": "web", "team": "acme", "framework": "nextjs"}, *projects]
    )
    given: dict[str, Any] = {"converge_fail_on_undeclared": True, "converge_protect": ["prod-*"]}
    found = play_on(player.failing, converge(check=True, **given))
    begins = "The platform has undeclared objects: 2 unchanged; 2 undeclared: project"
    assert line(found).startswith(begins)
    assert line(found) == failure(found)
    assert titles(player) == ["Drift report"] * 2
    assert len(plan(player)["undeclared"]) == 2
    play_on(player, converge(**given))  # only a check fails

    declared = {**BLUEPRINT, "projects": [*BLUEPRINT["projects"], *projects]}
    play_on(player, converge(check=True, converge_blueprint=declared, **given))
