# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that the control node reads: where a blueprint's files are, and where the outputs go."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ansible.module_utils.parsing.convert_bool import boolean

from ..module_utils._errors import InvalidOption, PlatformError
from ..module_utils._model.options import WrongType
from ..module_utils._text import nearest

Values = Mapping[str, Any]

# What must not be gone in silence where its lines were commented out, or its template came out empty.
GUARDS = ("only", "ignore", "protect", "replace", "limits", "prune", "prune_limit", "approved")
PATHS = ("directory", "report", "markdown", "plan")
SWITCHES = ("templates", "confirm", "fail_on_drift", "fail_on_undeclared")
# An asynchronous task ends before there is a result.
NOT_ASYNC = (*PATHS, "confirm", "undeclared_in")


@dataclasses.dataclass(frozen=True)
class BlueprintTask:
    """Paths are as they were given, and empty where there is none. ``approved``: the path of a plan file, or steps."""

    directory: str
    report: str
    markdown: str
    plan: str
    templates: bool
    confirm: bool
    fail_on_drift: bool
    fail_on_undeclared: bool
    approved: Any = None

    @property
    def outputs(self) -> dict[str, str]:
        paths = {option: getattr(self, option) for option in PATHS[1:]}
        return {option: path for option, path in paths.items() if path}

    @classmethod
    def of(cls, args: Values, known: Mapping[str, Any], prefix: str, is_async: bool) -> BlueprintTask:
        """Raises PlatformError, which lists all problems."""
        read, problems = read_options(args, PATHS, SWITCHES)
        problems = [*unknown_among(args, known), *absent_guards(args), *wrong_values(args, known), *problems]
        is_none = args.get("blueprint") in (None, "")  # a role's null is an empty text before ansible-core 2.19
        if bool(read.get("directory")) is not is_none:
            both = f"{prefix}directory and {prefix}blueprint"
            problems.append(f"None of {both} is set. Set one." if is_none else f"{both} are both set. Remove one.")
        if is_async:
            problems += impossible_with_async({**read, "approved": isinstance(args.get("approved"), str)})
        if problems:
            raise PlatformError(*problems)
        return cls(**read, approved=args.get("approved"))


def read_options(args: Values, paths: Collection[str], switches: Collection[str]) -> tuple[dict[str, Any], list[str]]:
    """The values of these options, and what is wrong with them."""
    read: dict[str, Any] = {}
    problems = []
    for option in (*paths, *switches):
        try:
            read[option] = _path_of(option, args) if option in paths else _flag_of(option, args)
        except InvalidOption as error:
            problems.append(str(error))
    return read, problems


def unknown_among(args: Values, known: Mapping[str, Any]) -> Iterator[str]:
    """Ansible-core would say the same with a list of all options."""
    of_limits = args["limits"] if "limits" in known and isinstance(args.get("limits"), dict) else {}
    names = [(option, known, "") for option in args]
    names += [(option, known["limits"]["options"], "limits.") for option in of_limits]
    for option, among, place in names:
        if option not in among:
            yield f"{place}{option} is not an option.{nearest(option, list(among))}"


def wrong_values(args: Values, known: Mapping[str, Any], place: str = "") -> Iterator[str]:
    """Ansible-core would name its own classes, and no option of a role. ``place``: what precedes suboptions."""
    for option, value in args.items():
        definition = known.get(option, {"type": ""})
        if value is None or value == "" or option in SWITCHES:
            continue
        if definition["type"] == "str" and value not in definition.get("choices", [value]):
            yield f"{option} must be one of {', '.join(definition['choices'])}."
        elif definition["type"] == "int" and not _is_whole(value):
            yield str(WrongType(f"{place}{option}", "a whole number", value))
        elif definition["type"] == "bool":
            yield from read_options(args, (), (option,))[1]
        elif definition["type"] == "dict" and isinstance(value, dict):
            yield from wrong_values(value, definition.get("options", {}), f"{option}.")
        elif definition["type"] == "list" and isinstance(value, list):
            choices = definition.get("choices", value)
            for index, item in enumerate(value):
                if item not in choices:
                    yield f"{option}[{index}] must be one of {', '.join(choices)}.{nearest(str(item), choices)}"


def _is_whole(value: Any) -> bool:
    try:
        return not isinstance(value, bool) and int(value) == float(value)
    except (TypeError, ValueError):
        return False


def impossible_with_async(options: Values) -> Iterator[str]:
    used = [option for option, value in options.items() if value and option in (*NOT_ASYNC, "approved")]
    if used:
        yield f"{', '.join(used)}: not possible with async, as such a task ends before there is a result. Remove async."


def absent_guards(args: Values) -> Iterator[str]:
    limits = args.get("limits")
    members = limits.items() if isinstance(limits, dict) else ()
    given = {**args, **{f"limits.{name}": most for name, most in members}}
    for option, value in given.items():
        if option.split(".")[0] in GUARDS and (value is None or value == ""):
            # Before ansible-core 2.19, a template makes an empty text of null.
            yield f"{option} is null or empty. To do without, leave it out."


def _path_of(option: str, args: Values) -> str:
    """The path as given; empty if there is none. Raises InvalidOption."""
    value = args.get(option)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise WrongType(option, "text", value)
    value = str(value)
    # An empty directory would mean the working directory, and it is often a variable that has no value.
    if "\0" in value or (option == "directory" and not os.path.expandvars(value).strip()):
        raise InvalidOption(option, f"must be a path, and is {repr(value) if value.strip() else 'empty'}.")
    return value


def _flag_of(option: str, args: Values) -> bool:
    try:
        return bool(boolean(args.get(option) or False))
    except TypeError:
        raise WrongType(option, "true or false", args[option]) from None
