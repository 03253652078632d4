# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays a playbook on each way, and keeps everything that a user or a callback could see of it."""

import json
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import services
from environments import chosen_ansible_environment, development_environment
from vaults import vaulted, with_password

from playbooks import playbook

CALLBACKS = Path(__file__).parents[1] / "callback_plugins"
OPTIONS = {
    "plain": (),
    "check and diff": ("--check", "--diff"),
    "verbose": ("-vvv",),
    "tracebacks": (),
}

# New in every run of the same way: temporary names, job ids, and what the emulator makes up.
NEW_EACH_TIME = re.compile(r"/[\w./-]*(ansible-tmp-|_payload_)[\w./-]*|j\d{8,}\.\d+")
MADE_UP_ID = re.compile(r"\b[a-z]+_[0-9a-f]{16}\b|(?<=-)[0-9a-f]{8}(?=\.hosting\.example)")
MADE_UP_TIME = re.compile(r"\b1\d{12}\b")


@dataclass
class Played:
    output: str
    events: list[dict[str, Any]]
    registered: dict[str, Any]
    requests: services.Requests

    def events_of(self, task: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["task"] == task]

    def displayed(self) -> list[tuple[str, str]]:
        """What was displayed, as task and text; what comes before the first task belongs to
        none.
        """
        before, *parts = re.split(
            r"^(?:TASK|RUNNING HANDLER) \[(.*?)\] \*+$", self.output, flags=re.M
        )
        return [("", before), *zip(parts[::2], parts[1::2], strict=True)]

    def ways(self, task: str) -> set[str]:
        """The ways that `-vvv` named for that task."""
        text = "".join(
            text for name, text in self.displayed() if name in (task, f"hosting.platform : {task}")
        )
        way = r"^<\S+> \S+: (in the worker's own process|in a process of its own \(.*\))$"
        return set(re.findall(way, text, flags=re.M)) or {"none"}


class Both(NamedTuple):
    here: Played
    module: Played


class Stage:
    """Plays each table once, both ways side by side, with the collection of a folder."""

    def __init__(self, collections: Path) -> None:
        self.collections = collections
        self.play = cache(self._play)

    def _play(self, table: str, options: str) -> Both:
        with ThreadPoolExecutor(2) as executor:
            return Both(
                *executor.map(
                    lambda in_process: self._play_in_process_or_not(table, options, in_process),
                    (True, False),
                )
            )

    def _play_in_process_or_not(self, table: str, options: str, in_process: bool) -> Played:
        serving = services.emulated if table == "real" else services.counting
        with tempfile.TemporaryDirectory() as folder, serving() as service:
            place = Path(folder)
            (place / "site.yml").write_text(json.dumps(playbook(table, service)))
            (place / "inventory.json").write_text(json.dumps(_inventory(place)))
            (place / "elsewhere").mkdir()
            environment = self._environment(place, in_process)
            if options == "tracebacks":
                environment["ANSIBLE_DISPLAY_TRACEBACK"] = "always"
            arguments = (
                "-i",
                "../inventory.json",
                "../site.yml",
                *with_password(place),
                *OPTIONS[options],
            )
            done = subprocess.run(
                ["ansible-playbook", *arguments],
                cwd=place / "elsewhere",
                env=environment,
                text=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                errors="replace",
                check=False,
            )
            events = place / "events"
            registered = place / "registered"
            plain = Plain({folder: "<place>", service.base_url: "<service>"})
            return Played(
                plain(done.stdout),
                [plain(json.loads(line)) for line in events.read_text().splitlines()],
                plain(json.loads(registered.read_text())) if registered.exists() else {},
                service.counted(),
            )

    def _environment(self, place: Path, in_process: bool) -> dict[str, str]:
        return {
            "PATH": os.pathsep.join([str(chosen_ansible_environment()), os.defpath, "/usr/sbin"]),
            "HOME": os.environ["HOME"],
            "LANG": "C.UTF-8",
            "PYTHONHASHSEED": "0",  # core orders some keys by a set
            "ANSIBLE_HOME": str(place / "ansible"),
            "ANSIBLE_NOCOLOR": "1",
            "ANSIBLE_COLLECTIONS_PATH": str(self.collections),
            "ANSIBLE_CALLBACK_PLUGINS": str(CALLBACKS),
            "ANSIBLE_CALLBACKS_ENABLED": "dump",
            "ANSIBLE_DEPRECATION_WARNINGS": "1",
            "DUMP_FILE": str(place / "events"),
            "SEEN_CONTROLLER": "yes",
            "NO_TEXT": "\udce4",  # a byte that is no UTF-8
            "HOSTING_PLATFORM_IN_PROCESS": str(in_process).lower(),
        }


def _inventory(place: Path) -> dict[str, Any]:
    local = {"ansible_connection": "local"}
    return {
        "all": {
            "children": {"local": {"hosts": {"one": local, "two": local}}},
            # Nobody answers there: it is to be tried, and not run here.
            "hosts": {
                "far": {"ansible_connection": "ssh", "ansible_host": "127.0.0.1", "ansible_port": 1}
            },
            "vars": {
                "ansible_python_interpreter": "{{ ansible_playbook_python }}",
                # What interpreter discovery finds: it has requests.
                "ansible_interpreter_python_fallback": [
                    str(chosen_ansible_environment() / "python")
                ],
                "other_python": str(development_environment() / "python"),
                "registered_file": str(place / "registered"),
                "vaulted": {"__ansible_vault": vaulted("x y")},
            },
        }
    }


class Plain:
    """The recorded play, without the parts that are new each time."""

    def __init__(self, named: dict[str, str]) -> None:
        self._named = named
        self._ids: dict[str, str] = {}

    def __call__(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, dict):
            return {self(key): self(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self(item) for item in value]
        if isinstance(value, int) and MADE_UP_TIME.fullmatch(str(value)):
            return "<time>"
        return value

    def _text(self, text: str) -> str:
        for new, name in self._named.items():
            text = text.replace(new, name)
        text = MADE_UP_TIME.sub("<time>", NEW_EACH_TIME.sub("<new>", text))
        return MADE_UP_ID.sub(
            lambda match: self._ids.setdefault(match[0], f"<id {len(self._ids)}>"), text
        )
