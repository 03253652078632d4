# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of pipelines: what their forges take, and where secrets and strangers' text may go."""

from __future__ import annotations

import json
import re
import subprocess

import pytest
from guides import GUIDES
from pipelines import EXAMPLES, EXPRESSION, REPOSITORY, github_steps, gitlab, workflow

PLATFORM_TOKEN = "HOSTING_PLATFORM_ACCESS_TOKEN"


def test_pipelines_are_what_their_forges_take() -> None:
    check = ["check-jsonschema", "--builtin-schema"]
    subprocess.run([*check, "vendor.github-workflows", *(EXAMPLES / "github").glob("*.yml")], check=True)
    pipeline = EXAMPLES / "gitlab/.gitlab-ci.yml"
    subprocess.run([*check, "vendor.gitlab-ci", "--data-transform", "gitlab-ci", pipeline], check=True)


def test_guide_names_all_that_is_to_be_set_up() -> None:
    guide = GUIDES["pipelines"].read_text(encoding="utf-8")
    files = [*(EXAMPLES / "github").iterdir(), EXAMPLES / "gitlab/.gitlab-ci.yml"]
    needed = set(re.findall(r"(?:vars\.|secrets\.|\$(?=GITLAB_))(\w+)", "".join(file.read_text() for file in files)))
    jobs = [job for name in ("plan", "apply", "drift") for job in workflow(name)["jobs"].values()]
    needed |= {job["environment"] for job in jobs if "environment" in job}
    needed |= {path.rpartition("/")[2] for path in REPOSITORY} | {".gitlab-ci.yml"}
    assert len(needed) > 8
    assert [name for name in needed if f"``{name}``" not in guide] == []


def test_all_of_them_are_played() -> None:
    assert {file.stem for file in (EXAMPLES / "github").iterdir()} == {"plan", "apply", "drift"}
    jobs = {name for name, job in gitlab().items() if "script" in job}
    assert jobs == {"validate", "plan", "comment", "apply", "drift"}


def test_no_expression_becomes_part_of_a_shell_step() -> None:
    """Text of a stranger in a pull request would run: values come through the environment."""
    scripts = [step["run"] for _name, step in github_steps() if "run" in step]
    assert scripts
    assert [script for script in scripts if EXPRESSION.search(script)] == []


def test_actions_are_pinned_and_checkouts_leave_no_token() -> None:
    used = [step for _name, step in github_steps() if "uses" in step]
    assert [step["uses"] for step in used if not re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", step["uses"])] == []
    checkouts = [step for step in used if step["uses"].startswith("actions/checkout@")]
    assert [step["with"]["persist-credentials"] for step in checkouts] == [False] * 4


@pytest.mark.parametrize("name", ["plan", "apply", "drift"])
def test_job_that_may_write_comments_knows_no_token_of_the_platform(name: str) -> None:
    assert workflow(name)["permissions"] == {"contents": "read"}
    for job in workflow(name)["jobs"].values():
        may_write = "write" in job.get("permissions", {}).values()
        assert not (may_write and PLATFORM_TOKEN in json.dumps(job))
        assert PLATFORM_TOKEN not in json.dumps(job) or "environment" in job


def test_jobs_of_gitlab_get_the_secrets_of_their_environment_only() -> None:
    pipeline = gitlab()
    environments = {name: job.get("environment") for name, job in pipeline.items() if "script" in job}
    look = {"name": "plan", "action": "access"}
    comment = {"name": "comment", "action": "access"}
    assert environments == {
        "validate": None,
        "plan": look,
        "comment": comment,
        "apply": "production",
        "drift": look,
    }
    assert pipeline["comment"]["variables"] == {"GIT_STRATEGY": "none"}
    assert pipeline["comment"]["before_script"] == []
