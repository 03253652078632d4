# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The example pipelines: the commands of their jobs, run as they stand in a clone of a repository that uses them."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml
from environments import ROOT, development_environment

EXAMPLES = ROOT / "examples/pipelines"
WORKFLOWS = {"apply": "apply", **dict.fromkeys(("validate", "plan", "comment"), "plan")}
WORKFLOWS |= dict.fromkeys(("drift", "issue"), "drift")
EXPRESSION = re.compile(r"\$\{\{ (.*?) \}\}")
# What the pipelines find in a checkout of a user's repository.
REPOSITORY = ("blueprint", "rules", "settings.yml", "requirements.txt", "requirements.yml")
SCRIPTS = ("gitlab/approved_plan.py", "gitlab/show.py")
# As on a runner, without any configuration.
GIT = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
TOOLS = {
    # They report the requirements as installed, and install nothing.
    "pip": '[ "$1" = install ] || cat requirements.txt',
    "ansible-galaxy": '[ "$2" = install ] || cat requirements.yml',
    # `gh` gets its answers from $FORGE: API calls with --jq, calls with --method and a body, and downloads of plans.
    "gh": """
for argument; do
    case "$previous" in --jq) filter=$argument ;; --method) method=$argument ;; esac
    case "$argument" in repos/*) path=$argument ;; body=@* | state=*) body=$argument ;; esac
    previous=$argument
done
if [ "$1" = run ]; then
    mkdir approved && cd approved
    for file in plan.json versions.txt; do curl --silent --fail "$FORGE/jobs/$3/artifacts/$file" --output $file; done
elif [ -n "$method" ]; then
    curl --silent --fail --request "$method" --data-binary "${body#body=}" "$FORGE/$path" --output /dev/null
elif [ -n "$path" ]; then
    curl --silent --fail "$FORGE/$path" | jq --raw-output "$filter"
fi
""",
}


def workflow(name: str) -> dict[Any, Any]:
    document: dict[Any, Any] = yaml.safe_load((EXAMPLES / f"github/{name}.yml").read_text(encoding="utf-8"))
    return document


def gitlab_jobs() -> dict[str, dict[str, Any]]:
    """The jobs of the pipeline, with what they extend and the defaults."""
    pipeline = yaml.safe_load((EXAMPLES / "gitlab/.gitlab-ci.yml").read_text(encoding="utf-8"))
    jobs = {name: job for name, job in pipeline.items() if "script" in job}
    return {name: {**pipeline["default"], **pipeline.get(job.get("extends"), {}), **job} for name, job in jobs.items()}


def git(folder: Path, *arguments: str | Path) -> str:
    command = ["git", "-C", folder, "-c", "user.name=Author", "-c", "user.email=author@example.com", *arguments]
    done = subprocess.run(command, env={**os.environ, **GIT}, check=True, capture_output=True, text=True)
    return done.stdout.strip()


class Pipelines:
    """``environment`` finds Ansible, ``given`` are the values of expressions on GitHub, and of variables on GitLab."""

    def __init__(self, folder: Path, environment: Mapping[str, str], given: Mapping[str, str], is_github: bool) -> None:
        self.is_github, self.given = is_github, dict(given)
        self.workspace = folder / "workspace"
        self.origin, self._work, tools = folder / "platform.git", folder / "work", folder / "tools"
        for path in (self.origin, self._work, tools):
            path.mkdir(parents=True)
        git(self.origin, "init", "--quiet", "--bare", "--initial-branch=main")
        git(self.origin, "config", "uploadpack.allowAnySHA1InWant", "true")
        git(self._work, "init", "--quiet", "--initial-branch=main")
        for name in (*REPOSITORY, *SCRIPTS):
            copy = shutil.copytree if (EXAMPLES / name).is_dir() else shutil.copy
            copy(EXAMPLES / name, self._work / Path(name).name)
        self.push({})
        for name, script in TOOLS.items():
            (tools / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
            (tools / name).chmod(0o755)
        (tools / "check-jsonschema").symlink_to(development_environment() / "check-jsonschema")
        found = f"{tools}:{environment['PATH']}"
        self.environment: dict[str, str] = {**environment, **GIT, "PATH": found, "RUNNER_TEMP": str(folder)}
        self.environment |= {"XDG_CACHE_HOME": str(folder), "GITHUB_STEP_SUMMARY": str(folder / "summary")}

    @property
    def main(self) -> str:
        return git(self.origin, "rev-parse", "main")

    def push(self, files: Mapping[str, str]) -> None:
        """Commit to main."""
        self._commit(files)
        git(self._work, "push", "--quiet", self.origin, "HEAD:main")

    def propose(self, files: Mapping[str, str]) -> str:
        """Commit on top of main, as a request; returns the commit. Text of the form ``-> TARGET`` makes a link."""
        git(self._work, "checkout", "--quiet", "--detach")
        self._commit(files)
        git(self._work, "push", "--quiet", "--force", self.origin, "HEAD:refs/heads/request")
        commit = git(self._work, "rev-parse", "HEAD")
        git(self._work, "checkout", "--quiet", "main")
        return commit

    def merge(self, commit: str) -> str:
        git(self._work, "merge", "--quiet", "--no-ff", "-m", "Merge", commit)
        self.push({})
        return self.main

    def run(
        self, job: str, commit: str, given: Mapping[str, str], artifact: Mapping[str, bytes] = MappingProxyType({})
    ) -> subprocess.CompletedProcess[str]:
        """Run a job's commands in a new clone of a commit, with the files of another job, until one fails."""
        shutil.rmtree(self.workspace, ignore_errors=True)
        git(self._work, "clone", "--quiet", self.origin, self.workspace)
        git(self.workspace, "checkout", "--quiet", "--detach", commit)
        for name, content in artifact.items():
            (self.workspace / name).write_bytes(content)
        output = ""
        for script, variables in self._commands(job, {**self.given, **given}):
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
                cwd=self.workspace,
                env={**self.environment, **variables},
                check=False,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
            )
            output += done.stdout
            if done.returncode:
                break
        return subprocess.CompletedProcess(job, done.returncode, output)

    def _commands(self, name: str, given: Mapping[str, str]) -> Iterator[tuple[str, Mapping[str, str]]]:
        if not self.is_github:
            job = gitlab_jobs()[name]
            yield "\n".join([*job["before_script"], *job["script"]]), given
            return
        for step in workflow(WORKFLOWS[name])["jobs"][name]["steps"]:
            if "run" in step:
                variables = step.get("env", {}).items()
                yield step["run"], {key: EXPRESSION.sub(lambda found: given[found[1]], text) for key, text in variables}

    def _commit(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            file = self._work / name
            if text.startswith("-> "):
                shutil.rmtree(file, ignore_errors=True)
                file.symlink_to(text.removeprefix("-> "))
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        git(self._work, "add", "--all")
        git(self._work, "commit", "--quiet", "--allow-empty", "-m", "Change")
