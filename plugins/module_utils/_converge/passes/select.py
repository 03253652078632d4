# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 3, select: what is only declared is set aside; what cannot be planned ends the run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ..._model.platform import described
from ..._model.step import Action, Step
from ..._text import did_you_mean
from ..blueprint.entries import BlueprintError, Entry, said_once
from ..blueprint.options import Options
from ..blueprint.selectors import Selector
from ..change import NOT_INVITED, NOT_SELECTED, SCOPE, Change, Changes, identity_of
from .order import needs_of
from .read import Lists, is_selected_by


def select(changes: Changes, lists: Lists, options: Options) -> Changes:
    """Raises BlueprintError with all problems of what is selected."""
    found: dict[object, list[str]] = {}
    clashes = (*_declared_twice(changes, lists), *_named_twice(changes, lists), *_lacking(changes, lists))
    for change, problem in clashes:
        found.setdefault(change.key, []).append(problem)
    said: list[tuple[str, str, str]] = []
    for change in changes:
        if change.entry and change.entry in lists.chosen:
            problems = [str(change.problem)] if change.problem else found.get(change.key, [])[:1]
            said += [(change.entry.file, change.label, problem) for problem in problems]
    problems = said_once(said)
    problems += _selecting_nothing(changes, lists, options)
    if problems:
        raise BlueprintError(problems)
    return tuple(_set_aside(change, lists, options) for change in changes)


def _set_aside(change: Change, lists: Lists, options: Options) -> Change:
    if change.entry not in lists.chosen:
        # It keeps its declared names, as in the whole plan.
        nothing = Step(Action.NONE, change.live, change.step.expected)
        return replace(change, step=nothing, origin=None, reason=NOT_SELECTED, problem=None)
    is_left = change.step.action is Action.INVITE and not options.invite
    return replace(change, reason=NOT_INVITED) if is_left else change


def _declared_twice(changes: Changes, lists: Lists) -> Iterator[tuple[Change, str]]:
    first: dict[object, Change] = {}
    for change in (change for change in changes if change.live and not change.problem):
        other = first.setdefault(change.live_key, change)
        if other is not change:
            yield from _clash(other, change, f"declares the same object ({described(change.live)}).", lists)


def _named_twice(changes: Changes, lists: Lists) -> Iterator[tuple[Change, str]]:
    """Two objects that would bear one name, or be invited twice. What only has to exist may keep an earlier name, and
    its entry still declares the other one.
    """
    bearers: dict[object, Change] = {}
    for change in changes:
        kind, name = change.kind, change.step.expected.get(change.kind.name_field)
        if not name or change.step.is_deletion or change.problem:
            continue
        declared = None if change.wanted.id else change.wanted.name
        for taken in dict.fromkeys((str(name), declared or str(name))):
            place = (kind.plural, identity_of(change.team), kind.form(taken))
            other = bearers.setdefault(place, change)
            if other is not change and other.live_key != (change.live_key or ()):
                yield from _clash(other, change, f"already has the {kind.name_field} {taken}.", lists)


def _clash(first: Change, second: Change, problem: str, lists: Lists) -> Iterator[tuple[Change, str]]:
    """What only one of two entries can have: a problem of the second, unless only the first is selected."""
    change, other = (second, first) if second.entry in lists.chosen else (first, second)
    yield change, f"{other.label} {problem}"


def _lacking(changes: Changes, lists: Lists) -> Iterator[tuple[Change, str]]:
    """What is selected, and needs what is not: it would be left half done."""
    by_key = {change.key: change for change in changes}
    for change in changes:
        is_wanted = change.entry in lists.chosen and not change.wanted.is_absent
        if is_wanted and change.entry and change.team and change.team.gone and not change.problem:
            yield change, f"team: {change.team.gone(change.entry.team)}"
    for change, needs in needs_of(changes):
        refs = [ref for ref in (*change.refs.values(), change.team) if ref and ref.key and ref.id is None]
        missing = {ref.key for ref in refs}
        for other in (by_key[key] for key in (*needs, *missing) if key in by_key):
            is_left = change.entry in lists.chosen and other.entry not in lists.chosen
            is_renamed = other.kind.name_field in other.step.changes  # or created
            if is_left and (other.key in missing or is_renamed):
                verb = "creates" if other.key in missing or other.step.action is Action.CREATE else "renames"
                yield (
                    change,
                    f"needs the {other.kind.singular} that {other.label} {verb}, which is not selected. Select it with"
                    " only, too.",
                )


def _selecting_nothing(changes: Changes, lists: Lists, options: Options) -> Iterator[str]:
    """Selectors of ``only`` by which a misspelled check would find nothing to check."""
    entries = [change.entry for change in changes if change.entry]
    for selector in options.only or ():
        if not any(is_selected_by(selector, entry, lists.names) for entry in entries) and not _may_prune(
            selector, lists, options
        ):
            yield f"{selector.label} selects no entry.{_near(selector, entries, lists)}"


def _may_prune(selector: Selector, lists: Lists, options: Options) -> bool:
    if selector.source is not None or not options.prune:
        return False
    teams = {lists.names.slug_of(name) for name in lists.scope_names}
    is_of_kind = selector.kinds is None or bool(selector.kinds & set(options.prune))
    return is_of_kind and (selector.team is None or any(selector.is_of_team(team) for team in teams))


def _near(selector: Selector, entries: Sequence[Entry], lists: Lists) -> str:
    known = {
        selector.team: [lists.names.slug_of_entry(entry) for entry in entries],
        selector.name: [entry.name for entry in entries],
        selector.source: [entry.file for entry in entries],
    }
    return next(filter(None, (did_you_mean(value, words) for value, words in known.items() if value)), "")


def unknown_teams(lists: Lists, options: Options, entries: Collection[Entry]) -> Iterator[str]:
    """Warnings about selectors of ``ignore`` and ``protect`` whose team is neither declared nor listed."""
    slugs = {str(team[SCOPE.name_field]): None for team in lists.teams}
    slugs |= {lists.names.slug_of_entry(entry): None for entry in entries}
    slugs |= {name: None for entry in entries if entry.kind is SCOPE for name in (entry.name, *entry.wanted.previously)}
    for selector in (*options.ignore, *options.protect):
        if selector.team and slugs and not any(selector.is_of_team(slug) for slug in slugs):
            near = did_you_mean(selector.team, slugs)
            yield f"{selector.label}: its team {selector.team} is neither declared nor listed.{near}"
