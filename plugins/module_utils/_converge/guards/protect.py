# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guard ``protect``: what a selector protects is neither deleted nor renamed out of its reach,
and what belongs to a protected project is not given away.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..._errors import InvalidOption
from ..._model.kinds.registry import KINDS
from ..._model.scope import Scope
from ..blueprint.declared_names import Name
from ..blueprint.selectors import Selectors
from ..items.item import TEAM_KIND, Item
from ..items.names import acquired_names, name_as_written, released_names
from ..items.plan import Plan
from ..items.protection import Protection
from .unmatched import find_misspellings


def check_protect(plan: Plan) -> Iterator[str | InvalidOption]:
    """Refuse to delete a protected object, directly or in a cascade, to rename it so that the
    selector no longer matches, and to give away what is protected with it; and to delete what a
    selector misspells.
    """
    protect = plan.options.protect
    if not protect:
        return
    protection = Protection(plan)
    for item in plan.deletions:
        if item.is_matched_by(protect):
            yield (
                f"{item.label} is protected by {protection.selector_of(item)}, but would be"
                " deleted. Remove the entry, or change the selector first."
            )
    for item in plan.writes:
        if item.live:
            yield from _check_protected_update(item, protect, protection)
    for item, other in plan.cascades:
        kept = _kept_with(item, other, protect, protection)
        if kept:
            reason = "" if kept is other else f" with the {kept.description},"
            yield (
                f"{item.describe_cascade(other)}, which is protected{reason} by"
                f" {protection.selector_of(kept)}. Keep the {item.kind.singular}"
                f" {item.live_name} as it is, or change the selector first."
            )
    yield from _check_protected_fields(plan)
    yield from find_misspellings("protect", plan)


def _kept_with(item: Item, other: Item, protect: Selectors, protection: Protection) -> Item | None:
    """The protected object that keeps what would go with an item: itself, or what it refers to,
    unless that goes, too. A field that an entry changes may go: a project's own alias.
    """
    if other.is_matched_by(protect):
        return other
    if item.is_write:
        return None
    going = {item.key, *(along.key for along in item.cascade)}
    kept = protection.protected_references(other)
    return next((found for found in kept if found.key not in going), None)


def _check_protected_fields(plan: Plan) -> Iterator[str]:
    """A field of a protected object, a project's own alias, may change; but no other object gets
    what it was.
    """
    bearers: dict[Name, Item] = {}
    for item in plan.writes:
        if item.live and item.is_matched_by(plan.options.protect):
            for name in released_names(item):
                if name.kind in item.kind.embeds.values():
                    bearers[name] = item
    for item in plan.writes if bearers else ():
        for name in sorted(acquired_names(item) & bearers.keys(), key=str):
            taken = f"{KINDS[name.kind].singular} {name_as_written(item, name)}"
            bearer = bearers[name].live_description
            yield f"{item.label} would take the {taken} of the {bearer}, which is protected."


def _check_protected_update(
    item: Item, protect: Selectors, protection: Protection
) -> Iterator[str]:
    if item.kind is TEAM_KIND and _stops_matching_team(protect, item):
        problem = (
            f"renaming the team {item.live_name} would leave its protected objects unprotected."
        )
        yield f"{item.label}: {problem} Add the new slug to the selectors first."
    if item.is_matched_by(protect) and not item.will_be_matched_by(protect):
        problem = (
            f"the {item.live_description} is protected, but would no longer match the selector"
            " after it is renamed."
        )
        yield f"{item.label}: {problem} Change the selector first."
    if _changes_reference(item):
        for other in protection.protected_references(item):
            yield (
                f"{item.label} would be taken from the {other.live_description}, which is"
                " protected."
            )


def _changes_reference(item: Item) -> bool:
    fields = [f"{option}_id" for option in item.kind.references]
    return any(item.live.get(field) != item.step.expected.get(field) for field in fields)


def _stops_matching_team(selectors: Selectors, item: Item) -> bool:
    """True if a selector names a team that is renamed, and no equal one names its new slug."""
    before, after = (Scope(record) for record in (item.live, item.step.expected))
    return bool(_selectors_of_team(selectors, before) - _selectors_of_team(selectors, after))


def _selectors_of_team(selectors: Selectors, team: Scope) -> set[object]:
    """The selectors that match what is in a team, without what they say of the team."""
    return {
        replace(selector, place="", team=None)
        for selector in selectors
        if selector.matches_team([team.slug], team.ids)
    }
