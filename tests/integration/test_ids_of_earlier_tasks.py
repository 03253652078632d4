# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An id that is empty in check mode stands for what an earlier task makes."""

import re

import pytest
import yaml
from environments import ROOT
from player import Player, Task
from sampling import both_ways

from roles import Options

pytestmark = pytest.mark.usefixtures("shop_and_legacy")

INVITATION = {"email": "a@example.com", "role": "VIEWER"}
MADE = "{{ made.team.id }}"
SHOP = "{{ shop.project.id }}"
WWW = {"alias": "www.shop.example.com"}
OLD = {"alias": "a.example.com", "state": "absent"}
# Tasks that refer to what an earlier one makes by its id: a module, its options, whether it would
# change something, and the options that check mode warns of.
CHECKED: list[tuple[str, Options, bool, list[str]]] = [
    ("team", {"slug": "fresh", "name": "Fresh"}, True, []),
    ("project", {"team": MADE, "name": "shop", "framework": "nextjs"}, True, ["team"]),
    ("project", {"team": MADE, "name": "legacy", "state": "absent"}, False, ["team"]),
    ("alias", {**WWW, "team": "fresh", "project": SHOP}, True, ["project"]),
    ("project", {"team": MADE, "id": SHOP}, False, ["team", "id"]),
    ("team", {"id": MADE, "name": "Fresh"}, False, ["id"]),
    ("team", {"id": MADE, "slug": "fresh", "name": "Fresh"}, True, ["id"]),
    ("team_member", {"team": MADE, **INVITATION}, True, ["team"]),
    ("project_info", {"team": MADE}, False, ["team"]),
    ("project_info", {"team": MADE, "id": SHOP}, False, ["team", "id"]),
    ("project_domain_info", {"project": SHOP}, False, ["project"]),
    ("alias_info", {"project": SHOP}, False, ["project"]),
    ("team_info", {"team": MADE}, False, ["team"]),
    ("alias", {**OLD, "team": MADE}, False, ["team"]),
    ("alias", {**OLD, "team": "prod", "project": SHOP}, False, ["project"]),
    ("domain", {"team": MADE, "name": "example.com", "state": "absent"}, False, ["team"]),
]
REGISTERED = {0: "made", 1: "shop"}


@pytest.mark.parametrize("environment", [{}, {"HOSTING_PLATFORM_TEAM": "prod"}])
@both_ways
def test_a_play_that_refers_to_what_it_makes_by_its_id_is_checked_on_an_empty_scope(
    player: Player, environment: Options, in_process: str
) -> None:
    tasks: list[Options] = []
    for number, (module, options, _changes, _warned) in enumerate(CHECKED):
        register = {"register": REGISTERED[number]} if number in REGISTERED else {}
        tasks.append({f"hosting.platform.{module}": options, **register})
    play = player.run(tasks, "--check", HOSTING_PLATFORM_IN_PROCESS=in_process, **environment)
    for task, (module, options, changes, empty) in zip(play.tasks, CHECKED, strict=True):
        case = (module, options, task.result)
        assert (task.status, task.result["changed"]) == ("ok", changes), case
        assert warned_of(task) == [
            (option, "slug" if "team" in (option, module) else "name") for option in empty
        ], case
        assert task.writes == []
        if module.endswith("_info"):
            key = {"project_info": "projects", "team_info": "teams", "alias_info": "aliases"}
            assert task.result[key.get(module, "domains")] == [], case
    shop, alias = (play.tasks[number].result for number in (1, 3))
    assert shop["diff"]["before"] == {}
    assert shop["project"]["id"] is shop["project"]["team_id"] is None
    assert alias["diff"]["after"] == {**WWW, "project": None}
    assert play.tasks[4].result["project"]["id"] is None


def warned_of(task: Task) -> list[tuple[str, str]]:
    """The options of which a task warns that they are empty, and what it says to write instead."""
    because = "is empty, as the id of what an earlier task makes is in check mode"
    warnings = task.result.get("warnings", [])
    found = [
        re.fullmatch(rf"(\w+) {because}\. Refer to it by its (\w+)\.", text) for text in warnings
    ]
    return [(match[1], match[2]) for match in found if match]


@both_ways
def test_a_real_deletion_behind_a_predicted_creation_fails(player: Player, in_process: str) -> None:
    emulator = player.emulator
    before = emulator.state()
    tasks: list[Options] = [
        {"hosting.platform.team": {"slug": "later", "name": "Later"}, "register": "made"},
        {
            "hosting.platform.project": {
                "team": "{{ made.team.id }}",
                "name": "legacy",
                "state": "absent",
            },
            "check_mode": False,
        },
    ]
    task = player.run(tasks, "--check", HOSTING_PLATFORM_IN_PROCESS=in_process).tasks[1]
    assert task.status == "failed"
    assert task.result["msg"].startswith("team is empty: a template came out empty?")
    assert task.requests == []
    assert emulator.state()["projects"] == before["projects"]


@pytest.mark.core_differences
@pytest.mark.parametrize("module", ["project", "team", "alias"])
def test_examples_that_refer_to_what_they_make_are_checked_on_an_empty_platform(
    player: Player, module: str
) -> None:
    player.emulator.reset()
    source = (ROOT / f"plugins/modules/{module}.py").read_text(encoding="utf-8")
    tasks = yaml.safe_load(source.partition('EXAMPLES = r"""')[2].partition('"""')[0])
    assert module == "alias" or ".id }}" in str(tasks)
    play = player.run(tasks, "--check")
    assert [task.status for task in play.tasks] == ["ok"] * len(tasks), play.output
    assert play.tasks[0].result["changed"] is True
    assert [task.writes for task in play.tasks] == [[]] * len(tasks)
