# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What each selector matches: entries, and what the run has read."""

from __future__ import annotations

from ..blueprint.selectors import Selector, is_matched
from ..items.item import Item, Key
from ..items.plan import Match, Plan
from ..items.selection import selects


def find_matches(plan: Plan) -> None:
    """Set how many objects each selector of the task matches."""
    plan.matches = {
        option: [
            Match(selector, len(_matching_keys(selector, option, plan))) for selector in selectors
        ]
        for option, selectors in plan.options.selectors.items()
    }


def _matching_keys(selector: Selector, option: str, plan: Plan) -> set[Key]:
    """The keys of what a selector matches. Of an entry without an object, the key is its own."""
    matches = _is_selected_by if option == "only" else _is_known_to
    items = (*plan.items, *plan.lists.all_items)
    return {item.key for item in items if matches(selector, item)}


def _is_selected_by(selector: Selector, item: Item) -> bool:
    return selects([selector], item, item.desired.previous_names)


def _is_known_to(selector: Selector, item: Item) -> bool:
    """True if a guard matches an item, by any of its names and its team's."""
    names = [item.given_name, *item.desired.previous_names]
    return is_matched([selector], item.kind, names, item.named_scope)
