# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 5, select: skip entries that ``only`` does not select; raise for selected entries that
cannot be planned.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..._errors import PlatformError
from ..._model.own_scope import describe_of_team, find_desired_of_team
from ..._model.step import Action, Step
from ..blueprint.entries import BlueprintError, unique_messages
from ..blueprint.options import BlueprintOptions
from ..checks.doubtful_selectors import SelectorCheck
from ..plan.change import NOT_INVITED, NOT_SELECTED, Change, Changes
from ..plan.dependencies import dependencies_of
from ..plan.names import name_in_scope
from ..plan.plan import Plan
from ..plan.snapshot import Snapshot

# A change that cannot be planned, and why.
Problem = tuple[Change, object]


def select(changes: Changes, snapshot: Snapshot, options: BlueprintOptions) -> Changes:
    """Raises BlueprintError with all problems of what is selected."""
    problems: list[str | PlatformError] = [*_problems_of_entries(changes, snapshot)]
    problems += SelectorCheck(Plan(changes, snapshot, options)).failures()
    if problems:
        raise BlueprintError(problems)
    return tuple(_skip_unselected(change, snapshot, options) for change in changes)


def _problems_of_entries(changes: Changes, snapshot: Snapshot) -> list[str]:
    """One message for each selected entry that cannot be planned."""
    conflicts: dict[object, object] = {}
    finders = (
        _find_duplicates,
        _find_objects_of_teams,
        _find_unselected_dependencies,
    )
    for find in finders:
        for change, conflict in find(changes, snapshot):
            conflicts.setdefault(change.key, conflict)
    found = [problem for problem in snapshot.scope_problems if problem[0]]
    for change in changes:
        if change.entry is None or change.entry not in snapshot.selected:
            continue
        problem: object = change.planning_error or conflicts.get(change.key)
        if problem:
            found.append(change.entry.locate(problem))
    messages = unique_messages(found)
    # A wrong team of the task is said by each entry that it concerns, and else by itself.
    said = {problem for _file, _label, problem in found}
    messages += [
        problem
        for file, _label, problem in snapshot.scope_problems
        if not file and problem not in said
    ]
    return messages


def _skip_unselected(change: Change, snapshot: Snapshot, options: BlueprintOptions) -> Change:
    if change.entry not in snapshot.selected:
        # It keeps its declared names, as in the whole plan.
        nothing = Step(Action.NONE, change.live, change.step.expected)
        return replace(change, step=nothing, skip_reason=NOT_SELECTED, planning_error=None)
    is_not_invited = change.step.action is Action.INVITE and not options.invite
    return replace(change, skip_reason=NOT_INVITED) if is_not_invited else change


def _find_duplicates(changes: Changes, snapshot: Snapshot) -> Iterator[Problem]:
    """Two entries of one object, or of one name in a scope: also where one wants it absent."""
    first: dict[object, Change] = {}
    for change in changes:
        if change.planning_error:
            continue
        for key in _keys_of_object(change):
            other = first.setdefault(key, change)
            if other is not change:
                yield _attribute_conflict(other, change, snapshot)


def _keys_of_object(change: Change) -> Iterator[object]:
    if change.live:
        yield change.live_key
    name = change.step.expected.get(change.kind.name_field)
    if change.desired.is_absent and not change.desired.id:
        name = change.desired.name
    if name:
        yield name_in_scope(change.kind, change.scope, name)


def _find_objects_of_teams(changes: Changes, snapshot: Snapshot) -> Iterator[Problem]:
    """Creations in the own scope of what its list shows as a team's, unless an entry of that team
    declares it.
    """
    declared = {
        name_in_scope(change.kind, change.scope, change.name)
        for change in changes
        if change.is_declared
    }
    for change in changes:
        if not change.is_creation or change.entry not in snapshot.selected:
            continue
        kind = change.kind
        record = find_desired_of_team(snapshot.platform, kind, change.scope, change.desired)
        obj = snapshot.object_of(kind, record) if record else None
        if obj and name_in_scope(kind, obj.scope, obj.name) not in declared:
            yield change, describe_of_team(kind, obj.record, obj.scope)


def _attribute_conflict(first: Change, second: Change, snapshot: Snapshot) -> Problem:
    """A conflict of two entries as a problem of the second one, or of the first if only that is
    selected.
    """
    problem = f"declares the same {second.kind.singular}. Remove one of the two."
    if second.entry in snapshot.selected:
        return second, f"{first.label} {problem}"
    return first, f"{second.label} {problem}"


def _find_unselected_dependencies(changes: Changes, snapshot: Snapshot) -> Iterator[Problem]:
    """Selected changes that depend on an unselected one, which creates or renames what they
    need.
    """
    by_key = {change.key: change for change in changes}
    dependencies = dependencies_of(changes)
    for change in changes:
        if not change.is_pending or change.entry not in snapshot.selected:
            continue
        missing = _keys_of_missing_objects(change)
        for key in (*dependencies.get(change.key, ()), *missing):
            other = by_key.get(key)
            if other is None or other.entry in snapshot.selected:
                continue
            is_created = key in missing or other.is_creation
            if is_created or other.kind.name_field in other.step.changes:
                verb = "creates" if is_created else "renames"
                needed = f"the {other.kind.singular} that {other.label} {verb}"
                yield change, f"depends on {needed}, which is not selected. Select both."


def _keys_of_missing_objects(change: Change) -> set[object]:
    """The changes that create what a change refers to, or its team."""
    missing: set[object] = {
        reference.key
        for reference in change.references.values()
        if reference.key and reference.id is None
    }
    if change.scope.key and change.scope.is_planned:
        missing.add(change.scope.key)
    return missing
