# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs a module's own `main()` inside Ansible's worker process, where that gives the same result as a module process.

Ansible starts a Python process for each item of a loop: about 300 ms, against 1 ms of HTTP. Here core does all that it
always does (`ansible.builtin.normal` and `ActionBase._execute_module`: arguments, decoding, warnings, what is kept out
of a result), and only three of its steps are exchanged: no temporary directory, no payload, and `main()` in place of
the command that would start Python. So the result is core's in every version.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import re
import sys
from typing import Any

from ansible import constants
from ansible.module_utils.ansible_release import __version__ as core_version
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.playbook.task import Task
from ansible.plugins.action.normal import ActionModule as NormalAction
from ansible.utils.display import Display

from ansible_collections.hosting.platform.plugins.module_utils import _worker

try:
    from ansible.template import is_trusted_as_template
except ImportError:  # 2.16 to 2.18

    def is_trusted_as_template(value: object) -> bool:
        return not getattr(value, "__UNSAFE__", False)


try:
    from ansible_collections.hosting.platform.plugins.plugin_utils import _module_process
except ImportError:  # a core that has moved its internals: every task still works, in a process of its own
    _module_process = None

SWITCH = "HOSTING_PLATFORM_IN_PROCESS"
PROVEN_UP_TO = (2, 22)  # the newest core that the equivalence suite has seen
# Python, the loader, OpenSSL and the C library read these once, when a process starts.
READ_AT_START = re.compile(r"(PYTHON|LD_|DYLD_|OPENSSL_|LC_)|(LANG|LANGUAGE|TZ|TMPDIR|TEMP|TMP)$")
OWN_PYTHON = re.compile(r"\s*{{\s*ansible_playbook_python\s*}}\s*$")
SHELL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$")

display = Display()
_latest_task: Task | None = None


