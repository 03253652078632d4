# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A forge with one request, for which the jobs of the pipelines run."""

import json
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from environments import variables
from pipelines import EXAMPLES, SCRIPTS, Pipelines
from player import Player
from stub_server import ReceivedRequest, StubResponse, json_response

APPROVED = "2026-11-22T10:30:00Z"
EARLIER = "2026-11-22T10:10:00Z"
LATER = "2026-11-22T10:40:00Z"
CALLER = ".github/workflows/blueprint.yml"
Done = subprocess.CompletedProcess[str]


class Forge(Pipelines):
    """A request with the number 12. ``answers`` are those of the forge's API, by the ends of their
    paths.
    """

    def __init__(self, player: Player, address: str, folder: Path, is_github: bool) -> None:
        connection = ("HOSTING_PLATFORM_BASE_URL", "HOSTING_PLATFORM_ACCESS_TOKEN")
        environment = {**variables(player.bin), **player.environment, "FORGE": address}
        base_url, token = (environment.pop(name) for name in connection)
        (folder / "token").write_text(token, encoding="utf-8")
        (folder / "token").chmod(0o600)
        on_github = {
            "github.token": "github-token",
            "github.repository": "acme/platform",
            "github.event.pull_request.number": "12",
            "github.run_id": "3",
            "github.server_url": "https://github.com",
            "github.workflow_ref": f"acme/platform/{CALLER}@refs/heads/main",
            "runner.temp": str(folder),
            "secrets.HOSTING_PLATFORM_ACCESS_TOKEN": token,
            "secrets.NOTIFY_SECRET": "notify-secret",
        }
        on_gitlab = {
            "CI_API_V4_URL": address,
            "CI_COMMIT_BRANCH": "main",
            "CI_DEFAULT_BRANCH": "main",
            "CI_MERGE_REQUEST_IID": "12",
            "CI_PROJECT_ID": "1",
            "GITLAB_API_TOKEN": "gitlab-token",
            "HOSTING_PLATFORM_ACCESS_TOKEN_PATH": str(folder / "token"),
        }
        super().__init__(folder, environment, on_github if is_github else on_gitlab, is_github)
        self.inputs["base_url"] = base_url
        if not is_github:
            self.inputs["scripts"] = address
        self.environment["GITHUB_EVENT_NAME"] = "pull_request_target"
        self.answers: dict[str, Any] = {"/user": {"id": 7}, "/comments": [], "/issues": []}
        for name in SCRIPTS:
            self.answers[f"/{name}"] = StubResponse(body=(EXAMPLES / "gitlab" / name).read_bytes())
        self.written: list[tuple[str, str]] = []
        self.changed: list[str] = []

    def reply(self, request: ReceivedRequest) -> StubResponse:
        target = unquote(request.target)
        path = urlsplit(target).path
        if request.method != "GET":
            said = request.body.decode()
            if request.method != "POST":
                self.changed.append(path)
            self.written.append(
                (request.method, said if self.is_github else "".join(json.loads(said).values()))
            )
            return json_response({})
        found = next(
            (
                self.answers[end]
                for end in self.answers
                if path.endswith(end) or target.endswith(end)
            ),
            None,
        )
        return (
            found
            if isinstance(found, StubResponse)
            else json_response({} if found is None else found)
        )

    def run_for_request(self, job: str, commit: str, **artifact: bytes) -> Done:
        """Run a job of the request: on GitHub the workflow is that of main."""
        name = (
            "github.event.pull_request.head.sha || github.sha"
            if self.is_github
            else "CI_COMMIT_SHA"
        )
        files = {name.replace("_", "."): content for name, content in artifact.items()}
        return self.run(job, self.main if self.is_github else commit, {name: commit}, files)

    def plan(self, files: dict[str, str]) -> tuple[str, list[bytes]]:
        """The commit of a request with these files, and what the job that plans has left."""
        head = self.propose(files)
        planned = self.run_for_request("plan", head)
        assert planned.returncode == 0, planned.stdout
        return head, self.planned

    @property
    def planned(self) -> list[bytes]:
        """What the job that plans has left: plan, Markdown and versions."""
        names = ("plan.json", "plan.md", "versions.txt")
        return [(self.workspace / name).read_bytes() for name in names]

    def run_on_main(self, job: str, **given: str) -> Done:
        return self.run(
            job,
            self.main,
            {"github.sha" if self.is_github else "CI_COMMIT_SHA": self.main, **given},
        )

    def store_plan(self, run: int, plan: bytes, versions: bytes = b"others") -> None:
        """Keep the plan of a run, which is a job on GitLab."""
        self.answers[f"/jobs/{run}/artifacts/plan.json"] = StubResponse(body=plan)
        self.answers[f"/jobs/{run}/artifacts/versions.txt"] = StubResponse(body=versions)

    def describe_request(
        self, head: str, plans: dict[int, Any], *, approved: bool = True, base: str = "main"
    ) -> None:
        """The request was merged. ``plans`` says how each run differs from the right one; the
        newest is the last.
        """
        if self.is_github:
            self._describe_on_github(head, plans, base, approved=approved)
        else:
            self._describe_on_gitlab(head, plans, base, approved=approved)

    def _describe_on_github(
        self, head: str, plans: dict[int, Any], base: str, *, approved: bool
    ) -> None:
        request = {
            "number": 12,
            "head": {"sha": head},
            "base": {"ref": base},
            "merged_at": EARLIER,
        }
        review = {"state": "APPROVED", "commit_id": head, "author_association": "MEMBER"}
        wrong = [
            {"state": "DISMISSED"},
            {"commit_id": "0" * 40},
            {"author_association": "NONE"},
        ]
        reviews = [{**review, **different, "submitted_at": LATER} for different in wrong]
        listed = [
            {"expired": False, "created_at": str(run), "workflow_run": {"id": run}} for run in plans
        ]
        usual = {
            "event": "pull_request_target",
            "conclusion": "success",
            "updated_at": EARLIER,
            "path": CALLER,
        }
        self.answers |= {
            "/pulls": [{**request, "merge_commit_sha": self.main}],
            "/reviews": [*reviews, {**review, "submitted_at": APPROVED}] if approved else reviews,
            f"/actions/artifacts?name=plan-production-12-{head}&per_page=100": {
                "artifacts": listed
            },
            **{
                f"/runs/{run}": {"id": run, **usual, **different}
                for run, different in plans.items()
            },
        }

    def _describe_on_gitlab(
        self, head: str, plans: dict[int, Any], base: str, *, approved: bool
    ) -> None:
        request = {"iid": 12, "sha": head, "state": "merged", "target_branch": base}
        request |= {"author": {"id": 7}}
        approvals = [{"approved_at": LATER, "user": {"id": 7}}]
        if approved:
            approvals.append({"approved_at": APPROVED, "user": {"id": 8}})
        usual = {"sha": head, "ref": "refs/merge-requests/12/head", "status": "success"}
        self.answers |= {
            "/merge_requests": [
                {**request, "merge_commit_sha": self.main, "squash_commit_sha": None}
            ],
            "/approvals": {"approved_by": approvals},
            "/12/pipelines": [
                {"id": run, **usual, **plans[run]} for run in sorted(plans, reverse=True)
            ],
        }
        for run, different in plans.items():
            plan = {"id": run, "name": "plan:production", "finished_at": EARLIER, **different}
            self.answers[f"/pipelines/{run}/jobs"] = [{"id": 0, "name": "plan:staging"}, plan]
