# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide to controllers, at work: credential type, jobs, workflow condition, slices, and
inventory.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from controlling import EXAMPLE, INJECTORS, INPUTS, OUR_VARIABLES, Controller, Job, injected
from emulated import OWNER_TOKEN, ControlledEmulator
from environments import collection_tree, variables
from guides import GUIDES, blocks
from player import Player
from sampling import sampled

from ansible_collections.hosting.platform.plugins.doc_fragments.api import ModuleDocFragment

NO_HOSTS: dict[str, Any] = {"all": {"hosts": {}}}
INVENTORY = yaml.safe_load((EXAMPLE / "project/inventory/teams.yml").read_text())["all"]
TEAMS = sorted(INVENTORY["hosts"])
PRUNE = {"converge_prune": ["projects"], "converge_prune_limit": 30}


def test_credential_reaches_the_modules_under_names_that_a_controller_allows(
    tmp_path: Path,
) -> None:
    text = ModuleDocFragment.ENV + ModuleDocFragment.TEAM
    assert all(name.startswith(OUR_VARIABLES) and name in text for name in INJECTORS["env"])
    assert [field["id"] for field in INPUTS["fields"] if field.get("secret")] == ["access_token"]
    plain = injected(tmp_path, base_url="https://api.example.com", access_token=OWNER_TOKEN)
    assert (tmp_path / "access_token").read_text(encoding="utf-8") == OWNER_TOKEN
    assert plain == {
        "HOSTING_PLATFORM_BASE_URL": "https://api.example.com",
        "HOSTING_PLATFORM_ACCESS_TOKEN_PATH": str(tmp_path / "access_token"),
        "HOSTING_PLATFORM_TEAM": "",
        "HOSTING_PLATFORM_VALIDATE_CERTS": "True",
    }
    unverified = injected(tmp_path, base_url="", access_token="", skip_verification=True)
    assert unverified["HOSTING_PLATFORM_VALIDATE_CERTS"] == "False"


@pytest.mark.parametrize("playbook", sampled(["converge.yml", "converge_by_team.yml"], 2))
def test_text_of_the_service_is_text_in_artifacts(
    player: Player, emulator: ControlledEmulator, playbook: str
) -> None:
    """An artifact is a variable of the next job, and so is templated twice where nobody
    takes care.
    """
    canary = player.folder / "canary"
    name = f"{{{{ lookup('pipe', 'touch {canary}') }}}}"
    emulator.seed(
        teams=[{"slug": "acme", "name": "Acme"}], projects=[{"name": name, "team": "acme"}]
    )
    inventory = (
        {"all": {"hosts": {"acme": {}}, "vars": INVENTORY["vars"]}}
        if "team" in playbook
        else NO_HOSTS
    )
    controller = Controller(player)
    artifacts = controller.launch(
        playbook, inventory, "--check", "--diff", variables=PRUNE
    ).artifacts
    markdown = (
        artifacts["platform_teams"]["acme"]["report_markdown"] if "team" in playbook else None
    )
    assert "lookup" in (markdown or artifacts["platform_report_markdown"])
    following = controller.launch("changes.yml", NO_HOSTS, variables=artifacts, status="failed")
    assert "need approval" in following.output, following.output
    assert not canary.exists()


def test_the_workflow_does_what_was_approved_and_nothing_else(
    player: Player, emulator: ControlledEmulator
) -> None:
    """The condition fails if there is something to approve.

    The converge job's own variables allow nothing; the workflow puts the steps of the drift job in
    their place. The reports of each job are its artifacts, also where it fails.
    """
    emulator.switch(echo_token=True)
    controller = Controller(player)
    nothing: dict[str, Any] = {"converge_approved": []}

    def launch(*options: str, status: str = "successful", **variables: Any) -> Job:
        return controller.launch(
            "converge.yml", NO_HOSTS, "--diff", *options, variables=variables, status=status
        )

    def condition(drift: Job, status: str) -> str:
        emulator.forget_requests()
        asked = controller.launch("changes.yml", NO_HOSTS, variables=drift.artifacts, status=status)
        assert emulator.requests() == []
        return asked.output

    drift = launch("--check")
    assert emulator.writes == []
    assert (
        len(drift.artifacts["converge_approved"])
        == drift.artifacts["converge_summary"]["create"]
        == 5
    )
    assert "run without check mode. To allow nothing else, set converge_approved" in drift.output, (
        "not wrapped"
    )
    assert "<h1>Plan<" in drift.artifacts["platform_report_html"]
    assert all(
        name in drift.artifacts["platform_report_markdown"]
        for name in ("shop", "blog", "podcast", *TEAMS)
    )
    assert "<h1>" not in drift.artifacts["platform_report_markdown"]
    assert "5 changes need approval" in condition(drift, "failed")

    alone = launch(status="failed", **nothing)
    assert "approved" in alone.artifacts["platform_report_html"]
    assert "approved" in alone.artifacts["platform_report_markdown"]
    assert emulator.writes == []

    held = launch(**{**nothing, **drift.artifacts})
    assert held.artifacts["converge_summary"]["create"] == 5
    assert "Run report" in held.artifacts["platform_report_html"]
    assert sorted(project["name"] for project in emulator.state()["projects"]) == [
        "blog",
        "podcast",
        "shop",
    ]

    again = launch("--check", **nothing)
    assert again.artifacts["converge_summary"]["create"] == 0, (
        "what is done already needs no approval"
    )
    assert "need approval" not in condition(again, "successful")


