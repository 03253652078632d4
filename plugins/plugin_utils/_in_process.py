# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs a module's own `main()` inside Ansible's worker process, where that gives the same result as a module process.

Ansible starts a Python process for each item of a loop: about 300 ms, against 1 ms of HTTP. Here core does all that it
always does (`ansible.builtin.normal` and `ActionBase._execute_module`: arguments, decoding, warnings, what is kept out
of a result), and only two of its steps are exchanged: no payload, and `main()` in place of the command that would start
Python. So the result is core's in every version.

Whatever is not as expected before `main()` begins ends in a module process. What is imported here is public in core;
`_module_process`, which needs more, is only imported with versions of core that the equivalence suite has seen.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import importlib
import multiprocessing
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

from ansible import constants
from ansible.module_utils.ansible_release import __version__ as core_version
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.plugins.action import ActionBase
from ansible.utils.display import Display

from ansible_collections.hosting.platform.plugins.module_utils import _worker
from ansible_collections.hosting.platform.plugins.module_utils._controller import VARIABLE, Controller

SWITCH = "HOSTING_PLATFORM_IN_PROCESS"
PROVEN_UP_TO = (2, 22)  # the newest core that the equivalence suite has seen
# Python, the loader, OpenSSL and the C library read these once, when a process starts.
READ_AT_START = re.compile(r"(PYTHON|LD_|DYLD_|OPENSSL_|LC_)|(LANG|LANGUAGE|TZ|TMPDIR|TEMP|TMP)$")
OWN_PYTHON = re.compile(r"\s*{{\s*ansible_playbook_python\s*}}\s*$")
DISCOVERED_PYTHON = re.compile(r"auto(_|$)")
SHELL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$")

try:
    from ansible.plugins.action.normal import ActionModule as NormalAction
except Exception:  # noqa: BLE001 (a core that has moved it)

    class NormalAction(ActionBase):
        """The action of every module, as action plugins are documented."""

        _supports_check_mode = True
        _supports_async = True

        def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
            result = super().run(tmp, task_vars)
            return {**result, **self._execute_module(task_vars=task_vars, wrap_async=bool(self._task.async_val))}


display = Display()
_latest_task: Any = None


class CoreHasChanged(Exception):
    """Core does something else than in the versions that were seen."""


@dataclasses.dataclass
class _Here:
    """One run of a module in this process, and how far it has come.

    ``arguments`` is set once core has taken our payload for the module's. ``ended`` says how ``main()`` ended: what
    core then says about the result is what it would say after a module process.
    """

    environment: dict[str, str]
    arguments: bytes | None = None
    has_begun: bool = False
    ended: Any = None
    has_refused: bool = False


