# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 2, match: each entry's object, and the step that brings it into the desired state."""

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
from ..change import TEAM_KIND, Change, Changes, Reference
from .read import Snapshot, reference_fields_to
from .references import ReferenceIndex, index_references, reference_to, resolve_reference

Problems = dict[Entry, PlatformError]
Resources = Mapping[Entry, Resource]
Lives = dict[Entry, "Values | None"]


def match(entries: Collection[Entry], snapshot: Snapshot) -> tuple[Changes, Snapshot]:
    """Find each entry's live object and plan its step, one kind after another because references point to earlier
    kinds. Returns the changes, and the lists as if all moves were done.
    """
    changes: Changes = ()
    for kind in KINDS.values():
        changes += _match_kind(kind, [entry for entry in entries if entry.kind is kind], changes, snapshot)
        snapshot = apply_moves(snapshot, changes)
        if kind is TEAM_KIND:
            declared = {str(scope.identity): scope for scope in (reference_to(change).scope for change in changes)}
            snapshot = dataclasses.replace(snapshot, declared_teams=declared)
    return changes, snapshot


def _match_kind(kind: type[Resource], entries: Sequence[Entry], changes: Changes, snapshot: Snapshot) -> Changes:
    """The changes of one kind's entries, in their order. An entry with a problem gets it as ``planning_error``."""
    teams = index_references(TEAM_KIND, OWN_SCOPE, changes, snapshot) if kind.is_in_team else {}
    problems: Problems = {}
    groups: dict[object, tuple[Scope, list[Entry]]] = {}
    for entry in entries:
        with _collect_problem(entry, problems):
            scope = _scope_of(entry, teams, snapshot)
            groups.setdefault(scope.identity, (scope, []))[1].append(entry)
    planned = {
        change.entry: change
        for scope, group in groups.values()
        for change in _match_group(kind, scope, group, changes, snapshot, teams, problems)
    }
    return tuple(planned.get(entry) or _unplanned(entry, OWN_SCOPE, problems.get(entry)) for entry in entries)


@contextlib.contextmanager
def _collect_problem(entry: Entry, problems: Problems) -> Iterator[None]:
    """A block that ends at a problem of an entry."""
    try:
        yield
    except ApiError:
        raise
    except PlatformError as error:
        problems.setdefault(entry, error)


def _scope_of(entry: Entry, scopes: ReferenceIndex, snapshot: Snapshot) -> Scope:
    """The scope of an entry; a team that the plan deletes only if the entry is to be absent, or is not selected."""
    if not entry.kind.is_in_team or not entry.team:
        return OWN_SCOPE
    is_lenient = entry.team in scopes and (entry.desired.is_absent or entry not in snapshot.selected)
    team = resolve_reference(TEAM_KIND.singular, entry.team, scopes, OWN_SCOPE, is_lenient)
    return team.scope if team else OWN_SCOPE


def _unplanned(entry: Entry, scope: Scope, problem: PlatformError | None = None) -> Change:
    return Change(entry.kind, entry.key, entry.desired, plan_nothing(None), scope, entry, planning_error=problem)


def _match_group(
    kind: type[Resource],
    scope: Scope,
    entries: Sequence[Entry],
    changes: Changes,
    snapshot: Snapshot,
    teams: ReferenceIndex,
    problems: Problems,
) -> Iterator[Change]:
    """The changes of the entries of one kind in one scope. Of unselected ones, as far as lists were read."""
    indexes = {option: index_references(other, scope, changes, snapshot) for option, other in kind.references.items()}
    is_read = scope.is_planned or snapshot.has_list(kind, scope)
    references: dict[Entry, dict[str, Reference]] = {}
    resources: dict[Entry, Resource] = {}
    for entry in entries if is_read else filter(snapshot.selected.__contains__, entries):
        with _collect_problem(entry, problems):
            references[entry] = _resolve_references(entry, scope, indexes)
            records = {option: reference.record for option, reference in references[entry].items()}
            resources[entry] = kind(entry.desired, snapshot.platform, scope, records)
    lives = _find_live_records(resources, snapshot.list_of(kind, scope), problems)
    for entry in entries:
        change: Change | None = None
        with _collect_problem(entry, problems):
            if entry in lives:
                step, origin = _plan_entry(entry, resources[entry], lives[entry], scope, teams, snapshot)
                is_own = kind.is_in_team and scope.team is None and step.live
                owner = snapshot.owner_of(kind, step.live) if is_own else None
                owner = owner if owner and owner.team else None
                change = Change(kind, entry.key, entry.desired, step, scope, entry, references[entry], origin, owner)
        yield change or _unplanned(entry, scope, problems.get(entry))


