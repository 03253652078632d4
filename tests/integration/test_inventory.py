# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The inventory plugin in the hands of ansible-inventory and ansible-playbook."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from ansible.parsing.vault import VaultLib, VaultSecret
from emulated import OWNER_TOKEN, Emulated
from environments import ROOT, variables
from playing import DEPRECATION, Player

PLUGIN = "hosting.platform.projects"
TEMPLATE = "{{ 7 * 6 }}"
EXPRESSION = "1 == 1"
ODD_NAMES = [TEMPLATE, EXPRESSION, "with spaces", "a/b:c", "[1:3]", "ünïcödé", "--version", "x,y"]
PROJECTS = [
    {"name": "web", "team": "acme", "framework": "astro"},
    {"name": "shop", "team": "acme", "framework": "nextjs"},
    {"name": "web", "team": "other", "framework": "astro"},
]
TEAMS = [{"slug": "acme"}, {"slug": "other"}]


class Inventory:
    """Sources of the plugin, and what ansible-inventory makes of them."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def source(self, name: str = "demo", /, **options: Any) -> Path:
        path = self.player.folder / f"{name}.hosting_platform.yml"
        path.write_text(yaml.safe_dump({"plugin": PLUGIN, **options}, sort_keys=False))
        return path

    def run(self, *arguments: str | Path, **environment: str | None) -> subprocess.CompletedProcess[str]:
        given = {**variables(self.player.bin), **self.player.environment, **environment}
        done = subprocess.run(
            [self.player.bin / "ansible-inventory", *arguments],
            env={name: value for name, value in given.items() if value is not None},
            cwd=self.player.folder,
            text=True,
            capture_output=True,
            check=False,
        )
        assert DEPRECATION not in done.stderr
        assert "Traceback" not in done.stderr
        assert OWNER_TOKEN not in done.stdout + done.stderr
        return done

    def listed(self, source: Path, *arguments: str | Path, **environment: str | None) -> dict[str, Any]:
        done = self.run("-i", source, "--list", *arguments, **environment)
        assert not done.stderr
        return without_marks(json.loads(done.stdout))


def without_marks(value: Any) -> Any:
    """The document without the marks with which ansible-inventory tells text that is data from templates."""
    if isinstance(value, dict):
        unmarked = {key: without_marks(item) for key, item in value.items()}
        return unmarked["__ansible_unsafe"] if unmarked.keys() == {"__ansible_unsafe"} else unmarked
    return [without_marks(item) for item in value] if isinstance(value, list) else value


@pytest.fixture
def inventory(player: Player) -> Inventory:
    return Inventory(player)


def test_projects_are_hosts_with_variables_and_groups(emulator: Emulated, inventory: Inventory) -> None:
    emulator.behave(unset_fields="null", extra_fields=True)
    seeded = emulator.seed(teams=TEAMS, projects=PROJECTS)["projects"]
    source = inventory.source(
        teams=["acme", "other"],
        strict=True,
        include_domains=True,
        compose={"label": "hosting_name ~ '/' ~ hosting_framework", "domain_count": "hosting_domains | length"},
        groups={"on-astro": "hosting_framework == 'astro'"},
        keyed_groups=[{"key": "hosting_framework", "prefix": "framework"}, {"key": "label", "separator": ""}],
    )
    listed = inventory.listed(source)

    hosts = listed["_meta"]["hostvars"]
    assert sorted(hosts) == ["shop", "web.acme", "web.other"]
    assert {name: host["hosting_id"] for name, host in hosts.items()} == dict(
        zip(["web.acme", "shop", "web.other"], (project["id"] for project in seeded), strict=True)
    )
    shop = hosts["shop"]
    assert shop["hosting_build_command"] is None
    assert {name for name in shop if name.startswith("hosting_")} > {"hosting_created_at", "hosting_team_id"}
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
    names = "inventory_hostname, hosting_name, composed, joined, listed[-1], hostvars[inventory_hostname].composed"
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

    listed = without_marks(json.loads(done.stdout))
    ids = {project["name"]: project["id"] for project in projects}
    own = [*ODD_NAMES, f"servers.{ids['servers']}", f"mine.{ids['mine']}"]
    hosts = listed["_meta"]["hostvars"]
    assert sorted(hosts) == sorted([*own, "machine"])
    assert all(hosts[name]["composed"] == hosts[name]["hosting_id"] == ids[name] for name in ODD_NAMES)
    assert hosts["machine"]["hosting_id"] == "theirs"
    assert "composed" not in hosts["machine"]
    assert sorted(listed["mine"]["hosts"]) == sorted(own)
    assert done.stderr.count("bears the name of a group") == 2

    graph = inventory.run("-i", source, "--graph").stdout
    assert all(f"|--{name}\n" in graph for name in ODD_NAMES)


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
    listed = without_marks(json.loads(done.stdout))
    assert listed["framework_nextjs"]["hosts"] == ["web"]
    assert sorted(listed["framework_astro"]["hosts"]) == sorted(renamed.values())
    assert sorted(listed["made"]["children"]) == ["framework_astro", "framework_nextjs"]
    assert sorted(listed["any"]["hosts"]) == sorted(["web", *renamed.values()])
    hosts = listed["_meta"]["hostvars"]
    assert sorted(hosts) == sorted(["web", *renamed.values()])
    assert {hosts[host]["composed"]: hosts[host]["hosting_id"] for host in hosts} == ids
    assert done.stderr.count("bears the name of a group") == 2
    play = {
        "hosts": "framework_nextjs",
        "gather_facts": False,
        "tasks": [{"ansible.builtin.debug": {"var": "composed"}}],
    }
    (task,) = inventory.player.run_plays([play], "-i", str(source)).tasks
    assert task.result["composed"] == "web"


def test_names_that_limit_would_split_are_selected_with_question_marks(
    emulator: Emulated, inventory: Inventory
) -> None:
    names = ["with spaces", "x,y", "a/b:c"]
    emulator.seed(projects=[{"name": name} for name in names])
    play = {"hosts": "all", "gather_facts": False}
    for name in names:
        pattern = re.sub("[ ,:]", "?", name)
        played = inventory.player.run_plays(
            [play], "-i", str(inventory.source()), "--list-hosts", "--limit", pattern
        ).output
        assert "hosts (1):" in played
        assert f"      {name}\n" in played


def test_a_project_called_localhost_leaves_the_implicit_one_alone(emulator: Emulated, inventory: Inventory) -> None:
    emulator.seed(projects=[{"name": "localhost"}])
    play = {
        "hosts": "localhost",
        "gather_facts": False,
        "tasks": [{"ansible.builtin.debug": {"msg": "{{ hosting_name is defined }}"}}],
    }
    (task,) = inventory.player.run_plays([play], "-i", str(inventory.source())).tasks
    assert str(task.result["msg"]) == "False"


def test_each_source_that_fails_says_so_once(emulator: Emulated, inventory: Inventory) -> None:
    """One run, with a source for each failure."""
    emulator.behave(echo_token=True, duplicate_names="allowed")
    emulator.seed(projects=[{"name": "twin"}, {"name": "twin"}])
    token = {"access_token": "another-token-0123456789"}
    cases: dict[str, tuple[dict[str, Any], str]] = {
        "refused": (token, "GET /projects failed: status 401. Check access_token: the service does not accept it."),
        "space": ({"access_token": "another-token 0123456789"}, "access_token: holds a space"),
        "nowhere": ({"base_url": "http://127.0.0.1:1", "max_retries": 0}, "GET /projects failed: no connection"),
        "address": ({"base_url": "http://user:another-token-0123456789@localhost"}, "base_url: holds user info"),
        "flag": ({"validate_certs": "perhaps"}, "validate_certs"),
        "number": ({"timeout": 0}, "timeout: must be a number of seconds, above 0"),
        "option": ({"team": "acme"}, f"team: no option of {PLUGIN}. Did you mean teams?"),
        "team": ({"teams": ["acme"]}, "team: acme is neither the id nor the slug of a team that this token can see."),
        "twins": ({}, "would both be the host twin."),
    }
    sources = [argument for name in cases for argument in ("-i", inventory.source(name, **cases[name][0]))]
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


def test_a_file_of_another_name_is_declined_with_the_reason(inventory: Inventory) -> None:
    path = inventory.source().rename(inventory.player.folder / "projects.yml")
    done = inventory.run("-i", path, "--list", "-vvv")
    assert f"{PLUGIN} declines {path}: its name does not end in hosting_platform.yml" in done.stdout + done.stderr
    assert inventory.player.emulator.requests == []


def test_what_is_cached_is_not_asked_again_and_holds_no_token(emulator: Emulated, inventory: Inventory) -> None:
    emulator.behave(echo_token=True)
    emulator.seed(projects=[{"name": "web"}, {"name": OWNER_TOKEN}, {"name": TEMPLATE}])
    emulator.seed(users=[{"email": "other@example.com", "token": "another-token-0123456789"}])
    folder = inventory.player.folder / "cache"
    cache = {"cache": True, "cache_plugin": "jsonfile", "cache_connection": str(folder)}
    source = inventory.source(**cache, compose={"composed": "hosting_name"})

    first = inventory.listed(source)
    assert first["_meta"]["hostvars"][TEMPLATE]["composed"] == TEMPLATE
    assert len(first["_meta"]["hostvars"]) == 3
    assert len(emulator.requests) == 1
    assert inventory.listed(source) == first
    assert len(emulator.requests) == 1
    (kept,) = folder.iterdir()
    assert OWNER_TOKEN not in kept.name + kept.read_text()

    play = {"hosts": "all", "gather_facts": False}
    inventory.player.run_plays([play], "-i", str(source), "--list-hosts", "--flush-cache")
    assert len(emulator.requests) == 2
    assert inventory.listed(source, HOSTING_PLATFORM_ACCESS_TOKEN="another-token-0123456789")["_meta"]["hostvars"] == {}


def test_connection_from_the_environment_and_the_file(emulator: Emulated, inventory: Inventory) -> None:
    """Empty variables count as not set, and a vaulted token is decrypted."""
    emulator.seed(projects=[{"name": "web"}])
    empty = dict.fromkeys(["TIMEOUT", "MAX_RETRIES", "MAX_RETRY_DELAY", "VALIDATE_CERTS", "CA_PATH", "CLIENT_CERT"], "")
    environment = {f"HOSTING_PLATFORM_{name}": value for name, value in empty.items()}
    password = inventory.player.folder / "password"
    password.write_text("password")
    vaulted = VaultLib([("default", VaultSecret(b"password"))]).encrypt(OWNER_TOKEN).decode()
    source = inventory.source()
    with source.open("a") as file:
        file.write("access_token: !vault |\n" + "".join(f"  {line}\n" for line in vaulted.splitlines()))
    arguments = ("--vault-password-file", password)
    listed = inventory.listed(source, *arguments, HOSTING_PLATFORM_ACCESS_TOKEN="", **environment)
    assert list(listed["_meta"]["hostvars"]) == ["web"]

    missing = inventory.run("-i", inventory.source("missing"), "--list", HOSTING_PLATFORM_ACCESS_TOKEN="")
    assert "missing required arguments: access_token" in missing.stderr
    assert len(emulator.requests) == 1


def test_the_documentation_shows_the_connection_options(inventory: Inventory) -> None:
    command = [str(inventory.player.bin / "ansible-doc"), "-t", "inventory", "--json", PLUGIN]
    shown = subprocess.run(command, env=variables(inventory.player.bin), capture_output=True, text=True, check=True)
    options = json.loads(shown.stdout)[PLUGIN]["doc"]["options"]
    assert options["validate_certs"]["type"] == "bool"
    assert options["validate_certs"]["default"] is True
    assert [variable["name"] for variable in options["access_token"]["env"]] == ["HOSTING_PLATFORM_ACCESS_TOKEN"]
    assert {"teams", "include_domains", "compose", "groups", "keyed_groups", "strict", "cache"} <= options.keys()


def test_examples(emulator: Emulated, inventory: Inventory) -> None:
    """Every source of the guide and of the documentation is parsed, and the guide's playbook played."""
    emulator.seed(
        teams=[{"slug": "acme"}, {"slug": "web-team"}],
        projects=[{"name": "shop", "team": "acme", "framework": "nextjs"}, {"name": "mine"}],
    )
    guide = (ROOT / "docs/docsite/rst/guide_inventory.rst").read_text()
    blocks = re.findall(r"^\.\. code-block:: yaml\n\n((?:(?:  .*)?\n)+)", guide, re.MULTILINE)
    shown = re.search(r'EXAMPLES = r"""\n(.*?)"""', (ROOT / "plugins/inventory/projects.py").read_text(), re.DOTALL)
    assert shown
    sources = [yaml.safe_load(block) for block in (*blocks, shown[1])]
    (play,) = (source for source in sources if isinstance(source, list))
    sources.remove(play)
    assert len(sources) == 6
    arguments: list[str | Path] = []
    for number, options in enumerate(sources):
        address = {"base_url": emulator.base_url} if "base_url" in options else {}
        arguments += ["-i", inventory.source(f"example-{number}", **{**options, **address, "strict": True})]
    done = inventory.run(*arguments, "--list")
    assert not done.stderr
    listed = without_marks(json.loads(done.stdout))
    hosts = listed["_meta"]["hostvars"]
    assert sorted(hosts) == ["mine", "shop"]
    assert hosts["shop"]["console_title"] == f"shop ({hosts['shop']['hosting_id']})"
    assert hosts["mine"]["public_names"] == ["mine.hosting.example"]

    played = inventory.player.run_plays(play, *map(str, arguments))
    assert [(task.status, task.result["changed"]) for task in played.tasks] == [("ok", True)]
    assert emulator.state["projects"][0]["buildCommand"] == "npm run build"
