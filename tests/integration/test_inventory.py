# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The inventory plugin in the hands of ansible-inventory and ansible-playbook."""

import re
from pathlib import Path
from typing import Any

import yaml
from emulated import OWNER_TOKEN, ControlledEmulator
from environments import ROOT
from inventories import PLUGIN, Inventory, parsed, squeezed
from vaults import vaulted_value, with_password

TEMPLATE = "{{ 7 * 6 }}"
TEMPLATE_HOST = "=7B=7B=207=20=2A=206=20=7D=7D"
PROJECTS = [
    {"name": "web", "team": "acme", "framework": "astro"},
    {"name": "shop", "team": "acme", "framework": "nextjs"},
    {"name": "web", "team": "other", "framework": "astro"},
]
TEAMS = [{"slug": "acme"}, {"slug": "other"}]


def test_projects_are_hosts_with_variables_and_groups(
    emulator: ControlledEmulator, inventory: Inventory
) -> None:
    emulator.switch(unset_fields="null", extra_fields=True)
    seeded = emulator.seed(teams=TEAMS, projects=PROJECTS)["projects"]
    source = inventory.source(
        teams=["acme", "other"],
        strict=True,
        include_domains=True,
        compose={
            "label": "hosting_name ~ '/' ~ hosting_framework",
            "domain_count": "hosting_domains | length",
        },
        groups={"on-astro": "hosting_framework == 'astro'"},
        keyed_groups=[
            {"key": "hosting_framework", "prefix": "framework"},
            {"key": "label", "separator": ""},
        ],
    )
    listed = inventory.listed(source)

    hosts = listed["_meta"]["hostvars"]
    assert sorted(hosts) == ["shop", "web.acme", "web.other"]
    assert {name: host["hosting_id"] for name, host in hosts.items()} == dict(
        zip(["web.acme", "shop", "web.other"], (project["id"] for project in seeded), strict=True)
    )
    shop = hosts["shop"]
    assert shop["hosting_build_command"] is None
    assert {name for name in shop if name.startswith("hosting_")} > {
        "hosting_created_at",
        "hosting_team_id",
    }
    assert shop["label"] == "shop/nextjs"
    assert int(shop["domain_count"]) == len(shop["hosting_domains"]) == 1
    groups = {name: sorted(group["hosts"]) for name, group in listed.items() if "hosts" in group}
    assert groups == {
        "on_astro": ["web.acme", "web.other"],
        "framework_astro": ["web.acme", "web.other"],
        "framework_nextjs": ["shop"],
        "shop_nextjs": ["shop"],
        "web_astro": ["web.acme", "web.other"],
    }


def test_projects_of_two_sources_are_never_one_host(
    emulator: ControlledEmulator, inventory: Inventory
) -> None:
    """A machine of a static inventory is: variables are given to hosts in this way. So is a project
    that both have.
    """
    emulator.seed(
        teams=TEAMS, projects=[*PROJECTS, {"name": "web"}, {"name": "web.other", "team": "acme"}]
    )
    static = inventory.player.folder / "static.yml"
    static.write_text("all: {hosts: {shop: {color: blue}, web: {}}}")
    sources = [inventory.source(team, teams=[team]) for team in ("acme", "other")]
    again = inventory.source("again", teams=["acme"])
    arguments = [f"--inventory={source}" for source in (static, *sources, again)]
    done = inventory.run(*arguments, "--list")

    hosts = parsed(done.stdout)["_meta"]["hostvars"]
    ids = {
        (project["name"], project.get("teamId")): project["id"]
        for project in emulator.state()["projects"]
    }
    acme, other = (team["id"] for team in emulator.state()["teams"])
    assert {name: host["hosting_id"] for name, host in hosts.items()} == {
        "shop": ids["shop", acme],
        "web": ids["web", acme],
        "web.other": ids["web.other", acme],
        f"web.other.{ids['web', other]}": ids["web", other],
    }
    assert hosts["shop"]["color"] == "blue"
    (warning,) = re.findall(r"Anearliersourcehasahost.*?\.(?=\[|$)", squeezed(done.stderr))
    assert warning.startswith(
        squeezed(f"An earlier source has a host web (project {ids['web', acme]}), so the host of")
    )


