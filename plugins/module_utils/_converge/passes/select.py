# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 3, select: skip entries that ``only`` does not select; raise for selected entries that cannot be planned."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..._errors import InvalidOption
from ..._model.kind import matches_pattern
from ..._model.kinds.registry import KINDS
from ..._model.platform import describe
from ..._model.step import Action, Step
from ..._text import closest, did_you_mean
from ..blueprint.entries import BlueprintError, Entry, unique_messages
from ..blueprint.options import BlueprintOptions
from ..blueprint.selectors import Selector, Selectors, is_exact
from ..change import NOT_INVITED, NOT_SELECTED, TEAM_KIND, Change, Changes, ObjectKey
from .order import dependencies_of
from .prune import is_matched_by
from .read import Snapshot
from .team_names import TeamNames, is_selected_by, matches_any_name, team_name_of

WORD = re.compile(r"[^\W\d_]+|\d+")


def select(changes: Changes, snapshot: Snapshot, options: BlueprintOptions) -> Changes:
    """Raises BlueprintError with all problems of what is selected."""
    conflicts: dict[object, list[str]] = {}
    for find in (_find_duplicate_objects, _find_name_conflicts, _find_unselected_dependencies):
        for change, problem in find(changes, snapshot):
            conflicts.setdefault(change.key, []).append(problem)
    change_problems: list[tuple[str, str, str]] = []
    for change in changes:
        if change.entry and change.entry in snapshot.selected:
            problems: Sequence[object] = conflicts.get(change.key, [])[:1]
            if change.planning_error:
                problems = [change.planning_error]
            change_problems += map(change.entry.locate, problems)
    wrong_entries = unique_messages(change_problems)
    wrong_selectors = [problem for problem, fails in _doubtful_selectors(changes, snapshot, options) if fails]
    if wrong_entries or wrong_selectors:
        raise BlueprintError([*wrong_entries, *wrong_selectors])
    return tuple(_skip_unselected(change, snapshot, options) for change in changes)


def _skip_unselected(change: Change, snapshot: Snapshot, options: BlueprintOptions) -> Change:
    if change.entry not in snapshot.selected:
        # It keeps its declared names, as in the whole plan.
        nothing = Step(Action.NONE, change.live, change.step.expected)
        return replace(change, step=nothing, moved_from=None, skip_reason=NOT_SELECTED, planning_error=None)
    is_not_invited = change.step.action is Action.INVITE and not options.invite
    return replace(change, skip_reason=NOT_INVITED) if is_not_invited else change


def _find_duplicate_objects(changes: Changes, snapshot: Snapshot) -> Iterator[tuple[Change, str]]:
    first: dict[object, Change] = {}
    for change in changes:
        other = first.setdefault(change.live_key, change) if change.live and not change.planning_error else change
        if other is not change:
            yield _attribute_conflict(other, change, f"declares the same object ({describe(change.live)}).", snapshot)


def _find_name_conflicts(changes: Changes, snapshot: Snapshot) -> Iterator[tuple[Change, str]]:
    """Two objects that would bear one name, or be invited twice."""
    owners: dict[object, Change] = {}
    for change in changes:
        kind, name = change.kind, change.step.expected.get(change.kind.name_field)
        if name and not (change.step.is_deletion or change.planning_error):
            key = (kind.plural, change.scope.identity, kind.normalize(name))
            other = owners.setdefault(key, change)
            if other is not change and other.live_key != (change.live_key or ()):
                yield _attribute_conflict(other, change, f"already has the {kind.name_field} {name}.", snapshot)


def _attribute_conflict(first: Change, second: Change, problem: str, snapshot: Snapshot) -> tuple[Change, str]:
    """A conflict of two entries as a problem of the second one, or of the first if only that is selected."""
    change, other = (second, first) if second.entry in snapshot.selected else (first, second)
    return change, f"{other.label} {problem}"


def _find_unselected_dependencies(changes: Changes, snapshot: Snapshot) -> Iterator[tuple[Change, str]]:
    """Selected changes that depend on an unselected one."""
    by_key = {change.key: change for change in changes}
    for change, dependencies in dependencies_of(changes):
        missing = {reference.key for reference in change.references.values() if reference.key and reference.id is None}
        if change.scope.key and change.scope.is_planned:
            missing.add(change.scope.key)
        for other in (by_key[key] for key in (*dependencies, *missing) if key in by_key):
            is_unselected = change.entry in snapshot.selected and other.entry not in snapshot.selected
            is_renamed = other.kind.name_field in other.step.changes  # or created
            if is_unselected and (other.key in missing or is_renamed or other.is_move):
                is_new = other.key in missing or other.step.action is Action.CREATE
                verb = "creates" if is_new else "moves" if other.is_move else "renames"
                needed = f"the {other.kind.singular} that {other.label} {verb}"
                yield change, f"depends on {needed}, which is not selected. Select both."


def selector_warnings(changes: Changes, snapshot: Snapshot, options: BlueprintOptions) -> Iterator[str]:
    """Warnings about selectors that are probably misspelled, from the whole plan."""
    yield from (str(problem) for problem, fails in _doubtful_selectors(changes, snapshot, options) if not fails)
    deleted = [change.live_object for change in changes if change.is_deletion]
    deleted += [obj for change in changes for obj in change.cascade]
    entries = [change.entry for change in changes if change.entry]
    for selector in options.protect:
        any_name = Selectors([replace(selector, name=None)])
        near = closest(selector.name or "", [obj.name for obj in deleted if is_matched_by(any_name, obj)])
        is_known = near and any(matches_any_name(selector, entry, snapshot.team_names) for entry in entries)
        if near and not is_known and not any(_matched_objects(selector, snapshot)):
            advice = "Correct the selector to protect it."
            yield str(selector.invalid(f"matches nothing, and {near} would be deleted. {advice}"))


