# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 3, select: what is only declared is set aside; what cannot be planned ends the run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..._model.kind import fits
from ..._model.kinds.registry import KINDS
from ..._model.platform import described
from ..._model.step import Action, Step
from ..._text import closest, did_you_mean
from ..blueprint.entries import BlueprintError, Entry, said_once
from ..blueprint.options import Options
from ..blueprint.selectors import Selector, Selectors, is_exact
from ..change import NOT_INVITED, NOT_SELECTED, SCOPE, Change, Changes, ObjectKey
from .order import needs_of
from .prune import covers
from .read import Lists, Teams, home_of, is_known_to, is_selected_by
from .references import why_gone

WORD = re.compile(r"[^\W\d_]+|\d+")


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
    problems += [problem for problem, fails in _doubtful_selectors(changes, lists, options) if fails]
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
    """Two objects that would bear one name, or be invited twice."""
    bearers: dict[object, Change] = {}
    for change in changes:
        kind, name = change.kind, change.step.expected.get(change.kind.name_field)
        if name and not (change.step.is_deletion or change.problem):
            place = (kind.plural, change.scope.identity, kind.form(name))
            other = bearers.setdefault(place, change)
            if other is not change and other.live_key != (change.live_key or ()):
                yield from _clash(other, change, f"already has the {kind.name_field} {name}.", lists)


def _clash(first: Change, second: Change, problem: str, lists: Lists) -> Iterator[tuple[Change, str]]:
    """What only one of two entries can have: a problem of the second, unless only the first is selected."""
    change, other = (second, first) if second.entry in lists.chosen else (first, second)
    yield change, f"{other.label} {problem}"


def _lacking(changes: Changes, lists: Lists) -> Iterator[tuple[Change, str]]:
    """What is selected, and needs what is not: it would be left half done."""
    by_key = {change.key: change for change in changes}
    for change in changes:
        is_wanted = change.entry in lists.chosen and not change.wanted.is_absent
        if is_wanted and change.scope.key in by_key and not change.problem:
            gone = why_gone(by_key[change.scope.key])
            if gone and change.entry:
                yield change, f"team: {gone(change.entry.team)}"
    for change, needs in needs_of(changes):
        missing = {ref.key for ref in change.refs.values() if ref.key and ref.id is None}
        if change.scope.key and change.scope.is_planned:
            missing.add(change.scope.key)
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


def selector_warnings(changes: Changes, lists: Lists, options: Options) -> Iterator[str]:
    """Warnings about selectors that are probably misspelled, from the whole plan."""
    yield from (message for message, fails in _doubtful_selectors(changes, lists, options) if not fails)
    deleted = [change.existing for change in changes if change.is_deletion]
    deleted += [thing for change in changes for thing in change.along]
    entries = [change.entry for change in changes if change.entry]
    for selector in (selector for selector in options.protect if selector.name and deleted):
        any_name = Selectors([replace(selector, name=None)])
        near = closest(selector.name, [thing.name for thing in deleted if covers(any_name, thing)])
        is_known = near and any(is_known_to(selector, entry, lists.names) for entry in entries)
        if near and not is_known and not any(_matched_objects(selector, lists)):
            yield f"{selector.label} matches nothing, and {near} would be deleted. Correct the selector to protect it."


def _doubtful_selectors(changes: Changes, lists: Lists, options: Options) -> Iterator[tuple[str, bool]]:
    """A message for each selector that is probably misspelled, and whether that fails the task."""
    if options.only != ():  # where nothing is selected, no team was listed
        yield from _unmatched_selectors(changes, lists, options)
        yield from _selectors_of_unknown_teams(changes, lists, options)


