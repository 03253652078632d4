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
from environments import variables
from pipelines import EXAMPLES, GIT, Pipelines, git
from playing import Player

VERSION = os.environ.get("GITLAB_CI_LOCAL", "")

pytestmark = [
    pytest.mark.skipif(not VERSION, reason="GITLAB_CI_LOCAL names no version"),
    pytest.mark.skipif(not (shutil.which("npx") and shutil.which("rsync")), reason="it needs npx and rsync"),
]


def test_request_is_planned_and_drift_fails(player: Player, tmp_path: Path) -> None:
    pipelines = Pipelines(tmp_path, variables(player.bin), {}, is_github=False)
    token = tmp_path / "token"
    token.write_text(player.emulator.token, encoding="utf-8")
    pipelines.push({".gitlab-ci.yml": (EXAMPLES / "gitlab/.gitlab-ci.yml").read_text(encoding="utf-8")})
    given = {
        "CI_COMMIT_SHA": pipelines.main,
        "CI_DEFAULT_BRANCH": "main",
        "CI_COMMIT_BRANCH": "main",
        "CI_MERGE_REQUEST_IID": "12",
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
        "HOSTING_PLATFORM_BASE_URL": player.emulator.base_url,
        "HOSTING_PLATFORM_ACCESS_TOKEN_PATH": str(token),
    }

    def play(job: str, source: str) -> tuple[int, Path]:
        clone = tmp_path / job
        git(tmp_path, "clone", "--quiet", pipelines.origin, clone)
        # It asks the address for the project's name.
        git(clone, "remote", "set-url", "origin", "git@gitlab.example.com:acme/platform.git")
        git(clone, "config", f"url.{pipelines.origin}.insteadOf", "git@gitlab.example.com:acme/platform.git")
        command = [*("npx", "--yes", f"gitlab-ci-local@{VERSION}", "--force-shell-executor", "--shell-isolation"), job]
        command += [f"--variable={name}={value}" for name, value in {**given, "CI_PIPELINE_SOURCE": source}.items()]
        environment = {**pipelines.environment, **GIT, "TMPDIR": str(tmp_path)}
        return subprocess.run(command, cwd=clone, env=environment, check=False).returncode, clone

    returned, clone = play("plan", "merge_request_event")
    assert returned == 0
    assert "shop-web" in (clone / ".gitlab-ci-local/artifacts/plan/plan.md").read_text(encoding="utf-8")
    returned, _clone = play("drift", "schedule")
    assert returned != 0
    assert player.emulator.writes == []
