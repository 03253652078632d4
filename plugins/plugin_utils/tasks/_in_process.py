# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs a module inside Ansible's worker, like any action plugin, or as a separate process if the
result could differ.

Ansible starts a Python process for each item of a loop: about 300 ms, against 1 ms of HTTP. The
function behind the module's `main()` is called here, with the options of the task. Anything
unexpected before the first request falls back to a process of the module's own.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import multiprocessing
import os
import re
import sys
import traceback
from collections.abc import Iterator
from typing import Any

from ansible import constants
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.plugins.action import ActionBase
from ansible.utils.display import Display

from ...module_utils._api.libraries import MISSING_LIBRARY
from ...module_utils._api.run import Run, process_cache
from ...module_utils._errors import PlatformError
from ...module_utils._model.options import Definitions, check_encodable
from ...module_utils._run.invocation import Invocation, ModuleArgs, OnPlan, Result
from ...module_utils._run.module import AWAITED_RESULT, HANDED_OVER, Module, check_options
from ...module_utils._text import escape_line, escape_lines
from ._options import (
    Environment,
    Variables,
    check_role_variables,
    given_options,
    read_options,
    role_name,
    variables_of_ansible,
)
from ._plain_json import to_plain_json
from ._task_run import TaskRun
from ._text_values import converted
from ._worker import (
    freeze_inherited_objects,
    is_this_python,
    module_environment,
    shows_invocation,
)

SHOWN_OF_A_FAILED_ROLE = ("failed", "changed", "msg", "exception", "module_stderr", "warnings")
INDENTATION = re.compile("^ +", re.MULTILINE)
SWITCH = "HOSTING_PLATFORM_IN_PROCESS"
OWN_PYTHON = re.compile(r"\s*{{\s*ansible_playbook_python\s*}}\s*$")
DISCOVERED_PYTHON = re.compile(r"auto(_|$)")

display = Display()


