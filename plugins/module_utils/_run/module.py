# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A module as a function from its options to its result.

`Module.run` calls it in a process of the module's own, `plugin_utils/tasks/_in_process.py` inside
Ansible's worker.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple, NoReturn

from ansible.module_utils import basic

from .._api.libraries import MISSING_LIBRARY, how_to_install
from .._api.masking import mask
from .._errors import InvalidOption, MissingOption, PlatformError
from .._model.options import (
    MADE_BY_TASKS,
    ArgumentSpec,
    Definitions,
    check_encodable,
    empty_problems,
    validate_values,
)
from .invocation import Invocation, ModuleArgs, Result

# How keys begin that mark ansible-core's own objects in JSON: vaulted and trusted text, dates, and
# others.
RESERVED = "__ansible_"
# The variable in which an action plugin tells a process of the module's own, as JSON, what only it
# knows: ``is_awaited`` (by the action plugin), ``names`` (of options in messages), ``given`` (the
# options that the task sets), ``variables`` (by option, those of Ansible's environment that set
# others, which become or another host may drop) and ``reason`` (for a process of its own).
HANDED_OVER = "HOSTING_PLATFORM_HANDED_OVER"
# The key of a result that an action plugin awaits. Core would show a failure and warnings at once,
# in the module's own words, and no report could repeat them.
AWAITED_RESULT = "_result"
# The problem of an option that the module alone cannot serve.
UNSERVED = (
    "is served by the module's action plugin, which does not run here. Call the module by its own"
    " name, or redirect its action plugin, too."
)
# So begin the keys of a result that are for its action plugin alone.
INTERNAL = "_"


class Module(NamedTuple):
    """What a module takes, and what it does.

    What its methods return is what a task registers, without secrets. ``warnings`` are always
    there.
    """

    specification: ArgumentSpec
    # Returns the result, or raises PlatformError.
    work: Callable[[Invocation], Result]
    # The key of a secret that the module returns on purpose.
    unmasked_key: str = ""
    # Whether, in check mode, an empty option may stand for what an earlier task makes.
    assumes_missing: bool = False
    # The options that its action plugin serves.
    control_node: Collection[str] = ()

    def run(self) -> None:
        """Do the work in a process of the module's own, and end it. The action plugin has already
        checked the types.
        """
        process = _Process(self)
        if MISSING_LIBRARY:
            msg = (
                f"{basic.missing_required_lib(MISSING_LIBRARY)}. {how_to_install(MISSING_LIBRARY)}"
            )
            process.fail_json(msg)
        invocation = process.invocation()
        unserved = [] if process.handed_over else list(self._unserved_options(process.params))
        if unserved:
            process.end(self._failure(invocation, PlatformError(*unserved)))
        process.end(self.perform(invocation))

    def _unserved_options(self, params: ModuleArgs) -> Iterator[InvalidOption]:
        """The problems of options that only the action plugin serves, where that does not run: the
        module alone would leave them out in silence. A text in the place of anything is a path.
        """
        for option, definition in self.specification.options.items():
            value = params[option]
            is_given = option in self.control_node and value != definition.get("default")
            if is_given or (definition["type"] == "raw" and isinstance(value, str)):
                yield InvalidOption(option, UNSERVED, separator=" ")

    def perform(self, invocation: Invocation) -> Result:
        """Do the work. Messages name an option that the environment sets by its variable."""
        variables = variables_that_set(self.specification.options, invocation.given)
        invocation.names = {**invocation.names, **variables}
        try:
            check_encodable(invocation.params)
        except InvalidOption as error:
            invocation.is_shown = False
            return self._failure(invocation, error)
        try:
            self.check_given(invocation.given, check_mode=invocation.check_mode)
            return self._result(invocation, self.work(invocation))
        except PlatformError as error:
            return self._failure(invocation, error)

    def rejection(self, invocation: Invocation, msg: str) -> Result:
        """The result of options that core rejects, which does not name a variable that sets one."""
        options = self.specification.options
        set_by = variables_that_set(options, invocation.given)
        definitions = {variable: options[option] for option, variable in set_by.items()}
        values = {variable: os.environ[variable] for variable in definitions}
        problems = list(validate_values(values, definitions))
        if problems:
            return self._failure(invocation, PlatformError(*problems))
        return self.failure(invocation, msg)

    def check_given(self, given: ModuleArgs, *, check_mode: bool) -> None:
        """Raises PlatformError for options that are given without a value, and must have one."""
        may_be_empty = MADE_BY_TASKS if check_mode and self.assumes_missing else ()
        problems = list(empty_problems(given, self.specification.options, may_be_empty))
        if problems:
            raise PlatformError(*problems)

    def _failure(self, invocation: Invocation, error: PlatformError) -> Result:
        result = {**error.to_result(invocation.names), **error.result}
        if isinstance(error, MissingOption):
            result["msg"] = invocation.explain_missing(result["msg"], [error.option])
        return self.failure(invocation, **result)

    def failure(self, invocation: Invocation, msg: str, **result: Any) -> Result:
        """The result of a failed run."""
        return self._result(invocation, {"failed": True, "msg": msg, **result})

    def _result(self, invocation: Invocation, result: Result) -> Result:
        """The module's result as it is returned: with warnings, and with secrets masked."""
        # The collection masks its secrets itself, on every ansible-core and in both ways.
        # ansible-core 2.22 masks what it shows, but not what it registers, caches or writes into
        # the file of an async job.
        secrets = [
            invocation.params.get(name)
            for name, option in self.specification.options.items()
            if option.get("no_log")
        ]
        secrets += invocation.secrets
        result = without_reserved_keys(result)
        returned = {key: result.pop(key) for key in (self.unmasked_key,) if key in result}
        if invocation.is_shown:
            result["invocation"] = {"module_args": invocation.params}
        invocation.warn_of_dropped()
        warnings = dict.fromkeys(invocation.warning_texts(secrets))
        return {**mask(result, secrets), **returned, "warnings": list(warnings)}


