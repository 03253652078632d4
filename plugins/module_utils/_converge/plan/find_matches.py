# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What each selector matches: entries, and what the run has read."""

from __future__ import annotations

from ..blueprint.selectors import Selector
from ..items.item import Key
from ..items.plan import Match, Plan
from ..items.selection import is_known_to, selects_entry, selects_object


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
    selectors = [selector]
    for_objects = selectors if selector.source is None else []
    if option == "only":
        entries = (
            item
            for item in plan.items
            if selects_entry(selectors, item, item.desired.previous_names)
        )
        objects = (item for item in plan.lists.all_items if selects_object(for_objects, item))
    else:
        entries = (item for item in plan.items if is_known_to(selectors, item))
        objects = (item for item in plan.lists.all_items if item.is_matched_by(for_objects))
    return {item.key for item in (*entries, *objects)}
