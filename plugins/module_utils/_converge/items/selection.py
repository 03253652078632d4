# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What ``only`` selects: entries, and what no entry declares."""

from __future__ import annotations

from collections.abc import Iterable

from ..blueprint.selectors import Selector, Selectors, is_matched
from .item import Item


def selects(selectors: Selectors, item: Item, earlier_names: Iterable[str] = ()) -> bool:
    """True if selectors select an item, by its name or an earlier one, and its team's slug after
    the run, or its team's ID.
    """
    matching = (selector for selector in selectors if _may_be_from(selector, item))
    names = [item.given_name, *earlier_names]
    return is_matched(matching, item.kind, names, item.named_scope.final)


def _may_be_from(selector: Selector, item: Item) -> bool:
    """True unless a selector has a source, and the item is not from there: an object has none."""
    if item.entry is None:
        return selector.source is None
    return selector.matches_source(item.entry.source)
