# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The playbook that sets a controller up: its modules and options exist, and a controller accepts what it makes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from controller_stand_ins import MODULES, Made, collections_with, held, launch_errors, survey_errors
from controlling import EXAMPLE, INJECTORS, INPUTS, injected
from emulated import OWNER_TOKEN
from environments import ROOT
from playing import Player

GIVEN = (
    "project_url=https://git.example.com/platform.git",
    "image=registry.example.com/platform-ee",
    "notification_url=https://hooks.example.com/",
)
BY_TEAM = ("by_team=true",)
SECOND = ("organization=Second",)
ADDRESS = "https://api.example.com"
HELD = {"base_url": ADDRESS, "access_token": "$encrypted$", "team": "", "skip_verification": False}
SetUp = Callable[..., Made]
PLAYED: dict[object, Made] = {}


@pytest.fixture
def set_up(player: Player, tmp_path_factory: pytest.TempPathFactory) -> SetUp:
    """Plays the playbook. What several tests look at is played once."""

    def set_up(*variables: str, collection: str = "awx.awx", fails: bool = False, **environment: str | None) -> Made:
        key = (variables, collection, tuple(environment.items()))
        if key not in PLAYED:
            written = player.folder / "written"
            written.write_text("")
            arguments = [argument for variable in variables for argument in ("--extra-vars", variable)]
            given: dict[str, str | None] = {
                "ANSIBLE_COLLECTIONS_PATH": str(collections_with(collection, tmp_path_factory.getbasetemp())),
                "RECORDER_WRITTEN_DOWN": str(written),
                "RECORDER_HELD": "{}",
                **environment,
            }
            chosen = player.failing if fails else player
            played = chosen.run_file(EXAMPLE / "setup.yml", *arguments, PYTHONPATH=None, **given)
            PLAYED[key] = Made(played, [json.loads(line) for line in written.read_text().splitlines()])
        return PLAYED[key]

    return set_up


def test_modules_and_options_exist(set_up: SetUp) -> None:
    made = set_up(*GIVEN)
    assert {name for name, _options in made.calls} == MODULES.keys()
    (credential_type,) = made.of("credential_type")
    assert credential_type["injectors"] == INJECTORS
    assert credential_type["inputs"] == INPUTS
    (project,) = made.of("project")
    assert project["update_project"], "a second run syncs a project whose first sync failed"
    assert project["wait"]


def test_what_happens_is_told_once(set_up: SetUp) -> None:
    """A denial is told by the approvals, and a failed job by itself; with either, the workflow fails, too."""
    made = set_up(*GIVEN)
    (notification,) = made.of("notification_template")
    for template in ("Platform drift", "Platform converge"):
        assert made.templates[template]["notification_templates_error"] == [notification["name"]]
    assert made.templates["Platform"]["notification_templates_approvals"] == [notification["name"]]
    assert "notification_templates_error" not in made.templates["Platform"]
    assert "notification_templates_error" not in made.templates["Platform changes"], "its failure asks for approval"


def test_the_collection_may_have_its_other_name_and_nobody_need_be_notified(set_up: SetUp) -> None:
    made = set_up(*GIVEN[:2], "controller=ansible.controller", collection="ansible.controller")
    assert {name for name, _options in made.calls} == MODULES.keys() - {"notification_template"}
    assert made.templates["Platform"]["notification_templates_approvals"] == []


@pytest.mark.parametrize("chosen", [(), BY_TEAM, SECOND], ids=["workflow", "by team", "another organization"])
def test_what_the_jobs_refer_to_is_there(set_up: SetUp, chosen: tuple[str, ...]) -> None:
    made = set_up(*GIVEN, *chosen)
    objects = held(made.calls)

    def of(module: str) -> list[dict[str, Any]]:
        return [options for key, options in objects.items() if key[0] == module]

    assert all((EXAMPLE / "project" / job["playbook"]).exists() for job in of("job_template"))
    assert all((EXAMPLE / "project" / source["source_path"]).exists() for source in of("inventory_source"))
    jobs = {job["name"] for job in of("job_template")}
    assert {
        node["unified_job_template"] for node in of("workflow_job_template_node") if "approval_node" not in node
    } <= jobs
    references = {
        "credential_type": "credential_type",
        "credential": "credential",
        "credentials": "credential",
        "execution_environment": "execution_environment",
        "default_environment": "execution_environment",
        "project": "project",
        "source_project": "project",
        "inventory": "inventory",
        "notification_templates_error": "notification_template",
        "notification_templates_approvals": "notification_template",
    }
    found = set()
    for (module, name, _template), options in objects.items():
        for option, kind in references.items():
            named = options.get(option, [])
            for one in [named] if isinstance(named, str) else named:
                found.add(option)
                assert (kind, one, "") in objects, f"{option} of {module} {name}"
    assert found == references.keys() - ({"notification_templates_approvals"} if chosen == BY_TEAM else set())


