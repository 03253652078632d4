# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What ``protect`` keeps. All that asks for it asks here."""

from __future__ import annotations

from dataclasses import replace

from ..._model.scope import Scope
from ..blueprint.selectors import Pattern, patterns_of
from .item import Item
from .plan import Plan


class Protection:
    """What ``protect`` keeps: what it matches, and what refers to that: a project's aliases. What a
    plan gives a protected name counts as protected before, too.
    """

    def __init__(self, plan: Plan) -> None:
        self._selectors = plan.options.protect
        self._lists = plan.lists
        self._renamed = {item.key: item for item in plan.items if item.is_rename}

    def covers(self, item: Item) -> bool:
        return bool(self.selector_of(item) or self.protected_references(item))

    def protected_references(self, item: Item) -> list[Item]:
        """The protected objects to which one that exists refers, as far as lists show them."""
        if not self._selectors:
            return []
        found = [self._lists.get(key) for key in item.reference_keys]
        return [other for other in found if other and self.selector_of(other)]

    def selector_of(self, item: Item) -> str:
        """The first selector that names an object, now or by the name that the plan gives it;
        ``""`` if none does.
        """
        renamed = self._renamed.get(item.key)
        for selector in self._selectors:
            given = [selector]
            if item.is_matched_by(given) or (renamed and renamed.will_be_matched_by(given)):
                return selector.text
        return ""

    def ends_for(self, item: Item) -> bool:
        """True if a selector matches an object, and none matches what the step makes of it."""
        is_matched = item.is_matched_by(self._selectors)
        return is_matched and not item.will_be_matched_by(self._selectors)

    def ends_in_team(self, item: Item) -> bool:
        """True if a selector names a team that is renamed, and no equal one names its new slug."""
        after = self._patterns_in_team(Scope(item.step.expected))
        return not self._patterns_in_team(Scope(item.live)) <= after

    def _patterns_in_team(self, team: Scope) -> set[Pattern]:
        """What selectors match in a team, without what they say of the team."""
        return {
            replace(pattern, team=None)
            for pattern in patterns_of(self._selectors)
            if pattern.matches_team(team)
        }
