# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Traces of a run in the worker, however it ends: run with each core's Python, it says so as JSON."""

from __future__ import annotations

import contextlib
import io
import json
import locale
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from typing import Any

from ansible.module_utils import basic
from ansible.module_utils.common import warnings

from ansible_collections.hosting.platform.plugins.plugin_utils import _module_process


class Interrupted(BaseException):
    """As a task's timeout is."""


ENDINGS: dict[str, Callable[[], BaseException | None]] = {
    "exit_json": lambda: None,
    "crash": lambda: RuntimeError("crash"),
    "exit": lambda: SystemExit(3),
    "timeout": Interrupted,
}


def state() -> list[Any]:
    kept: list[Any] = [
        dict(os.environ),
        os.getcwd(),
        sys.stdin,
        sys.stdout,
        sys.stderr,
        list(sys.argv),
        basic._ANSIBLE_ARGS,
        basic.atexit,
        warnings._global_warnings,
        warnings._global_deprecations,
        logging.root.manager.disable,
        locale.setlocale(locale.LC_ALL),
        os.umask(os.umask(0)),
        signal.getsignal(signal.SIGUSR1),
    ]
    if _module_process._BuiltModule:
        kept += [
            basic._ANSIBLE_PROFILE,
            basic._PARSED_MODULE_ARGS,
            _module_process._internal.is_controller,
            _module_process._traceback._is_traceback_enabled,
            _module_process._traceback._module_tracebacks_enabled_events,
        ]
    if _module_process.masker:
        kept.append(set(_module_process.masker._new_secret_trackers))
    return kept


class Mess:
    """A module's ``main()`` that leaves everything as it should not."""

    def __init__(self, end: BaseException | None) -> None:
        self.end = end
        self.tmpdir = ""

    def __call__(self) -> None:
        module = basic.AnsibleModule(argument_spec={"name": {"type": "str"}})
        module.warn("once")
        module.deprecate("old", version="9.0.0", collection_name="hosting.platform")
        os.environ["LC_ALL"] = "C"  # as AnsibleModule does where the locale is not available
        os.chdir("/")
        print("noise")  # noqa: T201
        sys.argv.append("more")
        self.tmpdir = module.tmpdir
        if self.end:
            raise self.end
        module.exit_json(cwd=os.getcwd())


def play(name: str, folder: str, *, repeatable: bool = False) -> dict[str, Any]:
    mess = Mess(ENDINGS[name]())
    arguments = {
        "name": "x",
        "_ansible_remote_tmp": folder,
        "_ansible_keep_remote_files": False,
        "_ansible_tmpdir": None,
    }
    before, shown, rc, output, raised = state(), io.StringIO(), None, "", ""
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
        redirected = state()
        try:
            ended = _module_process.run(
                mess,
                arguments=_module_process.encode(arguments),
                environment={"ADDED": "1"},
                directory=folder,
                repeatable=lambda: repeatable,
            )
            rc, output = ended.rc, ended.stdout
        except (Exception, Interrupted) as problem:  # noqa: BLE001
            raised = type(problem).__name__
        same = redirected == state()
    return {
        "nothing left": same and before == state() and not os.path.exists(mess.tmpdir),
        "shown": shown.getvalue(),
        "rc": rc,
        "warned": output.count("once"),
        "raised": raised,
        "started": bool(mess.tmpdir),
    }


def main() -> None:
    locale.setlocale(locale.LC_ALL, "")  # as every command of Ansible does first
    with tempfile.TemporaryDirectory() as folder:
        runs = {name: play(name, folder) for name in ENDINGS}
        runs["exit_json again"] = play("exit_json", folder)
        runs["crash before a request"] = play("crash", folder, repeatable=True)
    runs["no such directory"] = play("exit_json", folder)
    print(json.dumps(runs))  # noqa: T201


if __name__ == "__main__":
    main()
