# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The playbook that sets a controller up: its modules and options exist, and a controller accepts what it makes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from controller_rules import launch_errors, survey_errors
from controlling import EXAMPLE, INJECTORS, INPUTS
from emulated import OWNER_TOKEN
from environments import ROOT, collection_tree
from playing import Play, Player

pytestmark = pytest.mark.newest_core

MODULES = yaml.safe_load((ROOT / "tests/controller_modules.yml").read_text())["modules"]
GIVEN = (
    "project_url=https://git.example.com/platform.git",
    "image=registry.example.com/platform-ee",
    "notification_url=https://hooks.example.com/",
)
BY_TEAM = ("by_team=true",)
# Stands in for a module of a controller's collection: Ansible checks the options, and they are written down.
STAND_IN = """#!/usr/bin/python
import json, os
from ansible.module_utils.basic import AnsibleModule
module = AnsibleModule(json.loads({specification!r}))
given = {{name: value for name, value in module.params.items() if value is not None}}
with open(os.environ["WRITTEN_DOWN"], "a") as file:
    file.write(json.dumps([{name!r}, given]) + "\\n")
module.exit_json(changed=True)
"""


class Made:
    """The requests of the playbook to a controller: ``made.of("schedule")``."""

    def __init__(self, play: Play, calls: list[tuple[str, dict[str, Any]]]) -> None:
        self.play = play
        self.calls = calls

    def of(self, module: str) -> list[dict[str, Any]]:
        return [options for name, options in self.calls if name == module]

    @property
    def templates(self) -> dict[str, dict[str, Any]]:
        """The templates that can be launched, by name."""
        return {made["name"]: made for made in self.of("job_template") + self.of("workflow_job_template")}


SetUp = Callable[..., Made]
PLAYED: dict[object, Made] = {}


@pytest.fixture
def set_up(player: Player) -> SetUp:
    """Plays the playbook. What several tests look at is played once."""

    def set_up(*variables: str, collection: str = "awx.awx", **environment: str | None) -> Made:
        key = (variables, collection, tuple(environment.items()))
        if key not in PLAYED:
            PLAYED[key] = play(*variables, collection=collection, **environment)
        return PLAYED[key]

    def play(*variables: str, collection: str = "awx.awx", **environment: str | None) -> Made:
        tree = player.folder / "collections"
        shutil.rmtree(tree, ignore_errors=True)
        shutil.copytree(
            collection_tree() / "ansible_collections/hosting", tree / "ansible_collections/hosting", symlinks=True
        )
        modules = tree / "ansible_collections" / collection.replace(".", "/") / "plugins/modules"
        modules.mkdir(parents=True)
        for name, options in MODULES.items():
            (modules / f"{name}.py").write_text(STAND_IN.format(specification=json.dumps(options), name=name))
        written = player.folder / "written"
        written.write_text("")
        arguments = [argument for variable in variables for argument in ("--extra-vars", variable)]
        given = {"ANSIBLE_COLLECTIONS_PATH": str(tree), "WRITTEN_DOWN": str(written), **environment}
        played = player.run_file(EXAMPLE / "setup.yml", *arguments, PYTHONPATH=None, **given)
        assert OWNER_TOKEN not in played.output
        return Made(played, [json.loads(line) for line in written.read_text().splitlines()])

    return set_up


def test_modules_and_options_exist(set_up: SetUp) -> None:
    made = set_up(*GIVEN)
    assert made.play.return_code == 0, made.play.output
    assert {name for name, _options in made.calls} == MODULES.keys()
    (credential_type,) = made.of("credential_type")
    assert credential_type["injectors"] == INJECTORS
    assert credential_type["inputs"] == INPUTS
    (notification,) = made.of("notification_template")
    for template in ("Platform", "Platform drift", "Platform converge"):
        assert made.templates[template]["notification_templates_error"] == [notification["name"]]
    assert made.templates["Platform"]["notification_templates_approvals"] == [notification["name"]]


def test_the_collection_may_have_its_other_name_and_nobody_need_be_notified(set_up: SetUp) -> None:
    made = set_up(*GIVEN[:2], "controller=ansible.controller", collection="ansible.controller")
    assert made.play.return_code == 0, made.play.output
    assert {name for name, _options in made.calls} == MODULES.keys() - {"notification_template"}
    assert made.templates["Platform"]["notification_templates_approvals"] == []