class _Process(basic.AnsibleModule):
    """A run of the module in a process of its own."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.handed_over: dict[str, Any] = json.loads(os.environ.pop(HANDED_OVER, "{}"))
        # The options whose values come from the environment.
        self._from_environment: set[str] = set()
        options, rules = module.specification
        noting = {name: self._noting(name, definition) for name, definition in options.items()}
        super().__init__(noting, supports_check_mode=True, **rules)  # type: ignore[no-untyped-call]

    def _noting(self, name: str, definition: Definitions) -> Definitions:
        """The definition of an option that notes when its value comes from the environment."""
        if "fallback" not in definition:
            return definition
        find, *arguments = definition["fallback"]

        def find_and_note(*variables: str) -> Any:
            value = find(*variables)
            self._from_environment.add(name)
            return value

        return {**definition, "fallback": (find_and_note, *arguments)}

    def invocation(self) -> Invocation:
        """This run. Where no action plugin tells what is given, it is what the environment does
        not set.
        """
        not_from_here = [name for name in self.params if name not in self._from_environment]
        given = self.handed_over.get("given", not_from_here)
        variables = dict(self.handed_over.get("variables", {}))
        if self.params.get("own_scope"):  # it overrides the team
            variables.pop("team", None)
        return Invocation(
            {name: self.params[name] for name in given if self.params.get(name) is not None},
            self.params,
            self.check_mode,
            names=self.handed_over.get("names", {}),
            dropped={name: value for name, value in variables.items() if value not in os.environ},
            dropped_because=self.handed_over.get("reason", ""),
        )

    def log(self, *args: Any, **kwargs: Any) -> None:
        """Do not write to the system log: options do not belong there, and a worker does not write
        to it either.
        """

    def fail_json(self, msg: str, **_result: Any) -> NoReturn:
        """Called by AnsibleModule, for errors in the options."""
        missing = [
            option
            for option, definition in self.module.specification.options.items()
            if definition.get("required") and self.params.get(option) is None
        ]
        invocation = self.invocation()
        explained = invocation.explain_missing(str(msg), missing)
        self.end(self.module.rejection(invocation, explained))

    def end(self, result: Result) -> NoReturn:
        # A service may hand out the token that it was called with. Until 2.21 core would mask it.
        self.no_log_values.clear()
        if self.handed_over.get("is_awaited"):
            super().exit_json(**{AWAITED_RESULT: result})
        for warning in result.pop("warnings"):
            self.warn(warning)
        result = {key: part for key, part in result.items() if not key.startswith(INTERNAL)}
        if "failed" in result:
            super().fail_json(**result)
        super().exit_json(**result)
        raise AssertionError("AnsibleModule has not ended the process")


def check_options(definitions: Definitions, rules: Mapping[str, Any]) -> None:
    """Let core judge the options that stand on standard input, as those of a module do; it ends the
    process if something is wrong with them. Looks for the class where ansible-lint replaces it.
    """
    known = {name: _without_suboption_types(option) for name, option in definitions.items()}
    basic.AnsibleModule(known, **rules)


def _without_suboption_types(definition: Definitions) -> Definitions:
    """The linter forgives a wrong type where an option is a template, and fails at a suboption."""
    if "options" not in definition:
        return definition
    return {**definition, "options": {name: {"type": "raw"} for name in definition["options"]}}


def variables_that_set(definitions: Definitions, given: Collection[str]) -> dict[str, str]:
    """The environment variables that set options which the task does not, by option."""
    variables = {
        option: definition["fallback"][1][0]
        for option, definition in definitions.items()
        if "fallback" in definition and option not in given
    }
    return {option: variable for option, variable in variables.items() if os.environ.get(variable)}


def without_reserved_keys(value: Any) -> Any:
    """The value with a prefix before such keys: else core would misread the service's data as its
    own objects.
    """
    if isinstance(value, dict):
        return {
            f"hosting{key}" if str(key).startswith(RESERVED) else key: without_reserved_keys(part)
            for key, part in value.items()
        }
    if isinstance(value, list):
        return [without_reserved_keys(part) for part in value]
    return value
