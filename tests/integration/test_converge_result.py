# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the role converge leaves behind: a variable for the tasks after it, also in a rescue, and
statistics for a controller.
"""

from typing import Any

import pytest
from player import Play, Player
from sampling import both_ways

from roles import Options, converge, outcomes, play_on, role, set_stats_of, tasks_named, with_rescue

STATS = "Pass the summary to the controller"
KEYS = ("failed", "msg", "refused", "refusals", "summary", "outcome", "failure")


def rescued(player: Player, in_process: str = "true", **options: Any) -> dict[str, Any]:
    """What a rescue finds in the variable."""
    keys = ", ".join(repr(key) for key in KEYS)
    found = f"{{{{ dict(converge_result | dict2items | selectattr('key', 'in', [{keys}])"
    found += " | map(attribute='key') | zip(converge_result | dict2items"
    found += f" | selectattr('key', 'in', [{keys}]) | map(attribute='value'))) }}}}"
    task = with_rescue(converge(**options))
    task["rescue"][0]["ansible.builtin.set_fact"]["caught"]["message"] = found
    played = play_on(player, task, HOSTING_PLATFORM_IN_PROCESS=in_process)
    result: dict[str, Any] = played.tasks[-1].result["ansible_facts"]["caught"]["message"]
    return result


@both_ways
def test_rescue_finds_the_call_that_failed(player: Player, in_process: str) -> None:
    player.emulator.plan_fault("POST /projects", "400")
    found = rescued(player, in_process)
    assert found["failure"]["status"] == 400
    assert (found["failed"], found["refused"], found["refusals"]) == (True, False, [])
    assert found["outcome"] == "Failed: 1 of 2 steps done (1 created), 1 failed."
    assert (found["summary"]["create"], found["summary"]["failed"]) == (2, 1)
    assert found["msg"].startswith("1 of 2 steps failed:\n")


def test_rescue_finds_the_guards_that_refused(player: Player) -> None:
    found = rescued(player, converge_limits={"create": 1})
    assert (found["failed"], found["refused"]) == (True, True)
    assert [refusal["guard"] for refusal in found["refusals"]] == ["limits.create"]
    assert found["outcome"] == "Refused: nothing was changed."
    assert found["summary"]["create"] == 2


@pytest.mark.parametrize(
    "wrong",
    [{"converge_protects": ["*"]}, {"converge_directory": "x"}, {"converge_plan": "/proc/x"}],
)
def test_rescue_finds_the_same_keys_where_there_is_no_plan(player: Player, wrong: Options) -> None:
    found = rescued(player, **wrong)
    assert (found["failed"], found["refused"], found["refusals"]) == (True, False, [])
    assert found["outcome"] == "Failed: nothing was changed."
    assert found["summary"]["create"] == 0
    assert found["msg"]


def test_result_is_a_variable_behind_the_role_which_runs_again(player: Player) -> None:
    shown: Options = {"ansible.builtin.debug": {"msg": "{{ converge_result.summary.create }}"}}
    played = play_on(player, converge(), shown, converge(converge_workers=1), shown)
    # Before core 2.19, what a template shows is text.
    assert [int(task.result["msg"]) for task in tasks_named(played, "debug")] == [2, 0]
    assert [done["changed"] for done in outcomes(played)] == [True, False]


def test_number_of_workers_is_the_module_s(player: Player) -> None:
    assert rescued(player, converge_workers=0)["msg"] == "converge_workers: must be 1 or more."


def failed_drift(player: Player, **environment: str) -> Play:
    task = converge(check=True, converge_fail_on_drift=True)
    return play_on(player.expecting_failure, task, **environment)


@pytest.mark.core_differences
def test_statistics_are_shown_where_somebody_reads_them(player: Player) -> None:
    for played in (failed_drift(player), play_on(player, converge(check=True))):
        assert STATS not in played.output
        assert '"stats"' not in played.output
    for reader in ("AWX_ISOLATED_DATA_DIR", "ANSIBLE_SHOW_CUSTOM_STATS"):
        played = failed_drift(player, **{reader: "true"})
        assert STATS in played.output
        (stats,) = set_stats_of(played)
        assert len(stats["converge_approved"]) == stats["converge_summary"]["create"] == 2
        core_message = played.output.partition("CUSTOM STATS")[0].partition("fatal: ")[2]
        assert stats["converge_approved"][0] not in core_message.partition("\nTASK")[0]


def test_template_that_fails_approves_nothing(player: Player) -> None:
    wrong = role("converge", check=True, converge_blueprint="{{ nothing_of_this_name }}")
    # Else core fails at the first task, which is its own.
    wrong["ansible.builtin.include_role"]["rolespec_validate"] = False
    played = play_on(player.expecting_failure, wrong, ANSIBLE_SHOW_CUSTOM_STATS="true")
    assert set_stats_of(played) == [{"converge_approved": []}]
