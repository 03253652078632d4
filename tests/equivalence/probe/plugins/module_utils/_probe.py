# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A module that does what its option ``act`` names: everything that a module may do to its process and its result."""

from __future__ import annotations

import logging
import os
import sys
import time
import warnings
from typing import Any

from ansible.module_utils.basic import AnsibleModule, env_fallback

from ansible_collections.hosting.platform.plugins.module_utils import _worker

SPEC: dict[str, Any] = {
    "base_url": {"type": "str", "required": True, "fallback": (env_fallback, ["HOSTING_PLATFORM_BASE_URL"])},
    "access_token": {
        "type": "str",
        "required": True,
        "no_log": True,
        "fallback": (env_fallback, ["HOSTING_PLATFORM_ACCESS_TOKEN"]),
    },
    "timeout": {"type": "float", "default": 30.0},
    "name": {"type": "str"},
    "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
    "count": {"type": "int"},
    "flag": {"type": "bool", "default": True},
    "tags": {"type": "list", "elements": "str"},
    "settings": {
        "type": "dict",
        "options": {"size": {"type": "int", "default": 3}, "secret": {"type": "str", "no_log": True}},
    },
    "anything": {"type": "raw"},
    "ca_path": {"type": "path"},
    "act": {"type": "list", "elements": "str", "default": []},
}


def run() -> None:
    module = AnsibleModule(argument_spec=SPEC, supports_check_mode=True, required_by={"count": ["name"]})
    probe = Probe(module)
    for act in module.params["act"]:
        getattr(probe, act)()
    module.exit_json(**probe.result)


class Probe:
    """Each method is an act."""

    def __init__(self, module: AnsibleModule) -> None:
        self.module = module
        self.options = module.params
        self.name = module.params["name"]
        self.result: dict[str, Any] = {
            "changed": False,
            "project": {"id": "prj_1", "name": self.name, "empty": None},
        }

    def _get(self, path: str, base_url: str = "") -> Any:
        import requests

        _worker.run.request_left = True
        headers = {"Authorization": f"Bearer {self.options['access_token']}"}
        answer = requests.get((base_url or self.options["base_url"]) + path, headers=headers, timeout=5)
        answer.raise_for_status()
        return answer.json()

    def _failure(self, path: str, base_url: str = "") -> str:
        try:
            self._get(path, base_url)
        except OSError as problem:
            return type(problem).__name__
        return "no failure"

    def get(self) -> None:
        self.result["answer"] = self._get("/projects?name=x&token=abc")

    def get_fails(self) -> None:
        kind = self._failure("/missing")
        self.module.fail_json(msg=f"GET /missing: {kind}", failure={"status": 404, "code": None}, **self.result)

    def unreachable(self) -> None:
        kind = self._failure("/x", base_url="http://127.0.0.1:1")
        self.module.fail_json(msg=f"unreachable: {kind}", failure={"status": None})

    def flaky(self) -> None:
        if self._get(f"/count/{self.name}")["count"] < 3:
            self.module.fail_json(msg="not yet")

    def change(self) -> None:
        after = {"name": self.name, "flag": self.options["flag"]}
        self.result.update(changed=True, diff={"before": {}, "after": after})

    def warn(self) -> None:
        for _twice in range(2):
            self.module.warn(f"watch out for {self.name}")

    def deprecate(self) -> None:
        self.module.deprecate(f"{self.name} is old", version="9.0.0", collection_name="hosting.platform")

    def deprecate_by_date(self) -> None:
        self.module.deprecate("old by date", date="2030-01-01", collection_name="hosting.platform")

    def deprecate_bare(self) -> None:
        say_old = self.module.deprecate  # under its own name, sanity would ask for the collection
        say_old("old without collection", version="9.0.0")

    def secret(self) -> None:
        token = self.options["access_token"]
        self.result.update(leak=f"the token is {token}!", nested=[{token: token}])

    def secret_added(self) -> None:
        self.module.no_log_values.add("verySecretAnswer")
        self.result["answer"] = "xx verySecretAnswer yy"

    def environ(self) -> None:
        shown = ("HOSTING_", "SEEN_", "SSL_")
        # Which way is taken, and whose process it is.
        aside = ("HOSTING_PLATFORM_IN_PROCESS", "HOSTING_PLATFORM_CONTROLLER")
        self.result["environ"] = {
            name: value for name, value in sorted(os.environ.items()) if name.startswith(shown) and name not in aside
        }

    def cwd(self) -> None:
        self.result.update(cwd=os.getcwd(), umask=oct(os.umask(0o22)), argc=len(sys.argv))

    def chdir(self) -> None:
        os.chdir("/")

    def stdin(self) -> None:
        self.result.update(stdin=sys.stdin.read(), stdin_bytes=sys.stdin.buffer.read().decode())

    def noise(self) -> None:
        print("noise on stdout")  # noqa: T201
        print("noise on stderr", file=sys.stderr)  # noqa: T201
        warnings.warn("python warning", stacklevel=1)
        logging.getLogger("urllib3").warning("log noise with token=abc")

    def tmpdir(self) -> None:
        path = self.module.tmpdir
        with open(os.path.join(path, "x"), "w") as file:
            file.write("x")
        self.result["tmpdir_made"] = os.path.isdir(path)

    def unicode(self) -> None:
        self.result["text"] = "grüße \u2028 \U0001f600 {{ 1 + 1 }} {% raw %}"
        self.result["numbers"] = [1, 1.5, 10**20, True, None]

    def surrogate(self) -> None:
        self.result["text"] = "bad \udce4 byte"

    def keys(self) -> None:
        self.result.update(results=[{"a": 1}], stdout="a\nb", stderr="", rc=0, _ansible_parsed=False)
        self.result.update(ansible_facts={"hosting": 1})

    def odd_results(self) -> None:
        self.result.update(results="text")

    def own_invocation(self) -> None:
        self.result["invocation"] = {"module_args": {"mine": 1}}

    def own_warnings(self) -> None:
        self.result["warnings"] = ["from the result"]

    def fail(self) -> None:
        self.module.fail_json(msg="it failed", failure={"status": 400}, project={})

    def fail_in_except(self) -> None:
        try:
            raise ValueError("inner")  # noqa: TRY301
        except ValueError as problem:
            self.module.fail_json(msg=f"wrapped {problem}", **self.result)

    def crash(self) -> None:
        raise RuntimeError("crash before any request")

    def crash_after_request(self) -> None:
        self._get("/created")
        raise RuntimeError("crash after the request")

    def no_exit(self) -> None:
        raise SystemExit(0)

    def sleep(self) -> None:
        time.sleep(20)

    def python(self) -> None:
        self.result["prefix_is"] = sys.prefix

    def host(self) -> None:
        module = self.module
        self.result.update(
            syslog=module._syslog_facility,
            verbosity=module._verbosity,
            name=module._name,
            check=module.check_mode,
            diff_mode=module._diff,
            tmp=module._remote_tmp,
            shell=module._shell,
            no_log=module.no_log,
            debug=module._debug,
        )
