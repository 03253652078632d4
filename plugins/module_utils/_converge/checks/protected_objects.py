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
from ..blueprint.declared_names import Name
from ..blueprint.selectors import Selectors
from ..plan.change import Change
from ..plan.names import acquired_names, name_as_written, released_names
from ..plan.objects import TEAM_KIND, LiveObject
from ..plan.plan import Plan
from ..plan.protection import Protection
from .doubtful_selectors import SelectorCheck


def check_protect(plan: Plan) -> Iterator[str | InvalidOption]:
    """Refuse to delete a protected object, directly or in a cascade, to rename it so that the
    selector no longer matches, and to give away what is protected with it; and to delete what a
    selector misspells.
    """
    for change in plan.deletions:
        if change.live_object and change.live_object.is_matched_by(
            plan.options.protect, change.scope
        ):
            yield f"{change.label} is protected, but would be deleted."
    protection = Protection(plan.changes, plan.snapshot, plan.options)
    for change in plan.writes:
        if change.live:
            yield from _check_protected_update(change, plan, protection)
    for change, obj in plan.cascades:
        if obj.is_matched_by(plan.options.protect):
            yield f"{change.cascade_message(obj)}, which is protected."
        elif _is_protected_with_another(change, obj, protection):
            yield f"{change.cascade_message(obj)}, which is protected with what it belongs to."
    yield from _check_protected_fields(plan)
    yield from SelectorCheck(plan).misspellings("protect")


def _is_protected_with_another(change: Change, obj: LiveObject, protection: Protection) -> bool:
    """True if what goes with a change is protected with what it refers to, and that does not go
    with it, too. A field that an entry changes may go: a project's own alias.
    """
    if change.is_write:
        return False
    going = {change.live_key, *(other.key for other in change.cascade)}
    return any(other.key not in going for other in protection.protected_references(obj))


def _check_protected_fields(plan: Plan) -> Iterator[str]:
    """A field of a protected object, a project's own alias, may change; but no other object gets
    what it was.
    """
    bearers: dict[Name, LiveObject] = {}
    for change in plan.writes:
        before = change.live_object
        if before and before.is_matched_by(plan.options.protect, change.scope):
            for name in released_names(change):
                if name.kind in change.kind.embeds.values():
                    bearers[name] = before
    for change in plan.writes:
        for name in sorted(acquired_names(change) & bearers.keys(), key=str):
            taken = f"{KINDS[name.kind].singular} {name_as_written(change, name)}"
            bearer = bearers[name].label
            yield f"{change.label} would take the {taken} of the {bearer}, which is protected."


def _check_protected_update(change: Change, plan: Plan, protection: Protection) -> Iterator[str]:
    protect = plan.options.protect
    before = change.live_object
    if before is None:
        return
    after = change.object_after
    if change.kind is TEAM_KIND and _stops_matching_team(protect, before, after):
        problem = f"renaming the team {before.name} would leave its protected objects unprotected."
        yield f"{change.label}: {problem} Add the new slug to the selectors first."
    if before.is_matched_by(protect, change.scope) and not after.is_matched_by(
        protect, change.scope
    ):
        problem = (
            f"the {before.label} is protected, but would no longer match the selector after it is"
            " renamed."
        )
        yield f"{change.label}: {problem} Change the selector first."
    if _changes_reference(before, after):
        for other in protection.protected_references(before):
            yield f"{change.label} would be taken from the {other.label}, which is protected."


def _changes_reference(before: LiveObject, after: LiveObject) -> bool:
    fields = [f"{option}_id" for option in before.kind.references]
    return any(before.record.get(field) != after.record.get(field) for field in fields)


def _stops_matching_team(selectors: Selectors, before: LiveObject, after: LiveObject) -> bool:
    """True if a selector names a team that is renamed, and no equal one names its new slug."""
    return bool(_selectors_of_team(selectors, before) - _selectors_of_team(selectors, after))


def _selectors_of_team(selectors: Selectors, team: LiveObject) -> set[object]:
    """The selectors that match what is in a team, without what they say of the team."""
    ids = team.scope.ids
    return {
        replace(selector, place="", text="", team=None)
        for selector in selectors
        if selector.matches_team([team.name], ids)
    }
