# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 2, match: each entry's object, and the step that brings it into the wanted state."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence

from ..._errors import ApiError, PlatformError
from ..._model.fields import Values
from ..._model.kinds.registry import KINDS
from ..._model.listing import Listing, ListKey
from ..._model.platform import OWN_SCOPE, Scope, list_key
from ..._model.resource import Resource
from ..._model.step import Step, plan_nothing
from ..blueprint.entries import Entry
from ..change import SCOPE, Change, Changes, Ref
from .read import Lists, referring_to
from .references import Directory, directory, ref_to, resolve

Problems = dict[Entry, PlatformError]
Resources = Mapping[Entry, Resource]
Lives = dict[Entry, "Values | None"]


def match(entries: Collection[Entry], lists: Lists) -> tuple[Changes, Lists]:
    """Kind by kind, as later ones refer to earlier ones. The lists that come back show what moves where it goes."""
    changes: Changes = ()
    for kind in KINDS.values():
        changes += _match_kind(kind, [entry for entry in entries if entry.kind is kind], changes, lists)
        lists = follow(lists, changes)
        if kind.is_scope:
            declared = {str(scope.identity): scope for scope in (ref_to(change).scope for change in changes)}
            lists = dataclasses.replace(lists, declared_teams=declared)
    return changes, lists


def _match_kind(kind: type[Resource], entries: Sequence[Entry], changes: Changes, lists: Lists) -> Changes:
    scopes = directory(SCOPE, OWN_SCOPE, changes, lists) if kind.is_in_team else {}
    problems: Problems = {}
    groups: dict[object, tuple[Scope, list[Entry]]] = {}
    for entry in entries:
        with _problem_of(entry, problems):
            scope = _scope_of(entry, scopes)
            groups.setdefault(scope.identity, (scope, []))[1].append(entry)
    found = {
        change.entry: change
        for scope, group in groups.values()
        for change in _match_group(kind, scope, group, changes, lists, scopes, problems)
    }
    return tuple(found.get(entry) or _unplanned(entry, OWN_SCOPE, problems.get(entry)) for entry in entries)


@contextlib.contextmanager
def _problem_of(entry: Entry, problems: Problems) -> Iterator[None]:
    """A block that ends at a problem of an entry."""
    try:
        yield
    except ApiError:
        raise
    except PlatformError as error:
        problems.setdefault(entry, error)


def _scope_of(entry: Entry, scopes: Directory) -> Scope:
    """The scope of an entry; also a team that the plan deletes, which pass 3 reports for selected entries."""
    if not entry.kind.is_in_team or not entry.team:
        return OWN_SCOPE
    team = resolve(SCOPE.singular, entry.team, scopes, OWN_SCOPE, is_lenient=entry.team in scopes)
    return team.scope if team else OWN_SCOPE


def _unplanned(entry: Entry, scope: Scope, problem: PlatformError | None = None) -> Change:
    return Change(entry.kind, entry.place, entry.wanted, plan_nothing(None), scope, entry, problem=problem)


def _match_group(
    kind: type[Resource],
    scope: Scope,
    entries: Sequence[Entry],
    changes: Changes,
    lists: Lists,
    scopes: Directory,
    problems: Problems,
) -> Iterator[Change]:
    """The changes of the entries of one kind in one scope. Of unselected ones, as far as lists were read."""
    references = {option: directory(other, scope, changes, lists) for option, other in kind.references.items()}
    is_read = lists.has(kind, scope)
    refs: dict[Entry, dict[str, Ref]] = {}
    resources: dict[Entry, Resource] = {}
    for entry in (entry for entry in entries if is_read or entry in lists.chosen):
        with _problem_of(entry, problems):
            refs[entry] = _referred(entry, scope, references)
            referred = {option: ref.item for option, ref in refs[entry].items()}
            resources[entry] = kind(entry.wanted, lists.platform, scope, referred)
    lives = _lives_of(resources, lists.of(kind, scope), problems)
    for entry in entries:
        change: Change | None = None
        with _problem_of(entry, problems):
            if entry in lives:
                step, origin = _step_of(entry, resources[entry], lives[entry], scope, scopes, lists)
                is_own = kind.is_in_team and scope.team is None and step.live
                owner = lists.owner_of(kind, step.live) if is_own else None
                owner = owner if owner and owner.team else None
                change = Change(kind, entry.place, entry.wanted, step, scope, entry, refs[entry], origin, owner)
        yield change or _unplanned(entry, scope, problems.get(entry))


