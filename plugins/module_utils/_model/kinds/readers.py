# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the info modules of objects in a scope have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..fields import Values
from ..options import check_not_empty, check_unmasked, page_of
from ..platform import Platform
from ..resource import Resource
from ..scope import Scope
from .scopes import read_scope


def scope_and_page(
    platform: Platform, options: Mapping[str, Any]
) -> tuple[Scope, dict[str, int | None]]:
    """The scope and the page options of a list. Raises InvalidOption."""
    page = page_of(options, platform.warnings)
    check_unmasked(options, "team", "project", "name", "id")
    return read_scope(platform, options), page


def read_objects(
    kind: type[Resource], platform: Platform, options: Mapping[str, Any], *names: str
) -> list[Values]:
    """The object that one of the options names, if it exists; else all of the scope within the page
    options.

    ``names``: options that are fields of the kind.
    """
    check_not_empty(options, kind.name_field)
    scope, page = scope_and_page(platform, options)
    for field in names:
        if options[field] is not None:
            found = platform.find(kind, scope, field, options[field], (field,))
            return [found] if found else []
    return platform.list_page(kind, scope, page)
