# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that the control node reads: where a blueprint's files are, and where the outputs go."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from ansible.module_utils.parsing.convert_bool import boolean

from ..module_utils._converge.entries import BlueprintError, read_entries
from ..module_utils._errors import InvalidOption, PlatformError
from ..module_utils._model.options import WrongType
from ..module_utils._text import nearest, printable
from ._blueprint_files import Directory, read_directory
from ._written_files import located

Values = Mapping[str, Any]

# What must not be gone in silence where its lines were commented out, or its template came out empty.
GUARDS = ("only", "ignore", "protect", "replace", "limits", "prune", "prune_limit", "approved")
OUTPUTS = ("report", "markdown", "plan")
SWITCHES = ("templates", "confirm", "fail_on_drift", "fail_on_undeclared")
# The options that the module itself does not need.
OF_THE_CONTROL_NODE = ("directory", *OUTPUTS, *SWITCHES)
# What an entry that names no team belongs to, as long as nobody knows the task's.
SOME_TEAM = "the team that the task names"


@dataclasses.dataclass(frozen=True)
class BlueprintTask:
    """``outputs``: the paths as given; ``approved``: the path of a plan file, or the list that was given."""

    directory: str | None
    outputs: Mapping[str, str]
    approved: Any
    templates: bool
    confirm: bool
    fail_on_drift: bool
    fail_on_undeclared: bool

    @classmethod
    def of(cls, args: Values, known: Collection[str], prefix: str, is_async: bool) -> BlueprintTask:
        """Raises PlatformError, which lists all problems."""
        problems = [*unknown_among(args, known), *_absent_guards(args)]
        read: dict[str, Any] = {}
        for option in (*OUTPUTS, *SWITCHES, "directory"):
            try:
                read[option] = flag_of(option, args) if option in SWITCHES else path_of(option, args)
            except InvalidOption as error:
                problems.append(str(error))
        if ("directory" in args) is (args.get("blueprint") is not None):
            problems.append(f"Set one of {prefix}directory and {prefix}blueprint, and not both.")
        if is_async:
            used = [option for option, value in read.items() if value and option in (*OUTPUTS, "directory", "confirm")]
            used += ["approved"] if isinstance(args.get("approved"), str) else []
            problems += not_async(used)
        if problems:
            raise PlatformError(*problems)
        outputs = {option: read.pop(option) for option in OUTPUTS}
        return cls(
            **read, outputs={option: path for option, path in outputs.items() if path}, approved=args.get("approved")
        )


def unknown_among(args: Values, known: Collection[str]) -> Iterator[str]:
    for option in args:
        if option not in known:
            yield f"{option} is no option.{nearest(option, known)}"


def path_of(option: str, args: Values) -> str:
    """The path as given; empty if there is none. Raises InvalidOption."""
    value = args.get(option)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise WrongType(option, "text", value)
    if "\0" in value or (option == "directory" and not os.path.expandvars(value).strip()):
        # An empty path would mean the working directory, and it is often a variable that has no value.
        raise InvalidOption(option, f"must be a path, and is {value!r}.")
    return value


def flag_of(option: str, args: Values) -> bool:
    try:
        return bool(boolean(args.get(option) or False))
    except TypeError:
        raise InvalidOption(option, "must be true or false.") from None


def not_async(options: Collection[str]) -> Iterator[str]:
    if options:
        yield f"{', '.join(options)}: not possible with async, as the task ends before there is a result."


def _absent_guards(args: Values) -> Iterator[str]:
    limits = args.get("limits")
    given = {**args, **{f"limits.{name}": most for name, most in (limits.items() if isinstance(limits, dict) else ())}}
    for option, value in given.items():
        if option.split(".")[0] in GUARDS and (value is None or value == ""):
            yield f"{option} is {'null' if value is None else 'empty'}, and would guard nothing. Leave it out if that is meant."


def checked_directory(path: str, reader: Any, is_trusted: bool) -> Directory:
    """The directory with everything that is wrong with its files by themselves."""
    folder = located(path)
    if os.path.islink(folder) and not is_trusted:
        return Directory(problems=[f"{folder} is a link. With templates, it may be one."])
    found = read_directory(Path(folder), reader)
    found.problems = list(map(printable, found.problems))
    if found.problems:
        try:
            read_entries(found.entries, {"team": SOME_TEAM})
        except BlueprintError as error:
            found.problems += error.problems
    return found
