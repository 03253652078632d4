# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guards ``protect`` and ``ignore``: what a selector of ``protect`` names is neither deleted
nor renamed out of its reach, what belongs to a protected project is not given away, and what a
selector of ``ignore`` names is neither declared nor deleted. What a selector of either misspells is
not deleted.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..._errors import InvalidOption
from ..._model.kind import Name
from ..._model.kinds.registry import KINDS
from ..items.item import TEAM_KIND, Item
from ..items.names import acquired_names, released_names
from ..items.plan import Plan
from ..items.protection import Protection
from .unmatched import find_misspellings


def check_protect(plan: Plan) -> Iterator[str | InvalidOption]:
    """Refuse to delete a protected object, directly or in a cascade, to rename it so that the
    selector no longer matches, and to give away what is protected with it.
    """
    if not plan.options.protect:
        return
    protection = Protection(plan)
    for item in plan.deletions:
        selector = protection.selector_of(item)
        if selector:
            yield (
                f"{item.label} is protected by {selector}, but would be deleted. Remove the entry,"
                " or change the selector first."
            )
    for item in plan.writes:
        if item.live:
            yield from _check_update(item, protection)
    for item, other in plan.cascades:
        kept = _find_keeper(item, other, protection)
        if kept:
            reason = "" if kept is other else f" with the {kept.description},"
            yield (
                f"{item.describe_cascade(other.kind, other.name)}, which is protected{reason} by"
                f" {protection.selector_of(kept)}. Keep the {item.kind.singular}"
                f" {item.live_name} as it is, or change the selector first."
            )
    yield from _find_given_fields(plan, protection)
    yield from find_misspellings("protect", plan)


def _check_update(item: Item, protection: Protection) -> Iterator[str]:
    if item.kind is TEAM_KIND and protection.ends_in_team(item):
        yield (
            f"{item.label}: renaming the team {item.live_name} would leave its protected objects"
            " unprotected. Add the new slug to the selectors first."
        )
    if protection.ends_for(item):
        yield (
            f"{item.label}: the {item.live_description} is protected, but would no longer match the"
            " selector after it is renamed. Change the selector first."
        )
    references = [f"{option}_id" for option in item.kind.references]
    if any(item.live.get(field) != item.step.expected.get(field) for field in references):
        for other in protection.protected_references(item):
            project = other.live_description
            yield f"{item.label} would be taken from the {project}, which is protected."


def _find_keeper(item: Item, other: Item, protection: Protection) -> Item | None:
    """The protected object that keeps what would go with an item: itself, or what it refers to,
    unless that goes, too. A field that an entry changes may go: a project's own alias.
    """
    if protection.selector_of(other):
        return other
    if item.is_write:
        return None
    going = {gone.key for gone in item.deleted}
    kept = protection.protected_references(other)
    return next((found for found in kept if found.key not in going), None)


def _find_given_fields(plan: Plan, protection: Protection) -> Iterator[str]:
    """A field of a protected object, a project's own alias, may change; but no other object gets
    what it was.
    """
    bearers: dict[Name, Item] = {}
    for item in plan.writes:
        if item.live and protection.selector_of(item):
            released = released_names(item)
            fields = [name for name in released if name.kind != item.kind.plural]
            bearers |= dict.fromkeys(fields, item)
    for item in plan.writes:
        for name, text in acquired_names(item).items():
            if name in bearers:
                taken = f"{KINDS[name.kind].singular} {text}"
                bearer = bearers[name].live_description
                yield f"{item.label} would take the {taken} of the {bearer}, which is protected."


def check_ignore(plan: Plan) -> Iterator[str | InvalidOption]:
    """Refuse to declare or delete objects that others manage."""
    ignore = plan.options.ignore
    if not ignore:
        return
    for item in plan.items:
        is_ignored = item.is_matched_by(ignore) or (item.live and item.will_be_matched_by(ignore))
        if item.entry and is_ignored:
            yield (
                f"{item.label} declares the {item.live_description}, which is ignored."
                " Remove the entry or the selector."
            )
    for item, other in plan.cascades:
        if other.is_matched_by(ignore):
            yield f"{item.describe_cascade(other.kind, other.name)}, which is ignored."
    yield from find_misspellings("ignore", plan)
