# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A service that answers with hostile text in every field and under every key: nothing of it runs,
and nothing of it acts on a terminal.
"""

from itertools import chain
from typing import Any

import pytest
from hostile import HOST_TASKS, active_characters, canary
from hostile_service import HostileService
from inventories import Inventory, script_of
from player import Player
from stub_server import (
    stub_server,
)

INFO: list[dict[str, Any]] = [
    {"hosting.platform.user_info": {}},
    {"hosting.platform.team_info": {}},
    {"hosting.platform.project_info": {}},
    {"hosting.platform.project_info": {"name": "a"}},
    {"hosting.platform.domain_info": {}},
    {"hosting.platform.alias_info": {}},
    {"hosting.platform.project_domain_info": {"project": "known", "team": "known"}},
    {"hosting.platform.blueprint_info": {}},
    {
        "hosting.platform.blueprint_info": {
            "teams": ["known"],
            "kinds": ["teams", "projects", "aliases", "domains"],
        }
    },
]
WRITES: list[dict[str, Any]] = [
    {"hosting.platform.project": {"name": "known", "team": "known", "framework": "another"}},
    {"hosting.platform.project": {"name": "new", "team": "known"}},
    {"hosting.platform.team": {"slug": "new"}},
    {
        "hosting.platform.team_member": {
            "team": "known",
            "email": "dev@example.com",
            "role": "VIEWER",
        }
    },
    {"hosting.platform.team_join": {"team": "elsewhere", "invite_code": "code-0123456789"}},
    {"hosting.platform.login_request": {"email": "dev@example.com", "token_name": "x"}},
    {
        "hosting.platform.blueprint": {
            "blueprint": {"projects": [{"name": "new"}, {"name": "known", "team": "known"}]}
        }
    },
]


@pytest.mark.thorough
def test_fields_and_keys_of_any_kind_and_refusals_run_nothing(
    player: Player, inventory: Inventory
) -> None:
    def registered(task: dict[str, Any], in_process: bool) -> list[dict[str, Any]]:
        environment = {"HOSTING_PLATFORM_IN_PROCESS": str(in_process)}
        return [
            {**task, "register": "read", "environment": environment},
            {"ansible.builtin.set_fact": {"kept": "{{ read }}"}, "no_log": True},
            {
                "ansible.builtin.set_fact": {
                    "again": "{{ kept | string }} {{ kept.msg | default('') }}"
                },
                "no_log": True,
            },
        ]

    steps = [*(registered(task, True) for task in INFO + WRITES)]
    steps += [registered(task, False) for task in INFO]
    tasks = list(chain.from_iterable(steps))
    with canary(4) as evil, stub_server(HostileService(evil).answer) as server:
        address = {
            "HOSTING_PLATFORM_BASE_URL": server.base_url,
            "HOSTING_PLATFORM_MAX_RETRIES": "0",
        }
        played = player.run(tasks, "--diff", **address)
        cached = {
            "cache": True,
            "cache_plugin": "jsonfile",
            "cache_connection": str(player.folder / "cache"),
        }
        source = inventory.source(teams=["known"], include_domains=True, **cached)
        listed, said = inventory.listed_and_warned(source, **address)
        from_cache, _said = inventory.listed_and_warned(source, **address)
        local = {
            "hosts": "all",
            "connection": "local",
            "gather_facts": False,
            "tasks": HOST_TASKS[:1],
        }
        printed = inventory.run("-i", source, "--list", **address).stdout
        controller = player.run_plays([local], "-i", script_of(printed, player.folder / "script"))
        assert evil.canary_files == []
    (player.folder / "out").write_text(played.output + controller.output)
    assert "deserializable" not in played.output
    # Core shows a failed task's result, and quotes what acts on a terminal as far as JSON asks for
    # it.
    messages = [
        f"{task.result.get('msg')} {(task.result.get('failure') or {}).get('message')}"
        for task in played.tasks
    ]
    shown = [line for line in played.output.split("\n") if not line.startswith("fatal: ")]
    assert active_characters("\n".join([*messages, *shown, said])) == set()
    assert from_cache == listed
    assert {task.status for task in controller.tasks} == {"ok"}
