# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The module blueprint in a play: the ids of its steps, and what it says beside its result."""

import json
from typing import Any

from blueprints import BEFORE_EVERY_CHANGE, EVERY_CHANGE, converge, steps
from player import Player

AS_A_MODULE = {"HOSTING_PLATFORM_IN_PROCESS": "false"}


def test_every_core_and_any_number_of_workers_give_the_same_ids(player: Player) -> None:
    player.emulator.seed(**BEFORE_EVERY_CHANGE)
    expected = steps(converge(player.emulator.base_url, EVERY_CHANGE, check_mode=True))
    task = {"blueprint": EVERY_CHANGE}
    tasks: list[dict[str, Any]] = [
        {"hosting.platform.blueprint": {**task, "workers": 1}, "check_mode": True},
        {"hosting.platform.blueprint": {**task, "workers": 8}, "check_mode": True},
        {"hosting.platform.blueprint": task, "check_mode": True, "environment": AS_A_MODULE},
        {"hosting.platform.blueprint": {**task, "approved": expected}},
    ]
    *checks, run = player.run(tasks).results
    assert [check["steps"] for check in checks] == [expected] * 3
    assert steps(run) == expected
    assert run["steps"] == []


def test_each_warning_stands_once_where_a_person_reads_it_before_the_deed(player: Player) -> None:
    """In the plan, or in ``warnings`` where nobody was shown that before the first write."""
    tasks: list[dict[str, Any]] = [
        {"check_mode": True},
        {"check_mode": True, "environment": AS_A_MODULE},
        {"check_mode": True, "no_log": True, "register": "hidden"},
        {"environment": AS_A_MODULE},
        {},
    ]
    for number, task in enumerate(tasks):
        blueprint = {"teams": [{"slug": f"team-{number}"}]}
        task["hosting.platform.blueprint"] = {"blueprint": blueprint, "prune": ["domains"]}
    played = player.run([*tasks, {"ansible.builtin.debug": {"msg": "{{ hidden.warnings }}"}}])
    *results, of_hidden = played.results
    warning = "prune: the blueprint names no domains, so none are pruned."
    returned = [
        [key for key in ("plan_warnings", "warnings") if warning in str(result.get(key))]
        for result in results
    ]
    once = ["plan_warnings"]
    both = ["plan_warnings", "warnings"]
    assert [*returned[:2], *returned[3:]] == [once, once, both, once]
    assert warning in str(of_hidden["msg"]), "nobody was shown the plan"
    assert played.output.count(f"\nWarning: {warning}") == 4
    assert [result["guards"]["prune"] for result in results[3:]] == [["domains"]] * 2


def test_a_warning_stands_once_whatever_the_name_in_it(player: Player) -> None:
    named = {"name": "line\nbreak \x1b[31mred", "team": "acme"}
    player.emulator.seed(teams=[{"slug": "acme"}], projects=[named])
    task = {"blueprint": {"projects": [{"name": "shop", "team": "acme"}]}, "prune": ["projects"]}
    (result,) = player.run([{"hosting.platform.blueprint": task}]).results
    (warning,) = result["plan_warnings"]
    assert "line\\u000abreak \\u001b[31mred" in warning
    assert not result.get("warnings")


def test_guards_are_null_where_there_is_no_plan(player: Player) -> None:
    wrong: list[dict[str, Any]] = [
        {"blueprint": {"teams": [{}]}},
        {"blueprint": {}, "protect": None},
        {"blueprint": {"projects": []}, "team": "nobody"},
    ]
    tasks = [{"hosting.platform.blueprint": task, "ignore_errors": True} for task in wrong]
    assert [result["guards"] for result in player.run(tasks).results] == [None] * 3


def test_an_asynchronous_run_returns_its_warnings_and_nothing_internal(player: Player) -> None:
    options = {"blueprint": {"teams": [{"slug": "acme"}]}, "prune": ["domains"]}
    tasks: list[dict[str, Any]] = [
        {"hosting.platform.blueprint": options, "async": 60, "poll": 0, "register": "job"},
        {
            "ansible.builtin.async_status": {"jid": "{{ job.ansible_job_id }}"},
            "register": "found",
            "until": "found is finished",
            "retries": 60,
            "delay": 1,
        },
    ]
    played = player.run(tasks, ANSIBLE_ASYNC_DIR=str(player.folder / "jobs"))
    found = played.tasks[-1].result
    assert found["summary"]["create"] == 1
    assert [warning for warning in found["warnings"] if warning.startswith("prune: ")]
    assert not [key for key in found if key.startswith("_") and not key.startswith("_ansible")]


# Two lines are told every two seconds.
SECONDS = 5


def test_progress_leaves_standard_output_to_the_callback(player: Player) -> None:
    player.emulator.seed(teams=[{"slug": "acme"}])
    player.emulator.plan_fault("POST /projects", "slow", delay=SECONDS)
    blueprint = {"projects": [{"name": "slow"}, {"name": "quick"}]}
    task = {"hosting.platform.blueprint": {"team": "acme", "blueprint": blueprint, "workers": 1}}
    playbook = player.folder / "site.json"
    playbook.write_text(
        json.dumps([{"hosts": "localhost", "gather_facts": False, "tasks": [task]}])
    )
    done = player.execute([*player.command, playbook], {})
    assert done.returncode == 0, done.stderr
    assert "changed=1" in done.stdout
    assert "0 of 2" not in done.stdout
    assert "blueprint: 0 of 2" in done.stderr