class InProcessAction(NormalAction):
    """An action plugin for the module of the same name."""

    _module: Any = None
    _import_problem = ""
    _here = False  # True while core's `_execute_module` works on a run in this process
    _ended = False  # True when `main()` has come to its end
    _environment: dict[str, str]
    _arguments: bytes

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Imports the module with its action plugin: strategies do that before they fork, so all workers share it."""
        super().__init_subclass__(**kwargs)
        try:
            cls._module = importlib.import_module(cls.__module__.replace(".plugins.action.", ".plugins.modules."))
        except Exception as problem:  # noqa: BLE001 (a process of its own will tell the user)
            cls._import_problem = f"{type(problem).__name__} at the module's import"

    def _execute_module(self, *args: Any, task_vars: dict[str, Any] | None = None, **kwargs: Any) -> dict[str, Any]:
        _worker.run = _next_run(self._task)
        try:
            reason = self._why_elsewhere(task_vars or {})
            if not reason:
                display.vvv(f"{self._task.action}: in the worker's own process", host=self._play_context.remote_addr)
                return self._execute_here(*args, task_vars=task_vars, **kwargs)
        except Exception as surprise:
            # Once the module has ended, this is what core says about its result, as it would after a module process;
            # and once a request has left, a second run could create a second object.
            if self._ended or _worker.run.request_left:
                raise
            reason = f"{type(surprise).__name__} before the first request"
        display.vvv(f"{self._task.action}: in a process of its own ({reason})", host=self._play_context.remote_addr)
        _worker.kept.clear()  # that process may change what is remembered here
        return super()._execute_module(*args, task_vars=task_vars, **kwargs)

    def _execute_here(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        # For a local connection no more than a mark; with it core reuses the connection object for the next item.
        self._connection._connect()
        self._here = True
        try:
            # A copy: core adds its `_ansible_` arguments to it, and the other way must find the task's as they were.
            return super()._execute_module(*args, module_args=dict(self._task.args), **kwargs)
        finally:
            self._here = False

    # The three steps of core's `_execute_module` that are exchanged. Signatures and results are core's, 2.16 to 2.22.

    def _is_pipelining_enabled(self, *args: Any, **kwargs: Any) -> bool:
        """Whether no temporary directory is needed."""
        return self._here or super()._is_pipelining_enabled(*args, **kwargs)

    def _configure_module(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """The module's payload: here the encoded arguments alone."""
        if not self._here:
            return super()._configure_module(*args, **kwargs)
        self._arguments = _module_process.encode(kwargs["module_args"])
        return _module_process.built_module(self._module.__file__)

    def _low_level_execute_command(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """What starts the module's Python: here `main()`."""
        if not self._here:
            return super()._low_level_execute_command(*args, **kwargs)
        ended = None
        try:
            ended = _module_process.run(
                self._module.main,
                arguments=self._arguments,
                environment=self._environment,
                directory=self._loader.get_basedir(),
                repeatable=lambda: not _worker.run.request_left,
            )
            self._ended = True
        finally:
            if not (ended and ended.own_exit):  # a task's timeout, a crash: what was half done is not worth keeping
                _worker.kept.clear()
        return ended.as_core_returns_it()

    def _why_elsewhere(self, task_vars: dict[str, Any]) -> str:
        """Why a module process must do it; empty if this process may."""
        self._environment = self._task_environment()
        switch = self._environment.get(SWITCH) or os.environ.get(SWITCH) or "true"
        if not boolean(switch, strict=False):
            return f"{SWITCH} is {switch}"
        if not self._module:
            return self._import_problem
        if not _module_process or tuple(int(part) for part in core_version.split(".")[:2]) > PROVEN_UP_TO:
            return f"not proven with ansible-core {core_version}"
        if not multiprocessing.parent_process():
            return "not in a worker"
        return self._asked_for_elsewhere() or self._needs_new_process() or self._other_interpreter(task_vars)

    def _asked_for_elsewhere(self) -> str:
        """What the task says of where and how it runs."""
        if self._connection.transport != "local":
            return f"connection {self._connection.transport}"
        if self._connection.become or self._play_context.become:
            return "become"
        if self._task.async_val:
            return "async"
        if constants.DEFAULT_KEEP_REMOTE_FILES:
            return "ANSIBLE_KEEP_REMOTE_FILES asks for its file"
        return ""

    def _needs_new_process(self) -> str:
        """What only takes effect, or only works, in a process that starts."""
        for name in self._environment:
            if READ_AT_START.match(name) or not SHELL_NAME.match(name):
                return f"environment: {name} is for a new process"
        has_proxies = any(name.lower().endswith("_proxy") for name in (*os.environ, *self._environment))
        if sys.platform == "darwin" and not has_proxies:
            return "macOS, whose own look-up of proxies dies in a forked process"
        return ""

    def _task_environment(self) -> dict[str, str]:
        environment: dict[Any, Any] = {}
        self._compute_environment_string(environment)
        return {str(name): str(value) for name, value in environment.items()}  # as core's shell plugins write them

    def _other_interpreter(self, task_vars: dict[str, Any]) -> str:
        delegate = self._task.delegate_to
        variables = task_vars["ansible_delegated_vars"][delegate] if delegate else task_vars
        configured = constants.config.get_config_value("INTERPRETER_PYTHON", variables=variables)
        # What most inventories say: to compile that as a template would take longer than all the rest of a run.
        if OWN_PYTHON.match(configured) and is_trusted_as_template(configured):
            interpreter = variables["ansible_playbook_python"]
        else:
            interpreter = str(self._templar.template(configured)).strip()
        if not interpreter or re.match(r"auto(_|$)", interpreter) or _same_python(interpreter, sys.executable):
            return ""
        return f"interpreter {interpreter}"


def _same_python(one: str, other: str) -> bool:
    """The same file in the same directory: in a virtual environment `python` is a link to the Python it is not."""
    return one == other or all(
        os.path.realpath(place(one)) == os.path.realpath(place(other)) for place in (str, os.path.dirname)
    )


def _next_run(task: Task) -> _worker.Run:
    """The same task object again is another try of `until`; each item of a loop has a copy of its own."""
    global _latest_task
    latest, _latest_task = _latest_task, task
    before = _worker.run
    if task is latest:
        return _worker.Run(item=before.item, attempt=before.attempt + 1, say=display.display)
    return _worker.Run(item=before.item + 1, say=display.display)
