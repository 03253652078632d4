# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection's own workflows, and what holds for those of the examples, too: secrets are where they belong."""

from __future__ import annotations

import json
import re
import subprocess

import pytest
import yaml
from environments import ROOT, development_environment
from interpreters import CANARY_PYTHONS, CORES, DEVELOPMENT_PYTHONS, OLDEST_MODULE_PYTHON

FORGE = ROOT / ".github"
WORKFLOWS = sorted((FORGE / "workflows").iterdir())
WORKFLOW = FORGE / "workflows/tests.yml"
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
EXAMPLES = ROOT / "examples/pipelines"
SHOWN = [EXAMPLES / f"github/{name}.yml" for name in ("plan", "apply", "drift")]
PINNED = re.compile(r"actions/[\w-]+@[0-9a-f]{40}")
of_each = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
of_each_and_the_shown = pytest.mark.parametrize("path", [*WORKFLOWS, *SHOWN], ids=lambda path: path.stem)


@pytest.fixture
def workflow():
    return yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))


def pythons(workflow, job):
    (versions,) = [
        step["with"]["python-version"].split()
        for step in workflow["jobs"][job]["steps"]
        if "python-version" in step.get("with", {})
    ]
    return versions


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("github-workflows", [*WORKFLOWS, *SHOWN]),
        ("github-issue-forms", [FORGE / "ISSUE_TEMPLATE/bug.yml", FORGE / "ISSUE_TEMPLATE/feature.yml"]),
        ("github-issue-config", [FORGE / "ISSUE_TEMPLATE/config.yml"]),
        ("dependabot", [FORGE / "dependabot.yml", EXAMPLES / "github/dependabot.yml"]),
        ("gitlab-ci --data-transform gitlab-ci", [EXAMPLES / "gitlab/.gitlab-ci.yml"]),
    ],
)
def test_it_is_what_the_forge_takes(schema, files):
    tool = development_environment() / "check-jsonschema"
    subprocess.run([tool, "--builtin-schema", *f"vendor.{schema}".split(), *files], check=True)


def test_it_runs_on_pushes_pull_requests_and_weekly(workflow):
    (schedule,) = workflow["on"]["schedule"]
    assert {"push", "pull_request"} <= workflow["on"].keys()
    assert re.fullmatch(r"\d+ \d+ \* \* [0-6]", schedule["cron"])
    assert {name: job.get("if") for name, job in workflow["jobs"].items() if name != "canary"} == {
        "test": None,
        "matrix": None,
        "thorough": None,
    }


def jobs_of(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]


@of_each
def test_it_may_only_read_where_nothing_is_published(path):
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    writing = {name for name, job in workflow["jobs"].items() if "permissions" in job}
    assert writing == (set() if path == WORKFLOW else {"publish"})


@of_each_and_the_shown
def test_actions_are_pinned_and_checkouts_leave_no_token(path):
    used = [step for job in jobs_of(path).values() for step in job["steps"] if "uses" in step]
    assert used
    assert [step["uses"] for step in used if not PINNED.fullmatch(step["uses"])] == []
    checkouts = [step for step in used if "checkout" in step["uses"]]
    assert [step["with"]["persist-credentials"] for step in checkouts] == [False] * len(checkouts)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if "uses:" in line and not re.search(r"  # v\d+\.\d+\.\d+$", line)] == []


def test_one_action_is_one_commit_and_one_version_everywhere():
    text = "".join(path.read_text(encoding="utf-8") for path in [*WORKFLOWS, *SHOWN])
    used = set(re.findall(r"uses: (\S+)@(\S+)  # (\S+)\n", text))
    assert len({action for action, _commit, _version in used}) == len(used) > 3


@of_each_and_the_shown
def test_no_expression_becomes_part_of_a_shell_step(path):
    scripts = [step["run"] for job in jobs_of(path).values() for step in job["steps"] if "run" in step]
    assert [script for script in scripts if "${{" in script] == []