def test_each_source_that_fails_says_so_once(
    emulator: ControlledEmulator, inventory: Inventory
) -> None:
    """One run, with a source for each failure."""
    emulator.switch(echo_token=True, duplicate_names="allowed")
    emulator.seed(projects=[{"name": "twin"}, {"name": "twin"}])
    token = {"access_token": "another-token-0123456789"}
    cases: dict[str, tuple[dict[str, Any], str]] = {
        "refused": (
            token,
            "GET /teams failed: status 401. Check access_token: 127.0.0.1:",
        ),
        "space": ({"access_token": "another-token 0123456789"}, "access_token: contains a space"),
        "nowhere": (
            {"base_url": "http://127.0.0.1:1", "max_retries": 0},
            "GET /teams failed: could not connect",
        ),
        "address": (
            {"base_url": "http://user:another-token-0123456789@localhost"},
            "base_url: is not a usable",
        ),
        "flag": ({"validate_certs": "perhaps"}, "validate_certs"),
        "domains": ({"include_domains": "{{ true }}"}, "argument 'include_domains' is of type"),
        "number": ({"timeout": 0}, "timeout: must be a number of seconds greater than 0"),
        "path": (
            {"ca_path": "ca.pem"},
            "ca_path: ca.pem is a relative path where the module runs. Write the whole path",
        ),
        "home": (
            {"client_key": "~nobody-of-this-name/key"},
            "client_key: ~nobody-of-this-name/key is a relative path",
        ),
        "option": ({"team": "acme"}, "team is not an option. Did you mean teams?"),
        "team": (
            {"teams": ["acme"]},
            "teams[0]: acme is neither the id nor the slug of a team that this token can see.",
        ),
        "null": ({"teams": None}, "teams is empty: a template came out empty? Leave it out"),
        "empty": ({"teams": ["acme", ""]}, "teams[1] is empty: a template came out empty?"),
        "nul": ({"ca_path": "/ca\0.pem"}, "ca_path: must not contain a NUL character. Remove it."),
        "twins": ({}, "would have the same host name, twin."),
    }
    sources = [
        f"--inventory={inventory.source(name, **options)}" for name, (options, _) in cases.items()
    ]
    done = inventory.run(
        *sources,
        "--list",
        "-vvvv",
        ANSIBLE_INVENTORY_ENABLED=PLUGIN,
        COLUMNS="1000",
        ANSIBLE_INVENTORY_UNPARSED_WARNING="0",
    )

    said = " ".join(done.stderr.split())
    assert "another-token" not in said
    for name, (_options, words) in cases.items():
        assert words in said, name
    assert said.count("as an inventory source") == len(cases)


def test_a_file_of_another_name_is_declined(inventory: Inventory) -> None:
    path = inventory.source().rename(inventory.player.folder / "projects.yml")
    done = inventory.run("-i", path, "--list")
    assert squeezed(f"could not be verified by inventory plugin '{PLUGIN}'") in squeezed(
        done.stderr
    )
    assert inventory.player.emulator.requests() == []


def test_cached_inventory_sends_nothing_and_has_no_token(
    emulator: ControlledEmulator, inventory: Inventory
) -> None:
    emulator.switch(echo_token=True)
    emulator.seed(projects=[{"name": "web"}, {"name": OWNER_TOKEN}, {"name": TEMPLATE}])
    emulator.seed(users=[{"email": "other@example.com", "token": "another-token-0123456789"}])
    folder = inventory.player.folder / "cache"
    cache = {"cache": True, "cache_plugin": "jsonfile", "cache_connection": str(folder)}
    source = inventory.source(**cache, compose={"composed": "hosting_name"})

    first, warnings = inventory.listed_and_warned(source)
    assert first["_meta"]["hostvars"][TEMPLATE_HOST]["composed"] == TEMPLATE
    assert len(first["_meta"]["hostvars"]) == 3
    assert len(emulator.requests()) == 2
    assert inventory.listed_and_warned(source) == (first, warnings)
    assert len(emulator.requests()) == 2
    (cached,) = folder.iterdir()
    text = cached.read_text()
    assert OWNER_TOKEN not in cached.name + text
    for unusable in ('{"__ansible_vault": "no vault"}', '"{"'):
        cached.write_text(unusable)
        assert inventory.listed_and_warned(source) == (first, warnings)

    play = {"hosts": "all", "gather_facts": False}
    inventory.player.run_plays([play], "-i", str(source), "--list-hosts", "--flush-cache")
    assert len(emulator.requests()) == 8
    another = {"HOSTING_PLATFORM_ACCESS_TOKEN": "another-token-0123456789"}
    listed, said = inventory.listed_and_warned(source, **another)
    assert listed["_meta"]["hostvars"] == {}
    assert squeezed("There are no hosts, because there are no projects in ") in said


