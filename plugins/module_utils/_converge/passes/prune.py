# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 4, prune: what exists and nobody declares is deleted where that is asked for, and reported elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from ..._errors import ApiError, PlatformError
from ..._model.fields import Values
from ..._model.kind import Desired, Kind
from ..._model.kinds.registry import KINDS, prunable_kinds
from ..._model.platform import OWN_SCOPE, Scope
from ..._model.step import plan_nothing
from ..blueprint.options import BlueprintOptions
from ..blueprint.selectors import Selectors
from ..change import PROTECTED, TEAM_KIND, Change, Changes, LiveObject
from .order import name_key
from .read import Snapshot
from .references import index_references, reference_to


def add_prunes(changes: Changes, snapshot: Snapshot, options: BlueprintOptions) -> Changes:
    """Add a deletion of each undeclared object in the teams of the run, or a skip if ``protect`` keeps it. The own
    scope is never pruned, because nobody can tell whose everything in it is.
    """
    kinds = [kind for kind in prunable_kinds() if kind.plural in options.prune]
    found = find_undeclared(changes, kinds, snapshot, options) if kinds else ()
    return (*changes, *(_prune_change(obj, snapshot, options) for obj in found if obj.scope.team))


def _prune_change(obj: LiveObject, snapshot: Snapshot, options: BlueprintOptions) -> Change:
    """The deletion of an undeclared object, skipped if it is protected. Raises ApiError."""
    kind, scope = KINDS[obj.kind.plural], obj.scope
    desired = Desired({"state": "absent", "id": obj.record["id"]}, {}, obj.name)
    change = Change(kind, obj.key, desired, plan_nothing(obj.record), scope)
    resource = kind(desired, snapshot.platform, scope)
    try:
        step = resource.plan_for(resource.check_addressable(obj.record, snapshot.list_of(kind, scope)))
    except ApiError:
        raise
    except PlatformError as error:
        return replace(change, planning_error=error)
    return replace(change, step=step, skip_reason=PROTECTED if is_matched_by(options.protect, obj) else None)


def find_undeclared(
    changes: Changes, kinds: Collection[type[Kind]], snapshot: Snapshot, options: BlueprintOptions
) -> tuple[LiveObject, ...]:
    """All objects of these kinds that the run's scopes hold and no entry declares, by itself or as another's field."""
    declared = declared_keys(changes, snapshot)
    scopes = scopes_of_run(changes, snapshot, options)
    lists = [(kind, scope, snapshot.list_of(kind, scope)) for scope in scopes for kind in kinds if kind.is_in_team]
    lists += [(TEAM_KIND, OWN_SCOPE, snapshot.teams)] if TEAM_KIND in kinds else []
    found = (LiveObject(kind, record, scope) for kind, scope, records in lists for record in records)
    found = (obj for obj in found if declared.isdisjoint(keys_of(obj)) and is_selected(obj, options))
    found = (obj for obj in found if not is_matched_by(options.ignore, obj))
    unique = {obj.key: obj for obj in found if obj.kind is TEAM_KIND or snapshot.belongs_to(obj)}
    return tuple(sorted(unique.values(), key=lambda obj: obj.sort_key))


def scopes_of_run(changes: Changes, snapshot: Snapshot, options: BlueprintOptions) -> list[Scope]:
    """The scopes of the run: those that entries and the task name, and each team that is declared to exist."""
    scopes = [change.scope for change in changes if change.entry and change.kind.is_in_team]
    teams = [reference_to(change) for change in changes if change.kind is TEAM_KIND]
    if options.team:
        teams += index_references(TEAM_KIND, OWN_SCOPE, changes, snapshot).get(options.team, [])
    elif options.team is not None:
        scopes.append(OWN_SCOPE)
    scopes += [team.scope for team in teams]
    unusable = {team.id_or_key for team in teams if team.unusable_reason}
    return list({scope.identity: scope for scope in scopes if scope.identity not in unusable}.values())


def declared_keys(changes: Changes, snapshot: Snapshot) -> set[object]:
    """The keys of the objects that entries declare, by themselves or as a field, and of those that move with them."""
    return (
        {change.live_key for change in changes}
        | snapshot.moved_keys.keys()
        | _declared_name_keys(changes)
        | _embedded_keys(changes, snapshot)
    )


def keys_of(obj: LiveObject) -> Iterator[object]:
    """Every key under which an entry may have declared the object: its ID, its name, or the field of a referenced
    object.
    """
    kind = obj.kind
    yield obj.key
    yield (kind.plural, obj.scope.identity, kind.normalize(obj.name))
    yield name_key(kind.plural, obj.scope, obj.name)
    yield from (
        ("field", name_key(kind.plural, OWN_SCOPE, obj.name), str(obj.record[f"{option}_id"]))
        for option in kind.references
    )


def _declared_name_keys(changes: Changes) -> set[object]:
    """The names that entries declare; those of one with an id only where nothing was read for it. One that is unique
    on the platform may be declared in another team, to which its object is to move.
    """
    return {
        name_key(change.kind.plural, change.scope, name)
        if change.is_declared
        else (change.kind.plural, change.scope.identity, change.kind.normalize(name))
        for change in changes
        if change.entry
        for name in (change.desired.name, *change.desired.previous_names)
        if name and not (change.live and name in change.desired.previous_names)
    }


def _embedded_keys(changes: Changes, snapshot: Snapshot) -> set[object]:
    """The objects that are fields of others, as they are and as planned: a project's own alias."""
    owners: list[tuple[type[Kind], Iterable[Values]]] = [
        (KINDS[key.kind], records) for key, records in snapshot.lists.items() if KINDS[key.kind].embeds
    ]
    owners += [(change.kind, [change.step.expected]) for change in changes if change.live and change.step.expected]
    return {
        ("field", name_key(plural, OWN_SCOPE, owner[field]), str(owner["id"]))
        for kind, records in owners
        for owner in records
        for field, plural in kind.embeds.items()
        if owner.get(field)
    }


def is_selected(obj: LiveObject, options: BlueprintOptions) -> bool:
    """True if ``only`` selects an object, whatever entries declare."""
    return options.only is None or is_matched_by(options.object_selectors, obj)


def is_matched_by(selectors: Selectors, obj: LiveObject) -> bool:
    """True if a selector matches an object by its name, in the team to which it belongs or in its entry's. Every slug
    of a team counts, also an earlier one: else what was protected before a rename would be deleted after it.
    """
    return bool(selectors) and any(
        selectors.match(obj.kind, [obj.name], scope.names, scope.ids) for scope in obj.scopes
    )
