# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The role converge: what it shows, writes, hands on and says, whatever becomes of the run."""

from typing import Any

import pytest
from folders import write
from player import Player
from sampling import both_ways

from roles import (
    BLUEPRINT,
    OUTPUTS,
    TO_CREATE,
    WRITTEN,
    Options,
    converge,
    failure,
    outcomes,
    plan,
    play_on,
    role,
    set_stats_of,
    tasks_named,
    titles,
)

FILES = {name.removeprefix("converge_"): path for name, path in OUTPUTS.items()}
pytestmark = pytest.mark.usefixtures("custom_stats")


@pytest.mark.core_differences
def test_directory_is_checked_converged_and_converged_again(player: Player) -> None:
    directory = write(
        player.folder / "blueprint",
        teams="- {slug: media, name: 'Media & Co'}\n",
        projects__media="- {name: site, team: media, build_command: 'echo {{ media_name }}'}\n",
        aliases__all="- {alias: www.example.com, project: site, team: media}\n",
    )
    given: Options = {"converge_directory": str(directory)}
    tasks = [
        role("converge", check=True, **given),
        role("converge", **given),
        role("converge", **given),
    ]
    play = player.run(tasks, "--diff")
    check, run, again = outcomes(play)
    assert check["results"] == run["results"]
    assert [[result["action"] for result in done["results"]] for done in (run, again)] == [
        ["create"] * 3,
        ["none"] * 3,
    ]
    assert [done["changed"] for done in (check, run, again)] == [True, True, False]
    (team,), (project,) = (player.emulator.state()[kind] for kind in ("teams", "projects"))
    assert (team["name"], project["buildCommand"]) == ("Media & Co", "echo {{ media_name }}")
    assert [task.writes for task in tasks_named(play, "Converge the platform")][::2] == [[], []]
    stats = [
        (data["converge_summary"], data.get("converge_approved")) for data in set_stats_of(play)
    ]
    assert stats == [
        (check["summary"], check["steps"]),
        (run["summary"], None),
        (again["summary"], None),
    ]


@pytest.mark.core_differences
def test_plan_is_shown_before_the_first_write_and_files_are_written(player: Player) -> None:
    played = play_on(player, converge(check=True))
    counts = TO_CREATE.splitlines()[-1]
    plan_lines = TO_CREATE.removesuffix(counts)
    assert f"{plan_lines}{WRITTEN}\n{counts}.\nTo apply this plan" in played.output
    first = f"Plan for {player.emulator.base_url}\n"
    assert f"\n{first}{TO_CREATE[:12]}" in played.output
    assert outcomes(played)[0]["text"].startswith(f"{first}{TO_CREATE}.\nTo apply this plan")
    assert outcomes(played)[0]["outcome"] == plan(player)["outcome"] == f"{counts}."
    assert titles(player) == ["Plan", f"Plan for `{player.emulator.base_url}`"]
    assert (
        plan(player)["steps"]
        == outcomes(played)[0]["steps"]
        == set_stats_of(played)[0]["converge_approved"]
    )
    played = play_on(player, converge())
    assert f"{TO_CREATE}.\n{WRITTEN}\nDone: 2 created.\n" in played.output
    assert outcomes(played)[0]["outcome"] == plan(player)["outcome"] == "Done: 2 created."
    assert titles(player) == ["Run report", f"Run on `{player.emulator.base_url}`"]
    assert plan(player)["steps"] == []


@both_ways
def test_module_alone_does_what_the_role_does_and_shows_nothing_under_no_log(
    player: Player, in_process: str
) -> None:
    write(
        player.folder / "blueprint",
        all="teams: [{slug: acme}]\nprojects: [{name: web, team: acme}]",
    )
    task: Options = {"hosting.platform.blueprint": {"directory": "blueprint", **FILES}}
    hidden = player.run(
        [{**task, "no_log": True, "check_mode": True}], HOSTING_PLATFORM_IN_PROCESS=in_process
    )
    assert [words for words in ("acme", *FILES.values()) if words in hidden.output] == []
    play = player.run([task, task], HOSTING_PLATFORM_IN_PROCESS=in_process)
    first, again = play.results
    assert first["text"].endswith("2 to create (1 team, 1 project).")
    assert first["text"] in play.output
    assert first["results"][0]["source"] == "all.yml:1"
    nothing = "Nothing to do; 2 unchanged."
    assert (again["changed"], again["text"]) == (
        False,
        f"Plan for {player.emulator.base_url}\n{nothing}",
    )
    assert (first["outcome"], again["outcome"]) == ("Done: 2 created.", nothing)
    assert play.output.count(nothing) == 1
    assert titles(player)[0] == "Run report"
    assert plan(player)["failed"] is False


