# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The ordinary play: checked on an empty platform, run, run again, and torn down twice."""

import json
from itertools import chain
from typing import Any

from player import Play, Player
from sampling import both_ways

PLAY = """
- hosts: localhost
  gather_facts: false
  tasks:
    - hosting.platform.team: {slug: web-team, name: Web}
    - hosting.platform.project: {team: web-team, name: "{{ item }}", framework: nextjs}
      loop: [shop, blog]
    - hosting.platform.alias: {team: web-team, project: shop, alias: www.example.com}
    - hosting.platform.team_member: {team: web-team, email: ada@example.com, role: DEVELOPER}
    - hosting.platform.project_info: {team: web-team}
      register: projects
    - hosting.platform.alias_info: {team: web-team, project: shop}
    - hosting.platform.project_domain_info: {team: web-team, project: shop}
    - ansible.builtin.debug: {msg: "{{ projects.projects | map(attribute='name') | list }}"}
"""
TEARDOWN = """
- hosts: localhost
  gather_facts: false
  tasks:
    - hosting.platform.alias: {team: web-team, alias: www.example.com, state: absent}
    - hosting.platform.project: {team: web-team, name: "{{ item }}", state: absent}
      loop: [shop, blog]
    - hosting.platform.domain: {team: web-team, name: example.com, state: absent}
    - hosting.platform.team: {slug: web-team, state: absent}
"""
# team, two projects, alias, member, three of information, debug
TASKS_THAT_CHANGE = [True, True, True, True, False, False, False, False]
INTERPRETER = json.dumps({"ansible_python_interpreter": "{{ ansible_playbook_python }}"})


def play_text(player: Player, text: str, *arguments: str, in_process: str) -> Play:
    """Play a text, and say what it has sent. Every task ends well, and none asks for a team without
    a name.
    """
    playbook = player.folder / "ordinary.yml"
    playbook.write_text(text, encoding="utf-8")
    player.emulator.forget_requests()
    options = {"HOSTING_PLATFORM_IN_PROCESS": in_process}
    play = player.run_file(playbook, "--diff", "-e", INTERPRETER, *arguments, **options)
    assert {task.status for task in play.tasks} == {"ok"}, play.output
    assert [
        request for request in player.emulator.requests() if request["query"].get("teamId") == ""
    ] == []
    return play


def changes(play: Play) -> list[bool]:
    return [task.result["changed"] for task in play.tasks]


def warnings(play: Play) -> list[str]:
    return list(chain.from_iterable(result.get("warnings", []) for result in results(play)))


def results(play: Play) -> list[dict[str, Any]]:
    """The results of all tasks and items."""
    of_tasks = (task.result.get("results", [task.result]) for task in play.tasks)
    return list(chain.from_iterable(of_tasks))


@both_ways
def test_the_ordinary_play_is_checked_run_twice_and_torn_down_twice(
    player: Player, in_process: str
) -> None:
    checked = play_text(player, PLAY, "--check", in_process=in_process)
    assert player.emulator.writes == []
    paths = {request["path"] for request in player.emulator.requests()}
    assert paths <= {"/teams", "/teams/web-team", "/aliases/www.example.com"}
    assert changes(checked) == TASKS_THAT_CHANGE
    assert (
        "team web-team does not exist. Check mode takes it for what an earlier task makes."
        in warnings(checked)
    )
    done = play_text(player, PLAY, in_process=in_process)
    assert changes(done) == TASKS_THAT_CHANGE
    assert warnings(done) == []
    foreseen = [result["diff"] for result in results(checked) if "diff" in result]
    assert foreseen == [result["diff"] for result in results(done) if "diff" in result]
    assert sorted(done.tasks[-1].result["msg"]) == ["blog", "shop"]

    player.emulator.set_clock(advance=11)
    assert True not in changes(play_text(player, PLAY, in_process=in_process))

    checked = play_text(player, TEARDOWN, "--check", in_process=in_process)
    assert player.emulator.writes == []
    assert changes(checked) == [True, True, False, True]
    assert changes(play_text(player, TEARDOWN, in_process=in_process)) == [True, True, False, True]
    assert player.emulator.state()["teams"] == []
    for arguments in (["--check"], []):
        again = play_text(player, TEARDOWN, *arguments, in_process=in_process)
        assert player.emulator.writes == []
        assert True not in changes(again)
        for name in ("alias www.example.com", "project shop", "project blog", "domain example.com"):
            warning = f"[WARNING]: team web-team does not exist, so the {name} counts as absent."
            assert warning in " ".join(again.output.split())
