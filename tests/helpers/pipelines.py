# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The example pipelines: the commands of their jobs, run as they stand in a clone of a repository
that uses them.
"""

import json
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
GITHUB = ROOT / ".github/workflows/blueprint.yml"
GITLAB = EXAMPLES / "gitlab/blueprint.yml"
EXPRESSION = re.compile(r"\$\{\{ (.*?) \}\}")
INPUT = re.compile(r"\$\[\[ inputs\.(\w+) \]\]")
# What the pipelines find in a checkout of a user's repository.
REPOSITORY = ("blueprint", "rules", "settings.yml")
SCRIPTS = ("show.py", "approved_plan.py")
# As on a runner, without any configuration.
GIT = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
TOOLS = {
    # They report as installed what is asked for, and install nothing.
    "pip": """
case "$*" in
    "install --require-hashes --only-binary=:all: --requirement /dev/stdin")
        cat > "$RUNNER_TEMP/packages" ;;
    freeze) cat "$RUNNER_TEMP/packages" ;;
esac
""",
    "ansible-galaxy": """
case "$2" in
    install) echo "$*" > "$RUNNER_TEMP/collections" ;;
    list) cat "$RUNNER_TEMP/collections" ;;
esac
""",
    # `gh` gets its answers from $FORGE: API calls with --jq, calls with --method and a body, and
    # downloads of plans.
    "gh": """
