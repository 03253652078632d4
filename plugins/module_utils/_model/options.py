# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that several modules share, and checks of single options."""

from __future__ import annotations

import datetime
import math
from collections.abc import (
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from typing import Any, NamedTuple

from ansible.module_utils.parsing.convert_bool import boolean

from .._api.connection import from_environment
from .._api.masking import MASK
from .._errors import InvalidOption
from .._text import did_you_mean

# What options are, by their names; and what a user gives them.
Definitions = Mapping[str, Any]
Options = Mapping[str, Any]


class ArgumentSpec(NamedTuple):
    """Options of a module, and the rules among them, as one value.

    ``options`` is what AnsibleModule calls an argument specification; ``rules`` are its other
    arguments, such as ``required_one_of``.
    """

    options: Definitions
    rules: Mapping[str, Sequence[Any]] = {}


TEXT = {"type": "str"}
TEAM_VARIABLE = "HOSTING_PLATFORM_TEAM"
TEAM_OPTION: Definitions = {**TEXT, "fallback": from_environment(TEAM_VARIABLE)}
SCOPE_OPTIONS: Definitions = {"team": TEAM_OPTION, "own_scope": {"type": "bool", "default": False}}
STATE_OPTION: Definitions = {
    "state": {**TEXT, "choices": ["present", "absent"], "default": "present"}
}
NAMED_OPTIONS: Definitions = {
    "id": TEXT,
    "previously": {"type": "list", "elements": "str", "default": []},
    "state": {**TEXT, "choices": ["present", "absent", "exists"], "default": "present"},
}
UNLISTED_FIELDS_OPTION: Definitions = {
    "unlisted_fields": {**TEXT, "choices": ["keep", "clear"], "default": "keep"}
}
PAGE_OPTIONS: Definitions = {option: {"type": "int"} for option in ("since", "until", "limit")}

# What chooses a platform, a token, a scope or an object: without a value, it would choose another.
NEVER_EMPTY = ("base_url", "access_token", "access_token_path", "team", "project", "id")
CAME_OUT_EMPTY = "is empty: a template came out empty?"
# Those of them that may name what an earlier task of the play makes.
MADE_BY_TASKS = ("team", "project", "id")

NO_NUL = "must not contain a NUL character. Remove it."
# What a value must be, by the type of its option.
TYPES = {
    "str": "text",
    "path": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "dict": "a dictionary",
    "list": "a list",
}
CONTAINERS = {"dict": dict, "list": list}
NUMBERS = {"int": int, "float": float}
# What a value is. The first match counts, as a boolean is a number in Python.
TYPE_NAMES: dict[type[Any], str] = {
    type(None): "null",
    dict: "a dictionary",
    list: "a list",
    bool: "a boolean",
    str: "text",
    bytes: "binary data",
    int: "a number",
    float: "a number with a fraction",
}


def check_not_empty(options: Options, *names: str) -> None:
    """Raises InvalidOption for an option that is the empty string."""
    for name in names:
        if options.get(name) == "":
            raise InvalidOption(name, "must not be empty.")


def check_unmasked(options: Options, *names: str) -> None:
    """Raises InvalidOption for an option that cannot be sent, such as one with a mask in it: what
    is looked for by a mask is not found, and would be made once more.
    """
    for name in names:
        problem = unsendable(options.get(name))
        if problem:
            raise InvalidOption(name, problem, separator=" ")


def without_unused_team(given: Options) -> dict[str, Any]:
    """The given options without an empty ``team`` beside ``own_scope: true``, which counts as left
    out.
    """
    own_scope = given.get("own_scope")
    is_own = _is_of_type("bool", own_scope) and boolean(own_scope)
    kept = dict(given)
    if is_own and kept.get("team") in (None, ""):
        kept.pop("team", None)
    return kept


def empty_options(given: Options, definitions: Definitions) -> list[str]:
    """The options that are given without a value, and must have one."""
    return [
        option
        for option in NEVER_EMPTY
        if option in given and option in definitions and given[option] in (None, "")
    ]


def empty_problems(
    given: Options, definitions: Definitions, may_be_empty: Collection[str] = ()
) -> Iterator[InvalidOption]:
    """The problems of those options, but for those that may be empty."""
    for option in empty_options(given, definitions):
        if option in may_be_empty:
            continue
        advice = "Give it a value, or leave it out."
        if "fallback" in definitions[option]:
            advice = f"Leave it out to use {definitions[option]['fallback'][1][0]}."
        if option == "team" and "own_scope" in definitions:
            advice += " For your own scope, set own_scope to true."
        yield InvalidOption(option, f"{CAME_OUT_EMPTY} {advice}", separator=" ")


def apply_own_scope(options: dict[str, Any], given: Options) -> None:
    """Let ``own_scope`` override a team that was not given with it, but comes from elsewhere.

    Raises InvalidOption where both were given.
    """
    if options.get("own_scope"):
        if "team" in given:
            raise InvalidOption(
                "own_scope", "cannot be true while team is set. Set only one of them."
            )
        options["team"] = None


def validate_values(options: Options, definitions: Definitions) -> Iterator[InvalidOption]:
    """The values that an option cannot have, or that ansible-core would turn into such a one by
    guessing.

    It is impossible to tell how a boolean or a fraction was written (``1.10`` is read as ``1.1``).
    """
    for option, value in options.items():
        if value is None or option not in definitions:
            continue
        definition = definitions[option]
        # Most values are text, and looking closer at thousands of them takes its time.
        is_text = isinstance(value, str) and "\0" not in value
        if not (is_text and definition == TEXT):
            yield from _validate_value(option, value, definition)


def _validate_value(option: str, value: Any, definition: Definitions) -> Iterator[InvalidOption]:
    """The problems of one value, and of the values in it."""
    expected = definition.get("type", "str")
    choices = definition.get("choices", ())
    may_hold_nul = expected == "raw" or isinstance(value, str)
    if may_hold_nul and any("\0" in str(part) for part in parts_of(value)):
        yield InvalidOption(option, NO_NUL)
    elif not _is_of_type(expected, value):
        yield WrongType(option, _type_words(expected, choices), value)
    elif expected == "list":
        of_items = {**definition, "type": definition.get("elements", "raw")}
        for position, item in enumerate(value):
            yield from _validate_value(f"{option}[{position}]", item, of_items)
    elif choices and value not in choices:
        problem = f"must be one of {', '.join(choices)}, not {value}."
        yield InvalidOption(option, f"{problem}{did_you_mean(value, choices)}")
    elif expected == "dict":
        definitions = definition.get("options", {})
        for inner in validate_values(value, definitions):
            inner.option = f"{option}.{inner.option}"
            yield inner


def _type_words(expected: str, choices: Sequence[str]) -> str:
    """What a value must be: ``a list of projects, aliases, domains``"""
    if not choices:
        return TYPES[expected]
    return f"{'a list' if expected == 'list' else 'one'} of {', '.join(choices)}"


def _is_of_type(expected: str, value: Any) -> bool:
    if expected in CONTAINERS:
        return isinstance(value, CONTAINERS[expected])
    try:
        if expected == "bool":
            boolean(value)  # raises TypeError
        if expected in NUMBERS:
            return not isinstance(value, bool) and float(value) == NUMBERS[expected](value)
    except (TypeError, ValueError, OverflowError):
        return False
    is_text = isinstance(value, (str, int, datetime.date)) and not isinstance(value, bool)
    return is_text or expected in ("bool", "raw")


class WrongType(InvalidOption):
    """An option's value has the wrong type."""

    def __init__(self, option: str, expected: str, value: Any) -> None:
        is_unquoted = expected == "text" and isinstance(value, (bool, int, float))
        advice = " Quote it." if is_unquoted else ""
        super().__init__(
            option, f"must be {expected}, and is {type_name(value)}.{advice}", separator=" "
        )


def type_name(value: Any) -> str:
    """The type of a value in YAML's terms."""
    names = (name for kind, name in TYPE_NAMES.items() if isinstance(value, kind))
    return next(names, type(value).__name__)


def check_encodable(options: Options) -> None:
    """Raises InvalidOption for the first text that UTF-8 cannot represent, such as a file name in
    another encoding: nothing that holds such a text could be sent, written or returned.
    """
    for option, value in options.items():
        if not is_encodable(value):
            raise InvalidOption(
                option, "is not valid UTF-8. Correct it, or rename the file that it names."
            )


def is_encodable(value: Any) -> bool:
    """True if UTF-8 can represent all text in a value."""
    try:
        for part in parts_of(value):
            str(part).encode()
    except UnicodeEncodeError:
        return False
    return True


def unsendable(value: Any) -> str:
    """What is wrong with a value that is to be sent, or with a part of it; ``""`` if nothing is."""
    for part in parts_of(value):
        text = str(part)
        if "\0" in text or (isinstance(part, float) and not math.isfinite(part)):
            return "must not contain a NUL character, NaN or an infinite number."
        if MASK.search(text):
            return (
                "holds a mask, such as ********, which hides a secret and is not the value itself."
                " Write the value, or leave it out."
            )
    return ""


def parts_of(value: Any) -> Iterator[Any]:
    """A value, or all keys and values in it."""
    inner: Iterable[Any]
    if isinstance(value, Mapping):
        inner = (*value, *value.values())
    elif isinstance(value, (list, tuple)):
        inner = value
    else:
        yield value
        return
    for part in inner:
        yield from parts_of(part)
