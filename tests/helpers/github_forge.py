# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""GitHub, as far as the workflows use it: events, expressions, environments, artifacts, and the API behind `gh`."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from typing import Any

from forge import Forge, Route
from jinja2 import ChainableUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pipelines import EXPRESSION, Outcome, Runner, workflow
from repositories import Request
from scripted import Answer, answer_json

NAME = "example/platform"
BOT = "github-actions[bot]"
TOKEN = "HOSTING_PLATFORM_ACCESS_TOKEN"
ADDRESS = "HOSTING_PLATFORM_BASE_URL"
STATUS_FUNCTION = re.compile(r"\b(cancelled|always|failure|success)\(\)")
# Its expressions are those of Jinja, in which unknown names are null as well, but for three operators.
OPERATORS = ((r"&&", " and "), (r"\|\|", " or "), (r"!(?!=)", " not "))
OF_JINJA_ALONE = re.compile(r"[\"~]|(?<!\|)\|(?!\|)|\b(and|or|not|in|is|if|else)\b")
JINJA = ImmutableSandboxedEnvironment(undefined=ChainableUndefined)


class GitHub(Forge):
    """Runs the workflows. A secret is available to jobs of its environment, in the steps that request it."""

    def __init__(self, runner: Runner, connection: Mapping[str, str]) -> None:
        super().__init__(runner, connection)
        self.summary = runner.installed.with_name("summary.md")
        self.environments: list[str] = []
        self._runs: list[dict[str, Any]] = []
        self._artifacts: list[dict[str, Any]] = []

    def plan(self, request: Request) -> Outcome:
        head = {"sha": request.sha, "repo": {"full_name": "stranger/platform" if request.is_fork else NAME}}
        event = {"pull_request": {"number": request.number, "head": head, "user": {"login": request.author}}}
        return self.run("plan", "pull_request_target", event)

    def queue(self, request: Request) -> Outcome:
        """Plan as a merge queue does, for the prospective commit on main."""
        return self.run("plan", "merge_group", {}, request.sha)

    def apply(self) -> Outcome:
        return self.run("apply", "push", {})

    def drift(self) -> Outcome:
        return self.run("drift", "schedule", {})

    def write(self, kind: list[dict[str, Any]], body: str, **details: Any) -> None:
        """Write as a person other than the pipeline."""
        kind.append({"id": len(kind) + 1, "number": len(kind) + 1, "body": body, "state": "open", **details})
        kind[-1].setdefault("user", {"login": "stranger"})

    @property
    def drift_report(self) -> str:
        files = self._artifacts[-1]["files"]
        return str(files["drift.html"] + files["drift.md"], "utf-8") + self.summary.read_text(encoding="utf-8")

    def keep(self, request: Request, files: Mapping[str, bytes], event: str = "", conclusion: str = "success") -> None:
        """Store files as the plan of a request, from a run for this event, by default the workflow's own."""
        self._runs.append(
            {"id": len(self._runs) + 1, "event": event or "pull_request_target", "conclusion": conclusion}
        )
        self._upload(f"plan-{request.number}-{request.sha}", dict(files))

    def run(self, name: str, event_name: str, event: Mapping[str, Any], sha: str = "") -> Outcome:
        """Run a workflow of main."""
        run = {"id": len(self._runs) + 1, "event": event_name, "conclusion": None}
        self._runs.append(run)
        outcome = Outcome()
        context: dict[str, Any] = {
            "github": {
                "event_name": event_name,
                "event": event,
                "repository": NAME,
                "sha": sha or self.runner.repository.main,
                "token": "github-token",
            },
            "runner": {"temp": str(self.runner.temporary)},
        }
        for job_name, job in workflow(name)["jobs"].items():
            context["needs"] = {needed: {"result": result} for needed, result in outcome.results.items()}
            if not _is_due(job, context, outcome):
                outcome.results[job_name] = "skipped"
                continue
            outcome.results[job_name] = "success"
            self._run_job(job_name, job, {**context, **self._secrets_of(job, context)}, outcome)
        run["conclusion"] = "failure" if outcome.failed else "success"
        return outcome

    def _secrets_of(self, job: dict[str, Any], context: dict[str, Any]) -> dict[str, Any]:
        if "environment" not in job:
            return {}
        self.environments.append(_filled(job["environment"], context))
        return {
            "secrets": {TOKEN: self._connection[TOKEN]},
            "vars": {ADDRESS: self._connection[ADDRESS]},
        }

    def _run_job(self, name: str, job: dict[str, Any], context: dict[str, Any], outcome: Outcome) -> None:
        self.runner.begin()
        for step in job["steps"]:
            condition = step.get("if")
            is_due = _value(condition, context) if condition else outcome.results[name] == "success"
            if is_due and not self._run_step(step, context, outcome):
                outcome.results[name] = "failure"

    def _run_step(self, step: dict[str, Any], context: dict[str, Any], outcome: Outcome) -> bool:
        action = step.get("uses", "").partition("@")[0]
        given = {name: _filled(str(text), context) for name, text in step.get("with", {}).items()}
        if action == "actions/checkout":
            commit = given.get("ref", context["github"]["sha"])
            self.runner.check_out(commit)
        elif action == "actions/upload-artifact":
            if files := self.runner.kept(given["path"].split()):
                self._upload(given["name"], files)
        elif action == "actions/download-artifact":
            found = [one for one in self._artifacts if one["run"] == len(self._runs) and one["name"] == given["name"]]
            for artifact in found:
                self.runner.fetch(artifact["files"])
            return bool(found)
        elif "run" in step:
            variables = {name: _filled(text, context) for name, text in step.get("env", {}).items()}
            self.environment_of_steps.append(variables)
            done = self.runner.run(step["run"], {**self._given_to_steps(variables), **variables})
            outcome.output += done.stdout
            return done.returncode == 0
        return True

    def _given_to_steps(self, variables: dict[str, str]) -> dict[str, str]:
        given = {"GITHUB_STEP_SUMMARY": str(self.summary), "RUNNER_TEMP": str(self.runner.temporary)}
        if "GH_TOKEN" in variables:
            # For this host `gh` uses plain HTTP, and sends its requests to the proxy.
            given |= {"GH_HOST": "github.localhost", "HTTP_PROXY": self.address, "GH_CONFIG_DIR": given["RUNNER_TEMP"]}
        return given

    def _upload(self, name: str, files: dict[str, bytes]) -> None:
        number = len(self._artifacts) + 1
        self._artifacts.append({"id": number, "name": name, "run": len(self._runs), "files": files})

    def _routes(self) -> list[Route]:
        """What `gh` requests, in proxy form."""
        routes: list[Route] = [
            ("GET", r"commits/(\w+)/pulls", self._pulls_of),
            ("GET", r"actions/artifacts", lambda given: self._listed_artifacts("name", given["name"])),
            ("GET", r"actions/runs/(\d+)", lambda run, _given: self._runs[run - 1]),
            ("GET", r"actions/runs/(\d+)/artifacts", lambda run, _given: self._listed_artifacts("run", run)),
            ("GET", r"artifacts/(\d+)", self._zipped),
            ("GET", r"issues/(\d+)/comments", lambda on, _given: [one for one in self.comments if one["on"] == on]),
            ("POST", r"issues/(\d+)/comments", lambda on, given: self._written(self.comments, given, on=on)),
            ("PATCH", r"issues/comments/(\d+)", lambda number, given: self.comments[number - 1].update(given) or {}),
            ("GET", r"issues", lambda given: [one for one in self.issues if one["state"] == given["state"]]),
            ("POST", r"issues", lambda given: self._written(self.issues, given)),
            ("PATCH", r"issues/(\d+)", lambda number, given: self.issues[number - 1].update(given) or {}),
        ]
        return [(method, f"/repos/{NAME}/{pattern}", reply) for method, pattern, reply in routes]

    def _written(self, kind: list[dict[str, Any]], given: dict[str, Any], **details: Any) -> Answer:
        self.write(kind, given["body"], title=given.get("title"), user={"login": BOT}, **details)
        return answer_json({}, 201)

    def _pulls_of(self, commit: str, _given: Any) -> list[dict[str, Any]]:
        return [
            {
                "number": request.number,
                "head": {"sha": request.sha},
                "base": {"ref": request.base},
                "merged_at": request.merged and "2026-11-22T10:00:00Z",
                "merge_commit_sha": request.merged or "0" * 40,
            }
            for request in self._requests_with(commit)
        ]

    def _listed_artifacts(self, key: str, value: Any) -> dict[str, Any]:
        return {
            "artifacts": [
                {
                    "id": one["id"],
                    "name": one["name"],
                    "expired": False,
                    "created_at": f"2026-11-22T10:{one['id']:02}:00Z",
                    "workflow_run": {"id": one["run"]},
                    "archive_download_url": f"http://api.github.localhost/repos/{NAME}/artifacts/{one['id']}",
                }
                for one in self._artifacts
                if one[key] == value
            ]
        }

    def _zipped(self, number: int, _given: Any) -> Answer:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for name, content in self._artifacts[number - 1]["files"].items():
                archive.writestr(name, content)
        return Answer(body=packed.getvalue(), headers={"Content-Type": "application/zip"})


def _is_due(job: dict[str, Any], context: dict[str, Any], outcome: Outcome) -> bool:
    condition = job.get("if", "")
    may_run = STATUS_FUNCTION.search(condition) or outcome.results.get(job.get("needs", ""), "success") == "success"
    return bool(may_run and (not condition or _value(condition, context)))


def _filled(text: str, context: dict[str, Any]) -> str:
    return EXPRESSION.sub(lambda found: str(_value(found[0], context) or ""), text)


def _value(text: str, context: dict[str, Any]) -> Any:
    found = EXPRESSION.fullmatch(text)
    assert found, text
    expression = found[1]
    assert not OF_JINJA_ALONE.search(re.sub("'[^']*'", "", expression)), text
    for operator, word in OPERATORS:
        expression = re.sub(operator, word, expression)
    return JINJA.compile_expression(expression)(**context, cancelled=lambda: False)
