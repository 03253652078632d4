# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection's own workflow runs what `make test` and `make matrix` run, when the community asks for it."""

from __future__ import annotations

import re
import subprocess

import pytest
import yaml
from environments import ROOT, development_environment
from interpreters import CANARY_PYTHONS, CORES, DEVELOPMENT_PYTHONS, OLDEST_MODULE_PYTHON

WORKFLOW = ROOT / ".github/workflows/tests.yml"
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PINNED = re.compile(r"actions/[\w-]+@[0-9a-f]{40}")


@pytest.fixture
def workflow():
    return yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))


@pytest.fixture
def steps(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def pythons(workflow, job):
    (versions,) = [
        step["with"]["python-version"].split()
        for step in workflow["jobs"][job]["steps"]
        if "python-version" in step.get("with", {})
    ]
    return versions


def test_it_is_what_the_forge_takes():
    tool = development_environment() / "check-jsonschema"
    subprocess.run([tool, "--builtin-schema", "vendor.github-workflows", WORKFLOW], check=True)


def test_it_runs_on_pushes_pull_requests_and_weekly(workflow):
    (schedule,) = workflow["on"]["schedule"]
    assert {"push", "pull_request"} <= workflow["on"].keys()
    assert re.fullmatch(r"\d+ \d+ \* \* [0-6]", schedule["cron"])
    assert {name: job.get("if") for name, job in workflow["jobs"].items() if name != "canary"} == {
        "test": None,
        "matrix": None,
        "thorough": None,
    }


def test_it_may_only_read(workflow, steps):
    assert workflow["permissions"] == {"contents": "read"}
    assert not any("permissions" in job for job in workflow["jobs"].values())
    used = [step for step in steps if "uses" in step]
    assert [step["uses"] for step in used if not PINNED.fullmatch(step["uses"])] == []
    checkouts = [step for step in used if "checkout" in step["uses"]]
    assert [step["with"]["persist-credentials"] for step in checkouts] == [False] * len(workflow["jobs"])


def test_every_command_is_a_target(workflow, steps):
    commands = [step["run"] for step in steps if "run" in step]
    assert sorted(commands) == ['make "$SECTION"', "make canary", "make matrix", "make thorough"]
    (sections,) = re.findall(r"(?m)^SECTIONS = (.*)$", MAKEFILE)
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["section"] == sections.split()
    assert all(re.search(rf"(?m)^{target}:", MAKEFILE) for target in ("canary", "matrix", "thorough"))


def test_every_core_has_its_job(workflow):
    assert workflow["jobs"]["matrix"]["strategy"]["matrix"]["core"] == list(CORES)


@pytest.mark.parametrize("job", ["test", "matrix"])
def test_every_core_has_a_python(workflow, job):
    installed = pythons(workflow, job)
    assert OLDEST_MODULE_PYTHON in installed
    assert [core for core, versions in CORES.items() if not set(versions) & set(installed)] == []


@pytest.mark.parametrize("job", ["test", "matrix", "thorough", "canary"])
def test_make_runs_on_a_python_that_it_takes(workflow, job):
    assert pythons(workflow, job)[-1] in DEVELOPMENT_PYTHONS


def test_the_core_to_come_has_a_python(workflow):
    assert set(pythons(workflow, "canary")) & set(CANARY_PYTHONS)


def test_it_is_no_part_of_the_artifact():
    galaxy = yaml.safe_load((ROOT / "galaxy.yml").read_text(encoding="utf-8"))
    assert ".github" in galaxy["build_ignore"]