def test_what_the_jobs_refer_to_is_there(set_up: SetUp) -> None:
    made = set_up(*GIVEN)
    assert all((EXAMPLE / "project" / job["playbook"]).exists() for job in made.of("job_template"))
    assert all((EXAMPLE / "project" / source["source_path"]).exists() for source in made.of("inventory_source"))
    inventories = {inventory["name"] for inventory in made.of("inventory")}
    assert {job["inventory"] for job in made.of("job_template")} <= inventories


@pytest.mark.parametrize("chosen", [(), BY_TEAM], ids=["workflow", "by team"])
def test_a_controller_accepts_the_answers_of_the_schedule(set_up: SetUp, chosen: tuple[str, ...]) -> None:
    made = set_up(*GIVEN, *chosen)
    role = yaml.safe_load((ROOT / "roles/converge/meta/argument_specs.yml").read_text())["argument_specs"]["main"]
    (schedule,) = made.of("schedule")
    template = made.templates[schedule["unified_job_template"]]
    survey = template["survey_spec"]
    assert template["survey_enabled"]
    assert list(survey_errors(survey)) == []
    assert {question["variable"] for question in survey["spec"]} <= set(role["options"])
    assert list(launch_errors(template, schedule["extra_data"])) == []
    assert list(launch_errors(template, {})) == ["'converge_prune_limit' value missing"]


def test_the_workflow_asks_before_it_changes_anything(set_up: SetUp) -> None:
    """Drift, then the job that fails if there is something to do, then the approval, then what was approved."""
    made = set_up(*GIVEN)
    known: dict[str, dict[str, Any]] = {}
    for node in made.of("workflow_job_template_node"):
        following = node["success_nodes"] + node["failure_nodes"]
        assert set(following) <= known.keys(), "a node names one that is not there yet"
        known[node["identifier"]] = node
    path: list[tuple[str, str]] = []
    name: str | None = "drift"
    while name:
        node = known.pop(name)
        path.append((name, node.get("unified_job_template") or node["approval_node"]["name"]))
        # The condition goes on where it fails, and every other node where it succeeds.
        assert bool(node["failure_nodes"]) is (name == "changes")
        name = next(iter(node["success_nodes"] + node["failure_nodes"]), None)
    assert path == [
        ("drift", "Platform drift"),
        ("changes", "Platform changes"),
        ("approval", "Approve the changes"),
        ("converge", "Platform converge"),
    ]
    assert known == {}
    drift, converge = made.templates["Platform drift"], made.templates["Platform converge"]
    assert (drift["job_type"], converge["job_type"]) == ("check", "run")
    assert drift["playbook"] == converge["playbook"] == "converge.yml"
    assert converge["extra_vars"] == {"converge_approved": []}, "by itself it may do nothing"
    assert not drift["survey_enabled"]


@pytest.mark.parametrize(
    ("chosen", "slices", "limited"), [((), 1, False), (BY_TEAM, 1, True), ((*BY_TEAM, "slices=4"), 4, False)]
)
def test_limits_and_slices_exclude_each_other(
    set_up: SetUp, chosen: tuple[str, ...], slices: int, limited: bool
) -> None:
    made = set_up(*GIVEN, *chosen)
    jobs = [made.templates["Platform drift"], made.templates["Platform converge"]]
    assert [(job["job_slice_count"], job["ask_limit_on_launch"]) for job in jobs] == [(slices, limited)] * 2
    assert bool(made.of("workflow_job_template")) is not bool(chosen)


@pytest.mark.parametrize(
    ("variables", "environment"),
    [
        (GIVEN[:1], {}),
        (GIVEN[1:2], {}),
        ((*GIVEN, "slices=2"), {}),
        (GIVEN, {"HOSTING_PLATFORM_ACCESS_TOKEN": None}),
        (GIVEN, {"HOSTING_PLATFORM_BASE_URL": ""}),
    ],
)
def test_nothing_is_asked_of_the_controller_before_everything_is_given(
    set_up: SetUp, variables: tuple[str, ...], environment: dict[str, str | None]
) -> None:
    """An empty address would take the place of the one that the credential holds."""
    made = set_up(*variables, **environment)
    assert made.play.return_code == 2
    assert "HOSTING_PLATFORM_BASE_URL and HOSTING_PLATFORM_ACCESS_TOKEN" in made.play.output
    assert made.calls == []


def test_a_second_run_syncs_a_project_whose_first_sync_failed_and_keeps_the_token(set_up: SetUp) -> None:
    made = set_up(*GIVEN)
    (project,) = made.of("project")
    assert project["update_project"]
    assert project["wait"]
    assert [credential["update_secrets"] for credential in made.of("credential")] == [False]
    renewed = set_up(*GIVEN, "update_secrets=true")
    assert [credential["update_secrets"] for credential in renewed.of("credential")] == [True]