@both_ways
def test_text_is_the_plan_also_after_a_failure(player: Player, in_process: str) -> None:
    entries = (
        "projects: [{name: web}, {name: blog}]\naliases: [{alias: www.example.com, project: web}]"
    )
    write(player.folder / "blueprint", all=f"own_scope: true\n{entries}")
    player.emulator.plan_fault("POST /projects", "403")
    task: Options = {
        "hosting.platform.blueprint": {"directory": "blueprint", "workers": 1, **FILES}
    }
    (failed,) = player.run([task], HOSTING_PLATFORM_IN_PROCESS=in_process).results
    rows = [(row["action"], row.get("failed", False)) for row in failed["results"]]
    assert rows == [("create", True), ("create", False), ("skip", False)]
    first, *lines, counts = (line.partition("  ")[0] for line in failed["text"].split("\n"))
    assert first == f"Plan for {player.emulator.base_url}"
    assert lines == ["+ project web", "+ project blog", "+ alias www.example.com"]
    assert counts == "3 to create (2 projects, 1 alias)."
    assert "planned" not in failed
    assert "planned" not in plan(player)


def test_each_output_is_looked_at_before_anything_is_asked(player: Player) -> None:
    (player.folder / "link").symlink_to("elsewhere")
    (player.folder / "token").write_text(player.emulator.token)
    write(player.folder / "blueprint", teams="[]")
    plan_path = "blueprint/plan.json"
    outputs: Options = {
        "converge_markdown": "./token",
        "converge_plan": plan_path,
        "converge_report": "link",
    }
    given: dict[str, Any] = {
        "HOSTING_PLATFORM_ACCESS_TOKEN": "",
        "HOSTING_PLATFORM_ACCESS_TOKEN_PATH": "token",
    }
    failed = play_on(
        player.expecting_failure,
        role("converge", converge_directory="blueprint", **outputs),
        **given,
    )
    assert failure(failed).split("\n") == [
        "converge_report cannot be written to link: it is a symbolic link.",
        "converge_markdown and HOSTING_PLATFORM_ACCESS_TOKEN_PATH name the same file, ./token.",
        f"converge_plan is inside the blueprint directory ({plan_path}), so the next run would"
        " read it. Choose another"
        " path.",
    ]
    assert (player.folder / "token").read_text() == player.emulator.token
    assert player.emulator.requests() == []


def test_plan_says_from_the_start_that_its_run_has_not_ended(player: Player) -> None:
    """The task's timeout ends it, while it waits for the service."""
    player.emulator.plan_fault("GET /teams", "slow", delay=86_400)
    task = {"hosting.platform.blueprint": {"blueprint": BLUEPRINT, **FILES}, "timeout": 1}
    player.run([task])
    not_ended = "The run that writes this file has not ended."
    assert plan(player)["failed"] is True
    assert plan(player)["msg"].startswith(not_ended)
    for name in ("report.html", "comment.md"):
        assert (player.folder / name).read_text(encoding="utf-8").count(not_ended) == 1
    refused = play_on(
        player.expecting_failure, converge(converge_approved="plan.json", converge_plan="")
    )
    assert "belongs to a run that has not finished" in failure(refused)


def test_each_host_of_several_begins_its_lines_with_its_name(player: Player) -> None:
    (player.folder / "hosts.yml").write_text(
        "all: {hosts: {one: {}, two: {}}, vars: {ansible_connection: local}}"
    )
    team = {"slug": "{{ inventory_hostname }}"}
    task: Options = {"hosting.platform.blueprint": {"blueprint": {"teams": [team]}}}
    play: Options = {"hosts": "all", "gather_facts": False, "tasks": [task]}
    python = '{"ansible_python_interpreter": "{{ ansible_playbook_python }}"}'
    played = player.run_plays([play], "-i", "hosts.yml", "-e", python)
    for host in ("one", "two"):
        # The other host's team may be undeclared here.
        for line in (f"+ team {host}\n", "1 to create (1 team)"):
            assert f"\n{host}: {line}" in played.output
        assert f"\n{host}: Done: 1 created.\n" in played.output
