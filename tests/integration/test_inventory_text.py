# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names and text of the service in an inventory, which are no templates, and options of its source,
which may be.
"""

import json
from typing import Any

import pytest
from emulated import OWNER_TOKEN, ControlledEmulator
from inventories import Inventory, parsed, squeezed

TEMPLATE = "{{ 7 * 6 }}"
TEMPLATE_HOST = "=7B=7B=207=20=2A=206=20=7D=7D"


def test_host_never_shares_its_name_with_a_group(
    emulator: ControlledEmulator, inventory: Inventory
) -> None:
    """Of another source, or made of its fields."""
    of_groups = ["servers", "mine", "made", "framework_astro"]
    projects = emulator.seed(projects=[{"name": name, "framework": "astro"} for name in of_groups])[
        "projects"
    ]
    static = inventory.player.folder / "static.yml"
    static.write_text("servers: {hosts: {machine: {}}, vars: {hosting_id: theirs}}")
    source = inventory.source(
        groups={"mine": "hosting_name is defined"},
        compose={"composed": "hosting_id"},
        keyed_groups=[{"key": "hosting_framework", "prefix": "framework", "parent_group": "made"}],
        strict=True,
    )
    done = inventory.run("-i", static, "-i", source, "--list")
    listed = parsed(done.stdout)
    hosts = listed["_meta"]["hostvars"]
    renamed = {f"{project['name']}.{project['id']}": project["id"] for project in projects}
    assert hosts.pop("machine") == {"hosting_id": "theirs"}
    for field in ("composed", "hosting_id"):
        assert {name: host[field] for name, host in hosts.items()} == renamed
    for group in ("mine", "framework_astro"):
        assert sorted(listed[group]["hosts"]) == sorted(renamed)
    assert listed["made"]["children"] == ["framework_astro"]
    assert " ".join(done.stderr.split()).count("A group is called") == len(of_groups)


TEAMS = [{"slug": "acme"}, {"slug": "other"}]
PROJECTS = [
    {"name": "web", "team": "acme"},
    {"name": "shop", "team": "acme"},
    {"name": "web", "team": "other"},
]


def test_connection_and_teams_may_be_templates(
    emulator: ControlledEmulator, inventory: Inventory
) -> None:
    """Those of the file are evaluated, once, before their types are looked at; text that comes of
    one never is.
    """
    emulator.seed(teams=TEAMS, projects=[*PROJECTS, {"name": TEMPLATE, "team": "acme"}])
    calls = inventory.player.folder / "calls"
    counted = "{{ lookup('ansible.builtin.pipe', 'echo >>" + str(calls) + "; echo ' ~ '3') }}"
    options = {
        "base_url": "{{ lookup('ansible.builtin.env', 'ADDRESS') }}",
        "access_token": "{{ lookup('ansible.builtin.env', 'TOKEN') }}",
        "timeout": counted,
        "validate_certs": "{{ 1 == 1 }}",
    }
    environment = {
        "ADDRESS": emulator.base_url,
        "TOKEN": OWNER_TOKEN,
        "TEAMS": "acme,other",
        "HOSTING_PLATFORM_BASE_URL": "",
        "HOSTING_PLATFORM_ACCESS_TOKEN": "",
    }
    cache = {"cache": True, "cache_plugin": "ansible.builtin.jsonfile", "cache_connection": "cache"}
    expected = {"shop", "web.acme", "web.other", TEMPLATE_HOST}
    given = {
        "text": "{{ lookup('ansible.builtin.env', 'TEAMS') }}",
        "items": ["{{ 'ac' ~ 'me' }}", "other"],
    }
    for name, teams in given.items():
        source = inventory.source(name, **options, teams=teams, **cache)
        calls.unlink(missing_ok=True)
        emulator.forget_requests()
        for count in (1, 2):
            listed, _warnings = inventory.listed_and_warned(source, **environment)
            assert set(listed["_meta"]["hostvars"]) == expected, name
            assert listed["_meta"]["hostvars"][TEMPLATE_HOST]["hosting_name"] == TEMPLATE
            assert calls.read_text() == "\n" * count
        assert len(emulator.requests()) == 3, "the second list comes from the cache"
        assert OWNER_TOKEN not in "".join(
            file.read_text() for file in (inventory.player.folder / "cache").iterdir()
        )
    # Another token is another key.
    emulator.forget_requests()
    refused = inventory.run(
        "-i", source, "--list", **{**environment, "TOKEN": "another-token-0123456789"}
    )
    assert "status 401" in " ".join(refused.stderr.split())
    assert len(emulator.requests()) == 1


@pytest.mark.core_differences
def test_only_what_the_file_says_is_a_template(
    emulator: ControlledEmulator, inventory: Inventory
) -> None:
    token = inventory.player.folder / "token"
    token.write_text(OWNER_TOKEN)
    token.chmod(0o600)
    emulator.seed(projects=[{"name": "web"}])
    path = inventory.source(
        "path", access_token_path="{{ lookup('ansible.builtin.env', 'TOKEN_PATH') }}"
    )
    listed = inventory.listed(path, HOSTING_PLATFORM_ACCESS_TOKEN="", TOKEN_PATH=str(token))
    by_variable = {
        "HOSTING_PLATFORM_ACCESS_TOKEN": "",
        "HOSTING_PLATFORM_ACCESS_TOKEN_PATH": str(token),
    }
    assert listed == inventory.listed(inventory.source("variable"), **by_variable)
    assert list(listed["_meta"]["hostvars"]) == ["web"]

    # One that fails names its option.
    undefined = inventory.run(
        "-i", inventory.source("undefined", base_url="{{ nowhere }}"), "--list"
    )
    assert squeezed("base_url: 'nowhere' is undefined") in squeezed(undefined.stderr)
    # What the environment holds is a value, and no template.
    value = {"VALUE": "{{ lookup('ansible.builtin.pipe', 'touch ran') }}"}
    once = inventory.source("once", teams=["{{ lookup('ansible.builtin.env', 'VALUE') }}"])
    assert squeezed("{{ lookup(") in squeezed(inventory.run("-i", once, "--list", **value).stderr)
    environment = {"HOSTING_PLATFORM_TEAM": value["VALUE"]}
    inventory.run("-i", inventory.source("variable"), "--list", **environment)
    inventory.run(
        "-i", inventory.source("address"), "--list", HOSTING_PLATFORM_BASE_URL=value["VALUE"]
    )
    unsafe = inventory.source("unsafe")
    unsafe.write_text(unsafe.read_text() + f'teams: [!unsafe "{value["VALUE"]}"]\n')
    assert squeezed("{{ lookup(") in squeezed(inventory.run("-i", unsafe, "--list").stderr)
    assert not (inventory.player.folder / "ran").exists()


LOOKUP = "{{ lookup('ansible.builtin.pipe', 'touch ran') }}"
TEXTS = [
    LOOKUP,
    "{% set x = 1 %}",
    "{# x #}",
    f"#jinja2: variable_start_string: '[['\n[[ 6 * 7 ]] {LOOKUP}",
]
PLAIN = "a: 'b' !unsafe \"c\" \\ é\n- d #"


@pytest.mark.parametrize("arguments", [[], ["--export"]], ids=["list", "export"])
def test_saved_inventory_output_runs_no_templates(
    emulator: ControlledEmulator, inventory: Inventory, arguments: list[str]
) -> None:
    """The list in JSON, as a script prints it that a later play has as its inventory."""
    emulator.switch(extra_fields=True)
    emulator.seed(
        projects=[
            {"name": f"web-{number}", "buildCommand": text} for number, text in enumerate(TEXTS)
        ]
    )
    emulator.seed(projects=[{"name": "plain", "buildCommand": PLAIN}])
    source = inventory.source(
        compose={"composed": "hosting_build_command", "both": "[hosting_build_command]"}
    )
    done = inventory.run("-i", source, "--list", *arguments)
    assert not done.stderr
    kept = inventory.player.folder / "kept.sh"
    kept.write_text(f"#!/bin/sh\ncat <<'END'\n{done.stdout}\nEND\n")
    kept.chmod(0o700)
    expected: dict[str, str] = dict(
        zip((f"web-{number}" for number in range(len(TEXTS))), TEXTS, strict=True)
    )
    expected["plain"] = PLAIN
    names = "inventory_hostname, hosting_build_command, composed, both[0]"
    tasks: list[dict[str, Any]] = [
        {"ansible.builtin.set_fact": {"again": "{{ hosting_build_command }}"}},
        {"ansible.builtin.debug": {"msg": "{{ again }}"}},
        {"ansible.builtin.debug": {"msg": f"{{{{ [{names}] | to_json }}}}"}},
    ]
    here = {
        "ansible_python_interpreter": "{{ ansible_playbook_python }}",
        "ansible_connection": "local",
    }
    play = {"hosts": "all", "gather_facts": False, "vars": here, "tasks": tasks}
    played = inventory.player.run_plays([play], "-i", str(kept))
    shown = [task.result["msg"] for task in played.tasks[2 * len(expected) :]]
    # Before 2.19, core makes a list of what looks like one.
    found = [json.loads(message) if isinstance(message, str) else message for message in shown]
    assert sorted(found) == sorted([name, text, text, text] for name, text in expected.items())
    assert not (inventory.player.folder / "ran").exists()
