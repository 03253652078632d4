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
import dataclasses
import functools
import gc
import importlib
import logging
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

from ..module_utils._api.run import Run, process_cache
from ..module_utils._errors import PlatformError
from ..module_utils._model.options import (
    ArgumentSpec,
    Definitions,
    check_encodable,
    drop_empty_team,
)
from ..module_utils._run.module import OPTION_LINES, Invocation, Module, OnPlan, Result
from ..module_utils._text import escape_line, escape_lines
from ._lint import answer_linter
from ._options import (
    check_role_variables,
    converted,
    in_words_of_role,
    read_options,
    role_name,
    without_nulls,
)
from ._templates import to_plain_json

SHOWN_OF_A_FAILED_ROLE = ("failed", "changed", "msg", "exception", "module_stderr", "warnings")
INDENTATION = re.compile("^ +", re.MULTILINE)
SWITCH = "HOSTING_PLATFORM_IN_PROCESS"
OWN_PYTHON = re.compile(r"\s*{{\s*ansible_playbook_python\s*}}\s*$")
# How messages begin about options without a value: ours, and that of ansible-core.
MISSING_OPTION = re.compile(r"\w+: is not set\.|missing required arguments: ")
ADVICE = "Set the option in the task or in module_defaults."
DISCOVERED_PYTHON = re.compile(r"auto(_|$)")

display = Display()


