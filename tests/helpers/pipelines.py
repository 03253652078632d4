# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays the shell steps of the example pipelines, with stand-ins for what a forge puts around them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from environments import ROOT

EXAMPLES = ROOT / "examples" / "pipelines"
EXPRESSION = re.compile(r"\$\{\{ (.*?) \}\}")
ALWAYS = "${{ !cancelled() }}"
UNLESS_SKIPPED = re.compile(r"\$\{\{ !cancelled\(\) && needs\.(\w+)\.result != 'skipped' \}\}")
# The repository of a user: what its pipelines find in a checkout.
REPOSITORY = ("blueprint", "settings.yml", "requirements.txt", "requirements.yml", "gitlab/approved_plan.py")
INSTALLER = '#!/bin/sh\necho "$(basename "$0") $*" >>"$FORGE/installed"\n'
# GitHub's command line, as far as the pipelines use it: comments, a commit's pull request, its runs and artifacts.
GH = """#!/bin/bash
set -eu
: "${GH_TOKEN:?}"
case "$1 $2" in
  "pr comment") cp "$5" "$FORGE/comment-$3.md" ;;
  "api repos/"*) test "$4" = ".[0].head.sha // empty" && cat "$FORGE/$2" ;;
  "run list") ls "$FORGE/runs/${10}" 2>/dev/null | tail -n 1 ;;
  "run download") mkdir -p "$7" && cp "$FORGE"/runs/*/"$3/$5"/* "$7" ;;
  *) echo "gh: $*: nobody knows this" >&2; exit 1 ;;
esac
"""


@dataclass
class Outcome:
    """How jobs ended, and what their shells said."""

    results: dict[str, str] = field(default_factory=dict)
    output: str = ""

    @property
    def failed(self) -> bool:
        return "failure" in self.results.values()


class Runner:
    """Runs the shell of jobs, each in a checkout of its own. ``forge`` is where the forge keeps what it is given."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.forge, self.repository, self.checkout = (folder / name for name in ("forge", "repository", "checkout"))
        self.forge.mkdir(parents=True)
        self.repository.mkdir()
        for path in map(EXAMPLES.joinpath, REPOSITORY):
            (shutil.copytree if path.is_dir() else shutil.copy)(path, self.repository / path.name)
        tools = folder / "tools"
        tools.mkdir()
        for name, text in {"pip": INSTALLER, "ansible-galaxy": INSTALLER, "gh": GH}.items():
            (tools / name).write_text(text, encoding="utf-8")
            (tools / name).chmod(0o755)
        self._environment = {**environment, "PATH": f"{tools}:{environment['PATH']}", "FORGE": str(self.forge)}

    def begin(self, is_checked_out: bool = True) -> None:
        shutil.rmtree(self.checkout, ignore_errors=True)
        if is_checked_out:
            shutil.copytree(self.repository, self.checkout)
        else:
            self.checkout.mkdir()

    def run(self, script: str, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=self.checkout,
            env={**self._environment, **variables},
            check=False,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )

    def keep(self, paths: list[str], artifact: Path) -> None:
        shutil.rmtree(artifact, ignore_errors=True)
        artifact.mkdir(parents=True)
        for path in paths:
            if (self.checkout / path).exists():
                shutil.copy(self.checkout / path, artifact)

    def fetch(self, artifact: Path) -> None:
        shutil.copytree(artifact, self.checkout, dirs_exist_ok=True)


def workflow(name: str) -> dict[str, Any]:
    return _loaded(EXAMPLES / "github" / f"{name}.yml")


def gitlab() -> dict[str, Any]:
    return _loaded(EXAMPLES / "gitlab" / ".gitlab-ci.yml")


def run_github(runner: Runner, name: str, values: dict[str, str], artifacts: Path) -> Outcome:
    """Play a workflow; ``values`` are the expressions that it uses."""
    outcome = Outcome()
    for job_name, job in workflow(name)["jobs"].items():
        if not _is_due(job, outcome):
            outcome.results[job_name] = "skipped"
            continue
        outcome.results[job_name] = "success"
        for step in job["steps"]:
            if outcome.results[job_name] == "success" or step.get("if") == ALWAYS:
                _run_step(runner, step, job_name, values, artifacts, outcome)
    return outcome


def _is_due(job: dict[str, Any], outcome: Outcome) -> bool:
    if "if" not in job:
        return "needs" not in job or outcome.results[job["needs"]] == "success"
    condition = UNLESS_SKIPPED.fullmatch(job["if"])
    assert condition, job["if"]
    return outcome.results[condition[1]] != "skipped"


def _run_step(
    runner: Runner, step: dict[str, Any], job: str, values: dict[str, str], artifacts: Path, outcome: Outcome
) -> None:
    assert step.get("if", ALWAYS) == ALWAYS, step
    action = step.get("uses", "").partition("@")[0]
    if action == "actions/checkout":
        runner.begin()
    elif action == "actions/upload-artifact":
        runner.keep(step["with"]["path"].split(), artifacts / step["with"]["name"])
    elif action == "actions/download-artifact":
        runner.begin(is_checked_out=False)
        runner.fetch(artifacts / step["with"]["name"])
    elif "run" in step:
        given = {key: EXPRESSION.sub(lambda found: values[found[1]], text) for key, text in step.get("env", {}).items()}
        done = runner.run(step["run"], {"GITHUB_STEP_SUMMARY": str(runner.forge / "summary.md"), **given})
        outcome.output += done.stdout
        if done.returncode:
            outcome.results[job] = "failure"


def run_gitlab(runner: Runner, names: list[str], variables: dict[str, str], artifacts: Path) -> Outcome:
    """Play jobs of the pipeline, in their order: after a failure only those that always run."""
    pipeline, outcome = gitlab(), Outcome()
    for name in names:
        job = pipeline[name]
        if outcome.failed and job["rules"][0].get("when") != "always":
            outcome.results[name] = "skipped"
            continue
        runner.begin(is_checked_out=job.get("variables", {}).get("GIT_STRATEGY") != "none")
        for needed in filter(lambda needed: (artifacts / needed).exists(), job.get("needs", [])):
            runner.fetch(artifacts / needed)
        before = job.get("before_script", pipeline["default"]["before_script"])
        done = runner.run("\n".join([*before, *job["script"]]), variables)
        runner.keep(job.get("artifacts", {}).get("paths", []), artifacts / name)
        outcome.output += done.stdout
        outcome.results[name] = "failure" if done.returncode else "success"
    return outcome


def github_steps() -> Iterator[tuple[str, dict[str, Any]]]:
    for file in sorted((EXAMPLES / "github").glob("*.yml")):
        for job in workflow(file.stem)["jobs"].values():
            yield from ((file.stem, step) for step in job["steps"])


def _loaded(file: Path) -> dict[str, Any]:
    document: dict[Any, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return document