def _referred(entry: Entry, scope: Scope, references: Mapping[str, Directory]) -> dict[str, Ref]:
    """What the entry's options name. One to be absent may name what is to be absent, too, or never existed."""
    found = {}
    for option, known in references.items():
        name = entry.wanted.options.get(option)
        ref = None if name is None else resolve(option, name, known, scope, entry.wanted.is_absent)
        if ref is not None:
            found[option] = ref
    return found


def _step_of(
    entry: Entry, resource: Resource, live: Values | None, scope: Scope, scopes: Directory, lists: Lists
) -> tuple[Step, Scope | None]:
    """The step, and the scope that the object moves from."""
    name = entry.wanted.previous_team
    previous = resolve("previous_team", name, scopes, OWN_SCOPE, is_lenient=True) if name and live is None else None
    if previous is not None and previous.identity != scope.identity:
        former = resource.former(lists.of(entry.kind, previous.scope))
        if former is not None:
            return resource.plan_move(former, previous.scope), previous.scope
    return resource.plan_for(live), None


def _lives_of(resources: Resources, items: Listing, problems: Problems) -> Lives:
    """The object of each entry, ``None`` if there is none; entries with a problem are left out.

    Entries with earlier names are matched together: where ``a`` becomes ``b`` while ``b`` becomes ``c``, the second
    entry means the object ``b``.
    """
    own: Lives = {}
    earlier: dict[Entry, list[Values]] = {}
    for entry, resource in resources.items():
        with _problem_of(entry, problems):
            own[entry] = resource.named(items)
            earlier[entry] = resource.named_before(items)
    lives = {entry: own[entry] for entry in earlier}
    renamed = {entry: found for entry, found in earlier.items() if found}
    _take_earlier(resources, items, lives, renamed, problems)
    declared = {str(live["id"]) for live in (*own.values(), *lives.values()) if live is not None}
    for entry, found in renamed.items():
        bearer, others = own[entry], [item for item in found if str(item["id"]) not in declared]
        # An object of an earlier name must be another entry's, or not exist.
        if others and bearer is not None and lives.get(entry) is bearer:
            del lives[entry]
            problems[entry] = PlatformError(resources[entry].both_exist([bearer, *others]))
    return lives


def _take_earlier(
    resources: Resources, items: Listing, lives: Lives, renamed: Mapping[Entry, list[Values]], problems: Problems
) -> None:
    """Give entries whose names nothing bears the objects of their earlier names, which others may lose by that."""
    entry_of_name = {entry.wanted.name: entry for entry in lives if not entry.wanted.id}
    taking = [entry for entry in renamed if lives[entry] is None]
    for entry in taking:  # to which those are added that lose their objects to them
        resource, live = resources[entry], renamed[entry][0]
        del lives[entry]
        with _problem_of(entry, problems):
            if len(renamed[entry]) > 1:
                raise PlatformError(resource.both_exist(renamed[entry]))
            loser = entry_of_name.get(live[resource.name_field])
            if loser is not None and loser not in renamed:
                raise PlatformError(
                    f"previously: {loser.name} exists and {entry.wanted.name} does not, and {loser.label} declares"
                    f" {loser.name} too. Remove it from previously, or give {loser.label} another name."
                )
            if loser is not None and lives.get(loser) is live:
                lives[loser] = None
                taking.append(loser)
            lives[entry] = resource.addressable(live, items)


def follow(lists: Lists, changes: Changes) -> Lists:
    """The lists as they are once objects have moved, with all that refers to them."""
    moves = [change for change in changes if change.origin and change.entry in lists.chosen]
    places, moving = dict(lists.places), dict(lists.moving)
    for change in moves:
        refs = {change.kind.plural: "id", **referring_to(change.kind)}
        for kind, field in refs.items():
            here = list_key(KINDS[kind], change.origin or OWN_SCOPE)
            gone = places[here].where(field, change.live["id"]) if here in places else []
            if gone:
                _move(gone, here, list_key(KINDS[kind], change.scope), places, change)
            if change.origin and kind != change.kind.plural:
                moving |= {(kind, str(item["id"])): change.origin for item in gone}
    return dataclasses.replace(lists, places=places, moving=moving) if moves else lists


def _move(
    gone: Sequence[Values], here: ListKey, there: ListKey, places: dict[ListKey, Listing], change: Change
) -> None:
    left = {id(item) for item in gone}
    places[here] = Listing(item for item in places[here] if id(item) not in left)
    places[there] = Listing([*places.get(there, ()), *({**item, "team_id": change.scope.team_id} for item in gone)])
