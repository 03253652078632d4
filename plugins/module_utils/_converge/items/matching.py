# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries of one kind in one scope, matched with the objects there: what each of them is to do."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from ..._errors import ApiError, PlatformError
from ..._model.fields import Values
from ..._model.listing import Listing
from ..._model.platform import Platform
from ..._model.resource import Resource
from .item import Item


@contextlib.contextmanager
def collect_problem(item: Item) -> Iterator[None]:
    """A block that ends at a problem of an item, which is kept; the first one counts."""
    try:
        yield
    except ApiError:
        raise
    except PlatformError as problem:
        item.problem = item.problem or problem


def match_entries(
    items: Sequence[Item],
    records: Listing,
    platform: Platform,
) -> None:
    """Set the step of each item, whose references are known, or its problem.

    ``records``: all that the list of their scope shows.
    """
    # What each means by its name, or None. An item with a problem is missing.
    named: dict[Item, tuple[Resource, Values | None]] = {}
    for item in items:
        item.problem = None
        with collect_problem(item):
            resource = item.resource(platform)
            named[item] = resource, resource.find_by_name(records)
    declared = {str(live["id"]): item.label for item, (_resource, live) in named.items() if live}
    for item, (resource, live) in named.items():
        with collect_problem(item):
            found = resource.match_previous(live, records, declared)
            item.step = resource.plan_for(found)
