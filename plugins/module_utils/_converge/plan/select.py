# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Skips what ``only`` does not select, and raises for selected entries that cannot be planned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..._errors import InvalidOption, PlatformError
from ..._model.own_scope import describe_of_team, find_of_team
from ..._model.step import Action, Step
from ..blueprint.entries import LocatedProblem, unique_messages
from ..blueprint.selectors import patterns_of, source_file
from ..items.dependencies import needs_of_writes
from ..items.item import NOT_INVITED, NOT_SELECTED, Item
from ..items.plan import Plan

# An item that cannot be planned, and why.
Conflict = tuple[Item, PlatformError]


def select(plan: Plan, problems: Iterable[PlatformError]) -> None:
    """Raises PlatformError with all problems of what is selected, these others among them."""
    found = [*_problems_of_entries(plan), *problems]
    if found:
        raise PlatformError(*found)
    for item in plan.items:
        if not item.is_selected:
            # It keeps its declared names, as in the whole plan.
            item.step = Step(Action.NONE, item.live, item.step.expected)
            item.skip_reason = NOT_SELECTED
        elif item.step.action is Action.INVITE and not plan.options.invite:
            item.skip_reason = NOT_INVITED


def _problems_of_entries(plan: Plan) -> list[str | PlatformError]:
    """One message for each selected entry that cannot be planned."""
    team_problems = list(_problems_of_named_teams(plan))
    for find in (_find_duplicates, _find_objects_of_teams, _find_unselected_needs):
        for item, conflict in find(plan):
            item.problem = item.problem or conflict
    found = [problem for problem in team_problems if problem[0]]
    found += [
        item.entry.locate(item.problem)
        for item in plan.selected_items
        if item.entry and item.problem
    ]
    # A wrong team of the task is said by each entry that it concerns, and else by itself.
    known = {problem for _file, _label, problem in found}
    others = [
        problem for file, _label, problem in team_problems if not file and problem not in known
    ]
    return [*unique_messages(found), *others]


def _problems_of_named_teams(plan: Plan) -> Iterator[LocatedProblem]:
    """The teams of the task and of files that are neither there nor declared, or named by an
    earlier slug, where ``only`` may select something, whatever entries declare.
    """
    for named in plan.named_scopes:
        scope = plan.teams.named(named.team)
        patterns = patterns_of(plan.options.object_selectors)
        is_selected = any(pattern.matches_team(scope.final) for pattern in patterns)
        if plan.options.only is not None and not is_selected:
            continue
        try:
            plan.teams.check(named.team, is_lenient=True)
        except InvalidOption as problem:
            yield source_file(named.source), named.source, str(problem)


def _find_duplicates(plan: Plan) -> Iterator[Conflict]:
    """Two entries of one object, or of one name in a scope: also where one wants it absent."""
    first: dict[object, Item] = {}
    for item in plan.items:
        if item.problem:
            continue
        keys: list[object] = [item.key]
        if item.live or not item.desired.id:
            keys.append(item.kind.name_at(item.scope, item.name))
        for key in keys:
            other = first.setdefault(key, item)
            if other is item:
                continue
            # It is a problem of the second one, or of the first if only that is selected.
            concerned, same = (item, other) if item.is_selected else (other, item)
            problem = f"{same.label} declares the same {item.kind.singular}."
            yield concerned, PlatformError(f"{problem} Remove one of the two.")


def _find_objects_of_teams(plan: Plan) -> Iterator[Conflict]:
    """Creations in the own scope of what its list shows as a team's, unless an entry of that team
    declares it. What is to be absent there is a warning.
    """
    declared = {
        item.kind.name_at(item.scope, item.name)
        for item in plan.items
        if item.entry and not item.desired.is_absent
    }
    for item in plan.selected_items:
        if item.live:
            continue
        record = find_of_team(plan.platform, item.kind, item.scope, item.desired)
        if not record:
            continue
        is_absent = item.desired.is_absent
        owner = plan.lists.owner(item.kind, record)
        problem = describe_of_team(item.kind, record, owner, is_absent=is_absent)
        if is_absent:
            plan.absent_in_own_scope.append(problem)
        elif item.kind.name_at(owner, record[item.kind.name_field]) not in declared:
            yield item, problem


def _find_unselected_needs(plan: Plan) -> Iterator[Conflict]:
    """Selected items that need an unselected one, which creates or renames what they need: the
    first of several in the plan's order.
    """
    if plan.options.only is None:
        return
    for item, needs in needs_of_writes(plan.items).items():
        missing = [
            other
            for other in needs
            if not other.is_selected and (other.is_creation or other.is_rename)
        ]
        if item.is_selected and missing:
            other = min(missing, key=plan.items.index)
            problem = f"depends on {other.label}, which is not selected. Select both."
            yield item, PlatformError(problem)