for argument; do
    case "$previous" in --jq) filter=$argument ;; --method) method=$argument ;; esac
    case "$argument" in repos/*) path=$argument ;; body=@* | state=*) body=$argument ;; esac
    previous=$argument
done
if [ "$1" = run ]; then
    mkdir approved && cd approved
    for file in plan.json versions.txt; do
        curl --silent --fail "$FORGE/jobs/$3/artifacts/$file" --output $file
    done
elif [ -n "$method" ]; then
    curl --silent --fail --request "$method" --data-binary "${body#body=}" "$FORGE/$path" \\
        --output /dev/null
elif [ -n "$path" ]; then
    curl --silent --fail "$FORGE/$path" | jq --raw-output "$filter"
fi
""",
}


def github_workflow() -> dict[Any, Any]:
    """What the example calls."""
    document: dict[Any, Any] = yaml.safe_load(GITHUB.read_text(encoding="utf-8"))
    return document


def github_call() -> dict[str, Any]:
    """The job of the example that calls the workflow."""
    text = (EXAMPLES / "github/blueprint.yml").read_text(encoding="utf-8")
    job: dict[str, Any] = yaml.safe_load(text)["jobs"]["blueprint"]
    return job


def gitlab_call() -> dict[str, Any]:
    """The include of the example."""
    text = (EXAMPLES / "gitlab/.gitlab-ci.yml").read_text(encoding="utf-8")
    (include,) = yaml.safe_load(text)["include"]
    return dict(include)


def github_inputs() -> dict[str, str]:
    """The inputs of the example, with the defaults of those that it leaves out."""
    declared = github_workflow()["on"]["workflow_call"]["inputs"]
    return {**_defaults(declared), **github_call()["with"]}


def gitlab_inputs() -> dict[str, str]:
    """The inputs of the example, with the defaults of those that it leaves out."""
    return {**_defaults(gitlab_declared()), **gitlab_call()["inputs"]}


def gitlab_declared() -> dict[str, dict[str, Any]]:
    """The inputs that the file to include takes."""
    header, _pipeline = _gitlab_documents()
    inputs: dict[str, dict[str, Any]] = yaml.safe_load(header)["spec"]["inputs"]
    return inputs


def gitlab_text(inputs: Mapping[str, str]) -> str:
    """The file to include, with these inputs in their places, as GitLab puts them there."""
    _header, pipeline = _gitlab_documents()
    return INPUT.sub(lambda found: inputs[found[1]], pipeline)


def gitlab_jobs(inputs: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The jobs by their names without the environment, with what they extend."""
    pipeline = yaml.safe_load(gitlab_text(inputs))
    jobs = {name: job for name, job in pipeline.items() if "script" in job}
    return {
        name.removesuffix(f":{inputs['environment']}"): {
            **pipeline.get(job.get("extends"), {}),
            **job,
        }
        for name, job in jobs.items()
    }


def _gitlab_documents() -> list[str]:
    return GITLAB.read_text(encoding="utf-8").split("\n---\n")


def _defaults(declared: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The defaults as text, as a forge puts them in their places."""
    defaults = {name: given["default"] for name, given in declared.items() if "default" in given}
    return {
        name: default if isinstance(default, str) else json.dumps(default)
        for name, default in defaults.items()
    }


def git(folder: Path, *arguments: str | Path) -> str:
    command = [
        "git",
        "-C",
        folder,
        "-c",
        "user.name=Author",
        "-c",
        "user.email=author@example.com",
        *arguments,
    ]
    done = subprocess.run(
        command, env={**os.environ, **GIT}, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


class Pipelines:
    """Those of one forge, in a repository that uses them.

    ``environment`` finds Ansible, and ``given`` are the values of expressions on GitHub, and of
    variables on GitLab. ``inputs`` are those of the example, and can be changed.
    """

    def __init__(
        self,
        folder: Path,
        environment: Mapping[str, str],
        given: Mapping[str, str],
        is_github: bool,
    ) -> None:
        self.is_github = is_github
        self.given = dict(given)
        self.inputs = github_inputs() if is_github else gitlab_inputs()
        self.workspace = folder / "workspace"
        self.origin = folder / "platform.git"
        self._work = folder / "work"
        tools = folder / "tools"
        for path in (self.origin, self._work, tools):
            path.mkdir(parents=True)
        git(self.origin, "init", "--quiet", "--bare", "--initial-branch=main")
        git(self.origin, "config", "uploadpack.allowAnySHA1InWant", "true")
        git(self._work, "init", "--quiet", "--initial-branch=main")
        for name in REPOSITORY:
            copy = shutil.copytree if (EXAMPLES / name).is_dir() else shutil.copy
            copy(EXAMPLES / name, self._work / name)
        self.push({})
        for name, script in TOOLS.items():
            (tools / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
            (tools / name).chmod(0o755)
        (tools / "check-jsonschema").symlink_to(development_environment() / "check-jsonschema")
        found = f"{tools}:{environment['PATH']}"
        self.environment: dict[str, str] = {
            **environment,
            **GIT,
            "PATH": found,
            "RUNNER_TEMP": str(folder),
        }
        self.environment |= {
            "XDG_CACHE_HOME": str(folder),
            "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        }

    @property
    def main(self) -> str:
        return git(self.origin, "rev-parse", "main")

    def push(self, files: Mapping[str, str]) -> None:
        """Commit to main."""
        self._commit(files)
        git(self._work, "push", "--quiet", self.origin, "HEAD:main")

    def propose(self, files: Mapping[str, str]) -> str:
        """Commit on top of main, as a request; returns the commit. Text of the form ``-> TARGET``
        makes a link.
        """
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
        self,
        job: str,
        commit: str,
        given: Mapping[str, str],
        artifact: Mapping[str, bytes] = MappingProxyType({}),
    ) -> subprocess.CompletedProcess[str]:
        """Run a job's commands in a new clone of a commit, with the files of another job, until one
        fails.
        """
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

    def _commands(
        self, name: str, given: Mapping[str, str]
    ) -> Iterator[tuple[str, Mapping[str, str]]]:
        if not self.is_github:
            job = gitlab_jobs(self.inputs)[name]
            yield "\n".join([*job.get("before_script", []), *job["script"]]), given
            return
        workflow = github_workflow()
        inputs = {f"inputs.{key}": value for key, value in self.inputs.items()}
        for step in workflow["jobs"][name]["steps"]:
            if "run" in step:
                variables = {**workflow["env"], **step.get("env", {})}
                yield step["run"], _evaluated(variables, {**given, **inputs})

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


def _evaluated(variables: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Variables with the values of their expressions."""
    return {
        name: EXPRESSION.sub(lambda found: given[found[1]], text)
        for name, text in variables.items()
    }
