# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of projects and text of the service, in the hands of ansible-inventory and ansible-playbook."""

from __future__ import annotations

import json
from typing import Any

import pytest
from emulated import Emulated
from inventories import Inventory

from ansible_collections.hosting.platform.plugins.module_utils._common.text import printable

TEMPLATE = "{{ 7 * 6 }}"
EXPRESSION = "1 == 1"
# Projects and their hosts.
ODD_NAMES = {
    TEMPLATE: "=7B=7B=207=20=2A=206=20=7D=7D",
    EXPRESSION: "1=20=3D=3D=201",
    "with spaces": "with=20spaces",
    "../a:b": "=2E.=2Fa=3Ab",
    "[1:3]": "=5B1=3A3=5D",
    "ünïcödé": "ünïcödé",
    "--version": "=2D-version",
    "x,all": "x=2Call",
    "\x1b[2Jgone": "=1B=5B2Jgone",
}


def test_text_of_the_service_is_never_a_template(emulator: Emulated, inventory: Inventory) -> None:
    emulator.seed(projects=[{"name": name, "framework": TEMPLATE} for name in (TEMPLATE, EXPRESSION)])
    source = inventory.source(
        include_domains=True,
        compose={
            "ansible_connection": "'local'",
            "composed": "hosting_name",
            "joined": "hosting_name ~ hosting_framework",
            "listed": "hosting_domains | map(attribute='alias') | list + [hosting_framework]",
        },
        keyed_groups=[{"key": "hosting_framework", "prefix": "framework"}],
    )
    names = "hosting_name, hosting_name, composed, joined, listed[-1], hostvars[inventory_hostname].composed"
    tasks: list[dict[str, Any]] = [
        {"ansible.builtin.debug": {"msg": f"{{{{ [{names}] }}}}"}},
        {"ansible.builtin.set_fact": {"kept": "{{ hosting_name }}"}},
        {"ansible.builtin.debug": {"msg": "{{ kept }}"}},
        {"ansible.builtin.assert": {"that": "{{ hosting_name }}"}},
    ]
    play = {"hosts": "framework____7___6___", "gather_facts": False, "ignore_errors": True, "tasks": tasks}
    played = inventory.player.run_plays([play], "-i", str(source), ANSIBLE_FORKS="1")

    shown = [task.result["msg"] for task in played.tasks if "msg" in task.result]
    for name in (TEMPLATE, EXPRESSION):
        assert [name, name, name, name + TEMPLATE, TEMPLATE, name] in shown
        assert name in shown
    assert [task.status for task in played.tasks[-2:]] == ["failed", "failed"]


def test_odd_names_and_names_of_groups(emulator: Emulated, inventory: Inventory) -> None:
    projects = emulator.seed(projects=[{"name": name} for name in [*ODD_NAMES, "servers", "mine"]])["projects"]
    static = inventory.player.folder / "static.yml"
    static.write_text("servers: {hosts: {machine: {}}, vars: {hosting_id: theirs}}")
    source = inventory.source(
        groups={"mine": "hosting_name is defined"}, compose={"composed": "hosting_id"}, strict=True
    )
    done = inventory.run("-i", static, "-i", source, "--list")

    listed = json.loads(done.stdout)
    ids = {project["name"]: project["id"] for project in projects}
    own = [*ODD_NAMES.values(), f"servers.{ids['servers']}", f"mine.{ids['mine']}"]
    hosts = listed["_meta"]["hostvars"]
    assert sorted(hosts) == sorted([*own, "machine"])
    assert all(hosts[host]["composed"] == hosts[host]["hosting_id"] == ids[name] for name, host in ODD_NAMES.items())
    assert hosts["machine"]["hosting_id"] == "theirs"
    assert "composed" not in hosts["machine"]
    assert sorted(listed["mine"]["hosts"]) == sorted(own)
    warnings = " ".join(done.stderr.split())
    assert warnings.count("has the name of a group") == 2
    assert all(f"{printable(name)} is called {host}" in warnings for name, host in ODD_NAMES.items() if name != host)
    assert "\x1b" not in done.stderr

    graph = inventory.run("-i", source, "--graph").stdout
    assert all(f"|--{host}\n" in graph for host in ODD_NAMES.values())


def test_a_host_never_shares_its_name_with_a_group_made_of_its_fields(emulator: Emulated, inventory: Inventory) -> None:
    names = {"web": "nextjs", "framework_nextjs": "astro", "made": "astro"}
    projects = emulator.seed(
        teams=[{"slug": "acme"}], projects=[{"name": name, "team": "acme", "framework": names[name]} for name in names]
    )["projects"]
    ids = {project["name"]: project["id"] for project in projects}
    keyed = [{"key": "hosting_framework", "prefix": "framework", "parent_group": "made"}]
    source = inventory.source(
        teams=["acme"], strict=True, keyed_groups=keyed, compose={"composed": "hosting_name"}, groups={"any": "true"}
    )
    done = inventory.run("-i", source, "--list")

    renamed = {name: f"{name}.{ids[name]}" for name in ("framework_nextjs", "made")}
    listed = json.loads(done.stdout)
    assert listed["framework_nextjs"]["hosts"] == ["web"]
    assert sorted(listed["framework_astro"]["hosts"]) == sorted(renamed.values())
    assert sorted(listed["made"]["children"]) == ["framework_astro", "framework_nextjs"]
    assert sorted(listed["any"]["hosts"]) == sorted(["web", *renamed.values()])
    hosts = listed["_meta"]["hostvars"]
    assert sorted(hosts) == sorted(["web", *renamed.values()])
    assert {hosts[host]["composed"]: hosts[host]["hosting_id"] for host in hosts} == ids
    assert done.stderr.count("has the name of a group") == 2
    play = {
        "hosts": "framework_nextjs",
        "gather_facts": False,
        "tasks": [{"ansible.builtin.debug": {"var": "composed"}}],
    }
    (task,) = inventory.player.run_plays([play], "-i", str(source)).tasks
    assert task.result["composed"] == "web"


@pytest.mark.thorough
def test_every_name_is_a_pattern_for_its_host_alone(emulator: Emulated, inventory: Inventory) -> None:
    """As a retry file and a controller's limit make patterns of names."""
    emulator.seed(projects=[{"name": name} for name in [*ODD_NAMES, "b"]])
    play = {"hosts": "all", "gather_facts": False}
    retry = inventory.player.folder / "site.retry"
    for host in ODD_NAMES.values():
        retry.write_text(f"{host}\n", encoding="utf-8")
        for limit in (host, f"@{retry}"):
            source = str(inventory.source())
            played = inventory.player.run_plays([play], "-i", source, "--list-hosts", "--limit", limit).output
            assert "hosts (1):" in played
            assert f"      {host}\n" in played
