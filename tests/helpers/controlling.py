# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs jobs as a controller does: ansible-runner, a private data directory, and a credential in the
environment.
"""

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from environments import ROOT
from environments import variables as environment
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from player import DEPRECATION, Player

EXAMPLE = ROOT / "docs/controller"
INPUTS = yaml.safe_load((EXAMPLE / "credential_type/inputs.yml").read_text(encoding="utf-8"))
INJECTORS = yaml.safe_load((EXAMPLE / "credential_type/injectors.yml").read_text(encoding="utf-8"))
OUR_VARIABLES = "HOSTING_PLATFORM_"


def injected(folder: Path, **inputs: Any) -> dict[str, str]:
    """The environment that a credential injects; the files that it names are written to the folder.

    As in a controller, missing inputs are filled in.
    """
    empty = {field["id"]: field["type"] != "boolean" and "" for field in INPUTS["fields"]}
    templates = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
    given = {**empty, **inputs}
    files = {}
    for label, text in INJECTORS["file"].items():
        name = label.removeprefix("template.")
        files[name] = folder / name
        files[name].write_text(templates.from_string(text).render(given), encoding="utf-8")
        files[name].chmod(0o600)
    given["tower"] = {"filename": {name: str(file) for name, file in files.items()}}
    return {
        name: templates.from_string(text).render(given) for name, text in INJECTORS["env"].items()
    }


class Untemplated(yaml.SafeDumper):
    """Writes variables as a controller does: text that could be a template is tagged as unsafe."""


def _text(dumper: Untemplated, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("!unsafe" if "{" in text else "tag:yaml.org,2002:str", text)


Untemplated.add_representer(str, _text)


@dataclass
class Job:
    """The results of a job."""

    folder: Path

    @property
    def status(self) -> str:
        return (self.folder / "status").read_text()

    @property
    def output(self) -> str:
        return (self.folder / "stdout").read_text()

    @property
    def events(self) -> list[dict[str, Any]]:
        files = sorted(
            self.folder.glob("job_events/*.json"), key=lambda path: int(path.name.partition("-")[0])
        )
        return [json.loads(path.read_text()) for path in files]

    def results(self, task: str) -> dict[str, dict[str, Any]]:
        """A task's result on each host."""
        data = (
            event["event_data"] for event in self.events if event["event"].startswith("runner_on_")
        )
        return {
            item["host"]: item["res"]
            for item in data
            if item["task"].endswith(task) and "res" in item
        }

    @property
    def artifacts(self) -> dict[str, Any]:
        """The artifacts that the job passes to a workflow, by ``set_stats``."""
        (stats,) = (event for event in self.events if event["event"] == "playbook_on_stats")
        return dict(stats["event_data"].get("artifact_data", {}))

    @property
    def everything(self) -> str:
        """All that a controller keeps and shows."""
        shown = [
            *self.folder.glob("job_events/*.json"),
            self.folder / "stdout",
            *self.folder.glob("fact_cache/*"),
        ]
        return "".join(path.read_text() for path in shown)


class Controller:
    """``launch`` runs jobs of the example's project."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.data = player.folder / "private"
        shutil.copytree(EXAMPLE / "project", self.data / "project")
        self._count = 0

    def launch(
        self,
        playbook: str,
        inventory: dict[str, Any] | Path,
        *options: str,
        variables: dict[str, Any] | None = None,
        status: str = "successful",
    ) -> Job:
        """Run a job, which ends with this status, and tells no token.

        Text in its variables, which may come from another job's artifacts, is not evaluated.
        """
        self._count += 1
        player = self.player
        (self.data / "env").mkdir(exist_ok=True)
        credential = injected(
            self.data / "env", base_url=player.emulator.base_url, access_token=player.emulator.token
        )
        source = inventory
        if isinstance(inventory, dict):
            source = self._write("inventory/hosts.json", inventory)
        self._write("env/envvars", credential)
        (self.data / "env/extravars").write_text(yaml.dump(variables or {}, Dumper=Untemplated))
        self._write("env/settings", {"process_isolation": False, "suppress_ansible_output": True})
        (self.data / "env/cmdline").write_text(" ".join(options))
        runner = Path(sys.executable).with_name("ansible-runner")
        job = str(self._count)
        command = [
            runner,
            "run",
            self.data,
            "--playbook",
            playbook,
            "--inventory",
            source,
            "--ident",
            job,
        ]
        given = {
            name: value
            for name, value in environment(player.bin).items()
            if not name.startswith(OUR_VARIABLES)
        }
        subprocess.run([str(part) for part in command], env=given, check=False, capture_output=True)
        done = Job(self.data / "artifacts" / job)
        assert done.status == status, done.output
        assert DEPRECATION not in done.output, done.output
        assert player.emulator.token not in done.everything
        return done

    def _write(self, name: str, content: Any) -> Path:
        path = self.data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
        return path
