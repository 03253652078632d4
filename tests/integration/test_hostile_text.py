# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostile text in every field of every kind: nothing of it runs, and nothing of it acts on a
terminal.
"""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hostile import FIELDS, HOST_TASKS, Canary, active_characters, canary
from inventories import Inventory, script_of
from player import Player

from ansible_collections.hosting.platform.plugins.module_utils._model.name_forms import (
    BLANKS,
    HOST_SEPARATORS,
    host_problem,
)
from roles import OUTPUTS, converge, outcomes, role

NO_PART_OF_A_HOST = re.compile(f"[{BLANKS}{HOST_SEPARATORS}]")
TEAMS = 3
PROJECTS = 70


def is_no_template(text: str) -> bool:
    return not text.startswith("#jinja2:") and not re.search("{[{%#]", text)


def seed(player: Player, evil: Canary, is_name: Callable[[str], object] = bool) -> None:
    """Two thousand hostile texts. ``is_name``: which of them name objects."""
    given_names = filter(is_name, iter(evil.name, None))
    names = {next(given_names) for _number in range(PROJECTS)}
    teams = [
        {"slug": f"{next(given_names)}{number:03}", "name": next(given_names)}
        for number in range(TEAMS)
    ]
    scopes = [{}, *({"team": team["slug"]} for team in teams)]
    hosts = (NO_PART_OF_A_HOST.sub("", text) for text in evil.texts)
    hosts = (host for host in hosts if is_name(host) and not host_problem(host))
    domain_names = filter(is_name, evil.texts)
    fields = (
        {field: next(evil.texts) for field in FIELDS} | {"alias": f"{next(hosts)}{number:03}"}
        for number in range(PROJECTS)
    )
    projects = [
        {"name": name, **next(fields), **scopes[number % len(scopes)]}
        for number, name in enumerate(sorted(names))
    ]
    aliases = [
        {
            "alias": f"{next(hosts)}{number:03}",
            "project": project["name"],
            **scopes[number % len(scopes)],
        }
        for number, project in enumerate(projects)
    ]
    domains = [
        {"name": f"{next(domain_names)}{number:03}", **scopes[number % len(scopes)]}
        for number in range(PROJECTS)
    ]
    player.emulator.seed(teams=teams, projects=projects, aliases=aliases, domains=domains)


def test_export_of_hostile_text_converges_without_changes(player: Player) -> None:
    given: dict[str, Any] = {"converge_blueprint": None, "converge_directory": "live"}
    with canary(1) as evil:
        seed(player, evil, is_no_template)
        tasks = [
            role("export", export_directory="live"),
            converge(check=True, **given),
            converge(**given),
        ]
        done = outcomes(player.run(tasks))
        assert evil.canary_files == []
    assert [{result["action"] for result in one["results"]} for one in done] == [{"none"}] * 2
    assert [len(one["results"]) for one in done] == [TEAMS + 2 * PROJECTS] * 2, (
        "own aliases are no entries"
    )
    assert player.emulator.writes == []


def test_names_that_look_like_templates_are_not_exported_and_do_not_run(player: Player) -> None:
    with canary(1) as evil:
        seed(player, evil)
        (task,) = player.run([role("export", export_directory="live")]).tasks[-1:]
        assert evil.canary_files == []
    assert task.status == "failed"
    *said, advice = task.result["msg"].splitlines()
    assert advice.startswith("export_ignore: this leaves them out: [")
    assert len(said) > TEAMS
    assert [line for line in said if not line.endswith("looks like a template.")] == []
    assert not (player.folder / "live").exists()


@pytest.mark.core_differences
def test_plan_of_hostile_text_has_no_side_effects(player: Player) -> None:
    live: dict[str, Any] = {"hosting.platform.blueprint_info": {}, "register": "live"}
    hostile = "{'framework': '-{{ x }}', 'build_command': '\x1b'}"
    projects = "{{ live.blueprint.projects | map('combine', " + hostile + ") }}"
    blueprint = {"teams": "{{ live.blueprint.teams }}", "projects": projects, "aliases": []}
    prune: dict[str, Any] = {"converge_prune": ["aliases"], "converge_prune_limit": 100}
    given: dict[str, Any] = {"converge_blueprint": blueprint, **prune}
    with canary(2) as evil:
        seed(player, evil)
        played = player.run([live, converge(check=True, **given), converge(**given)], "--diff")
        assert evil.canary_files == []
    told = [(player.folder / name).read_text(encoding="utf-8") for name in OUTPUTS.values()]
    assert active_characters("".join([played.output, *told])) == set()
    stored = {project["name"] for project in player.emulator.state()["projects"]}
    assert stored <= {result["name"] for result in json.loads(told[-1])["results"]}
    planned, done = ([result["action"] for result in one["results"]] for one in outcomes(played))
    assert planned == done
    assert planned.count("update") == PROJECTS
    # Those of the own scope, a quarter, are never pruned.
    assert planned.count("delete") >= PROJECTS * TEAMS // (TEAMS + 1)


@pytest.mark.thorough
def test_an_inventory_of_hostile_names_runs_nothing_wherever_it_is_read(
    player: Player, inventory: Inventory
) -> None:
    calls = player.folder / "calls"
    calls.mkdir()
    ssh = player.folder / "ssh"
    # A file for each call: several hosts are called at once.
    ssh.write_text(f'#!/bin/sh\nprintf \'%s\\0\' "$@" > "$(mktemp -p {calls})"\nexit 255\n')
    ssh.chmod(0o755)
    source = inventory.source(
        cache=True,
        cache_plugin="jsonfile",
        cache_connection=str(player.folder / "cache"),
        compose={
            "composed": "hosting_name ~ hosting_framework",
            "each": "[hosting_alias, hosting_build_command]",
        },
        groups={"some": "hosting_framework"},
        keyed_groups=[
            {"key": f"hosting_{field}", "separator": ""}
            for field in ("framework", "team", "dev_command")
        ],
    )
    local = {"hosts": "all", "connection": "local", "gather_facts": False, "tasks": HOST_TASKS}
    called = {"ansible.builtin.raw": "true", "ignore_unreachable": True}
    remote = {"hosts": "all", "gather_facts": False, "tasks": [called]}
    with canary(3) as evil:
        seed(player, evil)
        listed, said = inventory.listed_and_warned(source)
        from_cache, _said = inventory.listed_and_warned(source)
        script = script_of(inventory.run("-i", source, "--list").stdout, player.folder / "script")
        own = player.run_plays(
            [local, remote], "-i", str(source), ANSIBLE_SSH_EXECUTABLE=str(ssh), ANSIBLE_SSH_ARGS=""
        )
        controller = player.run_plays([local], "-i", script)
        assert evil.canary_files == []

    assert from_cache == listed
    names = list(listed["_meta"]["hostvars"])
    assert len(names) == PROJECTS
    for group in listed.values():
        assert all(isinstance(host, str) for host in group.get("hosts", []))
    assert [name for name in names if re.search(r"^[-.]|[\x00-\x7f](?<![\w=.-])", name)] == []
    stored = {project["id"]: project["name"] for project in player.emulator.state()["projects"]}
    for played in (own, controller):
        facts = [task.result.get("ansible_facts", {}) for task in played.tasks]
        kept = [some["kept"] for some in facts if "kept" in some]
        assert {host["hosting_id"]: host["hosting_name"] for host in kept} == stored
    words = [call.read_text().split("\0") for call in calls.iterdir()]
    assert len(words) == PROJECTS
    assert all(len(set(call) & set(names)) == 1 for call in words)
    assert active_characters(said) == set()
