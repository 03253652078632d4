# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The example pipelines: plan on a request, apply what was approved on the merge, and drift at night."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs

import pytest
from environments import collection_tree, variables
from pipelines import (
    Outcome,
    Runner,
    run_github,
    run_gitlab,
)
from playing import Player

CONNECTION = ("HOSTING_PLATFORM_BASE_URL", "HOSTING_PLATFORM_ACCESS_TOKEN")
GITLAB_TOKEN = "gitlab-token-0123456789"
PLATFORM_TOKEN = "HOSTING_PLATFORM_ACCESS_TOKEN"


class GitHub:
    """Plays the workflows. Only their steps that need it know the platform and its token."""

    def __init__(self, runner: Runner, connection: dict[str, str]) -> None:
        self.runner = runner
        self.reviewed = "reviewed"
        self._values = {
            "vars.HOSTING_PLATFORM_BASE_URL": connection["HOSTING_PLATFORM_BASE_URL"],
            "secrets.HOSTING_PLATFORM_ACCESS_TOKEN": connection["HOSTING_PLATFORM_ACCESS_TOKEN"],
            "github.token": "github-token",
            "github.repository": "example/platform",
            "github.event.pull_request.number": "12",
            "github.sha": "merged",
        }
        pulls = runner.forge / "repos/example/platform/commits/merged/pulls"
        pulls.parent.mkdir(parents=True)
        pulls.write_text("reviewed\n", encoding="utf-8")

    def plan(self, commit: str = "reviewed") -> Outcome:
        artifacts = self.runner.forge / "runs" / commit / "7"
        outcome = run_github(self.runner, "plan", self._values, artifacts)
        if outcome.failed:  # then no run of this commit was a success
            shutil.rmtree(artifacts.parent, ignore_errors=True)
        return outcome

    def keep_plan(self, commit: str) -> None:
        """As a run for this commit does."""
        kept = self.runner.forge / "runs" / commit / "7" / "plan"
        kept.mkdir(parents=True)
        (kept / "plan.json").write_text('{"steps": []}', encoding="utf-8")

    def apply(self) -> Outcome:
        return run_github(self.runner, "apply", self._values, self.runner.forge / "applied")

    def drift(self) -> Outcome:
        return run_github(self.runner, "drift", self._values, self.runner.forge / "nightly")

    @property
    def drift_report(self) -> str:
        summary = (self.runner.forge / "summary.md").read_text(encoding="utf-8")
        return (self.runner.forge / "nightly/drift/drift.html").read_text(encoding="utf-8") + summary


class GitLab:
    """Plays the jobs of the pipeline, and answers as the forge's API."""

    def __init__(self, runner: Runner, connection: dict[str, str]) -> None:
        self.runner = runner
        self._connection = connection
        self._pipelines: list[dict[str, Any]] = []
        self._api = ""

    def plan(self, commit: str = "reviewed") -> Outcome:
        pipeline = len(self._pipelines) + 1
        outcome = self._run(["validate", "plan", "comment"], self._artifacts(pipeline))
        status = "failed" if outcome.failed else "success"
        self._pipelines.insert(0, {"id": pipeline, "sha": commit, "status": status})
        return outcome

    def keep_plan(self, commit: str) -> None:
        """As a pipeline for this commit does."""
        kept = self._artifacts(1) / "plan"
        kept.mkdir(parents=True)
        (kept / "plan.json").write_text('{"steps": []}', encoding="utf-8")
        self._pipelines.append({"id": 1, "sha": commit, "status": "success"})

    def apply(self) -> Outcome:
        return self._run(["apply"], self._artifacts("applied"))

    def drift(self) -> Outcome:
        return self._run(["drift"], self._artifacts("nightly"))

    @property
    def drift_report(self) -> str:
        kept = self._artifacts("nightly") / "drift"
        return "".join((kept / name).read_text(encoding="utf-8") for name in ("drift.html", "drift.md"))

    @contextmanager
    def serving(self) -> Iterator[GitLab]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        Thread(target=server.serve_forever, daemon=True).start()
        self._api = f"http://127.0.0.1:{server.server_port}"
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()

    def answer(self, path: str) -> bytes | None:
        """The answer of the API to a GET of the project."""
        if path == "/projects/1/repository/commits/merged/merge_requests":
            commits = {"sha": "reviewed", "merge_commit_sha": "merged", "squash_commit_sha": None}
            other = {"iid": 11, "state": "closed", "target_branch": "main", **commits}
            return json.dumps([other, {**other, "iid": 12, "state": "merged"}]).encode()
        if path == "/projects/1/merge_requests/12/pipelines":
            return json.dumps(self._pipelines).encode()
        if jobs := re.fullmatch(r"/projects/1/pipelines/(\d+)/jobs", path):
            return json.dumps([{"name": "validate", "id": 0}, {"name": "plan", "id": int(jobs[1])}]).encode()
        if artifact := re.fullmatch(r"/projects/1/jobs/(\d+)/artifacts/plan.json", path):
            return (self._artifacts(artifact[1]) / "plan/plan.json").read_bytes()
        return None

    def comment(self, path: str, body: str) -> bool:
        if path != "/projects/1/merge_requests/12/notes":
            return False
        (self.runner.forge / "comment-12.md").write_text(parse_qs(body)["body"][0], encoding="utf-8")
        return True

    def _artifacts(self, pipeline: int | str) -> Path:
        return self.runner.forge / f"artifacts-{pipeline}"

    def _run(self, names: list[str], artifacts: Path) -> Outcome:
        given = {
            **self._connection,
            "CI_API_V4_URL": self._api,
            "CI_PROJECT_ID": "1",
            "CI_MERGE_REQUEST_IID": "12",
            "CI_COMMIT_SHA": "merged",
            "CI_COMMIT_BRANCH": "main",
            "GITLAB_API_TOKEN": GITLAB_TOKEN,
        }
        return run_gitlab(self.runner, names, given, artifacts)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        forge = self

        class Api(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                content = forge.answer(self.path)
                self._answer(404 if content is None else 200, content or b"{}")

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self._answer(201 if forge.comment(self.path, body) else 404, b"{}")

            def _answer(self, status: int, body: bytes) -> None:
                is_known = self.headers["PRIVATE-TOKEN"] == GITLAB_TOKEN
                self.send_response(status if is_known else 401)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_arguments: Any) -> None:
                """Say nothing."""

        return Api


