# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The process that a module's `main()` expects to find, made inside one that is something else before and after.

Only this file knows what core's module wrapper sets up, per version, and only this file uses what is private in core.
`rehearse` finds out before the first run whether all of that still does what it did. What does not raises, and every
module gets a process of its own.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import logging
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

from ansible.module_utils import basic
from ansible.module_utils.ansible_release import __version__ as core_version
from ansible.module_utils.common import json as core_json
from ansible.module_utils.common import warnings

CORE = tuple(int(part) for part in core_version.split(".")[:2])

if CORE >= (2, 19):
    from ansible import template
    from ansible.executor.module_common import _BuiltModule
    from ansible.module_utils import _internal
    from ansible.module_utils._internal import _traceback
    from ansible.module_utils._internal._ansiballz import _loader

    is_trusted_as_template = template.is_trusted_as_template
    # Core imports these two when it first needs them: better once before the fork than in every worker.
    for profile in ("_module_legacy_c2m", "_module_legacy_m2c"):
        importlib.import_module(f"ansible.module_utils._internal._json._profiles.{profile}")
else:
    _BuiltModule = _loader = None

    def is_trusted_as_template(value: object) -> bool:
        return not getattr(value, "__UNSAFE__", False)


if CORE >= (2, 22):
    from ansible.module_utils._internal._secrets import _secret_masker as masker
else:
    masker = None

SET_BY_ANSIBLE_MODULE = ("LANG", "LC_ALL", "LC_MESSAGES")  # where the locale of the environment is not available
PROFILE = "legacy"  # of every module that does not declare another; ours do not
PAYLOAD = b"# Nothing for a Python to do: the module runs in the process of Ansible's worker.\n"


class Ended(NamedTuple):
    """How `main()` ended."""

    rc: int
    stdout: str
    stderr: str
    own_exit: bool


def encode(arguments: dict[str, Any]) -> bytes:
    """The arguments as core's `modify_module` writes them into the module's payload."""
    parameters = {"ANSIBLE_MODULE_ARGS": arguments}
    if _BuiltModule:
        text = json.dumps(
            parameters, cls=core_json.get_module_encoder(PROFILE, core_json.Direction.CONTROLLER_TO_MODULE)
        )
    else:
        text = json.dumps(parameters, cls=core_json.AnsibleJSONEncoder, vault_to_text=True)
    return text.encode()


def built_module(path: str) -> tuple[Any, ...]:
    """The result of core's `_configure_module`: a module that needs neither a file nor an arguments file ("new")."""
    shebang = f"#!{sys.executable}"
    if _BuiltModule:
        built = _BuiltModule(module_style="new", shebang=shebang, b_module_data=PAYLOAD, serialization_profile=PROFILE)
        return built, path
    return "new", shebang, PAYLOAD, path


def run(
    main: Callable[[], None],
    *,
    arguments: bytes,
    environment: dict[str, str],
    directory: str,
    repeatable: Callable[[], bool],
) -> Ended:
    """Runs `main()` as if in a process of its own. An exception that comes while `repeatable()` is the caller's."""
    output, errors = io.StringIO(), io.StringIO()
    own_exit, rc = False, 1
    with _module_process(arguments, environment, directory, output, errors):
        try:  # not inside any `except`: `fail_json` would take the exception of that for the module's
            main()
            raise RuntimeError("New-style module did not handle its own exit.")  # noqa: TRY301
        except SystemExit as end:
            own_exit = True
            rc = end.code if isinstance(end.code, int) else int(end.code is not None)
        except Exception as crash:  # neither Ctrl-C nor a task's timeout, a BaseException in every core
            if repeatable():
                raise
            rc = _report(crash)
    return Ended(rc, output.getvalue(), errors.getvalue(), own_exit)


def _report(crash: Exception) -> int:
    """Says what a module process says when it dies of an exception: since 2.19 a result, before that a traceback."""
    try:
        _loader._handle_exception(crash, PROFILE)
    except SystemExit:
        pass
    except Exception:  # noqa: BLE001 (there is none until 2.18, and whatever it may do later, a request has left)
        traceback.print_exception(type(crash), crash, crash.__traceback__)
    return 1


@contextlib.contextmanager
def _module_process(
    arguments: bytes, environment: dict[str, str], directory: str, output: io.StringIO, errors: io.StringIO
) -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        stack.enter_context(_environment(environment))
        stack.enter_context(_working_directory(directory))
        # A module process has no logging set up. In a worker ANSIBLE_LOG_PATH has, and would show what urllib3 says.
        stack.callback(logging.disable, logging.root.manager.disable)
        logging.disable(logging.CRITICAL)
        stack.enter_context(_signal_handler())
        stack.enter_context(_secret_trackers())
        # `AnsibleModule.tmpdir` leaves its removal to the end of the process: multiprocessing's children skip atexit.
        at_exit = stack.enter_context(contextlib.ExitStack())
        stack.enter_context(_replaced(_globals_of_a_new_process(arguments, output, errors, at_exit)))
        yield


