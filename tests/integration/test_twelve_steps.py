# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every resource module: create, again, change, again, delete, again; each in check mode first."""

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

    tasks = play.tasks
    assert [task.status for task in tasks] == ["ok"] * 12, play.output
    assert [task.result["changed"] for task in tasks] == [True, True, False, False] * 3
    wrote = [bool(task.writes) for task in tasks]
    assert wrote == [False, True, False, False] * 3, "check mode writes nothing, and neither does an unchanged run"
    create, again, change, change_again, delete, delete_again = [
        (check.result, run.result) for check, run in zip(tasks[::2], tasks[1::2], strict=True)
    ]
    for check, run in (create, again, change, change_again, delete, delete_again):
        assert check["diff"] == run["diff"]
    assert_created(resource, *create)
    assert_unchanged(*again)
    assert_changed(resource, *change)
    assert_unchanged(*change_again)
    assert_deleted(resource, change[1][resource.key], *delete)
    assert_unchanged(*delete_again)
    assert delete_again[1][resource.key] == {}


def assert_created(resource: Resource, check: Options, run: Options) -> None:
    given = {name: value for name, value in {**resource.identity, **resource.created}.items() if name != "team"}
    assert run["diff"] == {"before": {}, "after": given}
    predicted, made = check[resource.key], run[resource.key]
    assert predicted.keys() == made.keys()
    for name, value in made.items():
        assert predicted[name] in (None, value), "what is predicted comes true"
        if name in given:
            assert value == given[name]
    assert [predicted[name] for name in ("id", "created_at", "updated_at")] == [None] * 3
    assert made["id"]


def assert_unchanged(check: Options, run: Options) -> None:
    assert run["diff"]["before"] == run["diff"]["after"]
    check, run = ({name: value for name, value in result.items() if name != "diff"} for result in (check, run))
    assert check == run


def assert_changed(resource: Resource, check: Options, run: Options) -> None:
    assert run["diff"] == {"before": resource.before_change, "after": resource.changed}
    predicted, made = dict(check[resource.key]), dict(run[resource.key])
    assert predicted.pop("updated_at") <= made.pop("updated_at")
    assert predicted == made


def assert_deleted(resource: Resource, last_known: Options, check: Options, run: Options) -> None:
    assert check[resource.key] == run[resource.key] == last_known
    assert run["diff"]["after"] == {}
    before = run["diff"]["before"]
    assert {*resource.identity, *resource.changed} - {"team"} <= before.keys()
    assert [name for name, value in before.items() if last_known.get(name, value) != value] == []
