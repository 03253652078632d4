# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What each selector matches: entries, and what the run has read."""

from __future__ import annotations

from ..blueprint.selectors import Selector, is_matched
from ..items.item import Key
from ..items.plan import Plan


def find_matches(plan: Plan) -> None:
    """Set how many objects each selector of the task matches."""
    for option, selectors in plan.options.selectors.items():
        for selector in selectors:
            plan.matches[selector] = len(_matching_keys(selector, option, plan))


def _matching_keys(selector: Selector, option: str, plan: Plan) -> set[Key]:
    """The keys of what a selector matches, of a guard by any name of an entry and its team. Of an
    entry without an object, the key is its own.
    """
    found = set()
    for item in (*plan.items, *plan.lists.all_items):
        earlier = item.desired.previous_names
        if option == "only":
            is_found = item.is_selected_by([selector], earlier)
        else:
            names = [item.entry.own_name if item.entry else item.name, *earlier]
            is_found = is_matched([selector], item.kind, names, item.named_scope)
        if is_found:
            found.add(item.key)
    return found
