# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A module that does what its option ``act`` names: everything that the work of a module may do and
return.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from typing import Any

from ansible_collections.hosting.platform.plugins.module_utils._api.connection import (
    connection_options,
)
from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._model.options import ArgumentSpec
from ansible_collections.hosting.platform.plugins.module_utils._run.invocation import (
    Invocation,
    Result,
)
from ansible_collections.hosting.platform.plugins.module_utils._run.module import Module

SWITCH = "HOSTING_PLATFORM_IN_PROCESS"
OPTIONS: dict[str, Any] = {
    **connection_options(),
    "name": {"type": "str"},
    "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
    "count": {"type": "int"},
    "flag": {"type": "bool", "default": True},
    "tags": {"type": "list", "elements": "str"},
    "settings": {"type": "dict", "options": {"size": {"type": "int", "default": 3}}},
    "anything": {"type": "raw"},
    "act": {"type": "list", "elements": "str", "default": []},
}


def perform(invocation: Invocation) -> Result:
    probe = Probe(invocation)
    for act in invocation.params["act"]:
        getattr(probe, act)()
    return probe.result


RULES: dict[str, Any] = {"required_by": {"count": ["name"]}}
MODULE = Module(ArgumentSpec(OPTIONS, RULES), perform, unmasked_key="handed_out")


class Failure(PlatformError):
    @property
    def failure(self) -> dict[str, Any]:
        return {"status": 404}


class Probe:
    """Each method is an act."""

    def __init__(self, invocation: Invocation) -> None:
        self.invocation = invocation
        self.options = invocation.params
        self.name = self.options["name"]
        self.result: dict[str, Any] = {
            "changed": False,
            "project": {"id": "prj_1", "name": self.name, "empty": None},
        }

    def _get(self, path: str, base_url: str = "") -> Any:
        import requests

        self.invocation.run.note_request()
        headers = {"Authorization": f"Bearer {self.options['access_token']}"}
        answer = requests.get(
            (base_url or self.options["base_url"]) + path, headers=headers, timeout=5
        )
        answer.raise_for_status()
        return answer.json()

    def get(self) -> None:
        self.result["answer"] = self._get("/projects?name=x&token=abc")

    def get_fails(self) -> None:
        try:
            self._get("/missing")
        except OSError as problem:
            failure = Failure(f"GET /missing: {type(problem).__name__}")
            failure.result = self.result
            raise failure from problem

    def unreachable(self) -> None:
        try:
            self._get("/x", base_url="http://127.0.0.1:1")
        except OSError as problem:
            raise PlatformError(f"unreachable: {type(problem).__name__}") from problem

    def flaky(self) -> None:
        if self._get(f"/count/{self.name}")["count"] < 3:
            raise PlatformError("not yet")

    def change(self) -> None:
        after = {"name": self.name, "flag": self.options["flag"]}
        self.result.update(changed=True, diff={"before": {}, "after": after})

    def check(self) -> None:
        given = self.invocation.given.keys() & connection_options().keys()
        self.result.update(check=self.invocation.check_mode, given=sorted(given))

    def warn(self) -> None:
        self.invocation.warnings += [f"watch out for {self.name}"] * 2

    def secret(self) -> None:
        token = self.options["access_token"]
        self.result.update(leak=f"the token is {token}!", nested=[{token: token}])
        self.invocation.warnings.append(f"the token is {token}!")

    def secret_failure(self) -> None:
        raise PlatformError(f"the token is {self.options['access_token']}!")

    def secret_found(self) -> None:
        self.invocation.secrets.append("verySecretAnswer")
        self.result["answer"] = "xx verySecretAnswer yy"

    def hand_out(self) -> None:
        self.result["handed_out"] = self.options["access_token"]

    def environ(self) -> None:
        shown = ("HOSTING_", "SEEN_", "SSL_")
        self.result["environ"] = {
            name: value
            for name, value in sorted(os.environ.items())
            if name.startswith(shown) and name != SWITCH
        }

    def directory(self) -> None:
        self.result["directory"] = os.getcwd()

    def change_directory(self) -> None:
        os.chdir("/")

    def log(self) -> None:
        logging.getLogger("urllib3").warning("a line with token=abc")

    def unicode(self) -> None:
        self.result["text"] = "grüße \u2028 \U0001f600 {{ 1 + 1 }} {% raw %}"
        self.result["numbers"] = [1, 1.5, 10**20, True, None]

    def keys(self) -> None:
        self.result.update(results=[{"a": 1}], rc=0)
        self.result.update(ansible_facts={"hosting": "{{ 1 + 1 }}"})

    def fail(self) -> None:
        failure = PlatformError("it failed", "on two lines")
        failure.result = {"project": {}}
        raise failure

    def crash(self) -> None:
        raise RuntimeError("crash before any request")

    def crash_after_request(self) -> None:
        self._get("/created")
        raise RuntimeError(f"crash after the request of {self.options['access_token']}")

    def sleep(self) -> None:
        time.sleep(20)

    def python(self) -> None:
        self.result["prefix_is"] = sys.prefix