def test_a_job_converges_the_directories_of_its_platform(
    player: Player, emulator: ControlledEmulator
) -> None:
    """As text, which starts in the project."""
    controller = Controller(player)
    for folder, project in (("common", "shop"), ("staging", "sandbox")):
        file = controller.data / "project" / folder / "sites.yml"
        file.parent.mkdir()
        file.write_text(f"team: acme\nprojects: [{{name: {project}}}]\n")
    emulator.seed(teams=[{"slug": "acme"}])
    directories = {"converge_directory": "common,staging"}
    plan = controller.launch("converge.yml", NO_HOSTS, "--check", variables=directories).output
    assert "common/sites.yml:2" in plan
    assert "staging/sites.yml:2" in plan


@pytest.mark.thorough
def test_an_undeclared_project_fails_the_check_if_the_survey_says_so(
    player: Player, emulator: ControlledEmulator
) -> None:
    controller = Controller(player)
    controller.launch("converge.yml", NO_HOSTS)
    emulator.seed(projects=[{"name": "by-hand", "team": "acme"}])
    for answer, status in (("false", "successful"), ("true", "failed")):
        drift = controller.launch(
            "converge.yml",
            NO_HOSTS,
            "--check",
            variables={"converge_fail_on_undeclared": answer},
            status=status,
        )
        assert "project acme/by-hand" in drift.artifacts["platform_report_markdown"]
        assert drift.artifacts["converge_approved"] == []


def test_the_job_of_a_team_changes_no_other_team(
    player: Player, emulator: ControlledEmulator
) -> None:
    emulator.seed(teams=[{"slug": "media"}], projects=[{"name": "podcast", "team": "media"}])
    controller = Controller(player)
    folder = controller.data / "project/blueprint/acme"
    (folder / "teams.yml").write_text("- {slug: acme}\n- {slug: media, state: absent}\n")
    inventory = {"all": {"hosts": {"acme": {}}, "vars": INVENTORY["vars"]}}
    summary = controller.launch("converge_by_team.yml", inventory).artifacts["platform_teams"][
        "acme"
    ]["summary"]
    assert (summary["create"], summary["skip"]) == (3, 1)
    assert sorted(project["name"] for project in emulator.state()["projects"]) == [
        "blog",
        "podcast",
        "shop",
    ]


def test_inventory_source_serves_a_job(player: Player, emulator: ControlledEmulator) -> None:
    emulator.seed(
        teams=[{"slug": team} for team in TEAMS],
        projects=[
            {"name": "shop", "team": "acme", "framework": "nextjs"},
            {"name": "blog", "team": "media"},
        ],
    )
    controller = Controller(player)
    (controller.data / "project/show.yml").write_text(
        "- hosts: framework_nextjs\n  connection: local\n  gather_facts: false\n"
        "  tasks: [{name: Show, ansible.builtin.debug: {var: hosting_framework}}]\n"
    )
    job = controller.launch(
        "show.yml", controller.data / "project/inventory/projects.hosting_platform.yml"
    )
    assert {host: result["hosting_framework"] for host, result in job.results("Show").items()} == {
        "shop": "nextjs"
    }


@pytest.mark.thorough
def test_execution_environment(tmp_path: Path) -> None:
    """It gets the collection, and with it what the collection needs."""
    builder = Path(sys.executable).with_name("ansible-builder")
    environment = variables(builder.parent)
    context = tmp_path / "context"
    definition = EXAMPLE / "execution-environment.yml"
    subprocess.run(
        [builder, "create", "--file", definition, "--context", context], env=environment, check=True
    )
    asked = yaml.safe_load((context / "_build/requirements.yml").read_text())
    assert [collection["name"] for collection in asked["collections"]] == ["hosting.platform"]

    introspect = [str(builder), "introspect", str(collection_tree())]
    done = subprocess.run(introspect, env=environment, check=True, text=True, capture_output=True)
    found = yaml.safe_load(done.stdout)
    for library in ("requests>=2.25", "urllib3>=1.26.5"):
        assert f"{library}  # from collection hosting.platform" in found["python"]
    assert found["system"] == []


def test_the_guide_shows_the_files_as_they_are() -> None:
    shown = [block for block in blocks(GUIDES["controller"], "yaml") if block.file]
    assert len(shown) == 1
    for block in shown:
        assert block.document == yaml.safe_load((EXAMPLE / str(block.file)).read_text())
