# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What ``only`` selects: entries, and what no entry declares."""

from __future__ import annotations

from collections.abc import Iterable

from ..blueprint.selectors import Selectors, is_matched
from .item import Item


def selects_entry(selectors: Selectors, item: Item, earlier_names: Iterable[str] = ()) -> bool:
    """True if selectors select an entry, by its name or an earlier one, and its team's slug after
    the run, or its team's ID.
    """
    scope = item.named_scope
    names = [item.given_name if item.kind.is_in_team else scope.slug, *earlier_names]
    source = item.entry.source if item.entry else None
    matching = (selector for selector in selectors if selector.matches_source(source))
    return is_matched(matching, item.kind, names, scope.final)


def is_known_to(selectors: Selectors, item: Item) -> bool:
    """True if a guard matches an entry, by any name of the entry or its team."""
    scope = item.named_scope
    names = scope.names
    if item.kind.is_in_team:
        names = frozenset({item.given_name, *item.desired.previous_names})
    return is_matched(selectors, item.kind, names, scope)


def selects_object(selectors: Selectors, item: Item) -> bool:
    """True if a selector permits to change an object: an earlier slug of its team counts for
    nothing.
    """
    return is_matched(selectors, item.kind, [item.name], item.owner.final)
