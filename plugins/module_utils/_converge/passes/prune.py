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
from ..._model.step import plan_nothing
from ..blueprint.options import Options
from ..blueprint.selectors import Selectors
from ..change import PROTECTED, SCOPE, Change, Changes, Object, Ref, identity_of, scope_of
from .order import name_key
from .read import Lists
from .references import directory, ref_to


def prune(changes: Changes, lists: Lists, options: Options) -> Changes:
    """Adds a deletion for each; one that is left out for what ``protect`` keeps."""
    kinds = [kind for kind in prunable_kinds() if kind.plural in options.prune]
    found = undeclared(changes, kinds, lists, options) if kinds else ()
    return (*changes, *(_removal(thing, lists, options) for thing in found))


def _removal(thing: Object, lists: Lists, options: Options) -> Change:
    kind, scope = KINDS[thing.kind.plural], scope_of(thing.team)
    wanted = Wanted({"state": "absent", "id": thing.item["id"]}, {}, thing.name)
    change = Change(kind, thing.key, wanted, plan_nothing(thing.item), thing.team)
    resource = kind(wanted, lists.platform, scope)
    try:
        step = resource.plan_for(resource.addressable(thing.item, lists.of(kind, thing.team)))
    except ApiError:
        raise
    except PlatformError as error:
        return replace(change, problem=error)
    return replace(change, step=step, reason=PROTECTED if covers(options.protect, thing) else None)


def undeclared(changes: Changes, kinds: Collection[type[Kind]], lists: Lists, options: Options) -> tuple[Object, ...]:
    """All objects of these kinds that the run's scopes hold and no entry declares, by itself or as another's field."""
    known = declared_marks(changes, lists)
    found: dict[object, Object] = {}
    for team in scopes_of(changes, lists, options):
        for kind in (kind for kind in kinds if kind.is_in_team and not lists.spans(kind, team)):
            for item in lists.of(kind, team):
                thing = Object(kind, item, team)
                if known.isdisjoint(marks_of(thing)) and is_meant(thing, options):
                    found.setdefault(thing.key, thing)
    if SCOPE in kinds:
        things = (Object(SCOPE, item) for item in lists.teams)
        found |= {
            thing.key: thing for thing in things if known.isdisjoint(marks_of(thing)) and is_meant(thing, options)
        }
    return tuple(found.values())


def scopes_of(changes: Changes, lists: Lists, options: Options) -> list[Ref | None]:
    """The scopes of the run: those that entries and the task name, and each team that is declared to exist."""
    teams = [change.team for change in changes if change.entry and change.kind.is_in_team]
    teams += [ref_to(change) for change in changes if change.kind is SCOPE]
    if options.team is not None:
        known = directory(SCOPE, None, changes, lists).get(options.team, []) if options.team else [None]
        teams += known
    found = {identity_of(team): team for team in teams if team is None or not team.gone}
    # What the own list shows, too, counts in its team.
    return sorted(found.values(), key=lambda team: team is None)


def declared_marks(changes: Changes, lists: Lists) -> set[object]:
    """The marks of what entries declare, by themselves or as another's field, and of what moves with it."""
    return {change.live_key for change in changes} | lists.moving | _names(changes) | _fields(changes, lists)


def marks_of(thing: Object) -> Iterator[object]:
    """All by which an object may be declared: its id, its name, and as a field of what it refers to."""
    kind = thing.kind
    yield thing.key
    yield (kind.plural, identity_of(thing.team), kind.form(thing.name))
    yield from (
        ("field", name_key(kind.plural, None, thing.name), str(thing.item[f"{option}_id"]))
        for option in kind.references
    )


def _names(changes: Changes) -> set[object]:
    """The names that entries declare; those of one with an id only where nothing was read for it."""
    return {
        (change.kind.plural, identity_of(change.team), change.kind.form(name))
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
        ("field", name_key(plural, None, owner[field]), str(owner["id"]))
        for kind, items in owners
        for owner in items
        for field, plural in kind.embeds.items()
        if owner.get(field)
    }


def is_meant(thing: Object, options: Options) -> bool:
    slug = thing.name if thing.slug is None else thing.slug
    return options.reaches(thing.kind, [thing.name], [slug], _team_ids(thing)) and not covers(options.ignore, thing)


def covers(selectors: Selectors, thing: Object) -> bool:
    """Return whether selectors match an object, by its name and its team's id or any slug: also an earlier one, or what
    was protected before a rename would be deleted after it.
    """
    if not thing.kind.is_in_team:
        return selectors.match(thing.kind, [thing.name], [thing.name], _team_ids(thing))
    return selectors.match(thing.kind, [thing.name], thing.team.names if thing.team else [""], _team_ids(thing))


def _team_ids(thing: Object) -> list[str]:
    """The id of an object's team, of a team its own, if there is one."""
    team = thing.team.item if thing.team else {} if thing.kind.is_in_team else thing.item
    return [str(team["id"])] if team.get("id") else []
