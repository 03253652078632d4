# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that several modules have, and what can be wrong with an option by itself."""

from __future__ import annotations

import typing as t

from .._client.connection import from_environment
from .._client.errors import InvalidOption

ArgumentSpec = dict[str, dict[str, t.Any]]

TEAM_OPTION: ArgumentSpec = {"team": {"type": "str", "fallback": from_environment("HOSTING_PLATFORM_TEAM")}}
STATE_OPTION: ArgumentSpec = {"state": {"type": "str", "choices": ["present", "absent"], "default": "present"}}
NAMED_OPTIONS: ArgumentSpec = {
    "id": {"type": "str"},
    "previously": {"type": "list", "elements": "str", "default": []},
    "state": {"type": "str", "choices": ["present", "absent", "exists"], "default": "present"},
}
ID_OPTION: ArgumentSpec = {"id": {"type": "str"}}
PAGE_OPTIONS: ArgumentSpec = {"since": {"type": "int"}, "until": {"type": "int"}, "limit": {"type": "int"}}

TYPE_NAMES = {dict: "a dictionary", list: "a list", bool: "a boolean", str: "text", int: "a number", float: "a number"}


def not_with_page(*options: str) -> list[tuple[str, str]]:
    """The rule that an option which names one object excludes those of a list."""
    return [(option, page_option) for option in options for page_option in PAGE_OPTIONS]


def page_of(options: t.Mapping[str, t.Any]) -> dict[str, int | None]:
    """The page options of a list; raises InvalidOption."""
    if options["limit"] is not None and options["limit"] < 1:
        raise InvalidOption("limit", "must be 1 or more. Leave it out to get everything.")
    return {option: options[option] for option in PAGE_OPTIONS}


def check_filled(options: t.Mapping[str, t.Any], *names: str) -> None:
    """Raises InvalidOption for an option that is the empty string."""
    for name in names:
        if options.get(name) == "":
            raise InvalidOption(name, "may not be empty.")


def check_types(options: t.Mapping[str, t.Any], specification: ArgumentSpec) -> None:
    """Raises WrongType for an option that ansible-core would turn into text, or into a dictionary or list, by guessing.

    Nobody can tell how a boolean was written, or what a list was meant to say.
    """
    for option, value in options.items():
        if value is not None and option in specification:
            wanted = specification[option].get("type", "str")
            if wanted in ("str", "path"):
                _check_text(option, value)
            elif wanted == "dict" and not isinstance(value, dict):
                raise WrongType(option, "a dictionary", value)
            elif wanted == "list" and specification[option].get("elements") == "str":
                for position, element in enumerate(value if isinstance(value, list) else [value]):
                    _check_text(f"{option}[{position}]", element)


def _check_text(option: str, value: t.Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (str, bytes, int, float)):
        raise WrongType(option, "text", value, " Quote it." if isinstance(value, bool) else "")


class WrongType(InvalidOption):
    """An option's value is of another type than it has to be."""

    def __init__(self, option: str, wanted: str, value: t.Any, advice: str = "") -> None:
        super().__init__(option, f"must be {wanted}, and is {type_name(value)}.{advice}")
        self.args = (f"{option} must be {wanted}, and is {type_name(value)}.{advice}",)


def type_name(value: t.Any) -> str:
    """The type of a value in the words of YAML."""
    if value is None:
        return "null"
    return next((name for kind, name in TYPE_NAMES.items() if isinstance(value, kind)), type(value).__name__)
