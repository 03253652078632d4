# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file of the inventory says, by the rules of the modules: core would take an empty
environment variable for a value.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from typing import Any

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ...module_utils._api.connection import Connection, connection_options
from ...module_utils._errors import InvalidOption, PlatformError
from ...module_utils._model.options import (
    CAME_OUT_EMPTY,
    TEAM_VARIABLE,
    TEXT,
    Options,
    empty_problems,
    validate_values,
)
from ...module_utils._text import suggest_or_list

EMPTY = (None, "")


def teams_of(config: Options, teams: Sequence[Any]) -> list[str] | None:
    """The teams in the file, as text, which decrypts vaulted values; else the one in the
    environment, where an empty variable counts as unset; else None.

    ``teams``: as core reads them. Raises InvalidOption for a template that came out empty: it would
    choose other teams.
    """
    given = config.get("teams", [])
    if given == []:
        team = os.environ.get(TEAM_VARIABLE)
        return [team] if team else None
    if given in EMPTY:
        problem = f"{CAME_OUT_EMPTY} Leave it out to use {TEAM_VARIABLE}."
        raise InvalidOption("teams", problem, separator=" ")
    for index, team in enumerate(teams):
        if team in EMPTY:
            raise InvalidOption(f"teams[{index}]", CAME_OUT_EMPTY, separator=" ")
    return [str(team) for team in teams]


def connection_of(config: Options, known: Collection[str]) -> Connection:
    """The connection. ``known``: the options of the plugin. Raises PlatformError."""
    for option in config:
        if option not in known:
            suggestion = suggest_or_list(option, known)
            raise PlatformError(f"{option} is not an option.{suggestion}")
    # Core would take any text that is no boolean for false, even a template.
    options = {**connection_options(), "include_domains": {"type": "bool"}}
    # As text, which decrypts a vaulted value. The validation below converts the types.
    given = {
        option: str(value)
        for option, value in config.items()
        if option in options and value is not None
    }
    problems = [
        *empty_problems(config, options),
        *validate_values(given, dict.fromkeys(given, TEXT)),
    ]
    if problems:
        raise PlatformError(*problems)
    checked = ArgumentSpecValidator(options).validate(given)
    if checked.error_messages:
        raise PlatformError("; ".join(checked.error_messages))
    parameters = checked.validated_parameters
    return Connection.from_options(parameters, token_required=True, given=given)
