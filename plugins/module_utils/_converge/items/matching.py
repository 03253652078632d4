# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries of one kind in one scope, matched with the objects there: what each of them is to do."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence

from ..._errors import ApiError, InvalidOption, PlatformError
from ..._model.fields import Values
from ..._model.listing import Listing
from ..._model.platform import Platform
from ..._model.resource import Resource
from ..._model.scope import Scope
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
    owner_of: Callable[[Values], Scope],
) -> None:
    """Set the step of each item, whose references are known, and whose its object is; or its
    problem.

    ``records``: all that the list of their scope shows.
    """
    # What each means by its name, or None. An item with a problem is missing.
    named: dict[Item, tuple[Resource, Values | None]] = {}
    for item in items:
        item.problem = None
        with collect_problem(item):
            resource = item.resource(platform)
            named[item] = resource, resource.find_by_name(records)
    claimed = {str(live["id"]): item for item, (_resource, live) in named.items() if live}
    for item, (resource, live) in named.items():
        with collect_problem(item):
            found = _find_live(item, resource, live, records, claimed)
            item.step = resource.plan_for(found)
            item.live_scope = owner_of(found) if found else None


def _find_live(
    item: Item,
    resource: Resource,
    named: Values | None,
    records: Listing,
    claimed: Mapping[str, Item],
) -> Values | None:
    """The record that an entry means, by its name or by an earlier one. What another entry means by
    its name is never renamed.
    """
    previous = resource.find_by_previous_names(records)
    if named is not None:
        rivals = [record for record in previous if str(record["id"]) not in claimed]
        previous = [named, *rivals]
    if len(previous) > 1:
        raise PlatformError(resource.describe_ambiguous_rename(previous))
    if named is not None or not previous:
        return named
    live = previous[0]
    other = claimed.get(str(live["id"]))
    if other is None:
        return resource.check_addressable(live)
    name = live[item.kind.name_field]
    raise InvalidOption(
        "previously",
        f"{name} exists and {item.desired.name} does not, and {other.label} declares {name} too."
        f" Remove it from previously, or give {other.label} another name.",
    )