def test_the_environment_names_a_team_unless_the_file_does(
    emulator: ControlledEmulator, inventory: Inventory
) -> None:
    emulator.seed(teams=TEAMS, projects=[*PROJECTS[1:], {"name": "mine"}])
    cases: list[tuple[dict[str, Any], str | None, list[str]]] = [
        ({}, "acme", ["shop"]),
        ({}, "", ["mine", "shop", "web"]),
        ({}, None, ["mine", "shop", "web"]),
        ({"teams": ["other"]}, "acme", ["web"]),
        ({"teams": []}, "acme", ["shop"]),
    ]
    for options, team, hosts in cases:
        listed = inventory.listed(inventory.source(**options), HOSTING_PLATFORM_TEAM=team)
        assert sorted(listed["_meta"]["hostvars"]) == hosts, (options, team)


def test_connection_from_the_environment_and_the_file(
    emulator: ControlledEmulator, inventory: Inventory
) -> None:
    """Empty variables count as not set, and a vaulted token is decrypted."""
    emulator.seed(projects=[{"name": "web"}])
    empty = dict.fromkeys(
        ["TIMEOUT", "MAX_RETRIES", "MAX_RETRY_DELAY", "VALIDATE_CERTS", "CA_PATH", "CLIENT_CERT"],
        "",
    )
    environment = {f"HOSTING_PLATFORM_{name}": value for name, value in empty.items()}
    source = inventory.source()
    with source.open("a") as file:
        file.write(f"access_token: {vaulted_value(OWNER_TOKEN)}")
    arguments = with_password(inventory.player.folder)
    listed = inventory.listed(source, *arguments, HOSTING_PLATFORM_ACCESS_TOKEN="", **environment)
    assert list(listed["_meta"]["hostvars"]) == ["web"]

    missing = inventory.run(
        "-i", inventory.source("missing"), "--list", HOSTING_PLATFORM_ACCESS_TOKEN=""
    )
    assert "HOSTING_PLATFORM_ACCESS_TOKEN" in missing.stderr
    assert len(emulator.requests()) == 2


def test_examples(emulator: ControlledEmulator, inventory: Inventory) -> None:
    """Every source of the guide and of the documentation is parsed, and the guide's playbook
    played.
    """
    emulator.seed(
        teams=[{"slug": "acme"}, {"slug": "web-team"}],
        projects=[{"name": "shop", "team": "acme", "framework": "nextjs"}, {"name": "mine"}],
    )
    guide = (ROOT / "docs/docsite/rst/guide_inventory.rst").read_text()
    blocks = re.findall(r"^\.\. code-block:: yaml\n\n((?:(?:  .*)?\n)+)", guide, re.MULTILINE)
    shown = re.search(
        r'EXAMPLES = r"""\n(.*?)"""',
        (ROOT / "plugins/inventory/projects.py").read_text(),
        re.DOTALL,
    )
    assert shown
    sources = [yaml.safe_load(block) for block in (*blocks, shown[1])]
    (play,) = (source for source in sources if isinstance(source, list))
    sources.remove(play)
    assert len(sources) == 7
    arguments: list[str | Path] = []
    for number, options in enumerate(sources):
        address = {"base_url": emulator.base_url} if "base_url" in options else {}
        arguments += [
            "-i",
            inventory.source(f"example-{number}", **{**options, **address, "strict": True}),
        ]
    done = inventory.run(*arguments, "--list")
    assert not done.stderr
    listed = parsed(done.stdout)
    hosts = listed["_meta"]["hostvars"]
    assert sorted(hosts) == ["mine", "shop"]
    assert hosts["shop"]["console_title"] == f"shop ({hosts['shop']['hosting_id']})"
    assert hosts["mine"]["public_names"] == ["mine.hosting.example"]

    played = inventory.player.run_plays(play, *map(str, arguments))
    assert [(task.status, task.result["changed"]) for task in played.tasks] == [("ok", True)]
    assert emulator.state()["projects"][0]["buildCommand"] == "npm run build"
