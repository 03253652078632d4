# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the guide to controllers offers: the credential type, the project and its jobs, sliced too, and the set-up."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from controlling import EXAMPLE, INJECTORS, INPUTS, OUR_VARIABLES, Controller, Job, injected, sliced
from emulated import OWNER_TOKEN, Emulated
from environments import ROOT, collection_tree, variables
from guides import GUIDES, blocks
from playing import Player

from ansible_collections.hosting.platform.plugins.doc_fragments.api import ModuleDocFragment

INVENTORY = yaml.safe_load((EXAMPLE / "project/inventory/teams.yml").read_text())["all"]
TEAMS = sorted(INVENTORY["hosts"])
MODULES = yaml.safe_load((ROOT / "tests/controller_modules.yml").read_text())["modules"]
# Stands in for a module of awx.awx: Ansible checks the options, and they are written down.
STAND_IN = """#!/usr/bin/python
import json, os
from ansible.module_utils.basic import AnsibleModule
module = AnsibleModule(json.loads({specification!r}))
given = {{name: value for name, value in module.params.items() if value is not None}}
with open(os.environ["WRITTEN_DOWN"], "a") as file:
    file.write(json.dumps([{name!r}, given]) + "\\n")
module.exit_json(changed=True)
"""


def test_credential_reaches_the_modules_under_names_that_a_controller_allows() -> None:
    text = ModuleDocFragment.ENV + ModuleDocFragment.TEAM
    assert all(name.startswith(OUR_VARIABLES) and name in text for name in INJECTORS["env"])
    assert [field["id"] for field in INPUTS["fields"] if field.get("secret")] == ["access_token"]
    plain = injected(base_url="https://api.example.com", access_token=OWNER_TOKEN)
    assert plain == {
        "HOSTING_PLATFORM_BASE_URL": "https://api.example.com",
        "HOSTING_PLATFORM_ACCESS_TOKEN": OWNER_TOKEN,
        "HOSTING_PLATFORM_TEAM": "",
        "HOSTING_PLATFORM_VALIDATE_CERTS": "True",
    }
    unverified = injected(base_url="", access_token="", skip_verification=True)
    assert unverified["HOSTING_PLATFORM_VALIDATE_CERTS"] == "False"


def test_drift_job_then_sliced_jobs_then_no_drift(player: Player, emulator: Emulated) -> None:
    """The two slices together do what the drift job foresaw, and neither does what the other does."""
    emulator.behave(echo_token=True)
    controller = Controller(player)

    def launch(teams: list[str], *options: str) -> Job:
        inventory = {"all": {"hosts": dict.fromkeys(teams), "vars": INVENTORY["vars"]}}
        job = controller.launch("converge.yml", inventory, "--diff", *options)
        assert job.status == "successful", job.output
        assert OWNER_TOKEN not in job.everything
        return job

    drift = launch(TEAMS, "--check")
    assert emulator.writes == []
    foreseen = drift.results("Converge the platform")
    assert sorted(foreseen) == TEAMS
    assert all(result["changed"] for result in foreseen.values())

    first, second = (launch(sliced(TEAMS, number, 2)).results("Converge the platform") for number in (1, 2))
    assert not first.keys() & second.keys()
    done = first | second
    assert {team: result["results"] for team, result in done.items()} == {
        team: result["results"] for team, result in foreseen.items()
    }
    assert sorted(project["name"] for project in emulator.state["projects"]) == ["blog", "podcast", "shop"]

    again = launch(TEAMS, "--check")
    assert not any(result["changed"] for result in again.results("Converge the platform").values())
    (stats,) = (event for event in again.events if event["event"] == "playbook_on_stats")
    assert stats["event_data"]["artifact_data"]["converge_summary"]["create"] == 0


@pytest.mark.parametrize(("hosts", "slices"), [(7, 2), (8, 3), (2, 5)])
def test_slices_are_a_partition(hosts: int, slices: int) -> None:
    teams = [f"team-{number}" for number in range(hosts)]
    parts = [sliced(teams, number + 1, slices) for number in range(slices)]
    assert sorted(team for part in parts for team in part) == sorted(teams)