@of_each
def test_secrets_are_in_steps_of_a_job_that_somebody_approves(path):
    """What builds and tests runs code of many people: it knows no secret, and hands over files that are compared."""
    for job in jobs_of(path).values():
        steps = job.pop("steps")
        assert "secrets." not in json.dumps(job)
        for step in steps:
            if "secrets." in json.dumps(step):
                assert job["environment"] == "release"
                assert "make" not in step["run"]
                assert "pip" not in step["run"]


def test_the_release_is_tried_before_it_is_published():
    jobs = jobs_of(FORGE / "workflows/release.yml")
    assert jobs["publish"]["needs"] == "build"
    commands = [step.get("run", "") for step in jobs["build"]["steps"]]
    assert [command for command in commands if command] == ["make sanity", "make released"]
    publishing = [step.get("run", "") for step in jobs["publish"]["steps"]]
    order = ("sha256sum --check", "signing.py", "collection publish", "gh release create")
    assert [word for command in publishing for word in order if word in command] == list(order)


def test_dependabot_looks_at_all_that_is_pinned():
    updates = yaml.safe_load((FORGE / "dependabot.yml").read_text(encoding="utf-8"))["updates"]
    told = {update["package-ecosystem"]: update.get("directories", [update.get("directory")]) for update in updates}
    assert told == {"github-actions": ["/"], "pip": ["/tests/requirements", "/emulator"]}
    assert [folder for folder in told["pip"] if not (ROOT / folder.strip("/")).is_dir()] == []


def test_questions_and_vulnerabilities_have_their_own_places():
    config = yaml.safe_load((FORGE / "ISSUE_TEMPLATE/config.yml").read_text(encoding="utf-8"))
    assert config["blank_issues_enabled"] is False
    forum, advisories = (link["url"] for link in config["contact_links"])
    assert forum in (ROOT / "README.md").read_text(encoding="utf-8")
    assert advisories in (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def test_owners_are_the_maintainers():
    (rule,) = re.findall(r"(?m)^[^#\n].*$", (FORGE / "CODEOWNERS").read_text(encoding="utf-8"))
    pattern, owner = rule.split()
    assert pattern == "*"
    assert f"[{owner}]" in (ROOT / "MAINTAINERS.md").read_text(encoding="utf-8")


def test_every_command_is_a_target(workflow):
    commands = [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]
    assert sorted(commands) == ['make "$SECTION"', "make canary", "make matrix", "make thorough"]
    others = [step.get("run", "") for path in WORKFLOWS for job in jobs_of(path).values() for step in job["steps"]]
    targets = {word for command in others for word in re.findall(r"^make (\w+)$", command)}
    assert targets == {"canary", "docs", "matrix", "released", "sanity", "thorough"}
    (sections,) = re.findall(r"(?m)^SECTIONS = (.*)$", MAKEFILE)
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["section"] == sections.split()
    assert all(re.search(rf"(?m)^{target}:", MAKEFILE) for target in targets)


def test_every_core_has_its_job(workflow):
    assert workflow["jobs"]["matrix"]["strategy"]["matrix"]["core"] == list(CORES)


@pytest.mark.parametrize("job", ["test", "matrix"])
def test_every_core_has_a_python(workflow, job):
    installed = pythons(workflow, job)
    assert [core for core, versions in CORES.items() if not set(versions) & set(installed)] == []


def test_the_modules_are_loaded_on_their_oldest_python(workflow):
    assert OLDEST_MODULE_PYTHON in pythons(workflow, "thorough")


@pytest.mark.parametrize("job", ["test", "matrix", "thorough", "canary"])
def test_make_runs_on_a_python_that_it_takes(workflow, job):
    assert pythons(workflow, job)[-1] in DEVELOPMENT_PYTHONS


def test_the_core_to_come_has_a_python(workflow):
    assert set(pythons(workflow, "canary")) & set(CANARY_PYTHONS)
