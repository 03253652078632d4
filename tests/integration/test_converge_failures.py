# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The role converge where it fails: an entry, a problem before planning, drift, and a guard that
refuses.
"""

import pytest
from player import Player
from sampling import both_ways

from roles import (
    TO_CREATE,
    WRITTEN,
    converge,
    failure,
    outcomes,
    plan,
    play_on,
    set_stats_of,
    titles,
)

pytestmark = pytest.mark.usefixtures("custom_stats")


def test_failed_entry_leaves_its_step_in_the_plan_and_is_said_alone(player: Player) -> None:
    player.emulator.plan_fault("POST /projects", "400")
    failed = play_on(player.expecting_failure, converge())
    written = plan(player)
    assert [result["action"] for result in written["results"]] == ["create", "create"]
    assert written["steps"] == [written["results"][1]["step"]]
    words = "Failed: 1 of 2 steps done (1 created), 1 failed."
    assert f"**{words}**" in (player.folder / "comment.md").read_text(encoding="utf-8")
    assert f"{WRITTEN}\n{words}\n" in failed.output
    assert failure(failed).startswith(
        "1 of 2 steps failed:\nprojects[0] web (projects.yml): POST /projects failed: "
    )
    assert set_stats_of(failed) == [{"converge_summary": written["summary"]}]


@pytest.mark.parametrize("check", [True, False])
def test_failure_before_planning_approves_nothing(player: Player, check: bool) -> None:
    failed = play_on(
        player.expecting_failure, converge(check=check, converge_blueprint={"project": []})
    )
    written = plan(player)
    assert (written["check"], written["failed"], written["results"], written["steps"]) == (
        check,
        True,
        [],
        [],
    )
    assert written["base_url"] == player.emulator.base_url
    title = "Plan for" if check else "Run on"
    assert titles(player)[1] == f"{title} `{player.emulator.base_url}`"
    words = "Failed: nothing was changed."
    assert words in (player.folder / "report.html").read_text(encoding="utf-8")
    assert f"{WRITTEN}\n{words}\n" in failed.output
    assert failure(failed) == "converge_blueprint: unknown kind project. Did you mean projects?"
    assert set_stats_of(failed) == [{"converge_approved": []} if check else {}]


def test_a_long_failure_is_whole(player: Player) -> None:
    blueprint = {"projects": [{"nme": "a"}] * 20}
    failed = play_on(player.expecting_failure, converge(converge_blueprint=blueprint))
    assert len(failure(failed).split("\n")) == 40
    assert plan(player)["msg"] == failure(failed)


def test_drift_fails_when_everything_is_written_and_its_steps_stand(player: Player) -> None:
    drifted = play_on(player.expecting_failure, converge(check=True, converge_fail_on_drift=True))
    assert failure(drifted) == "The platform has drifted: 2 to create (1 team, 1 project)."
    assert (plan(player)["failed"], plan(player)["changed"], titles(player)[0]) == (
        False,
        True,
        "Drift report",
    )
    assert set_stats_of(drifted)[0]["converge_approved"] == plan(player)["steps"] != []
    play_on(player, converge(converge_fail_on_drift=True))  # a run has no drift
    assert titles(player)[0] == "Run report"
    play_on(player, converge(check=True, converge_fail_on_drift=True))


def test_fail_on_undeclared_fails_check_mode(player: Player) -> None:
    projects = [{"name": name, "team": "acme"} for name in ("old", "prod-old")]
    web = {"name": "web", "team": "acme", "framework": "nextjs"}
    player.emulator.seed(teams=[{"slug": "acme"}], projects=[web, *projects])
    found = play_on(
        player.expecting_failure, converge(check=True, converge_fail_on_undeclared=True)
    )
    assert (
        failure(found)
        == "The platform has undeclared objects: project acme/old, project acme/prod-old."
    )
    assert plan(player)["outcome"] == "Nothing to do; 2 unchanged, 2 undeclared."
    play_on(player, converge(converge_fail_on_undeclared=True))  # only a check fails
    play_on(player, converge(check=True, converge_fail_on_drift=True))  # it is no drift


@both_ways
def test_refusal_keeps_the_plan_and_names_the_guards_of_the_role(
    player: Player, in_process: str
) -> None:
    refused = play_on(
        player.expecting_failure,
        converge(check=True, converge_limits={"create": 1}, converge_approved=[]),
        HOSTING_PLATFORM_IN_PROCESS=in_process,
    )
    written = plan(player)
    assert {refusal["guard"] for refusal in written["refusals"]} == {"limits.create", "approved"}
    said = "converge_limits.create: 2 would be created, but the limit is 1:"
    assert failure(refused).startswith(said)
    assert "\nconverge_approved: " in failure(refused)
    assert f"{WRITTEN}\nRefused: nothing was changed.\n" in refused.output
    assert (written["refused"], len(written["results"])) == (True, 2)
    assert set_stats_of(refused)[0]["converge_approved"] == []
    lines, counts = TO_CREATE.rsplit("\n", 1)
    guards = "Guards: limits create 1; approved."
    assert f"{lines}\n{guards}\n{counts}." in refused.output
    assert len(refused.output) < 4_000, "the result with all its entries is not shown"


def test_guard_that_is_null_fails_the_role(player: Player) -> None:
    failed = play_on(player.expecting_failure, converge(converge_protect=None))
    # Before ansible-core 2.19, a template makes an empty text of null.
    assert failure(failed).split(" ", 1)[0] == "converge_protect"
    assert failure(failed).endswith("To disable it, omit it.")
    empty = play_on(
        player, converge(check=True, converge_only=[], converge_ignore=[], converge_prune=[])
    )
    assert {row["reason"] for row in outcomes(empty)[0]["results"]} == {"not_selected"}