def test_inventory_source_serves_a_job(player: Player, emulator: Emulated) -> None:
    emulator.seed(
        teams=[{"slug": team} for team in TEAMS],
        projects=[{"name": "shop", "team": "acme", "framework": "nextjs"}, {"name": "blog", "team": "media"}],
    )
    controller = Controller(player)
    (controller.data / "project/show.yml").write_text(
        "- hosts: framework_nextjs\n  connection: local\n  gather_facts: false\n"
        "  tasks: [{name: Show, ansible.builtin.debug: {var: hosting_framework}}]\n"
    )
    job = controller.launch("show.yml", controller.data / "project/inventory/projects.hosting_platform.yml")
    assert job.status == "successful", job.output
    assert {host: result["hosting_framework"] for host, result in job.results("Show").items()} == {"shop": "nextjs"}
    assert OWNER_TOKEN not in job.everything


def test_the_set_up_names_modules_and_options_that_exist(player: Player) -> None:
    tree = player.folder / "collections"
    shutil.copytree(
        collection_tree() / "ansible_collections/hosting", tree / "ansible_collections/hosting", symlinks=True
    )
    modules = tree / "ansible_collections/awx/awx/plugins/modules"
    modules.mkdir(parents=True)
    for name, options in MODULES.items():
        (modules / f"{name}.py").write_text(STAND_IN.format(specification=json.dumps(options), name=name))
    written = player.folder / "written"
    play = player.run_file(
        EXAMPLE / "setup.yml",
        "--extra-vars",
        "project_url=https://git.example.com/platform.git",
        ANSIBLE_COLLECTIONS_PATH=str(tree),
        PYTHONPATH=None,
        WRITTEN_DOWN=str(written),
    )
    assert play.return_code == 0, play.output
    assert OWNER_TOKEN not in play.output
    calls = [json.loads(line) for line in written.read_text().splitlines()]
    assert {name for name, _given in calls} == MODULES.keys()

    def given(module: str) -> list[dict[str, Any]]:
        return [options for name, options in calls if name == module]

    (credential_type,) = given("credential_type")
    assert credential_type["injectors"] == INJECTORS
    assert credential_type["inputs"] == INPUTS
    jobs = given("job_template")
    assert [job["job_type"] for job in jobs] == ["check", "run"]
    assert all((EXAMPLE / "project" / job["playbook"]).exists() for job in jobs)
    role = yaml.safe_load((ROOT / "roles/converge/meta/argument_specs.yml").read_text())
    asked = {question["variable"] for question in jobs[0]["survey_spec"]["spec"]}
    assert asked <= set(role["argument_specs"]["main"]["options"])
    assert all((EXAMPLE / "project" / source["source_path"]).exists() for source in given("inventory_source"))


def test_execution_environment(tmp_path: Path) -> None:
    """It gets the collection, and with it what the collection needs."""
    builder = Path(sys.executable).with_name("ansible-builder")
    environment = variables(builder.parent)
    context = tmp_path / "context"
    definition = EXAMPLE / "execution-environment.yml"
    subprocess.run([builder, "create", "--file", definition, "--context", context], env=environment, check=True)
    asked = yaml.safe_load((context / "_build/requirements.yml").read_text())
    assert [collection["name"] for collection in asked["collections"]] == ["hosting.platform"]

    introspect = [str(builder), "introspect", str(collection_tree())]
    done = subprocess.run(introspect, env=environment, check=True, text=True, capture_output=True)
    found = yaml.safe_load(done.stdout)
    assert "requests>=2.25  # from collection hosting.platform" in found["python"]
    assert found["system"] == []


def test_the_guide_shows_the_files_as_they_are() -> None:
    shown = [block for block in blocks(GUIDES["controller"], "yaml") if block.file]
    assert len(shown) == 2
    for block in shown:
        assert block.document == yaml.safe_load((EXAMPLE / str(block.file)).read_text())
