# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the shell scripts of the example pipelines' jobs, with stand-ins for the forge around them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from environments import ROOT, development_environment
from repositories import GIT, Repository

EXAMPLES = ROOT / "examples" / "pipelines"
SCHEMAS = ROOT / "docs" / "schemas"
RULES = json.loads((EXAMPLES / "rules/projects.schema.json").read_text(encoding="utf-8"))
PUBLISHED = RULES["allOf"][0]["$ref"].rpartition("/")[0]
EXPRESSION = re.compile(r"\$\{\{ (.*?) \}\}")
WORKFLOWS = ("plan", "apply", "drift")
# A user's repository: what its pipelines find in a checkout.
REPOSITORY = (
    "blueprint",
    "rules",
    "settings.yml",
    "requirements.txt",
    "requirements.yml",
    "gitlab/approved_plan.py",
    "gitlab/show.py",
)
# Reports the requirements as installed, and installs nothing.
INSTALLER = """#!/bin/sh
case "$*" in
  freeze) cat requirements.txt ;;
  "collection list hosting.platform") cat requirements.yml ;;
  *) echo "$(basename "$0") $*" >>"$INSTALLED" ;;
esac
"""


@dataclass
class Outcome:
    """The results of jobs, and the output of their shells."""

    results: dict[str, str] = field(default_factory=dict)
    output: str = ""

    @property
    def failed(self) -> bool:
        return "failure" in self.results.values()


class Runner:
    """Runs the shell scripts of jobs, each in a clean workspace.

    ``temporary`` is a folder with a short path, for the sockets of Ansible. ``schemas`` is where the shipped schemas
    are served.
    """

    def __init__(self, folder: Path, temporary: Path, environment: dict[str, str], schemas: str) -> None:
        self.workspace, tools = folder / "workspace", folder / "tools"
        self.temporary = temporary
        self.installed = folder / "installed"
        self.repository = Repository(folder)
        self.repository.push(
            {name: text.replace(PUBLISHED, schemas) for name, text in files_of_a_repository()},
        )
        tools.mkdir()
        for name in ("pip", "ansible-galaxy"):
            (tools / name).write_text(INSTALLER, encoding="utf-8")
            (tools / name).chmod(0o755)
        (tools / "check-jsonschema").symlink_to(development_environment() / "check-jsonschema")
        self.environment = {
            **environment,
            **GIT,
            "PATH": f"{tools}:{environment['PATH']}",
            "INSTALLED": str(self.installed),
            "XDG_CACHE_HOME": str(folder / "cache"),
        }

    def begin(self) -> None:
        """Start a job with an empty workspace, and no temporary files of other jobs."""
        for path in (self.workspace, self.temporary):
            shutil.rmtree(path, ignore_errors=True)
            path.mkdir()

    def check_out(self, commit: str) -> None:
        self.repository.clone(self.workspace, commit)

    def run(self, script: str, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=self.workspace,
            env={**self.environment, "TMPDIR": str(self.temporary), **variables},
            check=False,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )

    def kept(self, paths: Iterable[str]) -> dict[str, bytes]:
        """The files with these names that the job left, as an artifact."""
        files = map(self.workspace.joinpath, paths)
        return {file.name: file.read_bytes() for file in files if file.exists()}

    def fetch(self, artifact: dict[str, bytes]) -> None:
        for name, content in artifact.items():
            (self.workspace / name).write_bytes(content)


def files_of_a_repository() -> Iterator[tuple[str, str]]:
    for place in map(EXAMPLES.joinpath, REPOSITORY):
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            yield str(file.relative_to(place.parent)), file.read_text(encoding="utf-8")


def workflow(name: str) -> dict[str, Any]:
    return _loaded(EXAMPLES / "github" / f"{name}.yml")


def github_steps() -> Iterator[tuple[str, dict[str, Any]]]:
    for name in WORKFLOWS:
        for job in workflow(name)["jobs"].values():
            yield from ((name, step) for step in job["steps"])


def gitlab_jobs() -> dict[str, dict[str, Any]]:
    """The jobs of the pipeline, with what they extend and the defaults, in the order of their stages."""
    pipeline = _loaded(EXAMPLES / "gitlab" / ".gitlab-ci.yml")
    jobs = {
        name: {**pipeline["default"], **pipeline.get(job.get("extends"), {}), **job}
        for name, job in pipeline.items()
        if "script" in job
    }
    return dict(sorted(jobs.items(), key=lambda job: pipeline["stages"].index(job[1]["stage"])))


def _loaded(file: Path) -> dict[str, Any]:
    document: dict[Any, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return document
