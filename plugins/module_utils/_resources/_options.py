# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that several modules have."""

from __future__ import annotations

import typing as t

from .._client.connection import from_environment
from .._client.errors import InvalidOption

ArgumentSpec = dict[str, dict[str, t.Any]]

TEAM_OPTION: ArgumentSpec = {"team": {"type": "str", "fallback": from_environment("HOSTING_PLATFORM_TEAM")}}
STATE_OPTION: ArgumentSpec = {"state": {"type": "str", "choices": ["present", "absent"], "default": "present"}}
ID_OPTION: ArgumentSpec = {"id": {"type": "str"}}
PAGE_OPTIONS: ArgumentSpec = {"since": {"type": "int"}, "until": {"type": "int"}, "limit": {"type": "int"}}


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
