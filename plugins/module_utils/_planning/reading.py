# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading lists in parallel: those that a plan or an export requires, and optional ones for a report."""

from __future__ import annotations

from collections.abc import Iterable

from .._common.errors import ApiError
from .._common.threads import Crew
from .._resources.kind import Kind
from .._resources.listing import Listing
from .._resources.platform import Platform, Scope
from .._resources.resource import Resource


def read_ahead(platform: Platform, wanted: Iterable[tuple[type[Kind], Scope]]) -> None:
    """Read the lists of these kinds and scopes, and of what they refer to, into the cache."""
    places = dict.fromkeys(
        (needed, scope)
        for kind, scope in wanted
        for needed in (kind, *kind.references.values())
        if issubclass(needed, Resource) and not scope.is_planned
    )
    with Crew(platform.workers) as crew:
        list(crew.map(lambda place: platform.listing(*place), places))


def listing_if_shown(platform: Platform, kind: type[Kind], scope: Scope) -> Listing | None:
    """The list; ``None`` if the service forbids it: not every team shows its lists to everyone."""
    try:
        return platform.listing(kind, scope)
    except ApiError as error:
        if error.status != 403:
            raise
        return None


def read_what_is_shown(platform: Platform, wanted: Iterable[tuple[type[Kind], Scope]]) -> list[str]:
    """Read lists that only the report of undeclared objects needs. Returns a warning for each forbidden one."""
    places = [place for place in wanted if not platform.has_listing(*place)]
    with Crew(platform.workers) as crew:
        lists = crew.map(lambda place: listing_if_shown(platform, *place), places)
        return [
            f"undeclared: the service does not show the {kind.plural} of {scope} (status 403), so undeclared ones among"
            " them are not reported."
            for (kind, scope), items in zip(places, lists)
            if items is None
        ]