def _resolve_references(entry: Entry, scope: Scope, indexes: Mapping[str, ReferenceIndex]) -> dict[str, Reference]:
    """What the entry's options name. One to be absent may name what is to be absent, too, or never existed."""
    resolved = {}
    for option, index in indexes.items():
        name = entry.desired.options.get(option)
        reference = None if name is None else resolve_reference(option, name, index, scope, entry.desired.is_absent)
        if reference is not None:
            resolved[option] = reference
    return resolved


def _plan_entry(
    entry: Entry, resource: Resource, live: Values | None, scope: Scope, teams: ReferenceIndex, snapshot: Snapshot
) -> tuple[Step, Scope | None]:
    """The step, and the scope that the object moves from."""
    name = entry.desired.previous_team
    previous = (
        resolve_reference("previous_team", name, teams, OWN_SCOPE, is_lenient=True) if name and live is None else None
    )
    if previous is not None and previous.id_or_key != scope.identity:
        live_elsewhere = resource.find_in_previous_team(snapshot.list_of(entry.kind, previous.scope))
        if live_elsewhere is not None:
            return resource.plan_move(live_elsewhere, previous.scope), previous.scope
    return resource.plan_for(live), None


def _find_live_records(resources: Resources, records: Listing, problems: Problems) -> Lives:
    """Map each entry to its live record, or to None. Entries with a problem are added to ``problems`` instead.

    Entries with earlier names are matched together: where ``a`` becomes ``b`` while ``b`` becomes ``c``, the second
    entry means the object ``b``.
    """
    own: Lives = {}
    previous: dict[Entry, list[Values]] = {}
    for entry, resource in resources.items():
        with _collect_problem(entry, problems):
            own[entry] = resource.find_by_name(records)
            previous[entry] = resource.find_by_previous_names(records)
    lives = {entry: own[entry] for entry in previous}
    with_previous = {entry: candidates for entry, candidates in previous.items() if candidates}
    _assign_previous_names(resources, records, lives, with_previous, problems)
    declared = {str(live["id"]) for live in (*own.values(), *lives.values()) if live is not None}
    for entry, candidates in with_previous.items():
        current, others = own[entry], [record for record in candidates if str(record["id"]) not in declared]
        # Two live objects match the entry: one by name, one by previous name.
        if others and current is not None and lives.get(entry) is current:
            del lives[entry]
            problems[entry] = PlatformError(resources[entry].describe_ambiguous_rename([current, *others]))
    return lives


def _assign_previous_names(
    resources: Resources,
    records: Listing,
    lives: Lives,
    with_previous: Mapping[Entry, list[Values]],
    problems: Problems,
) -> None:
    """For entries whose current name does not exist, use the object with a previous name. Another entry may lose that
    object, and is matched again.
    """
    entry_of_name = {entry.desired.name: entry for entry in lives if not entry.desired.id}
    to_match = [entry for entry in with_previous if lives[entry] is None]
    for entry in to_match:  # grows: an entry that loses its object is matched again
        resource, live = resources[entry], with_previous[entry][0]
        del lives[entry]
        with _collect_problem(entry, problems):
            if len(with_previous[entry]) > 1:
                raise PlatformError(resource.describe_ambiguous_rename(with_previous[entry]))
            other = entry_of_name.get(live[resource.name_field])
            if other is not None and other not in with_previous:
                raise PlatformError(
                    f"previously: {other.name} exists and {entry.desired.name} does not, and {other.label} declares"
                    f" {other.name} too. Remove it from previously, or give {other.label} another name."
                )
            if other is not None and lives.get(other) is live:
                lives[other] = None
                to_match.append(other)
            lives[entry] = resource.check_addressable(live, records)


def apply_moves(snapshot: Snapshot, changes: Changes) -> Snapshot:
    """The lists as they are once objects have moved, with all that refers to them. What is not selected stays."""
    moves = [change for change in changes if change.moved_from]
    lists, moved_keys = dict(snapshot.lists), dict(snapshot.moved_keys)
    for change in moves:
        reference_fields = {change.kind.plural: "id", **reference_fields_to(change.kind)}
        for kind, field in reference_fields.items():
            source = list_key(KINDS[kind], change.moved_from or OWN_SCOPE)
            moved = lists[source].where(field, change.live["id"]) if source in lists else []
            if moved and change.entry in snapshot.selected:
                _move(moved, source, list_key(KINDS[kind], change.scope), lists, change)
            if change.moved_from and kind != change.kind.plural:
                moved_keys |= {(kind, str(record["id"])): change.moved_from for record in moved}
    return dataclasses.replace(snapshot, lists=lists, moved_keys=moved_keys) if moves else snapshot


def _move(
    moved: Sequence[Values], source: ListKey, target: ListKey, lists: dict[ListKey, Listing], change: Change
) -> None:
    moved_ids = {id(record) for record in moved}
    lists[source] = Listing(record for record in lists[source] if id(record) not in moved_ids)
    lists[target] = Listing(
        [*lists.get(target, ()), *({**record, "team_id": change.scope.team_id} for record in moved)]
    )
