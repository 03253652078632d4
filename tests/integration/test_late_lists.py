# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays on a platform whose lists show late what was done, and beside somebody else."""

from typing import Any

from player import Play, Player

FIRST_PLAY = """
- name: Set up the web team
  hosts: localhost
  gather_facts: false
  tasks:
    - name: Ensure the team exists
      hosting.platform.team: {slug: web-team, name: Web team}
    - name: Ensure its projects exist
      hosting.platform.project: {team: web-team, name: "{{ item }}", framework: nextjs}
      loop: [shop, blog]
    - name: Ensure the shop has its address
      hosting.platform.alias: {team: web-team, alias: www.example.com, project: shop}
"""
RENAME_AND_CLEAN = """
- name: Rename a project, and see that nothing bears the old name
  hosts: localhost
  gather_facts: false
  module_defaults:
    group/hosting.platform.team_scoped: {team: web-team}
  tasks:
    - name: Ensure the shop is called storefront
      hosting.platform.project: {name: storefront, previously: [shop]}
    - name: Ensure nothing is called shop
      hosting.platform.project: {name: shop, state: absent}
"""
LOOP = """
- name: Remove old projects
  hosts: localhost
  gather_facts: false
  tasks:
    - name: Ensure the old projects are gone
      hosting.platform.project: {team: web-team, name: "{{ item }}", state: absent}
      loop: [old-1, old-2, old-3, old-4]
"""
WEB_TEAM = {"slug": "web-team"}


def play_text(player: Player, text: str) -> Play:
    playbook = player.folder / "late.yml"
    playbook.write_text(text, encoding="utf-8")
    return player.run_file(playbook)


def be_late(player: Player) -> None:
    """From now on, no list shows what is done."""
    player.emulator.set_clock(stopped=True)
    player.emulator.switch(lists_late_ms=60000)


def names(player: Player) -> list[str]:
    return sorted(project["name"] for project in player.emulator.state()["projects"])


def seed(player: Player, *projects: str) -> None:
    owned = [{"name": name, "team": "web-team"} for name in projects]
    player.emulator.seed(teams=[WEB_TEAM], projects=owned)


def test_the_first_play_passes_and_again_quietly(player: Player) -> None:
    be_late(player)
    for is_changed in (True, False):
        play = play_text(player, FIRST_PLAY)
        assert [task.status for task in play.tasks] == ["ok"] * 3, play.output
        assert [task.result["changed"] for task in play.tasks] == [is_changed] * 3
    assert names(player) == ["blog", "shop"]


def test_a_renamed_project_is_not_deleted_under_its_old_name(player: Player) -> None:
    seed(player, "shop")
    be_late(player)
    renamed, cleaned = play_text(player.expecting_failure, RENAME_AND_CLEAN).tasks
    assert renamed.result["changed"] is True
    said = "The project shop is called storefront now. Nothing was deleted."
    assert (cleaned.status, cleaned.result["msg"]) == ("failed", said)
    assert names(player) == ["storefront"]


def test_an_item_of_a_loop_that_somebody_renames_meanwhile_is_kept(player: Player) -> None:
    seed(player, "old-1", "old-2", "old-3", "old-4")
    player.emulator.fault(
        "DELETE /projects/{idOrName}",
        "concurrent",
        request="PATCH /projects/old-4?teamId=web-team",
        body={"name": "keep"},
    )
    (task,) = play_text(player.expecting_failure, LOOP).tasks
    items: list[dict[str, Any]] = task.result["results"]
    assert [item["changed"] for item in items] == [True, True, True, False]
    said = "The project old-4 is called keep now. Nothing was deleted."
    assert items[3]["msg"] == said
    assert names(player) == ["keep"]
