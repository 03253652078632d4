# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""GitLab, as far as the pipeline uses it: rules, environments, variables, artifacts, and the API."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from forge import Forge, Route
from pipelines import Outcome, Runner, gitlab_jobs
from repositories import Request, git
from scripted import Answer, Asked, answer_json, answer_text

API_TOKEN = "gitlab-token-0123456789"
BOT = 7
SOURCE = re.compile(r'\$CI_PIPELINE_SOURCE == "(\w+)"')
PAGE = 2


class GitLab(Forge):
    """Runs the jobs of the pipeline. A variable is available to the jobs of its environment."""

    def __init__(self, runner: Runner, connection: Mapping[str, str]) -> None:
        super().__init__(runner, connection)
        self._pipelines: list[dict[str, Any]] = []

    def plan(self, request: Request) -> Outcome:
        ref = f"refs/merge-requests/{request.number}/head"
        return self.run("merge_request_event", request.sha, ref, CI_MERGE_REQUEST_IID=str(request.number))

    def apply(self) -> Outcome:
        return self.run("push", self.runner.repository.main, "main", CI_COMMIT_BRANCH="main")

    def drift(self) -> Outcome:
        return self.run("schedule", self.runner.repository.main, "main", CI_COMMIT_BRANCH="main")

    def write(self, kind: list[dict[str, Any]], body: str, **details: Any) -> None:
        """Write as a person other than the pipeline."""
        key = "id" if kind is self.comments else "iid"
        field = "body" if kind is self.comments else "description"
        kind.append({key: len(kind) + 1, field: body, "state": "opened", "author": {"id": 1}, **details})

    @property
    def drift_report(self) -> str:
        files = self._pipelines[-1]["artifacts"]["drift"]
        return str(files["drift.html"] + files["drift.md"], "utf-8")

    def keep(self, request: Request, files: Mapping[str, bytes], ref: str = "", conclusion: str = "success") -> None:
        """Store files as the plan of a commit, from a pipeline of this ref, by default the request's."""
        ref = ref or f"refs/merge-requests/{request.number}/head"
        pipeline = {"id": len(self._pipelines) + 1, "sha": request.sha, "ref": ref, "status": conclusion}
        self._pipelines.append({**pipeline, "artifacts": {"plan": dict(files)}})

    def run(self, source: str, sha: str, ref: str, **variables: str) -> Outcome:
        """Run the jobs of such a pipeline, in the order of their stages."""
        artifacts: dict[str, dict[str, bytes]] = {}
        pipeline = {"id": len(self._pipelines) + 1, "sha": sha, "ref": ref, "status": "running", "artifacts": artifacts}
        self._pipelines.append(pipeline)
        outcome = Outcome()
        for name, job in gitlab_jobs().items():
            rule = next((rule for rule in job["rules"] if SOURCE.search(rule["if"])[1] == source), None)  # type: ignore[index]
            if rule is None:
                continue
            when = rule.get("when", "on_success")
            if when == ("on_success" if outcome.failed else "on_failure"):
                outcome.results[name] = "skipped"
                continue
            self._run_job(name, job, {**variables, "CI_COMMIT_SHA": sha}, artifacts, outcome)
        pipeline["status"] = "failed" if outcome.failed else "success"
        return outcome

    def _run_job(
        self, name: str, job: dict[str, Any], variables: dict[str, str], artifacts: Any, outcome: Outcome
    ) -> None:
        self.runner.begin()
        if job.get("variables", {}).get("GIT_STRATEGY") != "empty":
            self.runner.check_out(variables["CI_COMMIT_SHA"])
        for needed in job.get("needs", []):
            self.runner.fetch(artifacts.get(needed, {}))
        given = {**variables, **self._variables_of(job)}
        self.environment_of_steps.append(given)
        done = self.runner.run("\n".join([*job["before_script"], *job["script"]]), given)
        artifacts[name] = self.runner.kept(job.get("artifacts", {}).get("paths", []))
        outcome.output += done.stdout
        outcome.results[name] = "failure" if done.returncode else "success"

    def _variables_of(self, job: dict[str, Any]) -> dict[str, str]:
        environment = job.get("environment", "")
        name = environment["name"] if isinstance(environment, dict) else environment
        given = {
            "CI_API_V4_URL": self.address,
            "CI_PROJECT_ID": "1",
            "CI_PROJECT_DIR": str(self.runner.workspace),
            "CI_DEFAULT_BRANCH": "main",
        }
        if name in ("plan", "production"):
            # A variable of type file, as written by a runner with umask 0.
            file = self.runner.temporary / "variable"
            file.write_text(self._connection["HOSTING_PLATFORM_ACCESS_TOKEN"], encoding="utf-8")
            file.chmod(0o666)
            given["HOSTING_PLATFORM_ACCESS_TOKEN_PATH"] = str(file)
            given["HOSTING_PLATFORM_BASE_URL"] = self._connection["HOSTING_PLATFORM_BASE_URL"]
        if name in ("comment", "production"):
            given["GITLAB_API_TOKEN"] = API_TOKEN
        return given

    def _answer(self, asked: Asked) -> Answer:
        if ("private-token", API_TOKEN) not in [(name.lower(), value) for name, value in asked.headers.items()]:
            return answer_json({}, 401)
        return super()._answer(asked)

    def _routes(self) -> list[Route]:
        notes = r"merge_requests/(\d+)/notes"
        routes: list[Route] = [
            ("GET", r"repository/commits/(\w+)/merge_requests", self._requests_of),
            ("GET", r"merge_requests/(\d+)/pipelines", self._pipelines_of),
            (
                "GET",
                r"pipelines/(\d+)/jobs",
                lambda one, _given: [{"name": "validate", "id": 0}, {"name": "plan", "id": one}],
            ),
            ("GET", r"jobs/(\d+)/artifacts/([\w.]+)", self._artifact),
            ("GET", r"repository/files/([\w.]+)/raw", self._file),
            ("GET", notes, lambda on, given: _page([one for one in self.comments if one["on"] == on], given)),
            ("POST", notes, lambda on, given: self._written(self.comments, given["body"], on=on)),
            ("PUT", notes + r"/(\d+)", lambda _on, number, given: self.comments[number - 1].update(given) or {}),
            (
                "GET",
                r"issues",
                lambda given: _page([one for one in self.issues if one["state"] == given["state"]], given),
            ),
            ("POST", r"issues", lambda given: self._written(self.issues, given["description"], title=given["title"])),
            ("PUT", r"issues/(\d+)", lambda number, given: self._changed(self.issues[number - 1], given)),
        ]
        user: Route = ("GET", "/user", lambda _given: {"id": BOT})
        return [user, *((method, f"/projects/1/{pattern}", reply) for method, pattern, reply in routes)]

    def _written(self, kind: list[dict[str, Any]], body: str, **details: Any) -> Answer:
        self.write(kind, body, author={"id": BOT}, **details)
        return answer_json({}, 201)

    def _changed(self, issue: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
        issue.update(given)
        if issue.pop("state_event", None) == "close":
            issue["state"] = "closed"
        return issue

    def _requests_of(self, commit: Any, _given: Any) -> list[dict[str, Any]]:
        return [
            {
                "iid": request.number,
                "sha": request.sha,
                "state": "merged" if request.merged else "opened",
                "target_branch": request.base,
                "merge_commit_sha": request.merged,
                "squash_commit_sha": None,
            }
            for request in self._requests_with(commit)
        ]

    def _pipelines_of(self, number: int, _given: Any) -> list[dict[str, Any]]:
        """Newest first and, as on the forge, including other pipelines of the same commit."""
        (request,) = (request for request in self.requests if request.number == number)
        found = [one for one in self._pipelines if one["sha"] == request.sha]
        return [{key: one[key] for key in ("id", "sha", "ref", "status")} for one in reversed(found)]

    def _artifact(self, pipeline: int, name: str, _given: Any) -> Answer:
        return Answer(body=self._pipelines[pipeline - 1]["artifacts"]["plan"][name])

    def _file(self, name: str, given: dict[str, str]) -> Answer:
        return answer_text(git(self.runner.repository.path, "show", f"{given['ref']}:{name}"))


def _page(found: list[dict[str, Any]], given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Smaller pages than requested, as a forge may return."""
    begin = (int(given["page"]) - 1) * PAGE
    return found[begin : begin + PAGE]
