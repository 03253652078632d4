# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Skips what ``only`` does not select, and raises for selected entries that cannot be planned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..._errors import PlatformError
from ..._model.own_scope import describe_of_team, find_of_team
from ..._model.step import Action, Step
from ..blueprint.entries import BlueprintError, unique_messages
from ..items.dependencies import needs_of_writes
from ..items.item import NOT_INVITED, NOT_SELECTED, Item
from ..items.names import name_in_scope
from ..items.plan import Plan

# An item that cannot be planned, and why.
Conflict = tuple[Item, object]


def select(plan: Plan, problems: Iterable[PlatformError]) -> None:
    """Raises BlueprintError with all problems of what is selected, these others among them."""
    found = [*_problems_of_entries(plan), *problems]
    if found:
        raise BlueprintError(found)
    for item in plan.items:
        if not item.is_selected:
            # It keeps its declared names, as in the whole plan.
            item.step = Step(Action.NONE, item.live, item.step.expected)
            item.skip(NOT_SELECTED)
        elif item.step.action is Action.INVITE and not plan.options.invite:
            item.skip(NOT_INVITED)


def _problems_of_entries(plan: Plan) -> list[str | PlatformError]:
    """One message for each selected entry that cannot be planned."""
    conflicts: dict[Item, object] = {}
    for find in (_find_duplicates, _find_objects_of_teams, _find_unselected_needs):
        for item, conflict in find(plan):
            conflicts.setdefault(item, conflict)
    found = [problem for problem in plan.team_problems if problem[0]]
    for item in plan.items:
        problem = item.problem or conflicts.get(item)
        if problem and item.entry and item.is_selected:
            found.append(item.entry.locate(problem))
    # A wrong team of the task is said by each entry that it concerns, and else by itself.
    said = {problem for _file, _label, problem in found}
    others = [
        problem for file, _label, problem in plan.team_problems if not file and problem not in said
    ]
    return [*unique_messages(found), *others]


def _find_duplicates(plan: Plan) -> Iterator[Conflict]:
    """Two entries of one object, or of one name in a scope: also where one wants it absent."""
    first: dict[object, Item] = {}
    for item in plan.items:
        if item.problem:
            continue
        for key in _keys_of_object(item):
            other = first.setdefault(key, item)
            if other is item:
                continue
            # It is a problem of the second one, or of the first if only that is selected.
            said_of, same = (item, other) if item.is_selected else (other, item)
            yield (
                said_of,
                f"{same.label} declares the same {item.kind.singular}. Remove one of the two.",
            )


def _keys_of_object(item: Item) -> Iterator[object]:
    if item.live:
        yield item.key
    name = item.step.expected.get(item.kind.name_field)
    if item.desired.is_absent and not item.desired.id:
        name = item.desired.name
    if name:
        yield name_in_scope(item.kind, item.scope, name)


def _find_objects_of_teams(plan: Plan) -> Iterator[Conflict]:
    """Creations in the own scope of what its list shows as a team's, unless an entry of that team
    declares it.
    """
    found = []
    for item in plan.items:
        if not item.is_creation or not item.is_selected:
            continue
        record = find_of_team(plan.platform, item.kind, item.scope, item.desired)
        other = plan.lists.find_item(item.kind, record)
        if other:
            found.append((item, other))
    if not found:
        return
    declared = {
        name_in_scope(item.kind, item.scope, item.name) for item in plan.items if item.is_declared
    }
    for item, other in found:
        if name_in_scope(other.kind, other.owner, other.name) not in declared:
            yield item, describe_of_team(other.kind, other.live, other.owner)


def _find_unselected_needs(plan: Plan) -> Iterator[Conflict]:
    """Selected items that need an unselected one, which creates or renames what they need: the
    first of several in the plan's order.
    """
    needs = needs_of_writes(plan.items)
    places = {item: place for place, item in enumerate(plan.items)}
    for item in plan.items:
        if not item.is_pending or not item.is_selected:
            continue
        missing = _missing_objects(item)
        needed = {*needs.get(item, ()), *missing}
        for other in sorted(needed, key=places.__getitem__):
            if other.is_selected:
                continue
            is_created = other in missing or other.is_creation
            if is_created or other.is_rename:
                verb = "creates" if is_created else "renames"
                made = f"the {other.kind.singular} that {other.label} {verb}"
                yield item, f"depends on {made}, which is not selected. Select both."


def _missing_objects(item: Item) -> list[Item]:
    """The items that create what an item refers to, or its team."""
    missing = [other for other in item.references.values() if other.entry and not other.live]
    if isinstance(item.scope.key, Item) and item.scope.is_planned:
        missing.append(item.scope.key)
    return missing