def _doubtful_selectors(
    changes: Changes, snapshot: Snapshot, options: BlueprintOptions
) -> Iterator[tuple[InvalidOption, bool]]:
    """A message for each selector that is probably misspelled, and whether that fails the task."""
    if options.only != ():  # where nothing is selected, no team was listed
        yield from _unmatched_selectors(changes, snapshot, options)
        yield from _selectors_of_unknown_teams(changes, snapshot, options)


def _unmatched_selectors(
    changes: Changes, snapshot: Snapshot, options: BlueprintOptions
) -> Iterator[tuple[InvalidOption, bool]]:
    """Those of ``only`` by which a misspelled check would find nothing to check. One for what prune deletes, or for the
    earlier name or team of an entry, need not match in each run.
    """
    entries = [change.entry for change in changes if change.entry]
    declared = {change.live_key for change in changes if change.entry and change.entry not in snapshot.selected}
    for selector in options.only or ():
        if any(is_selected_by(selector, entry, snapshot.team_names) for entry in entries):
            continue
        known = [entry for entry in entries if matches_any_name(selector, entry, snapshot.team_names)]
        may_match = bool(known) or _may_prune(selector, entries, snapshot.team_names, options)
        found = (key for key, team in _matched_objects(selector, snapshot) if team and key not in declared)
        if snapshot.selected.isdisjoint(known) and not (may_match and any(found)):
            near = _near(selector, known, entries, snapshot, options)
            fails = not may_match or (options.finds_drift and is_exact(selector.name))
            yield selector.invalid(f"matches nothing.{near}"), fails


def _matched_objects(selector: Selector, snapshot: Snapshot) -> Iterator[tuple[ObjectKey, str]]:
    """The objects that a selector matches, each with the ID of its team, ``""`` in the own scope; a team with its
    own.
    """
    if selector.source is None:
        for kind in KINDS.values():
            for record in snapshot.all_of(kind):
                team = str(record["id"] if kind is TEAM_KIND else snapshot.owner_of(kind, record).team_id or "")
                slugs, ids = snapshot.team_names.slugs_of(team), snapshot.team_names.ids_of(team)
                if Selectors([selector]).match(kind, [record[kind.name_field]], slugs, ids):
                    yield (kind.plural, str(record["id"])), team


def _may_prune(selector: Selector, entries: Sequence[Entry], names: TeamNames, options: BlueprintOptions) -> bool:
    """True if a selector may match what prune deletes; it deletes nothing in the own scope."""
    if selector.source is not None or (selector.kinds or set(options.prune)).isdisjoint(options.prune):
        return False
    teams = _teams_of_entries(entries, options)
    return any(selector.matches_team(slug, names.ids_of(team)) for team in teams for slug in names.slugs_of(team))


def _near(
    selector: Selector, known: Sequence[Entry], entries: Sequence[Entry], snapshot: Snapshot, options: BlueprintOptions
) -> str:
    """A suggestion for a selector that matches nothing: a name near the first of its texts that matches nothing.
    ``known``: the entries whose earlier name or team it names.
    """
    team_names = snapshot.team_names
    for entry in known:
        slug = team_names.slug_of_entry(entry)
        is_of_team = selector.matches_team(slug, team_names.ids_of(team_name_of(entry)))
        return f" Did you mean {entry.name if is_of_team else slug}?"
    names = [entry.name for entry in entries]
    if options.prune:
        names += [record[KINDS[key.kind].name_field] for key, records in snapshot.lists.items() for record in records]
    slugs = [team_names.slug_of_entry(entry) for entry in entries]
    files = [entry.file for entry in entries]
    for text, words in (selector.team, slugs), (selector.name, names), (selector.source, files):
        is_wrong = text and not any(matches_pattern(str(word), text) for word in words)
        if is_wrong and (near := did_you_mean(text, words)):
            return near
    return ""


def _selectors_of_unknown_teams(
    changes: Changes, snapshot: Snapshot, options: BlueprintOptions
) -> Iterator[tuple[InvalidOption, bool]]:
    """Those whose team is neither declared nor listed; settings may be shared by those who see different teams."""
    entries = [change.entry for change in changes if change.entry]
    known = {"", *snapshot.team_names.groups, *_teams_of_entries(entries, options)}
    for selector in (*options.ignore, *options.protect, *options.replace):
        if not any(selector.matches_team(name, known) for name in known):
            slugs = sorted(known.difference(str(team["id"]) for team in snapshot.teams))
            near = closest(selector.team, slugs)
            fails = is_exact(selector.team) and _is_misspelling(selector.team, near)
            hint = did_you_mean(selector.team, slugs)
            problem = f"names a team that no entry declares, and to which you do not belong.{hint}"
            yield selector.invalid(problem), fails


def _teams_of_entries(entries: Iterable[Entry], options: BlueprintOptions) -> set[str]:
    """The teams, but not the own scope, that the task and its entries name, as they are or were."""
    team_names = {options.team, *map(team_name_of, entries), *(entry.desired.previous_team for entry in entries)}
    return {team_name for team_name in team_names if team_name}


def _is_misspelling(text: object, slug: str) -> bool:
    """True if two slugs resemble each other word by word: ``acme-dev`` and ``acme-prod`` are two teams."""
    words, others = (WORD.findall(str(slug).lower()) for slug in (text, slug))
    return len(words) == len(others) and all(closest(word, [other]) for word, other in zip(words, others))
