# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One entry of a blueprint, judged as its module judges its options, and much faster.

A module's options go through all of ansible-core's validator. Ten thousand entries cannot. What an
entry may say is less: no aliases of options, no environment, no suboptions, and few types. So
values are converted here, and only the rules among options are core's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ansible.module_utils.common.validation import (
    check_mutually_exclusive,
    check_required_arguments,
    check_required_if,
    check_required_one_of,
)
from ansible.module_utils.parsing.convert_bool import boolean

from ..._errors import InvalidOption, PlatformError
from ..._model.fields import Values
from ..._model.kind import Desired, Kind
from ..._model.options import (
    Definitions,
    Options,
    apply_own_scope,
    empty_problems,
    type_name,
    validate_values,
    without_unused_team,
)
from ..._model.resource import Resource
from ..._text import suggest_or_list, yaml_text
from .entries import nestings

# How a value of the right type is converted, by the type of its option.
CONVERSIONS: Mapping[str, Callable[[Any], Any]] = {
    "str": str,
    "bool": boolean,
    "list": lambda items: [str(item) for item in items],
    "dict": dict,
}
# What may stand in an entry: a list of others.
ENTRIES: Definitions = {"type": "list"}
# Core's checks of the rules among options, in its order.
RULES: Mapping[str, Callable[..., Any]] = {
    "mutually_exclusive": check_mutually_exclusive,
    "required": check_required_arguments,
    "required_one_of": check_required_one_of,
    "required_if": check_required_if,
}


class EntryReader:
    """Reads the entries of one kind.

    ``defaults``: values of options that an entry does not set. Those that are no options of the
    kind are left out.
    """

    def __init__(self, kind: type[Resource], defaults: Options) -> None:
        self._kind = kind
        self._spec: Definitions = kind.entry_options()
        self._rules = {**kind.argument_spec.rules, "required": self._spec}
        # With the lists of other entries: those are taken out before, so what is left is no list.
        self._known = {**self._spec, **dict.fromkeys(nestings(kind), ENTRIES)}
        self._defaults: Values = {}
        for option, definition in self._spec.items():
            default = defaults.get(option) or definition.get("default")
            if default is not None:
                self._defaults[option] = default

    def read(self, item: Any) -> Desired:
        """What an entry declares. Raises PlatformError with all problems: those that are
        InvalidOption name the option.
        """
        if not isinstance(item, dict):
            raise PlatformError(not_a_dictionary(self._kind, item))
        item = without_unused_team(item)
        wrong = [*empty_problems(item, self._spec), *validate_values(item, self._known)]
        # A wrong value counts as given, so that what follows finds other problems alone.
        given: Values = dict.fromkeys(problem.name for problem in wrong)
        for option, value in item.items():
            if value is not None and option in self._spec and option not in given:
                given[option] = CONVERSIONS[self._spec[option]["type"]](value)
        # A team of its own replaces the own scope of the task.
        if "team" in given and "own_scope" in self._spec:
            given.setdefault("own_scope", False)
        options = {**self._defaults, **given}
        problems = [*self._unknown_options(item), *wrong, *self._broken_rules(options)]
        options = {**dict.fromkeys(self._spec), **options}
        problems += self._kind.fields.validate(options)
        try:
            apply_own_scope(options, given)
            if not problems:
                return self._kind.read(options)
        except PlatformError as error:
            problems.append(error)
        raise PlatformError(*problems)

    def _unknown_options(self, item: Options) -> Iterator[PlatformError]:
        for option in item:
            if option in self._kind.module_only_options:
                yield InvalidOption(option, self._kind.module_only_options[option])
            elif option not in self._known:
                near = suggest_or_list(option, self._known)
                yield PlatformError(f"unknown option {option}.{near}")

    def _broken_rules(self, given: Options) -> Iterator[PlatformError]:
        """The rules among options that are broken. They take an option with a value for one that is
        given.
        """
        for rule, check in RULES.items():
            try:
                check(self._rules.get(rule), given)
            except TypeError as error:
                yield PlatformError(f"{error}.")


def not_a_dictionary(kind: type[Kind], item: Any) -> str:
    """The problem with an item that is not a dictionary. A text may be meant for a name."""
    problem = f"must be a dictionary of options, and is {type_name(item)}."
    if not isinstance(item, str) or not item.strip():
        return problem
    return f"{problem} Write it as: - {kind.name_field}: {yaml_text(item)}"
