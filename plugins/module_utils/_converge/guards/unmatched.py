# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Selectors that match nothing: no entry, and nothing that was read. A guard would keep nothing,
and a drift check would look at nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..._errors import InvalidOption
from ..._model.kind import matches_pattern
from ..._model.name_forms import is_misspelling
from ..._text import did_you_mean
from ..blueprint.selectors import WILDCARD, Selector, Selectors
from ..items.item import Item
from ..items.plan import Plan
from ..items.selection import is_known_to, selects_entry, selects_object

# The fewest characters of a misspelled name, and the most selectors that a warning says.
SHORTEST_NAME = 4
MOST_SELECTORS = 3


def find_unmatched_selections(plan: Plan) -> Iterator[InvalidOption]:
    """The selectors of ``only`` by which a misspelled check would find nothing to check."""
    if not _may_be_pruned(plan):
        yield from _unmatched_selections(plan)


def unmatched_warnings(plan: Plan) -> Iterator[InvalidOption]:
    """Those that do not fail, and guards that keep nothing while something is deleted."""
    if _may_be_pruned(plan):
        yield from _unmatched_selections(plan)
    deleted = list(plan.deleted)
    for option, guard in plan.options.selectors.items() if deleted else ():
        silent = [
            selectors
            for selectors in _unmatched(guard, plan)
            if not any(_misspelled(selectors, deleted))
        ]
        if silent:
            yield _describe_unmatched(option, silent, plan)


def find_misspellings(option: str, plan: Plan) -> Iterator[InvalidOption]:
    """The selectors of a guard that match nothing, and misspell what would be deleted."""
    deleted = sorted(plan.deleted, key=lambda item: item.sort_key)
    for selectors in _unmatched(plan.options.selectors[option], plan) if deleted else ():
        for item in [*_misspelled(selectors, deleted)][:1]:
            advice = "say its team" if selectors[-1].team is None else "remove it"
            yield selectors[0].invalid(
                f"matches nothing, and the {item.kind.singular} {item.live_name} would be deleted."
                f" Correct the selector, or {advice}."
            )


def _may_be_pruned(plan: Plan) -> bool:
    """True if what ``only`` selects may be gone: it was pruned by an earlier run."""
    return bool(plan.options.prune) and not plan.options.finds_drift


def _unmatched_selections(plan: Plan) -> Iterator[InvalidOption]:
    for selectors in Selectors(plan.options.only or ()).given:
        if not _selects_something(selectors, plan):
            yield selectors[0].invalid(f"matches nothing.{_near(selectors[-1], plan)}")


def _selects_something(selectors: Selectors, plan: Plan) -> bool:
    for entry in plan.blueprint.entries:
        scope = plan.teams.scope_of(entry)
        if selects_entry(selectors, entry, scope, entry.desired.previous_names):
            return True
    for_objects = Selectors(selector for selector in selectors if selector.source is None)
    return any(selects_object(for_objects, item) for item in plan.lists.all)


def _unmatched(guard: Selectors, plan: Plan) -> Iterator[Selectors]:
    """The selectors of a guard that match no entry and nothing that was read."""
    for selectors in guard.given:
        is_matched = any(
            is_known_to(selectors, entry, plan.teams.scope_of(entry))
            for entry in plan.blueprint.entries
        ) or any(item.is_matched_by(selectors) for item in plan.lists.all)
        if not is_matched:
            yield selectors


def _describe_unmatched(option: str, unmatched: list[Selectors], plan: Plan) -> InvalidOption:
    sentences = [
        f"{selectors[0].text} matches nothing.{_near(selectors[-1], plan)}"
        for selectors in unmatched[:MOST_SELECTORS]
    ]
    more = len(unmatched) - MOST_SELECTORS
    if more > 0:
        sentences.append(f"{more:,} more match{'es' if more == 1 else ''} nothing.")
    place = unmatched[0][0].place if len(unmatched) == 1 else option
    return InvalidOption(place, " ".join(sentences))


def _near(selector: Selector, plan: Plan) -> str:
    """A suggestion: what is near the first of its texts that matches nothing."""
    entries = plan.blueprint.entries
    scopes = dict.fromkeys([*plan.teams.scopes, *(plan.teams.scope_of(entry) for entry in entries)])
    suggestions = (
        (selector.team, [scope.slug for scope in scopes]),
        (
            selector.name,
            [*(entry.name for entry in entries), *(item.name for item in plan.lists.all)],
        ),
        (selector.source, [entry.file for entry in entries]),
    )
    for text, words in suggestions:
        if text and not any(matches_pattern(word, text) for word in words):
            suggestion = did_you_mean(text, words)
            if suggestion:
                return suggestion
    return ""


def _misspelled(selectors: Selectors, deleted: Sequence[Item]) -> Iterator[Item]:
    """The deleted objects whose names selectors misspell, within the kind and team that they
    give.
    """
    for selector in selectors:
        # Of a pattern, what stands before its first wildcard.
        text = WILDCARD.split(selector.name or "", maxsplit=1)[0]
        if len(text) >= SHORTEST_NAME:
            yield from (item for item in deleted if _is_misspelled(selector, text, item))


def _is_misspelled(selector: Selector, text: str, item: Item) -> bool:
    """Hosts are compared as people write them, not in their ASCII form."""
    if not selector.may_match(item.kind, item.owner.names, item.owner.ids):
        return False
    given = item.kind.forms(text)[-1]
    name = item.kind.forms(item.live_name)[-1]
    if text == selector.name:
        return is_misspelling(given, name)
    # Of the name, as much as is given, or a letter less or more.
    lengths = range(len(given) - 1, len(given) + 2)
    starts = [name[:length] for length in lengths]
    return given not in starts and any(is_misspelling(given, start) for start in starts)