class InProcessAction(NormalAction):
    """An action plugin for the module of the same name."""

    _module: Any = None
    _never_here = ""  # why this module always gets a process of its own
    _told = ""  # what a module process is told in its environment, beside what the task says
    _here: _Here | None = None  # while core's `_execute_module` works on a run in this process

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Imports the module with its action plugin: strategies do that before they fork, so all workers share it."""
        super().__init_subclass__(**kwargs)
        cls._never_here = _why_never_here()
        if not cls._never_here:
            try:
                cls._module = importlib.import_module(cls.__module__.replace(".plugins.action.", ".plugins.modules."))
            except Exception as problem:  # noqa: BLE001 (a process of its own will tell the user)
                cls._never_here = f"{type(problem).__name__} at the module's import"

    def _execute_module(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        _worker.run = _next_run(getattr(self, "_task", None))
        controller = _worker.run.controller
        if not controller:
            return self._executed(*args, **kwargs)
        controller.end_with_it()
        try:
            return self._executed(*args, **kwargs)
        finally:
            controller.end_with_it()

    def _executed(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        here = _Here({})
        try:
            reason = self._why_elsewhere(here, args, kwargs)
            if not reason:
                self._say("in the worker's own process")
                return self._execute_here(here, kwargs)
        except Exception as surprise:
            # Once a request has left, a second run could create a second object.
            if here.ended or _worker.run.request_left:
                raise
            reason = f"{type(surprise).__name__} before the first request"
        self._say(f"in a process of its own ({reason})")
        _worker.kept.clear()  # that process may change what is remembered here
        with self._telling(_worker.run.controller):
            return super()._execute_module(*args, **kwargs)

    @contextlib.contextmanager
    def _telling(self, controller: Controller | None) -> Iterator[None]:
        """Have a module process on this machine know who controls it; a job of its own outlives it."""
        is_of_this_run = self._connection.transport == "local" and not self._task.async_val
        self._told = f"{VARIABLE}={controller.as_told()}" if controller and is_of_this_run else ""
        try:
            yield
        finally:
            self._told = ""

    def _compute_environment_string(self, *args: Any, **kwargs: Any) -> str:
        given = super()._compute_environment_string(*args, **kwargs)
        return f"{given} {self._told}".strip() if self._told else given

    def _execute_here(self, here: _Here, kwargs: dict[str, Any]) -> dict[str, Any]:
        # For a local connection no more than a mark; with it core reuses the connection object for the next item.
        self._connection._connect()
        with self._exchanged(here):
            # A copy: core adds its `_ansible_` arguments to it, and the other way must find the task's as they were.
            result = super()._execute_module(**{**kwargs, "module_args": dict(self._task.args)})
        if not here.ended and (here.arguments is not None or here.has_refused):
            raise CoreHasChanged("core has returned a result, but not the module's")
        return result

    # What is exchanged, by the connection plugin's own interface and by `_configure_module`. Core 2.16 to 2.22.

    @contextlib.contextmanager
    def _exchanged(self, here: _Here) -> Iterator[None]:
        instead = {
            # No temporary directory, no file: the payload is the input of the command.
            "always_pipeline_modules": True,
            "exec_command": functools.partial(self._run_main, here),
        }
        of_connection = vars(self._connection)
        before = {name: of_connection[name] for name in instead.keys() & of_connection.keys()}
        self._here = here
        of_connection.update(instead)
        try:
            yield
        finally:
            self._here = None
            for name in instead:
                del of_connection[name]
            of_connection.update(before)

    def _configure_module(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """The module's payload: here the encoded arguments alone."""
        if not self._here:
            return super()._configure_module(*args, **kwargs)
        arguments = kwargs["module_args"]
        if arguments["_ansible_check_mode"] != self._task.check_mode:
            raise CoreHasChanged("check mode")
        self._here.arguments = _module_process().encode(arguments)
        return _module_process().built_module(self._module.__file__)

    def _run_main(self, here: _Here, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """The starter of the module's Python: here `main()`, once, however often core may ask."""
        is_module = _module_process().PAYLOAD in (*args, *kwargs.values())
        if not here.ended and (here.has_begun or not is_module):
            here.has_refused = True
            raise CoreHasChanged("a command that does not start the module")
        if not is_module:
            return type(self._connection).exec_command(self._connection, *args, **kwargs)
        if not here.has_begun:
            here.has_begun = True
            try:
                here.ended = _module_process().run(
                    self._module.main,
                    arguments=here.arguments,
                    environment=here.environment,
                    directory=self._loader.get_basedir(),
                    repeatable=lambda: not _worker.run.request_left,
                )
            finally:
                # A task's timeout, a crash: what was half done is not worth keeping.
                if not (here.ended and here.ended.own_exit):
                    _worker.kept.clear()
        return here.ended.rc, here.ended.stdout, here.ended.stderr

    def _why_elsewhere(self, here: _Here, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        """Why a module process must do it; empty if this process may."""
        here.environment = self._task_environment()
        switch = here.environment.get(SWITCH) or os.environ.get(SWITCH) or "true"
        if not boolean(switch, strict=False):
            return f"{SWITCH} is {switch}"
        if self._never_here:
            return self._never_here
        if not multiprocessing.parent_process():
            return "not in a worker"
        if args or not {"task_vars"} <= kwargs.keys() <= {"task_vars", "wrap_async"}:
            return "core asks for it in another way"
        return (
            self._asked_for_elsewhere()
            or _needs_new_process(here.environment)
            or self._other_interpreter(kwargs["task_vars"] or {})
        )

    def _asked_for_elsewhere(self) -> str:
        """The settings of the task about where and how it runs."""
        if self._connection.transport != "local":
            return f"connection {self._connection.transport}"
        if self._connection.become or self._play_context.become or self._task.become:
            return "become"
        if self._task.async_val:
            return "async"
        if constants.DEFAULT_KEEP_REMOTE_FILES:
            return "ANSIBLE_KEEP_REMOTE_FILES asks for its file"
        return ""

    def _task_environment(self) -> dict[str, str]:
        environment: dict[Any, Any] = {}
        if self._compute_environment_string(environment).strip() and not environment:
            raise CoreHasChanged("the environment of the task")
        return {str(name): str(value) for name, value in environment.items()}  # as core's shell plugins write them

    def _other_interpreter(self, task_vars: dict[str, Any]) -> str:
        delegate = self._task.delegate_to
        variables = task_vars["ansible_delegated_vars"][delegate] if delegate else task_vars
        configured = constants.config.get_config_value("INTERPRETER_PYTHON", variables=variables)
        # What most inventories say: to compile that as a template would take longer than all the rest of a run.
        if OWN_PYTHON.match(configured) and _module_process().is_trusted_as_template(configured):
            interpreter = variables["ansible_playbook_python"]
        else:
            interpreter = str(self._templar.template(configured)).strip()
        if not interpreter or DISCOVERED_PYTHON.match(interpreter) or _same_python(interpreter, sys.executable):
            return ""
        return f"interpreter {interpreter}"

    def _say(self, way: str) -> None:
        host = getattr(getattr(self, "_play_context", None), "remote_addr", None)
        with contextlib.suppress(Exception):  # a line for the curious is not worth a task
            display.vvv(f"{self._task.action}: {way}", host=host)


@functools.cache
def _why_never_here() -> str:
    """Why no module ever runs in a worker's process here; empty if they may. Asked once, before the first fork."""
    if sys.platform == "darwin":
        return "macOS, where a forked process cannot look up proxies and names"
    try:
        if tuple(int(part) for part in core_version.split(".")[:2]) > PROVEN_UP_TO:
            return f"not proven with ansible-core {core_version}"
        importlib.import_module("requests")
        importlib.import_module("._client.http", _worker.__package__).rehearse_request()
        _module_process().rehearse()
    except Exception as problem:  # noqa: BLE001 (whatever it is: a process of its own does not need it)
        return f"{type(problem).__name__} in preparation: {problem}"
    return ""


@functools.cache
def _module_process() -> Any:
    return importlib.import_module(f"{__package__}._module_process")


def _needs_new_process(environment: dict[str, str]) -> str:
    """Settings that only take effect, or only work, in a process that starts."""
    for name in environment:
        if READ_AT_START.match(name) or not SHELL_NAME.match(name):
            return f"environment: {name} is for a new process"
    return ""


def _same_python(one: str, other: str) -> bool:
    """The same file in the same directory: in a virtual environment `python` is a link to the Python it is not."""
    return one == other or all(
        os.path.realpath(place(one)) == os.path.realpath(place(other)) for place in (str, os.path.dirname)
    )


def _next_run(task: Any) -> _worker.Run:
    """The same task object again is another try of `until`; each item of a loop has a copy of its own."""
    global _latest_task
    latest, _latest_task = _latest_task, task
    before = _worker.run
    parent = multiprocessing.parent_process()
    controller = Controller.of(parent.pid) if parent and parent.pid else None
    if task is latest:
        return _worker.Run(item=before.item, attempt=before.attempt + 1, say=_show, controller=controller)
    return _worker.Run(item=before.item + 1, say=_show, controller=controller)


def _show(line: str) -> None:
    """To standard error: standard output may be for a machine to read."""
    display.display(line, stderr=True)
