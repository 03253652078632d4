# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Selectors that match nothing: no entry, and nothing that was read. A guard would keep nothing,
and a drift check would look at nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from ..._errors import InvalidOption
from ..._model.kind import matches_pattern
from ..._text import common_length, did_you_mean, visible_name
from ..blueprint.selectors import WILDCARD, Pattern, Selector
from ..items.item import Item
from ..items.plan import Plan

# The fewest characters of a misspelled name.
SHORTEST_NAME = 4
TWO_LETTERS = re.compile(r"[^\W\d_]{2}")


def find_unmatched_selections(plan: Plan, *, may_be_pruned: bool) -> Iterator[InvalidOption]:
    """The selectors of ``only`` that match nothing. A misspelled check would find nothing to check;
    only what may be gone, because it is pruned and nothing is checked, need not match in each run.
    """
    is_pruned = bool(plan.options.prune) and not plan.options.finds_drift
    for selector in plan.options.only or ():
        if not plan.matches[selector] and is_pruned is may_be_pruned:
            yield selector.invalid(f"matches nothing.{_near(selector, plan)}")


def find_misspellings(option: str, plan: Plan) -> Iterator[InvalidOption]:
    """The selectors of a guard that match nothing, and misspell what would be deleted."""
    deleted = sorted(plan.deleted_items, key=lambda item: item.sort_key)
    for selector in plan.options.selectors[option]:
        item = None if plan.matches[selector] else _find_misspelled(selector, deleted)
        if item:
            name = visible_name(item.live_name)
            team = selector.patterns[-1].team
            advice = "say its team" if team is None else "remove it"
            yield selector.invalid(
                f"matches nothing, and the {item.kind.singular} {name} would be deleted."
                f" Correct the selector, or {advice}."
            )


def _near(selector: Selector, plan: Plan) -> str:
    """A suggestion: what is near the first of its texts that matches nothing."""
    slugs = [scope.slug for scope in (*plan.teams.scopes, *plan.scopes)]
    names = [item.given_name for item in (*plan.items, *plan.lists.all_items)]
    pattern = selector.patterns[-1]
    suggestions = (
        (pattern.team, slugs),
        (pattern.name, names),
        (selector.source, [entry.file for entry in plan.blueprint.entries]),
    )
    for text, words in suggestions:
        if text and not any(matches_pattern(word, text) for word in words):
            suggestion = did_you_mean(text, words)
            if suggestion:
                return suggestion
    return ""


def _find_misspelled(selector: Selector, deleted: Sequence[Item]) -> Item | None:
    """The first deleted object whose name a selector misspells, within the kind and team that it
    gives.
    """
    for pattern in selector.patterns:
        # What stands before its first wildcard.
        text = WILDCARD.split(pattern.name or "", maxsplit=1)[0]
        for item in deleted:
            if len(text) >= SHORTEST_NAME and _is_misspelled(pattern, text, item):
                return item
    return None


def _is_misspelled(pattern: Pattern, text: str, item: Item) -> bool:
    """Hosts are compared as people write them, not in their ASCII form."""
    if not pattern.may_match(item.kind, item.owner):
        return False
    given = item.kind.forms(text)[-1]
    name = item.kind.forms(item.live_name)[-1]
    starts = [name]
    if text != pattern.name:
        # Of the name, as much as is given, or a letter less or more.
        starts = [name[: len(given) + more] for more in (-1, 0, 1)]
    return given not in starts and any(_is_misspelling(given, start) for start in starts)


def _is_misspelling(text: str, name: str) -> bool:
    """True if a text differs from a name in case alone, or by one letter more, less or other, or
    two swapped, in a word of more than one letter: ``prod-apy`` for ``prod-api``, but not
    ``prod-1`` for ``prod-2``, nor ``shop-a`` for ``shop-b``.
    """
    text = unicodedata.normalize("NFC", text)
    name = unicodedata.normalize("NFC", name)
    if text.lower() == name.lower():
        return True
    start = common_length(text, name)
    given = text[start:]
    known = name[start:]
    end = common_length(given[::-1], known[::-1])
    given = given[: len(given) - end]
    known = known[: len(known) - end]
    is_one_letter = max(len(given), len(known)) == 1
    is_swap = len(given) == 2 and given == known[::-1]
    is_in_word = bool(TWO_LETTERS.search(name[max(start - 2, 0) : start + 2]))
    return (is_one_letter or is_swap) and (given + known).isalpha() and is_in_word
