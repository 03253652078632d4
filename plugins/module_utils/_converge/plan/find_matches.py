# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What each selector matches: entries, and what the run has read."""

from __future__ import annotations

from ..blueprint.selectors import Selector
from ..items.item import Key
from ..items.plan import Match, Plan
from ..items.selection import is_known_to, selects


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
    found = set()
    for item in (*plan.items, *plan.lists.all_items):
        if option == "only":
            is_matched = selects([selector], item, item.desired.previous_names)
        else:
            is_matched = is_known_to([selector], item)
        if is_matched:
            found.add(item.key)
    return found