def _unmatched_selectors(changes: Changes, lists: Lists, options: Options) -> Iterator[tuple[str, bool]]:
    """Those of ``only`` by which a misspelled check would find nothing to check. One for what prune deletes, or for the
    earlier name or team of an entry, need not match in each run.
    """
    entries = [change.entry for change in changes if change.entry]
    declared = {change.live_key for change in changes if change.entry and change.entry not in lists.chosen}
    for selector in options.only or ():
        if any(is_selected_by(selector, entry, lists.names) for entry in entries):
            continue
        known = [entry for entry in entries if is_known_to(selector, entry, lists.names)]
        may_match = bool(known) or _may_prune(selector, entries, lists.names, options)
        found = (key for key, team in _matched_objects(selector, lists) if team and key not in declared)
        if lists.chosen.isdisjoint(known) and not (may_match and any(found)):
            near = _near(selector, known, entries, lists, options)
            fails = not may_match or (options.finds_drift and is_exact(selector.name))
            yield f"{selector.label} matches nothing.{near}", fails


def _matched_objects(selector: Selector, lists: Lists) -> Iterator[tuple[ObjectKey, str]]:
    """The objects that a selector matches, each with the id of its team, ``""`` in the own scope; a team with its own.
    """
    if selector.source is None:
        for kind in KINDS.values():
            for item in lists.all_of(kind):
                team = str(item["id"] if kind is SCOPE else lists.owner_of(kind, item).team_id or "")
                slugs, ids = lists.names.slugs_of(team), lists.names.ids_of(team)
                if Selectors([selector]).match(kind, [item[kind.name_field]], slugs, ids):
                    yield (kind.plural, str(item["id"])), team


def _may_prune(selector: Selector, entries: Sequence[Entry], names: Teams, options: Options) -> bool:
    """Return whether a selector may match what prune deletes; it deletes nothing in the own scope."""
    if selector.source is not None or (selector.kinds or set(options.prune)).isdisjoint(options.prune):
        return False
    homes = _homes(entries, options)
    return any(selector.is_of_team(slug, names.ids_of(home)) for home in homes for slug in names.slugs_of(home))


def _near(selector: Selector, known: Sequence[Entry], entries: Sequence[Entry], lists: Lists, options: Options) -> str:
    """What a selector that matches nothing may mean: the first of its texts that matches nothing is wrong. ``known``:
    the entries of which it gives an earlier name or team.
    """
    for entry in known:
        slug = lists.names.slug_of_entry(entry)
        is_of_team = selector.is_of_team(slug, lists.names.ids_of(home_of(entry)))
        return f" Did you mean {entry.name if is_of_team else slug}?"
    names = [entry.name for entry in entries]
    if options.prune:
        names += [item[KINDS[place.kind].name_field] for place, items in lists.places.items() for item in items]
    slugs = [lists.names.slug_of_entry(entry) for entry in entries]
    texts = [(selector.team, slugs), (selector.name, names), (selector.source, [entry.file for entry in entries])]
    wrong = [(text, words) for text, words in texts if text and not any(fits(str(word), text) for word in words)]
    return next(filter(None, (did_you_mean(text, words) for text, words in wrong)), "")


def _selectors_of_unknown_teams(changes: Changes, lists: Lists, options: Options) -> Iterator[tuple[str, bool]]:
    """Those whose team is neither declared nor listed; settings may be shared by those who see different teams."""
    entries = [change.entry for change in changes if change.entry]
    known = {"", *lists.names.groups, *_homes(entries, options)}
    for selector in (*options.ignore, *options.protect, *options.replace):
        if not any(selector.is_of_team(name, known) for name in known):
            slugs = sorted(known.difference(str(team["id"]) for team in lists.teams))
            near = closest(selector.team, slugs)
            fails = is_exact(selector.team) and _is_misspelling(selector.team, near)
            hint = did_you_mean(selector.team, slugs)
            yield f"{selector.label} names a team that is neither declared nor listed.{hint}", fails


def _homes(entries: Iterable[Entry], options: Options) -> set[str]:
    """The teams, but not the own scope, that the task and its entries name, as they are or were."""
    homes = {options.team, *map(home_of, entries), *(entry.wanted.previous_team for entry in entries)}
    return {home for home in homes if home}


def _is_misspelling(text: object, slug: str) -> bool:
    """Return whether two slugs resemble each other word by word: ``acme-dev`` and ``acme-prod`` are two teams."""
    words, others = (WORD.findall(str(slug).lower()) for slug in (text, slug))
    return len(words) == len(others) and all(closest(word, [other]) for word, other in zip(words, others))
