# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pipeline for GitLab as another reader of such files understands it: gitlab-ci-local, which `make matrix` gets."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from gitlab_forge import API_TOKEN, GitLab
from pipelines import EXAMPLES
from playing import Player
from repositories import git

VERSION = os.environ.get("GITLAB_CI_LOCAL", "")
REMOTE = "git@gitlab.example.com:acme/platform.git"

pytestmark = [
    pytest.mark.skipif(not VERSION, reason="GITLAB_CI_LOCAL names no version"),
    pytest.mark.skipif(not (shutil.which("npx") and shutil.which("rsync")), reason="it needs npx and rsync"),
]


class Local:
    """Plays the whole pipeline of an event in a new clone, each job in a folder of its own."""

    def __init__(self, forge: GitLab, player: Player, folder: Path) -> None:
        self._forge, self._player, self._folder = forge, player, folder
        self._ssh = folder / "ssh"
        self._ssh.write_text(f"#!/bin/sh\nexec git-upload-pack {forge.runner.repository.path}\n", encoding="utf-8")
        self._ssh.chmod(0o755)
        self._token = folder / "token"
        self._token.write_text(player.emulator.token, encoding="utf-8")
        self._count = 0

    def play(self, source: str, commit: str, **variables: str) -> tuple[subprocess.CompletedProcess[str], Path]:
        """The outcome, and the clone."""
        self._count += 1
        clone = self._folder / f"clone-{self._count}"
        self._forge.runner.repository.clone(clone, commit)
        git(clone, "checkout", "--quiet", "-b", "played")
        git(clone, "config", "user.name", "Author")
        git(clone, "config", "user.email", "author@example.com")
        git(clone, "remote", "set-url", "origin", REMOTE)
        given = {
            "CI_PIPELINE_SOURCE": source,
            "CI_COMMIT_SHA": commit,
            "CI_DEFAULT_BRANCH": "main",
            "CI_API_V4_URL": self._forge.address,
            "CI_PROJECT_ID": "1",
            "HOSTING_PLATFORM_BASE_URL": self._player.emulator.base_url,
            "HOSTING_PLATFORM_ACCESS_TOKEN_PATH": str(self._token),
            "GITLAB_API_TOKEN": API_TOKEN,
            **variables,
        }
        runner = self._forge.runner
        done = subprocess.run(
            [
                *("npx", "--yes", f"gitlab-ci-local@{VERSION}", "--force-shell-executor", "--shell-isolation"),
                "--evaluate-rule-changes=false",
                *(f"--variable={name}={value}" for name, value in given.items()),
            ],
            cwd=clone,
            env={
                **runner.environment,
                "TMPDIR": str(runner.temporary.parent),
                "GIT_SSH_COMMAND": str(self._ssh),
                "GIT_SSH_VARIANT": "simple",
            },
            check=False,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
        return done, clone


def test_request_is_planned_applied_and_watched(player: Player, gitlab: GitLab, tmp_path: Path) -> None:
    repository = gitlab.runner.repository
    repository.push({".gitlab-ci.yml": (EXAMPLES / "gitlab/.gitlab-ci.yml").read_text(encoding="utf-8")})
    local = Local(gitlab, player, tmp_path)
    request = gitlab.open({"README.md": "Nothing new\n"})

    about = {"CI_MERGE_REQUEST_IID": str(request.number), "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"}
    planned, clone = local.play("merge_request_event", request.sha, **about)
    assert planned.returncode == 0, planned.stdout
    (comment,) = gitlab.comments_on(request)
    assert "| project | `shop-web` | `acme` |" in comment

    artifacts = clone / ".gitlab-ci-local/artifacts/plan"
    gitlab.keep(request, {file.name: file.read_bytes() for file in artifacts.iterdir()})
    gitlab.merge(request, "squash")
    applied, _clone = local.play("push", repository.main, CI_COMMIT_BRANCH="main")
    assert applied.returncode == 0, applied.stdout
    assert [project["name"] for project in player.emulator.state()["projects"]] == ["shop-web"]

    quiet, _clone = local.play("schedule", repository.main, CI_COMMIT_BRANCH="main")
    assert quiet.returncode == 0, quiet.stdout
    assert gitlab.issues == []
    player.emulator.seed(projects=[{"name": "by-hand", "team": "acme"}])
    drifted, _clone = local.play("schedule", repository.main, CI_COMMIT_BRANCH="main")
    assert drifted.returncode != 0
    (issue,) = gitlab.issues
    assert "`by-hand`" in issue["description"]
