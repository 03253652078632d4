# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with the options of a task as it stands in a file, for ansible-lint.

Its rule ``args`` calls the ``main`` of a module's action plugin. It passes the options as JSON on
standard input, and takes a message from standard output if this ends with SystemExit. A template
stands for any value.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ansible.module_utils.common import validation

from ...module_utils._errors import InvalidOption
from ...module_utils._model.options import ArgumentSpec
from ..files._templates import is_template
from ._options import option_problems, suggest_option
from ._text_values import converted

Check = Callable[[Any, Any], Any]

# Core's checks of the rules among options: of what is given, and of what is given or has a default.
EXCLUSIONS: dict[str, Check] = {"mutually_exclusive": validation.check_mutually_exclusive}
REQUIREMENTS: dict[str, Check] = {
    "required_one_of": validation.check_required_one_of,
    "required_if": validation.check_required_if,
}


def answer_linter(specification: ArgumentSpec) -> None:
    """Read the options of a task, and end with SystemExit if something is wrong with them. Sends
    nothing.
    """
    given = json.load(sys.stdin)["ANSIBLE_MODULE_ARGS"]
    problems = list(problems_in_file(given, specification))
    if problems:
        json.dump({"msg": " ".join(problems)}, sys.stdout)
        raise SystemExit(1)


def problems_in_file(given: Mapping[str, Any], specification: ArgumentSpec) -> Iterator[str]:
    """What is wrong whatever the templates give, and wherever options come from that the task does
    not set.
    """
    definitions = specification.options
    if any(option.startswith("_") for option in given):  # no option, but a template of all of them
        return
    for option in given:
        if option not in definitions:
            yield f"{option} is not an option.{suggest_option(option, definitions)}"
    plain = _without_templates(
        {option: value for option, value in given.items() if option in definitions}
    )
    yield from _broken_rules(EXCLUSIONS, plain, specification)
    try:
        yield from map(str, option_problems(converted(plain, definitions, ""), definitions))
    except InvalidOption as error:
        yield str(error)
    yield from _missing(given, specification)


def _without_templates(given: Mapping[str, Any]) -> dict[str, Any]:
    """What is no template, and in a dictionary the part of it that is none."""
    return {
        name: _without_templates(value) if isinstance(value, Mapping) else value
        for name, value in given.items()
        if isinstance(value, Mapping) or not _has_template(value)
    }


def _has_template(value: Any) -> bool:
    """True if the value, or one in it, looks like a template."""
    if isinstance(value, Mapping):
        return any(map(_has_template, value.values()))
    if isinstance(value, list):
        return any(map(_has_template, value))
    return is_template(str(value))


def _missing(given: Mapping[str, Any], specification: ArgumentSpec) -> Iterator[str]:
    """What is required, and not given. An option with a fallback may come from the environment."""
    values = {name: value for name, value in given.items() if value is not None}
    for name, definition in specification.options.items():
        if definition.get("required") and "fallback" not in definition and name not in values:
            yield f"{name} is required."
        if definition.get("default") is not None:
            values.setdefault(name, definition["default"])
    yield from _broken_rules(REQUIREMENTS, values, specification)


def _broken_rules(
    checks: Mapping[str, Check], values: Mapping[str, Any], specification: ArgumentSpec
) -> Iterator[str]:
    for rule, check in checks.items():
        try:
            check(specification.rules.get(rule, []), values)
        except TypeError as error:
            # ansible-lint drops a message that begins with the word "parameters", as it knows too
            # little of templates.
            yield f"{error}.".replace("parameters are", "These options are", 1)
