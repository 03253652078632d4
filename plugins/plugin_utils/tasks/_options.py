# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a task or a role as the control node reads them, and all that is wrong with them.

Ansible-core would say less at once, name its own classes, and no option of a role.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml
from ansible.module_utils.parsing.convert_bool import boolean

from ...module_utils._api.connection import OPTIONS, TOKEN_OPTIONS, connection_options
from ...module_utils._errors import InvalidOption, OptionNames, PlatformError
from ...module_utils._model.options import (
    NEVER_EMPTY,
    SCOPE_OPTIONS,
    Definitions,
    Options,
    empty_options,
    validate_values,
    without_unused_team,
)
from ...module_utils._run.invocation import ModuleArgs
from ...module_utils._run.module import variables_that_set
from ...module_utils._text import closest, escape_line, suggest_or_list
from ..files._atomic_files import absolute_path
from ..files._yaml_files import PARSER
from ._plain_json import to_plain_json

# Those of a task, by their names.
Variables = dict[str, Any]
# The variables of a process.
Environment = dict[str, str]

COLLECTION = "hosting.platform."
ROLES = Path(__file__).resolve().parents[3] / "roles"
# What a role hands on to what comes after it.
ROLE_OUTPUTS = ("converge_summary", "converge_result")
# Variables of other collections begin with it, too: login_user, login_shell.
SHARED_PREFIXES = ("login_",)
# Where core keeps what it finds in ``-e`` besides ``name=value``, such as a file without ``@``.
LEFT_OVER = "_raw_params"

# What must not be gone in silence where its lines were commented out, or its template came out
# empty.
NOT_NULLABLE = (
    "only",
    "ignore",
    "protect",
    "limits",
    "prune",
    "prune_limit",
    "approved",
)
# The options that name directories to read.
DIRECTORIES = ("directory", "undeclared_in")
# An asynchronous task ends before there is a result.
NOT_ASYNC = ("directory", "report", "markdown", "plan", "undeclared_in", "confirm")


def given_options(
    args: Options, definitions: Definitions, role: str, variables: Variables
) -> ModuleArgs:
    """The arguments that do not count as left out.

    Left out are an empty team beside ``own_scope: true``, and what is null of a role, as is a
    blueprint without any kind. Those stay that fail by name: what must not be empty, with an empty
    text for null, which a process of the module's own would take for left out; a guard; what the
    role cannot do without; and a directory that is empty, or that nothing takes the place of.
    Before ansible-core 2.19, a template makes an empty text of null.
    """
    given = without_unused_team(args)
    given |= dict.fromkeys(empty_options(given, definitions), "")
    if not role:
        return given
    kept = {name for name, definition in definitions.items() if definition.get("required")}
    kept.update(NOT_NULLABLE, NEVER_EMPTY)
    if "blueprint" not in args or variables.get(f"{role}_directory", "") is not None:
        kept.add("directory")
    empty: tuple[Any, ...] = (None, "", {})
    return {name: value for name, value in given.items() if name in kept or value not in empty}


def read_options(
    args: Options,
    definitions: Definitions,
    names: Iterable[str] = (),
    is_async: bool = False,
    others: Iterable[str | PlatformError] = (),
) -> ModuleArgs:
    """The values of these options; paths are as they were given, and empty where there is none.

    Raises PlatformError, which lists all problems of the task's options, and the others.
    """
    args = to_plain_json(args)
    problems: list[str | PlatformError] = [*option_problems(args, definitions), *others]
    if problems:
        raise PlatformError(*problems)
    options = {name: _value_of(args.get(name), definitions[name]) for name in names}
    used = [option for option in NOT_ASYNC if options.get(option)]
    used += ["approved"] if isinstance(args.get("approved"), str) else []
    if is_async and used:
        problem = (
            "cannot be used with async, because the task would end before its result is known."
            " Remove async."
        )
        raise PlatformError(*(InvalidOption(option, problem, separator=" ") for option in used))
    return options


def suggest_option(option: str, definitions: Definitions) -> str:
    """A sentence that suggests an option for one that there is not, or lists them: a module's own
    before those of the connection.
    """
    suggestion = suggest_or_list(option, sorted(definitions, key=lambda name: name in OPTIONS))
    if option not in SCOPE_OPTIONS:
        return suggestion
    return f"{suggestion} In module_defaults, set it for the group {COLLECTION}team_scoped."