def _globals_of_a_new_process(
    arguments: bytes, output: io.StringIO, errors: io.StringIO, at_exit: contextlib.ExitStack
) -> list[tuple[Any, str, Any]]:
    """(owner, attribute, value): everything that core keeps once per process and a module reads or fills."""
    fresh: list[tuple[Any, str, Any]] = [
        (sys, "stdin", io.TextIOWrapper(io.BytesIO())),  # empty, as for a module; since 2.19 a worker's is closed
        (sys, "stdout", output),
        (sys, "stderr", errors),
        (sys, "argv", sys.argv[:1]),
        (basic, "_ANSIBLE_ARGS", arguments),
        (basic, "atexit", SimpleNamespace(register=at_exit.callback)),
        # Lists until 2.18, dictionaries since: never emptied, so one item's warnings would show up in all that follow.
        (warnings, "_global_warnings", type(warnings._global_warnings)()),
        (warnings, "_global_deprecations", type(warnings._global_deprecations)()),
    ]
    if _BuiltModule:
        fresh += [
            (basic, "_ANSIBLE_PROFILE", PROFILE),
            (basic, "_PARSED_MODULE_ARGS", None),
            # On the controller `warn` and `deprecate` go to Display at once instead of into the module's result.
            (_internal, "is_controller", False),
            # The controller decides by its configuration, a module by `_ansible_tracebacks_for`, which it caches.
            (_traceback, "_is_traceback_enabled", _traceback._is_module_traceback_enabled),
            (_traceback, "_module_tracebacks_enabled_events", None),
        ]
    return fresh


@contextlib.contextmanager
def _replaced(fresh: list[tuple[Any, str, Any]]) -> Iterator[None]:
    before = [(owner, name, getattr(owner, name)) for owner, name, _value in fresh]
    try:
        for owner, name, value in fresh:
            setattr(owner, name, value)
        yield
    finally:
        for owner, name, value in before:
            setattr(owner, name, value)


@contextlib.contextmanager
def _environment(additional: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in (*additional, *SET_BY_ANSIBLE_MODULE)}
    try:
        os.environ.update(additional)
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _signal_handler() -> Iterator[None]:
    """Since 2.22 AnsibleModule shows its stack at a SIGUSR1, and the worker its own in another file."""
    before = signal.getsignal(signal.SIGUSR1)
    try:
        yield
    finally:
        signal.signal(signal.SIGUSR1, before)


@contextlib.contextmanager
def _secret_trackers() -> Iterator[None]:
    """Since 2.22 AnsibleModule is told of every new secret until it exits, also where it is interrupted before."""
    before = set(masker._new_secret_trackers) if masker else set()
    try:
        yield
    finally:
        if masker:
            masker._new_secret_trackers.intersection_update(before)


@contextlib.contextmanager
def _working_directory(directory: str) -> Iterator[None]:
    """Modules on a local connection start in the playbook's directory, workers where `ansible-playbook` was started."""
    before = os.getcwd()
    os.chdir(directory)
    try:
        yield
    finally:
        os.chdir(before)


def rehearse() -> None:
    """Raises where a module's `main()` would not find its process, because core is another than it was.

    Two runs: the first warns, and the second must know nothing of it. What core works out when it first needs it, in
    every worker, it works out here, before they are forked.
    """
    built_module(__file__)
    # Core resolves the types of a result when it has its first one. Where this name is gone, every worker does so.
    with contextlib.suppress(Exception):
        results = importlib.import_module("ansible._internal._task").UnifiedTaskResult
        results.from_action_result_dict(results.from_module_result_dict({}).as_result_dict())
    first, second = _rehearsed("first", warns=True), _rehearsed("second", warns=False)
    told = {"warnings", "deprecations"}
    if not told <= first.keys() or told & second.keys():
        raise RuntimeError("core tells the warnings of a module otherwise")


def _rehearsed(name: str, *, warns: bool) -> dict[str, Any]:
    directories: list[str] = []

    def main() -> None:
        module = basic.AnsibleModule({"name": {"type": "str"}}, supports_check_mode=True)
        directories.append(module.tmpdir)
        if warns:
            module.warn("in a rehearsal")
            module.deprecate("in a rehearsal", version="9.0.0", collection_name="hosting.platform")
        traces = _BuiltModule and _traceback.is_traceback_enabled(_traceback.TracebackEvent.ERROR)
        module.exit_json(name=module.params["name"], check=module.check_mode, traces=bool(traces))

    traced = warns and bool(_BuiltModule)
    arguments = {
        "name": name,
        "_ansible_check_mode": True,
        "_ansible_no_log": True,  # or it would be logged
        "_ansible_remote_tmp": tempfile.gettempdir(),
        "_ansible_keep_remote_files": False,
        "_ansible_tmpdir": None,
        **({"_ansible_tracebacks_for": ["error"]} if traced else {}),
    }
    ended = run(main, arguments=encode(arguments), environment={}, directory=os.curdir, repeatable=lambda: True)
    result: dict[str, Any] = json.loads(ended.stdout)
    expected = {"name": name, "check": True, "traces": traced}
    if ended.rc or ended.stderr or any(map(os.path.exists, directories)) or not expected.items() <= result.items():
        raise RuntimeError("core runs a module otherwise")
    return result
