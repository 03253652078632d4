# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What info modules read: teams, and what those of objects in a scope have in common."""

from __future__ import annotations

import itertools
from collections.abc import Collection

from ..._errors import InvalidOption
from ..fields import Values
from ..kind import Kind
from ..options import (
    PAGE_OPTIONS,
    SCOPE_OPTIONS,
    TEXT,
    ArgumentSpec,
    Options,
    check_not_empty,
    check_unmasked,
)
from ..platform import Platform
from ..scope import OWN_SCOPE, Scope
from .scopes import read_scope
from .team import Team

# A smaller number is a time in seconds, by its size.
LEAST_MILLISECONDS = 10**11


def list_options(*names: str, filters: Collection[str] = ()) -> ArgumentSpec:
    """The options of a list in a scope: those that each name one object exclude each other, the
    filters and the page options.
    """
    excluded = [
        *itertools.combinations(names, 2),
        *itertools.product(names, (*filters, *PAGE_OPTIONS)),
    ]
    options = {**dict.fromkeys((*names, *filters), TEXT), **PAGE_OPTIONS, **SCOPE_OPTIONS}
    return ArgumentSpec(options, {"mutually_exclusive": excluded})


def page_of(platform: Platform, options: Options) -> dict[str, int | None]:
    """The page options of a list. Raises InvalidOption for these, and for what a name cannot be."""
    if options["limit"] is not None and options["limit"] < 1:
        raise InvalidOption("limit", "must be 1 or more. Omit it to get everything.")
    platform.warnings += [
        f"{bound}: {options[bound]} is a time in seconds, by its size, but the API counts"
        f" milliseconds. Write {options[bound]}000."
        for bound in ("since", "until")
        if 0 < (options[bound] or 0) < LEAST_MILLISECONDS
    ]
    check_unmasked(options, "team", "project", "name", "id")
    return {option: options[option] for option in PAGE_OPTIONS}


def read_teams(platform: Platform, options: Options) -> list[Values]:
    """The team that ``team`` names, or all of the user's within the page options."""
    page = page_of(platform, options)
    if options["team"] is None:
        return platform.list_page(Team, OWN_SCOPE, page)
    record = platform.find_named(Team, OWN_SCOPE, options["team"])
    return [record] if record else []


def scope_and_page(platform: Platform, options: Options) -> tuple[Scope, dict[str, int | None]]:
    """The scope and the page options of a list. Raises InvalidOption."""
    page = page_of(platform, options)
    return read_scope(platform, options), page


def read_objects(kind: type[Kind], platform: Platform, options: Options) -> list[Values]:
    """The object that one of the options names, if it exists; else all of the scope within the page
    options.
    """
    check_not_empty(options, kind.name_field)
    problem = kind.fields.problem_of(kind.name_field, options[kind.name_field])
    if problem:
        raise InvalidOption(kind.name_field, problem, separator=" ")
    scope, page = scope_and_page(platform, options)
    for field in (kind.name_field, *kind.other_identifiers):
        if options[field] is not None:
            found = platform.find(kind, scope, options[field], field)
            return [found] if found else []
    return platform.list_page(kind, scope, page)