def test_each_organization_has_names_of_its_own(set_up: SetUp) -> None:
    """Modules look for credentials, inventories, and more by the name alone, in all organizations."""
    first, second = (
        {(module, options["name"]) for module, options in set_up(*GIVEN, *chosen).calls if "name" in options}
        for chosen in ((), SECOND)
    )
    # Without an organization, or in an inventory of its own name.
    shared = {"credential_type", "inventory_source"}
    assert {module for module, _name in first & second} == shared
    assert {(module, name.removeprefix("Second ")) for module, name in second} == first
    chosen = set_up(*GIVEN, *SECOND, "prefix=Test-")
    assert "Test-Platform drift" in chosen.templates


def test_one_way_takes_the_place_of_the_other(set_up: SetUp) -> None:
    """One nightly run remains, and nothing that only the other way needs."""
    workflow, teams = set_up(*GIVEN).calls, set_up(*GIVEN, *BY_TEAM).calls

    def ways(*calls: list[tuple[str, dict[str, Any]]]) -> set[tuple[str, str, str]]:
        return set(held(call for part in calls for call in part))

    assert ways(workflow, teams) == ways(teams)
    assert ways(teams, workflow) == ways(workflow)
    assert ways(workflow, teams, workflow) == ways(workflow)
    assert not any("workflow" in module for module, _name, _of in ways(teams))
    for way, template in ((ways(workflow), "Platform"), (ways(teams), "Platform drift")):
        assert [of for module, _name, of in way if module == "schedule"] == [template]
    # A controller does not delete a workflow that waits for an approval. Its jobs must not have changed by then.
    order = [module for module, _options in teams]
    assert order.index("workflow_job_template") < order.index("job_template")


@pytest.mark.parametrize("chosen", [(), BY_TEAM], ids=["workflow", "by team"])
def test_a_controller_accepts_the_answers_of_the_schedule(set_up: SetUp, chosen: tuple[str, ...]) -> None:
    made = set_up(*GIVEN, *chosen)
    role = yaml.safe_load((ROOT / "roles/converge/meta/argument_specs.yml").read_text())["argument_specs"]["main"]
    (schedule,) = (options for key, options in held(made.calls).items() if key[0] == "schedule")
    template = made.templates[schedule["unified_job_template"]]
    survey = template["survey_spec"]
    assert template["survey_enabled"]
    assert list(survey_errors(survey)) == []
    assert {question["variable"] for question in survey["spec"]} <= set(role["options"])
    assert list(launch_errors(template, schedule["extra_data"])) == []
    assert list(launch_errors(template, {})) == ["'converge_prune_limit' is a required property"]


def test_the_workflow_asks_before_it_changes_anything(set_up: SetUp) -> None:
    """Drift, then the job that fails if there is something to do, then the approval, then what was approved."""
    made = set_up(*GIVEN)
    known: dict[str, dict[str, Any]] = {}
    for node in made.of("workflow_job_template_node"):
        following = node.get("success_nodes", []) + node.get("failure_nodes", [])
        assert set(following) <= known.keys(), "a node names one that is not there yet"
        known[node["identifier"]] = {**known.get(node["identifier"], {}), **node}
    path: list[tuple[str, str]] = []
    name: str | None = "drift"
    while name:
        node = known.pop(name)
        path.append((name, node.get("unified_job_template") or node["approval_node"]["name"]))
        # The condition goes on where it fails, and every other node where it succeeds.
        assert ("failure_nodes" in node) is (name == "changes")
        name = next(iter(node.get("success_nodes", []) + node.get("failure_nodes", [])), None)
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


def credential(**inputs: Any) -> str:
    return json.dumps({"credential_type": {"Hosting platform": {}}, "credential": {"Hosting platform": inputs}})