@dataclasses.dataclass
class TaskRun:
    """One run of a task, handed on from function to function, because an action plugin keeps
    nothing.
    """

    variables: dict[str, Any]
    # The role of this collection for which it works; empty if there is none.
    role: str
    # They are added to the result.
    warnings: list[str] = dataclasses.field(default_factory=list)
    # It precedes each line that is shown.
    host: str = ""

    @property
    def prefix(self) -> str:
        """What precedes the names of options where the user sets them."""
        return f"{self.role}_" if self.role else ""

    def failure(self, error: PlatformError) -> Result:
        """The result of a task that failed before its module ran."""
        msg = in_words_of_role(str(error), error.option_lines, self.role)
        return {"failed": True, "msg": msg, "failure": error.failure}

    def with_options_named(self, result: Result) -> Result:
        """The result of a module, whose message names options as the user sets them."""
        option_lines = result.pop(OPTION_LINES, ())
        if option_lines:
            result["msg"] = in_words_of_role(result["msg"], option_lines, self.role)
        return result

    def with_warnings(self, result: Result) -> Result:
        """The result with these warnings; the module's own may be among them."""
        warnings = list(
            dict.fromkeys([*result.get("warnings", []), *map(escape_line, self.warnings)])
        )
        return {**result, "warnings": warnings} if warnings else result


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
            _why_not_in_worker()
            module = cls.__module__.replace(".plugins.action.", ".plugins.modules.")
            cls._module = importlib.import_module(module).MODULE
            options, rules = cls._module.specification
            cls._validator = ArgumentSpecValidator(dict(options), **rules)

    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        variables = task_vars or {}
        task_run = TaskRun(variables, role_name(variables))
        try:
            check_encodable(self._task.args)
            if task_run.role:
                check_role_variables(task_run.role, variables)
                self._task.args = without_nulls(
                    self._task.args, self.definitions(), task_run.role, variables
                )
            self._task.args = converted(self._task.args, self.definitions())
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
        """Answer ansible-lint, which asks the action plugin of a module what is wrong with a task's
        options.
        """
        answer_linter(ArgumentSpec(cls.definitions(), cls._module.specification.rules))

    def run_task(self, task_run: TaskRun) -> dict[str, Any]:
        """The result of the task. Raises PlatformError."""
        with contextlib.suppress(
            TypeError, ValueError
        ):  # what JSON cannot hold is the module process's business
            read_options(self._task.args, self.definitions())
        return self.run_module(self._task.args, task_run)

    def run_module(
        self, args: dict[str, Any], task_run: TaskRun, on_plan: OnPlan | None = None
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
                is_shown=_shows_invocation(task_run.variables),
            )
            environment = self._environment()
            reasons = self._reasons_for_own_process(environment, task_run.variables)
            reason = next((reason for reason in reasons if reason), "")
            invocation.given = drop_empty_team(given, self._module.specification.options)
            if not reason:
                return task_run.with_options_named(self._run_in_worker(invocation, environment))
        except Exception as surprise:
            # Once a request has been sent, a second run could create a second object.
            if run.requests:
                raise
            reason = f"{type(surprise).__name__} before the first request"
            return self._run_in_own_process(args, reason, task_run)
        accepted = {name: value for name, value in args.items() if name in invocation.given}
        return self._run_in_own_process(accepted, reason, task_run)

    def _run_in_worker(self, invocation: Invocation, environment: dict[str, str]) -> Result:
        """Run the module in Ansible's worker. An exception leaves no cached list behind."""
        self._log("in the worker's own process")
        _freeze_inherited_objects(os.getpid())
        # For a local connection this only sets a flag, with which core reuses the connection object
        # for the next item.
        self._connection._connect()
        try:
            with _module_environment(environment, self._loader.get_basedir()):
                result = self._perform(invocation)
        except BaseException:  # a task's timeout, a crash: the state may be inconsistent
            process_cache.cache_clear()
            raise
        # A result that does not fit into the pipe would wait for its reader forever.
        invocation.run.exit_if_orphaned()
        # As core registers one: with warnings only if there are any.
        return {key: value for key, value in result.items() if value or key != "warnings"}

    def _perform(self, invocation: Invocation) -> Result:
        """The result of the module. A crash before the first request is raised, so that the caller
        may run it again.
        """
        validated = self._validator.validate(invocation.given)
        invocation.params = {**invocation.given, **validated.validated_parameters}
        if validated.error_messages:
            return self._module.failure(invocation, validated.errors.msg)
        try:
            return self._module.perform(invocation)
        except Exception as crash:
            if not invocation.run.requests:
                raise
            process_cache.cache_clear()
            crashed = f"{self._task.action} crashed after sending a request"
            msg = f"{crashed}, so it was not run again: {crash!r}"
            trace = INDENTATION.sub(" ", traceback.format_exc())
            return self._module.failure(invocation, escape_line(msg), exception=escape_lines(trace))

    def _run_in_own_process(self, args: dict[str, Any], reason: str, task_run: TaskRun) -> Result:
        self._log(f"in a process of its own ({reason})")
        process_cache.cache_clear()  # that process may change what is cached here
        result: Result = self._execute_module(
            module_args=args,
            task_vars=task_run.variables,
            wrap_async=bool(self._task.async_val),
        )
        if result.get("failed"):
            result["msg"] = self._explain_missing_option(str(result.get("msg", "")), reason)
        return task_run.with_options_named(result)

    def _explain_missing_option(self, message: str, reason: str) -> str:
        """The message, which says more if an option is missing that a variable of Ansible sets."""
        variables = _variables_not_passed(message, self.definitions())
        if not variables:
            return message
        names = " and ".join(variables)
        problem = f"Ansible has {names}, but the module's own process does not ({reason})."
        return f"{message} {problem} {ADVICE}"

    def _environment(self) -> dict[str, str]:
        environment: dict[Any, Any] = {}
        for part in self._task.environment:
            if part:
                environment.update(self._templar.template(part))
        # Also templating nothing takes a tenth of an item's time.
        filled = self._templar.template(environment) if environment else {}
        # As core's shell plugins write them.
        return {str(name): str(value) for name, value in filled.items()}

    def _reasons_for_own_process(
        self, environment: dict[str, str], task_vars: dict[str, Any]
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
        yield _why_not_in_worker()
        if not multiprocessing.parent_process():
            yield "not in a worker"
        if self._task.async_val:
            yield "async"
        interpreter = self._interpreter(task_vars)
        is_any = not interpreter or DISCOVERED_PYTHON.match(interpreter)
        if not is_any and not _same_python(interpreter, sys.executable):
            yield f"interpreter {escape_line(interpreter)}"

    def _interpreter(self, task_vars: dict[str, Any]) -> str:
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


def _variables_not_passed(message: str, definitions: Definitions) -> list[str]:
    """The variables in the environment of Ansible that set the options that a message calls
    missing.
    """
    if not MISSING_OPTION.match(message):
        return []
    named = set(re.findall(r"\w+", message))
    variables = (
        definition["fallback"][1][0]
        for option, definition in definitions.items()
        if option in named and "fallback" in definition
    )
    return [variable for variable in variables if os.environ.get(variable)]


def _shows_invocation(task_vars: dict[str, Any]) -> bool:
    """True if results show the module's options: a setting since ansible-core 2.21; before, they
    always do.
    """
    try:
        return bool(constants.config.get_config_value("INJECT_INVOCATION", variables=task_vars))
    except Exception:  # noqa: BLE001 (each core raises a different error for an unknown setting)
        return True


@contextlib.contextmanager
def _module_environment(environment: dict[str, str], directory: str) -> Iterator[None]:
    """The environment of a module process: the task's variables, the playbook's directory, and no
    logging configured.

    In a worker, ANSIBLE_LOG_PATH configures logging, which would include urllib3's messages.
    """
    before = {name: os.environ[name] for name in environment if name in os.environ}
    directory_before = os.getcwd()
    disabled = logging.root.manager.disable
    try:
        os.environ.update(environment)
        os.chdir(directory)
        logging.disable(logging.CRITICAL)
        yield
    finally:
        logging.disable(disabled)
        os.chdir(directory_before)
        for name in environment:
            os.environ.pop(name, None)
        os.environ.update(before)


@functools.cache
def _freeze_inherited_objects(_worker: int) -> None:
    """Let Python's garbage collector pass over what the fork has brought along, once in each
    worker: it is no garbage, and looking through it copies its memory.
    """
    gc.freeze()


@functools.cache
def _why_not_in_worker() -> str:
    """Why no module can run in a worker's process here; empty if they can. Asked once, before the
    first fork.
    """
    if sys.platform == "darwin":
        return "macOS, where a forked process cannot look up proxies and names"
    try:
        from ..module_utils._api import http, libraries

        if libraries.MISSING_LIBRARY:
            return f"no {libraries.MISSING_LIBRARY} that can be used"
        http.warm_up()
    except Exception as problem:  # noqa: BLE001 (a process of its own is not affected, whatever it is)
        return f"{type(problem).__name__} in preparation: {problem}"
    return ""


@functools.cache
def _same_python(first: str, second: str) -> bool:
    """True if file and directory are the same: a virtual environment's `python` links to another
    Python.
    """
    parts = [
        [os.path.realpath(path), os.path.realpath(os.path.dirname(path))]
        for path in (first, second)
    ]
    return first == second or parts[0] == parts[1]
