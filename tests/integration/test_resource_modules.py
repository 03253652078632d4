# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every resource module: create, again, change, again, delete, again; each in check mode first. And
a move.
"""

from itertools import product
from typing import Any

import pytest
from player import Player

Options = dict[str, Any]


PROJECT = {"framework": "nextjs", "build_command": "npm run build"}
REST = {"output_directory": "dist", "install_command": "npm ci", "alias": "digits.example.com"}
TEAM = {"name": "Makers", "description": "They make", "email_domain": "example.com"}
# The module, whose object stands under its name; what identifies it; and the options of its
# creation and of a change.
RESOURCES: list[tuple[str, Options, Options, Options]] = [
    (
        "project",
        {"name": "we/b ü", "team": "acme"},
        PROJECT,
        {"framework": "", "dev_command": "npm run dev"},
    ),
    (
        "project",
        {"name": "12345"},
        {**REST, "command_for_ignoring_build_step": "true"},
        {"output_directory": "build"},
    ),
    ("team", {"slug": "makers"}, TEAM, {"name": "The Makers"}),
    ("alias", {"alias": "www.example.com", "team": "acme"}, {"project": "web"}, {"project": "api"}),
]


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: resource[0])
def test_each_resource_is_created_changed_and_deleted(player: Player, resource: Any) -> None:
    module, identity, creation, change = resource
    player.emulator.seed(
        teams=[{"slug": "acme", "name": "Acme"}],
        projects=[{"name": "web", "team": "acme"}, {"name": "api", "team": "acme"}],
    )

    both = {**creation, **change}
    steps = [creation, creation, both, both, {"state": "absent"}, {"state": "absent"}]
    tasks = [
        {f"hosting.platform.{module}": {**identity, **options}, "check_mode": check}
        for options, check in product(steps, (True, False))
    ]
    play = player.run(tasks, "--diff")

    played = play.tasks
    key = module
    assert [task.status for task in played] == ["ok"] * 12, play.output
    assert [task.result["changed"] for task in played] == [True, True, False, False] * 3
    wrote = [bool(task.writes) for task in played]
    assert wrote == [False, True, False, False] * 3, (
        "check mode writes nothing, and neither does an unchanged run"
    )
    foreseen, done = ([task.result for task in played[first::2]] for first in (0, 1))
    assert [result["diff"] for result in foreseen] == [result["diff"] for result in done]
    assert foreseen[2][key].pop("updated_at") <= done[2][key]["updated_at"]
    assert foreseen[2][key].items() <= done[2][key].items(), "what is predicted comes true"
    given = {name: value for name, value in {**identity, **creation}.items() if name != "team"}
    header = " of ".join(
        [f"{module} {next(iter(identity.values()))}", *list(identity.values())[1:]]
    )
    for result in done:
        assert result["diff"].pop("before_header") == header
        assert result["diff"].pop("after_header") == header
    created, again, updated, updated_again, deleted, deleted_again = [
        result["diff"] for result in done
    ]
    assert created == {"before": {}, "after": given}
    assert updated == {
        "before": {option: creation.get(option, "") for option in change},
        "after": change,
    }
    assert deleted["after"] == {}
    for unchanged in (again, updated_again, deleted_again):
        assert unchanged["before"] == unchanged["after"]
