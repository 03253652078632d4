# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A module that runs by a redirect of the module alone, without its action plugin, refuses what only
that serves.
"""

import os
from typing import Any

import pytest
from environments import collection_variables
from folders import write
from player import Player

Options = dict[str, Any]
PROBLEM = (
    "is served by the module's action plugin, which does not run here. Call the module by its own"
    " name, or redirect its action plugin, too."
)
ENTRIES: Options = {"projects": [{"name": "shop", "own_scope": True, "state": "absent"}]}
# Modules, options, and those of them that are refused.
REFUSED: list[tuple[str, Options, list[str]]] = [
    ("blueprint", {"blueprint": ENTRIES, "confirm": True}, ["confirm"]),
    ("blueprint", {"blueprint": ENTRIES, "plan": "p.json"}, ["plan"]),
    ("blueprint", {"blueprint": ENTRIES, "approved": "p.json"}, ["approved"]),
    ("blueprint", {"blueprint": ENTRIES, "fail_on_drift": True}, ["fail_on_drift"]),
    (
        "blueprint",
        {"directory": ["blueprint"], "report": "r.html", "markdown": "c.md"},
        ["directory", "report", "markdown"],
    ),
    ("blueprint_info", {"directory": "out", "layout": "teams"}, ["directory", "layout"]),
    ("blueprint_info", {"undeclared_in": ["blueprint"]}, ["undeclared_in"]),
    ("blueprint_validate", {"directory": ["blueprint"]}, ["directory"]),
]


@pytest.fixture
def alone(player: Player) -> Player:
    """The player, to whom ``acme.web`` redirects each module alone."""
    names = {module for module, _options, _refused in REFUSED} | {"alias", "project", "user_info"}
    lines = [f"    {name}: {{redirect: hosting.platform.{name}}}" for name in sorted(names)]
    folder = player.folder / "collections"
    runtime = "\n".join(["plugin_routing:", "  modules:", *lines, ""])
    write(folder, ansible_collections__acme__web__meta__runtime=runtime)
    collections = collection_variables()["ANSIBLE_COLLECTIONS_PATH"]
    player.environment["ANSIBLE_COLLECTIONS_PATH"] = f"{folder}{os.pathsep}{collections}"
    return player


@pytest.mark.core_differences
def test_options_that_only_the_action_plugin_serves_are_refused_by_name(alone: Player) -> None:
    emulator = alone.emulator
    emulator.seed(projects=[{"name": "shop"}])
    emulator.forget_requests()
    write(alone.folder, blueprint__projects="- {name: new, own_scope: true}\n")
    tasks = [{f"acme.web.{module}": options} for module, options, _refused in REFUSED]
    for task, (_module, _options, refused) in zip(alone.run(tasks).tasks, REFUSED, strict=True):
        assert task.status == "failed"
        assert task.result["msg"].split("\n") == [f"{option} {PROBLEM}" for option in refused]
    assert emulator.requests() == []


def test_the_module_alone_takes_defaults_and_guards_and_refuses_empty_options(
    alone: Player,
) -> None:
    alone.emulator.seed(projects=[{"name": "shop"}])
    defaults: Options = {"confirm": False, "fail_on_drift": False, "approved": []}
    refused, deleted, kept, unassigned = alone.run(
        [
            {"acme.web.blueprint": {"blueprint": ENTRIES, **defaults}},
            {"acme.web.blueprint": {"blueprint": ENTRIES}},
            {"acme.web.project": {"name": "shop", "team": "", "state": "absent"}},
            # Null is given to core, and cannot be told from left out.
            {"acme.web.alias": {"alias": "www.example.com", "project": None}},
        ]
    ).tasks
    assert (refused.status, refused.result["refusals"][0]["guard"]) == ("failed", "approved")
    assert (deleted.status, deleted.result["summary"]["delete"]) == ("ok", 1)
    assert kept.result["msg"].startswith("team is empty: a template came out empty?")
    assert unassigned.result["msg"].startswith("project: has no value.")
    assert kept.requests == unassigned.requests == []


def test_a_blueprint_module_alone_says_that_it_needs_a_blueprint(alone: Player) -> None:
    (task,) = alone.run([{"acme.web.blueprint": {"prune": ["projects"]}}]).tasks
    assert task.result["msg"] == "one of the following is required: blueprint, directory"
    assert task.requests == []


def test_options_of_the_module_alone_beat_variables(alone: Player) -> None:
    alone.emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "shop"}])
    given: Options = {"access_token": alone.emulator.token}
    own: Options = {"name": "shop", "state": "absent", "team": "acme", "own_scope": True}
    # In this order: ansible-core 2.20 shows the lines before a task that fails.
    kept, user = alone.run(
        [{"acme.web.project": {**own, **given}}, {"acme.web.user_info": given}],
        HOSTING_PLATFORM_ACCESS_TOKEN="that-of-another-platform",
        HOSTING_PLATFORM_ACCESS_TOKEN_PATH="/that/of/another/platform",
        HOSTING_PLATFORM_TEAM="acme",
    ).tasks
    assert user.status == "ok"
    assert kept.result["msg"] == (
        "own_scope: cannot be true while team is set. Set only one of them."
    )
    assert kept.requests == []