def option_problems(
    args: Options, definitions: Definitions, prefix: str = ""
) -> Iterator[InvalidOption]:
    """``prefix``: what precedes suboptions."""
    for option, value in args.items():
        name = f"{prefix}{option}"
        if option not in definitions:
            problem = f"is not an option.{suggest_option(option, definitions)}"
            yield InvalidOption(name, problem, separator=" ")
        elif name in DIRECTORIES and value is not None and _has_empty_path(value):
            problem = "must be a path, and is empty. Name a directory, such as blueprint."
            yield InvalidOption(name, problem)
        elif isinstance(value, dict) and "options" in definitions[option]:
            yield from option_problems(value, definitions[option]["options"], f"{name}.")
        elif value is not None and value != "":
            yield from validate_values({name: value}, {name: definitions[option]})
        elif name.partition(".")[0] in NOT_NULLABLE:
            # Before ansible-core 2.19, a template makes an empty text of null.
            yield InvalidOption(name, "is null or empty. To disable it, omit it.", separator=" ")


def _has_empty_path(value: Any) -> bool:
    """True for an empty path, or a list without paths or with an empty one. It would mean the
    working directory, and is often a variable that has no value.
    """
    paths = value if isinstance(value, list) else [value]
    return not paths or not all(os.path.expandvars(str(path or "")).strip() for path in paths)


def _value_of(value: Any, definition: Definitions) -> Any:
    if definition["type"] == "bool":
        return bool(boolean(value or False))
    if definition["type"] == "list":
        return [str(item) for item in value or ()]
    return str(value) if value not in (None, "") else definition.get("default", "")


def role_name(task_vars: Variables) -> str:
    """The role of this collection for which the task works; ``""`` if it is a task of somebody
    else.
    """
    # Outside a role, a variable of the user may have this name.
    name = str(task_vars.get("ansible_role_name") or "")
    role = name.removeprefix(COLLECTION)
    return role if role != name and role in os.listdir(ROLES) else ""


def check_role_variables(role: str, variables: Variables, definitions: Definitions) -> None:
    """Raises PlatformError for variables that look like options of the role, and are none, for
    required ones without a value, and before these for what ``-e`` could not read.

    ``definitions``: the options of the role's module.
    """
    left_over = str(variables.get(LEFT_OVER) or "").strip()
    if left_over:
        is_file = os.path.isfile(absolute_path(left_over))
        advice = f"-e @{left_over}" if is_file else "-e name=value"
        raise PlatformError(f"-e '{left_over}' sets no variable. Write {advice}.")
    problems = list(unknown_role_variables(role, variables, definitions))
    for option, definition in _options(role).items():
        if definition.get("required") and variables.get(option) is None:
            problems.append(f"{option} is required.")
    if problems:
        raise PlatformError(*problems)


def unknown_role_variables(
    role: str, variables: Collection[str], definitions: Definitions
) -> Iterator[str]:
    """Messages about variables with the role's prefix that are none of its options.

    With a prefix that others use, too, only those that are near an option are meant for the role.
    """
    prefix = f"{role}_"
    for variable in sorted(str(name) for name in variables if str(name).startswith(prefix)):
        if variable in _options(role) or variable in ROLE_OUTPUTS:
            continue
        advice = _variable_advice(role, variable.removeprefix(prefix), definitions)
        if advice:
            yield escape_line(f"{variable} is not an option of the role {role}. {advice}")


def _variable_advice(role: str, name: str, definitions: Definitions) -> str:
    """What to write instead of a name that is no option of the role; empty if it is somebody
    else's.

    Names are compared without the prefix, which would make all of them alike.
    """
    fallback = {**connection_options(), **definitions}.get(name, {}).get("fallback")
    if fallback:
        group = "team_scoped" if name in SCOPE_OPTIONS else "all"
        other = f"or {name} in module_defaults of the group {COLLECTION}{group}"
        return f"Set the environment variable {fallback[1][0]}, {other}."
    names = option_names(role)
    near = names.get(closest(name, names))
    if near:
        return f"Did you mean {near}?"
    return "" if f"{role}_" in SHARED_PREFIXES else f"Known names: {', '.join(names.values())}."


def option_names(role: str) -> OptionNames:
    """The names under which a role takes the options of its modules: ``converge_limits`` is
    ``limits``.
    """
    return {option.removeprefix(f"{role}_"): option for option in _options(role)}


def variables_of_ansible(definitions: Definitions, given: Collection[str]) -> dict[str, str]:
    """The variables in the environment of Ansible that set options, by option.

    ``given``: the options and variables that the task itself sets, if only to nothing. Either
    option of the token beats the variables of both.
    """
    if not set(TOKEN_OPTIONS).isdisjoint(given):
        given = {*given, *TOKEN_OPTIONS}
    variables = variables_that_set(definitions, given).items()
    return {option: variable for option, variable in variables if variable not in given}


@functools.cache
def _options(role: str) -> Definitions:
    """The definitions of a role's options."""
    text = (ROLES / role / "meta" / "argument_specs.yml").read_text(encoding="utf-8")
    return dict(yaml.load(text, Loader=PARSER)["argument_specs"]["main"]["options"])  # noqa: S506 (a safe one)
