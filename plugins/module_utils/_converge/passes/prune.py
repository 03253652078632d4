# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 4, prune: what exists and nobody declares is deleted where that is asked for, and reported elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from ..._errors import ApiError, PlatformError
from ..._model.fields import Values
from ..._model.kind import Kind, Wanted
from ..._model.kinds.registry import KINDS, prunable_kinds
from ..._model.platform import OWN_SCOPE, Scope
from ..._model.step import plan_nothing
from ..blueprint.options import Options
from ..blueprint.selectors import Selectors
from ..change import PROTECTED, SCOPE, Change, Changes, Object
from .order import name_key
from .read import Lists
from .references import directory, ref_to


def prune(changes: Changes, lists: Lists, options: Options) -> Changes:
    """Add a deletion of each undeclared object in the teams of the run, or a skip if ``protect`` keeps it. The own
    scope is never pruned, because nobody can tell whose everything in it is.
    """
    kinds = [kind for kind in prunable_kinds() if kind.plural in options.prune]
    found = undeclared(changes, kinds, lists, options) if kinds else ()
    return (*changes, *(_removal(thing, lists, options) for thing in found if thing.scope.team))


def _removal(thing: Object, lists: Lists, options: Options) -> Change:
    kind, scope = KINDS[thing.kind.plural], thing.scope
    wanted = Wanted({"state": "absent", "id": thing.item["id"]}, {}, thing.name)
    change = Change(kind, thing.key, wanted, plan_nothing(thing.item), scope)
    resource = kind(wanted, lists.platform, scope)
    try:
        step = resource.plan_for(resource.addressable(thing.item, lists.of(kind, scope)))
    except ApiError:
        raise
    except PlatformError as error:
        return replace(change, problem=error)
    return replace(change, step=step, reason=PROTECTED if covers(options.protect, thing) else None)


def undeclared(changes: Changes, kinds: Collection[type[Kind]], lists: Lists, options: Options) -> tuple[Object, ...]:
    """All objects of these kinds that the run's scopes hold and no entry declares, by itself or as another's field."""
    known = declared_marks(changes, lists)

    def is_undeclared(thing: Object) -> bool:
        return known.isdisjoint(marks_of(thing)) and is_meant(thing, options)

    found = {
        thing.key: thing
        for scope in scopes_of(changes, lists, options)
        for kind in kinds
        if kind.is_in_team
        for item in lists.of(kind, scope)
        if is_undeclared(thing := Object(kind, item, scope)) and lists.belongs_to(thing)
    }
    if SCOPE in kinds:
        found |= {thing.key: thing for item in lists.teams if is_undeclared(thing := Object(SCOPE, item))}
    return tuple(found.values())


def scopes_of(changes: Changes, lists: Lists, options: Options) -> list[Scope]:
    """The scopes of the run: those that entries and the task name, and each team that is declared to exist."""
    scopes = [change.scope for change in changes if change.entry and change.kind.is_in_team]
    teams = [ref_to(change) for change in changes if change.kind is SCOPE]
    if options.team:
        teams += directory(SCOPE, OWN_SCOPE, changes, lists).get(options.team, [])
    elif options.team is not None:
        scopes.append(OWN_SCOPE)
    scopes += [team.scope for team in teams]
    unusable = {team.identity for team in teams if team.gone}
    return list({scope.identity: scope for scope in scopes if scope.identity not in unusable}.values())


def declared_marks(changes: Changes, lists: Lists) -> set[object]:
    """The marks of what entries declare, by themselves or as another's field, and of what moves with it."""
    return {change.live_key for change in changes} | lists.moving.keys() | _names(changes) | _fields(changes, lists)


def marks_of(thing: Object) -> Iterator[object]:
    """All by which an object may be declared: its id, its name, and as a field of what it refers to."""
    kind = thing.kind
    yield thing.key
    yield (kind.plural, thing.scope.identity, kind.form(thing.name))
    yield from (
        ("field", name_key(kind.plural, OWN_SCOPE, thing.name), str(thing.item[f"{option}_id"]))
        for option in kind.references
    )


def _names(changes: Changes) -> set[object]:
    """The names that entries declare; those of one with an id only where nothing was read for it."""
    return {
        (change.kind.plural, change.scope.identity, change.kind.form(name))
        for change in changes
        if change.entry
        for name in (change.wanted.name, *change.wanted.previously)
        if name and not (change.live and name in change.wanted.previously)
    }


def _fields(changes: Changes, lists: Lists) -> set[object]:
    """The objects that are fields of others, as they are and as planned: a project's own alias."""
    owners: list[tuple[type[Kind], Iterable[Values]]] = [
        (KINDS[place.kind], items) for place, items in lists.places.items() if KINDS[place.kind].embeds
    ]
    owners += [(change.kind, [change.step.expected]) for change in changes if change.live and change.step.expected]
    return {
        ("field", name_key(plural, OWN_SCOPE, owner[field]), str(owner["id"]))
        for kind, items in owners
        for owner in items
        for field, plural in kind.embeds.items()
        if owner.get(field)
    }


def is_meant(thing: Object, options: Options) -> bool:
    is_selected = options.reaches(thing.kind, [thing.name], thing.team_names, thing.team_ids)
    return is_selected and not covers(options.ignore, thing)


def covers(selectors: Selectors, thing: Object) -> bool:
    """True if a selector matches an object by its name, in the team to which it belongs or in its entry's. Every slug
    of a team counts, also an earlier one: else what was protected before a rename would be deleted after it.
    """
    return selectors.match(thing.kind, [thing.name], thing.team_names, thing.team_ids)