Forge = GitHub | GitLab


@pytest.fixture(params=["github", "gitlab"])
def forge(player: Player, request: pytest.FixtureRequest) -> Iterator[Forge]:
    given = {**variables(player.bin, collection_tree()), **player.environment}
    connection = {name: given.pop(name) for name in CONNECTION}
    runner = Runner(player.folder / "runner", given)
    if request.param == "github":
        yield GitHub(runner, connection)
        return
    with GitLab(runner, connection).serving() as gitlab_forge:
        yield gitlab_forge


def test_request_is_planned_merged_and_watched(player: Player, forge: Forge) -> None:
    planned = forge.plan()
    assert set(planned.results.values()) == {"success"}, planned.output
    assert player.emulator.writes == []
    comment = (forge.runner.forge / "comment-12.md").read_text(encoding="utf-8")
    assert "**2 of 2 entries differ from the platform.**" in comment
    assert "| project | `web` | `acme` |" in comment
    installed = (forge.runner.forge / "installed").read_text(encoding="utf-8")
    assert set(installed.splitlines()) == {
        "pip install --requirement requirements.txt",
        "ansible-galaxy collection install --requirements-file requirements.yml",
    }

    applied = forge.apply()
    assert not applied.failed, applied.output
    assert [project["name"] for project in player.emulator.state["projects"]] == ["web"]
    quiet = forge.drift()
    assert not quiet.failed, quiet.output

    (team,) = player.emulator.state["teams"]
    player.emulator.seed(projects=[{"name": "by-hand", "team": team["slug"]}])
    player.emulator.forget_requests()
    drifted = forge.drift()
    assert drifted.failed, "it fails, and shows the report all the same"
    assert "1 to delete (2 with what goes along): project by-hand of acme" in drifted.output
    assert "<title>Drift report" in forge.drift_report
    assert "| project | `by-hand` | `acme` |" in forge.drift_report
    assert player.emulator.writes == []


def test_what_nobody_approved_is_not_done(player: Player, forge: Forge) -> None:
    planned = forge.plan()
    assert not planned.failed, planned.output
    player.emulator.seed(teams=[{"slug": "acme"}], projects=[{"name": "meanwhile", "team": "acme"}])

    applied = forge.apply()

    assert applied.failed
    assert "meanwhile" in applied.output
    assert player.emulator.writes == []


@pytest.mark.parametrize("commit", [None, "earlier"])
def test_merge_of_a_commit_without_a_plan_does_nothing(player: Player, forge: Forge, commit: str | None) -> None:
    if commit:
        forge.keep_plan(commit)

    applied = forge.apply()

    assert applied.failed
    assert "The commit that was reviewed has no" in applied.output
    assert player.emulator.requests == []


def test_wrong_files_are_not_planned(player: Player, forge: Forge) -> None:
    (forge.runner.repository / "blueprint/projects.yml").write_text("- {nme: web}\n", encoding="utf-8")

    planned = forge.plan()

    assert planned.results["validate"] == "failure"
    assert planned.results["plan"] == "skipped"
    assert "unknown option nme. Did you mean name?" in planned.output
    assert player.emulator.requests == []
    assert not (forge.runner.forge / "comment-12.md").exists()


def test_refused_plan_is_shown_and_no_plan_to_apply(player: Player, forge: Forge) -> None:
    many = [{"name": f"old-{number}", "team": "acme"} for number in range(6)]
    player.emulator.seed(teams=[{"slug": "acme", "name": "Acme"}], projects=many)

    planned = forge.plan()

    assert planned.results["plan"] == "failure"
    comment = (forge.runner.forge / "comment-12.md").read_text(encoding="utf-8")
    assert "limits" in comment
    applied = forge.apply()
    assert applied.failed
    assert "The commit that was reviewed has no" in applied.output
    assert player.emulator.writes == []