class InProcessAction(ActionBase):
    """An action plugin for the module of the same name."""

    _supports_check_mode = True
    _supports_async = True
    _module: Module
    _validator: ArgumentSpecValidator

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Import the module with its action plugin: strategies do that before they fork, so all
        workers share it.
        """
        super().__init_subclass__(**kwargs)
        if ".plugins.action." in cls.__module__:
            module = cls.__module__.replace(".plugins.action.", ".plugins.modules.")
            cls._module = importlib.import_module(module).MODULE
            options, rules = cls._module.specification
            cls._validator = ArgumentSpecValidator(dict(options), **rules)

    def run(self, tmp: Any = None, task_vars: Variables | None = None) -> Result:
        result: Result = super().run(tmp, task_vars)
        variables = task_vars or {}
        task_run = TaskRun(variables, role_name(variables), warnings=[], host="")
        try:
            check_encodable(self._task.args)
            if task_run.role:
                check_role_variables(task_run.role, variables, self.definitions())
            given = given_options(self._task.args, self.definitions(), task_run.role, variables)
            self._module.check_given(given, check_mode=bool(self._task.check_mode))
            self._task.args = converted(given, self.definitions(), task_run.prefix)
            returned = self.run_task(task_run)
        except PlatformError as error:
            returned = task_run.failure(error)
        return self.registered({**result, **task_run.with_warnings(returned)}, task_run)

    def registered(self, result: Result, task_run: TaskRun) -> Result:
        """The result as it is registered: the whole one, but for a failure of a role. Core shows
        all that is left.
        """
        if not task_run.role or not result.get("failed"):
            return result
        return {key: value for key, value in result.items() if key in SHOWN_OF_A_FAILED_ROLE}

    @classmethod
    def definitions(cls) -> Definitions:
        """The options of the task."""
        return cls._module.specification.options

    @classmethod
    def main(cls) -> None:
        """Check a task's options for ansible-lint, whose rule ``args`` calls the ``main`` of the
        plugin behind a module. Sends nothing.
        """
        check_options(cls.definitions(), cls._module.specification.rules)

    def run_task(self, task_run: TaskRun) -> Result:
        """The result of the task. Raises PlatformError."""
        with contextlib.suppress(
            TypeError, ValueError
        ):  # what JSON cannot hold is the module process's business
            read_options(self._task.args, self.definitions())
        return self.run_module(self._task.args, task_run)

    def run_module(
        self, args: ModuleArgs, task_run: TaskRun, on_plan: OnPlan | None = None
    ) -> Result:
        """The result of the module with these arguments, here or in a process of its own.

        ``on_plan`` is called here with the plan of a blueprint, before its first write.
        """
        parent = multiprocessing.parent_process()
        notify = functools.partial(self.show, host=task_run.host)
        # A task that may be tried again: its user is waiting for a change.
        is_retried = bool(self._task.until) or self._task.retries is not None
        run = Run(is_retried, notify, parent.pid if parent else None)
        try:
            given = to_plain_json(args)
            invocation = Invocation(
                given,
                given,
                self._task.check_mode,
                run,
                on_plan=on_plan,
                is_shown=shows_invocation(task_run.variables),
                names=task_run.names,
            )
            environment = self._environment()
            reasons = self._reasons_for_own_process(environment, task_run.variables)
            reason = next(reasons, "")
            if not reason:
                return self._run_in_worker(invocation, environment)
        except Exception as crash:  # noqa: BLE001 (what a module crashes with is told, or tried again)
            # Once a request has been sent, a second run could create a second object.
            if run.requests:
                return self._crashed(invocation, crash)
            reason = f"{type(crash).__name__} before the first request"
        return self._run_in_own_process(args, reason, task_run)

    def _run_in_worker(self, invocation: Invocation, environment: Environment) -> Result:
        """Run the module in Ansible's worker. An exception leaves no cached list behind."""
        self._log("in the worker's own process")
        freeze_inherited_objects(os.getpid())
        # For a local connection this only sets a flag, with which core reuses the connection object
        # for the next item.
        self._connection._connect()
        try:
            with module_environment(environment, self._loader.get_basedir()):
                result = self._perform(invocation)
        except BaseException:  # a task's timeout, a crash: the state may be inconsistent
            process_cache.cache_clear()
            raise
        # A result that does not fit into the pipe would wait for its reader forever.
        invocation.run.exit_if_orphaned()
        return result

    def _perform(self, invocation: Invocation) -> Result:
        """The result of the module."""
        validated = self._validator.validate(invocation.given)
        invocation.params = {**invocation.given, **validated.validated_parameters}
        if validated.error_messages:
            return self._module.rejection(invocation, validated.errors.msg)
        return self._module.perform(invocation)

    def _crashed(self, invocation: Invocation, crash: Exception) -> Result:
        """The result of a module that has crashed after a request."""
        crashed = f"{self._task.action} crashed after sending a request"
        msg = escape_line(f"{crashed}, so it was not run again: {crash!r}")
        trace = INDENTATION.sub(" ", traceback.format_exc())
        return self._module.failure(invocation, msg, exception=escape_lines(trace))

    def _run_in_own_process(self, args: ModuleArgs, reason: str, task_run: TaskRun) -> Result:
        self._log(f"in a process of its own ({reason})")
        process_cache.cache_clear()  # that process may change what is cached here
        handed_over = {
            "is_awaited": not self._task.async_val,
            "names": dict(task_run.names),
            "given": list(args),
            "variables": variables_of_ansible(self.definitions(), [*args, *self._environment()]),
            "reason": reason,
        }
        environment = self._task.environment
        self._task.environment = [*environment, {HANDED_OVER: json.dumps(handed_over)}]
        try:
            return self._execute(args, task_run.variables)
        finally:
            self._task.environment = environment

    def _execute(self, args: ModuleArgs, variables: Variables) -> Result:
        """The result of the module's own process, with its warnings; of an asynchronous one, its
        job.
        """
        # Core adds its own arguments, which another attempt of the task would take for the user's.
        of_core: Result = self._execute_module(
            module_args=dict(args), task_vars=variables, wrap_async=bool(self._task.async_val)
        )
        if AWAITED_RESULT not in of_core:  # a job, or a process that ended in another way
            return of_core
        result: Result = of_core.pop(AWAITED_RESULT)
        warnings = [*of_core.pop("warnings", []), *result["warnings"]]
        # Whether it is shown is a setting of core's.
        if not of_core.pop("invocation", None):
            result.pop("invocation", None)
        return {**of_core, **result, "warnings": warnings}

    def _environment(self) -> Environment:
        environment: Environment = {}
        for part in self._task.environment:
            if part:  # templating nothing takes a tenth of an item's time
                variables = self._templar.template(part)
                # As core's shell plugins write them.
                environment |= {str(name): str(value) for name, value in variables.items()}
        return environment

    def _reasons_for_own_process(
        self, environment: Environment, task_vars: Variables
    ) -> Iterator[str]:
        """Why a module process is required; nothing if this process will do."""
        # First those for which the environment of Ansible may not reach the module.
        if self._connection.transport != "local":
            yield f"connection {self._connection.transport}"
        if self._connection.become or self._play_context.become or self._task.become:
            yield "become"
        switch = environment.get(SWITCH) or os.environ.get(SWITCH) or "true"
        if not boolean(switch, strict=False):
            yield f"{SWITCH} is {escape_line(switch)}"
        if sys.platform == "darwin":
            yield "macOS, where a forked process cannot look up proxies and names"
        if MISSING_LIBRARY:
            yield f"no {MISSING_LIBRARY} that can be used"
        if not multiprocessing.parent_process():
            yield "not in a worker"
        if self._task.async_val:
            yield "async"
        interpreter = self._interpreter(task_vars)
        is_any = not interpreter or DISCOVERED_PYTHON.match(interpreter)
        if not is_any and not is_this_python(interpreter):
            yield f"interpreter {escape_line(interpreter)}"

    def _interpreter(self, task_vars: Variables) -> str:
        """The Python that the task would use in a process of its own."""
        delegate = self._task.delegate_to
        variables = task_vars["ansible_delegated_vars"][delegate] if delegate else task_vars
        configured = constants.config.get_config_value("INTERPRETER_PYTHON", variables=variables)
        # The usual value: compiling it as a template would take longer than the rest of a run.
        if OWN_PYTHON.match(configured):
            return str(variables["ansible_playbook_python"])
        return str(self._templar.template(configured) if "{" in configured else configured).strip()

    def show(self, text: str, host: str = "") -> None:
        """Print to standard error, as standard output may be machine-readable. ``host`` precedes
        each line.
        """
        if text and not self._task.no_log:
            display.display("\n".join(f"{host}{line}" for line in text.split("\n")), stderr=True)

    def _log(self, process: str) -> None:
        display.vvv(f"{self._task.action}: {process}", host=self._play_context.remote_addr)