@pytest.mark.parametrize("address", [ADDRESS, f"{ADDRESS}/"])
def test_a_second_run_keeps_the_token(set_up: SetUp, address: str) -> None:
    made = set_up(*GIVEN, HOSTING_PLATFORM_BASE_URL=address, RECORDER_HELD=credential(**HELD))
    (kept,) = made.of("credential")
    assert kept["update_secrets"] is False
    assert {**kept["inputs"], "access_token": "$encrypted$"} == HELD, "or a controller replaces all of it"


TOKEN, TOKEN_PATH = "HOSTING_PLATFORM_ACCESS_TOKEN", "HOSTING_PLATFORM_ACCESS_TOKEN_PATH"
WHAT_IS_NEEDED = f"HOSTING_PLATFORM_BASE_URL and {TOKEN_PATH}"
# An empty address would take the place of the one that the credential holds. The next run waits for an approval; and to
# a controller, 0 means without end. A controller replaces all inputs of a credential or none.
REFUSED: list[tuple[str, tuple[str, ...], Mapping[str, str | None]]] = [
    (WHAT_IS_NEEDED, GIVEN[:1], {}),
    (WHAT_IS_NEEDED, GIVEN[1:2], {}),
    (WHAT_IS_NEEDED, (*GIVEN, "slices=2"), {}),
    (WHAT_IS_NEEDED, GIVEN, {TOKEN: None}),
    (WHAT_IS_NEEDED, GIVEN, {TOKEN: None, TOKEN_PATH: "/dev/null"}),
    (WHAT_IS_NEEDED, GIVEN, {"HOSTING_PLATFORM_BASE_URL": ""}),
    *(("approval_timeout", (*GIVEN, f"approval_timeout={seconds}"), {}) for seconds in ("86400", "0", "soon")),
    *(
        ("update_secrets=true", GIVEN, {"RECORDER_HELD": credential(**{**HELD, **other})})
        for other in ({"base_url": "https://old.example.com"}, {"team": "acme"}, {"skip_verification": True})
    ),
]


@pytest.mark.parametrize(("words", "variables", "environment"), REFUSED)
def test_nothing_is_asked_of_the_controller_before_everything_is_right(
    set_up: SetUp, words: str, variables: tuple[str, ...], environment: Mapping[str, str | None]
) -> None:
    made = set_up(*variables, fails=True, **{"HOSTING_PLATFORM_BASE_URL": ADDRESS, **environment})
    assert words in made.play.output
    assert made.calls == []


def test_the_token_is_replaced_with_the_address(set_up: SetUp) -> None:
    existing = credential(**{**HELD, "base_url": "https://old.example.com"})
    made = set_up(*GIVEN, "update_secrets=true", HOSTING_PLATFORM_BASE_URL=ADDRESS, RECORDER_HELD=existing)
    (written,) = made.of("credential")
    assert written["update_secrets"] is True
    assert written["inputs"] == {**HELD, "access_token": OWNER_TOKEN}


@pytest.mark.parametrize("in_file", [True, False])
def test_the_credential_is_what_the_environment_says(set_up: SetUp, tmp_path: Path, in_file: bool) -> None:
    """An input for each variable that the credential becomes in a job."""
    given: dict[str, str | None] = {"HOSTING_PLATFORM_TEAM": "acme", "HOSTING_PLATFORM_VALIDATE_CERTS": "false"}
    if in_file:
        (tmp_path / "token").write_text(f"{OWNER_TOKEN}\n", encoding="utf-8")
        given |= {"HOSTING_PLATFORM_ACCESS_TOKEN": None, "HOSTING_PLATFORM_ACCESS_TOKEN_PATH": str(tmp_path / "token")}
    made = set_up(*GIVEN, HOSTING_PLATFORM_BASE_URL=ADDRESS, **given)
    (written,) = made.of("credential")
    assert injected(tmp_path, **written["inputs"]) == {
        "HOSTING_PLATFORM_BASE_URL": ADDRESS,
        "HOSTING_PLATFORM_ACCESS_TOKEN_PATH": str(tmp_path / "access_token"),
        "HOSTING_PLATFORM_TEAM": "acme",
        "HOSTING_PLATFORM_VALIDATE_CERTS": "False",
    }
    assert (tmp_path / "access_token").read_text(encoding="utf-8") == OWNER_TOKEN
