# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every resource module: create, again, change, again, delete, again; each in check mode first. And a move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from playing import Player

Options = dict[str, Any]


@dataclass
class Resource:
    """``created`` and ``changed`` are the options beside the ``identity``; ``key`` holds the object in results."""

    module: str
    key: str
    identity: Options
    created: Options
    changed: Options
    before_change: Options

    @property
    def team(self) -> list[str]:
        return [self.identity["team"]] if "team" in self.identity else []


RESOURCES = [
    Resource(
        module="project",
        key="project",
        identity={"name": "we/b ü", "team": "acme"},
        created={"framework": "nextjs", "build_command": "npm run build"},
        changed={"framework": "", "dev_command": "npm run dev"},
        before_change={"framework": "nextjs", "dev_command": ""},
    ),
    Resource(
        module="project",
        key="project",
        identity={"name": "12345"},
        created={"output_directory": "dist"},
        changed={"output_directory": "build"},
        before_change={"output_directory": "dist"},
    ),
    Resource(
        module="team",
        key="team",
        identity={"slug": "makers"},
        created={"name": "Makers", "description": "They make", "email_domain": "example.com"},
        changed={"name": "The Makers"},
        before_change={"name": "Makers"},
    ),
    Resource(
        module="alias",
        key="alias",
        identity={"alias": "www.example.com", "team": "acme"},
        created={"project": "web"},
        changed={"project": "api"},
        before_change={"project": "web"},
    ),
]


def steps(resource: Resource) -> list[Options]:
    def task(options: Options, check: bool) -> Options:
        return {f"hosting.platform.{resource.module}": {**resource.identity, **options}, "check_mode": check}

    created, changed = resource.created, {**resource.created, **resource.changed}
    wanted = [created, created, changed, changed, {"state": "absent"}, {"state": "absent"}]
    return [task(options, check) for options in wanted for check in (True, False)]


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: f"{resource.module}-{len(resource.identity)}")
def test_twelve_steps(player: Player, resource: Resource) -> None:
    player.emulator.seed(
        teams=[{"slug": "acme", "name": "Acme"}],
        projects=[{"name": "web", "team": "acme"}, {"name": "api", "team": "acme"}],
    )

    play = player.run(steps(resource), "--diff")

    tasks, key = play.tasks, resource.key
    assert [task.status for task in tasks] == ["ok"] * 12, play.output
    assert [task.result["changed"] for task in tasks] == [True, True, False, False] * 3
    wrote = [bool(task.writes) for task in tasks]
    assert wrote == [False, True, False, False] * 3, "check mode writes nothing, and neither does an unchanged run"
    foreseen, done = ([task.result for task in tasks[first::2]] for first in (0, 1))
    assert [result["diff"] for result in foreseen] == [result["diff"] for result in done]
    assert (foreseen[1], *foreseen[3:]) == (done[1], *done[3:]), "what changes nothing or deletes is foreseen as it is"
    predicted, made, changed = foreseen[0][key], done[0][key], done[2][key]
    assert [predicted.pop(name) for name in ("id", "created_at", "updated_at")] == [None] * 3
    assert made.keys() - predicted.keys() == {"id", "created_at", "updated_at"}
    assert {name: made[name] if value is None else value for name, value in predicted.items()}.items() <= made.items()
    assert foreseen[2][key].pop("updated_at") <= changed["updated_at"]
    assert changed == {**foreseen[2][key], "updated_at": changed["updated_at"]}, "what is predicted comes true"
    assert [result[key] for result in done] == [made, made, changed, changed, changed, {}]

    given = {name: value for name, value in {**resource.identity, **resource.created}.items() if name != "team"}
    assert {name: made.get(name, value) for name, value in given.items()} == given
    header = " of ".join([f"{resource.module} {next(iter(resource.identity.values()))}", *resource.team])
    assert {(result["diff"].pop("before_header"), result["diff"].pop("after_header")) for result in done} == {
        (header, header)
    }
    created, again, change, change_again, deleted, deleted_again = [result["diff"] for result in done]
    assert created == {"before": {}, "after": given}
    assert change == {"before": resource.before_change, "after": resource.changed}
    assert deleted["after"] == {}
    assert {*resource.identity, *resource.changed} - {"team"} <= deleted["before"].keys()
    assert {name: changed.get(name, value) for name, value in deleted["before"].items()} == deleted["before"]
    for unchanged in (again, change_again, deleted_again):
        assert unchanged["before"] == unchanged["after"]


MOVE: Options = {"name": "shop", "previously": ["web"], "team": "new", "previous_team": "old", "framework": "astro"}


@pytest.mark.parametrize("switch", ["honoured", "ignored", 400])
def test_a_move_is_foreseen_and_made_once_or_said_not_to_have_been_made(player: Player, switch: Any) -> None:
    player.emulator.switch(team_id_on_patch=switch)
    player.emulator.seed(teams=[{"slug": "old"}, {"slug": "new"}], projects=[{"name": "web", "team": "old"}])

    module = "hosting.platform.project"
    tasks = [{module: MOVE, "check_mode": check} for check in (True, False) * 2]
    play = player.run(tasks, "--diff")

    check, moved, *again = play.tasks
    before = {"framework": "", "name": "web", "team": "old"}
    after = {"framework": "astro", "name": "shop", "team": "new"}
    headers = dict.fromkeys(("before_header", "after_header"), "project shop of new")
    assert check.result["diff"] == {**headers, "before": before, "after": after}
    assert "--- before: project shop of new" in play.output
    if switch == "honoured":
        assert moved.result["diff"] == check.result["diff"]
        assert moved.result["project"]["team_id"] == check.result["project"]["team_id"]
        assert [task.result["changed"] for task in play.tasks] == [True, True, False, False]
        assert [bool(task.writes) for task in play.tasks] == [False, True, False, False]
    else:
        assert moved.status == again[1].status == "failed"
        assert "The service did not move the project web from team old to team new." in moved.result["msg"]
        assert again[0].result["changed"] is True
