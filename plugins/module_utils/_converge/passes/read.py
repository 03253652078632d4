# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 1, read: every list that the entries, prune and the report need, each once."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Collection, Iterable, Iterator, Mapping

from ..._errors import ApiError
from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS, listed_kinds, prunable_kinds
from ..._model.listing import Listing, ListKey
from ..._model.platform import OWN_SCOPE, Platform, Scope, list_key, named_team
from ..._threads import InterruptiblePool
from ..blueprint.entries import Entry
from ..blueprint.options import BlueprintOptions
from ..change import TEAM_KIND, Changes, LiveObject, ObjectKey
from .team_names import TeamNames, index_team_names, is_entry_selected, names_of, team_name_of

# The list of teams.
TEAMS = list_key(TEAM_KIND, OWN_SCOPE)


@dataclasses.dataclass(frozen=True, eq=False)
class Snapshot:
    """What the service shows: ``lists``, as entries see it; ``teams``, those that the caller lists; ``selected``: the
    entries that ``only`` selects; ``unreadable``: lists of undeclared objects that the service does not show;
    ``declared_teams``: as they are after the plan, by ID; ``moved_keys``: what moves with the objects that it refers
    to, and the scope that it leaves.
    """

    platform: Platform
    lists: Mapping[ListKey, Listing]
    teams: Listing
    team_names: TeamNames
    selected: frozenset[Entry]
    unreadable: Collection[ListKey] = ()
    declared_teams: Mapping[str, Scope] = dataclasses.field(default_factory=dict)
    moved_keys: Mapping[ObjectKey, Scope] = dataclasses.field(default_factory=dict)

    def list_of(self, kind: type[Kind], scope: Scope) -> Listing:
        """Empty also for what was not read, and for a team that does not exist yet."""
        return self.lists.get(list_key(kind, scope), Listing())

    def has_list(self, kind: type[Kind], scope: Scope) -> bool:
        return list_key(kind, scope) in self.lists

    def all_of(self, kind: type[Kind]) -> Listing:
        """The objects of a kind that any list shows, each once."""
        return self._all_by_kind[kind.plural]

    def owner_of(self, kind: type[Kind], record: Values) -> Scope:
        """The scope to which an object belongs, whichever lists show it.

        It is the team that the object names, and for an alias without one that of its project; for an object that moves
        with another, the team that it leaves. An ID that is none of the caller's teams is the own scope.
        """
        key = (kind.plural, str(record["id"]))
        if key in self.moved_keys:
            return self.moved_keys[key]
        named = named_team(kind, record, lambda other, id_: self.all_of(other).where("id", id_))
        return self.team(named or self._team_ids.get(key, ""))

    def belongs_to(self, obj: LiveObject) -> bool:
        """True if an object that the list of a scope shows belongs to that scope."""
        return self.owner_of(obj.kind, obj.record).identity == obj.scope.identity

    def team(self, team_id: str) -> Scope:
        """A team by its ID, as it is after the plan; the own scope if the caller has no team of this ID."""
        teams = self.lists[TEAMS].where("id", team_id)
        return self.declared_teams.get(team_id) or (Scope(teams[0]) if teams else OWN_SCOPE)

    @functools.cached_property
    def _all_by_kind(self) -> Mapping[str, Listing]:
        # A team's list counts for more.
        lists = sorted(self.lists.items(), key=lambda found: found[0].team_id is not None)
        return {
            kind: Listing(record for key, records in lists if key.kind == kind for record in records) for kind in KINDS
        }

    @functools.cached_property
    def _team_ids(self) -> Mapping[ObjectKey, str]:
        """The team whose list shows an object."""
        return {
            (key.kind, str(record["id"])): key.team_id
            for key, records in self.lists.items()
            if key.team_id is not None
            for record in records
        }


def read_snapshot(entries: Collection[Entry], platform: Platform, options: BlueprintOptions) -> Snapshot:
    """Raises ApiError for a list that cannot be read, unless only the report of undeclared objects needs it."""
    has_scopes = bool(entries) or options.team is not None
    may_select = has_scopes and (options.only is None or bool(options.only))
    listed = platform.listing(TEAM_KIND, OWN_SCOPE) if may_select else Listing()
    team_names = index_team_names(entries, listed)
    selected = [entry for entry in entries if is_entry_selected(entry, team_names, options)]
    teams = add_unlisted_teams(listed, selected, platform, options)
    team_names = index_team_names(entries, teams)
    required = dict.fromkeys(lists_for_entries(selected, team_names))
    required |= dict.fromkeys(lists_for_pruning(entries, team_names, options))
    required |= dict.fromkeys(lists_for_cascades(selected, team_names, options))
    scopes: dict[str | None, Scope] = {None: OWN_SCOPE, **{str(team["id"]): Scope(team) for team in teams}}

    def listing(key: ListKey) -> Listing | None:
        try:
            return platform.listing(KINDS[key.kind], scopes[key.team_id])
        except ApiError as error:
            if error.status != 403 or error.is_throttling or key in required:
                raise
            return None

    keys = [*dict.fromkeys((*required, *lists_for_undeclared(entries, team_names, options)))]
    with InterruptiblePool(platform.workers) as pool:
        read = dict(zip(keys, pool.map(listing, keys)))
    lists = {key: records for key, records in read.items() if records is not None}
    unreadable = [key for key in read if key not in lists]
    lists[TEAMS] = teams
    return Snapshot(platform, lists, listed, team_names, frozenset(selected), unreadable)


def read_user_id(changes: Changes, platform: Platform) -> str:
    """The ID of the token's user if a step of the own scope is pending, else ``""``. Raises ApiError."""
    is_own = any(change.is_pending and change.kind.is_in_team and change.scope.team is None for change in changes)
    return str(platform.api.get_user()["id"]) if is_own else ""


def add_unlisted_teams(
    listed: Listing, selected: Iterable[Entry], platform: Platform, options: BlueprintOptions
) -> Listing:
    """The listed teams, and those that entries mean and only a GET shows."""
    teams = listed
    declared: set[str] = set()
    for entry in selected:
        if entry.kind is TEAM_KIND:
            teams = entry.kind(entry.desired, platform, OWN_SCOPE).with_unlisted(teams)
            declared |= names_of(entry)
    names = {entry.team for entry in selected if entry.kind.is_in_team} | {options.team or ""}
    for name in sorted(names - declared - {""}):
        if not teams.where("id", name) and not teams.where(TEAM_KIND.name_field, name):
            record = platform.get_or_none(TEAM_KIND, name)
            teams = Listing([*teams, record]) if record else teams
    return teams


def lists_for_entries(selected: Iterable[Entry], names: TeamNames) -> Iterator[ListKey]:
    """The lists with which the selected entries are compared, to which they refer, and from which they move."""
    for entry in selected:
        kinds = list(_kinds_of(entry))
        yield from (ListKey(kind, team) for team in names.ids_of(team_name_of(entry)) for kind in kinds)
        previous = entry.desired.previous_team
        if previous:
            kinds = [entry.kind.plural, *reference_fields_to(entry.kind)]
            yield from (ListKey(kind, team) for team in names.ids_of(previous) for kind in kinds)


def _kinds_of(entry: Entry) -> Iterator[str]:
    """The kinds of what an entry is compared with, refers to and may delete with its object."""
    kind = entry.kind
    if kind.is_in_team and kind.is_listed:
        yield from (kind.plural, *(other.plural for other in kind.references.values()))
    yield from (other for field, other in kind.embeds.items() if field in entry.desired.values)
    if entry.desired.is_absent:
        yield from kinds_in_cascade(kind)


def lists_for_pruning(entries: Iterable[Entry], names: TeamNames, options: BlueprintOptions) -> Iterator[ListKey]:
    """The lists of the kinds to prune, and those that their references and cascades need."""
    for kind in _pruned_kinds(options):
        for team in scope_ids_for(kind, entries, names, options):
            if team is None:
                continue  # never pruned: nobody can tell whose all of it is
            yield ListKey(kind.plural, team)
            yield from (ListKey(other.plural, team) for other in kind.references.values())
            yield from (ListKey(other, team) for other in kinds_in_cascade(kind))


def lists_for_cascades(selected: Collection[Entry], names: TeamNames, options: BlueprintOptions) -> Iterator[ListKey]:
    """The lists of what the service removes wherever it is, in all scopes of the run: the aliases of a domain."""
    deleted = {entry.kind for entry in selected if entry.desired.is_absent} | set(_pruned_kinds(options))
    deleted |= {KINDS[plural_in_cascade] for kind in deleted for plural_in_cascade in kinds_in_cascade(kind)}
    for removed in dict.fromkeys(KINDS[plural] for kind in deleted for plural in kind.documented_cascades):
        for scope in scope_names(selected, options):
            for team in names.ids_of(scope):
                yield ListKey(removed.plural, team)
                yield from (ListKey(other.plural, team) for other in removed.references.values())


def _pruned_kinds(options: BlueprintOptions) -> list[type[Kind]]:
    return [kind for kind in prunable_kinds() if kind.plural in options.prune]


def lists_for_undeclared(entries: Iterable[Entry], names: TeamNames, options: BlueprintOptions) -> Iterator[ListKey]:
    """The lists of the kinds that entries declare, in all scopes of the run, and of what tells whether an object there
    is another's field.
    """
    declared = [kind for kind in prunable_kinds() if kind in {entry.kind for entry in entries}]
    for kind in declared:
        for team in scope_ids_for(kind, entries, names, options):
            yield ListKey(kind.plural, team)
            yield from (ListKey(other.plural, team) for other in kind.references.values())


def scope_names(entries: Iterable[Entry], options: BlueprintOptions) -> list[str]:
    """The names of the scopes of a run, sorted; ``""`` for the own scope."""
    scopes = {team_name_of(entry) for entry in entries if entry.kind.is_in_team or not entry.desired.is_absent}
    return sorted(scopes | (set() if options.team is None else {options.team}))


def scope_ids_for(
    kind: type[Kind], entries: Iterable[Entry], names: TeamNames, options: BlueprintOptions
) -> Iterator[str | None]:
    """The ids of the scopes of a run in which objects of a kind may be meant."""
    for scope in scope_names(entries, options):
        ids = names.ids_of(scope)
        if options.may_select_undeclared(kind, names.slug_of(scope), ids):
            yield from ids


def kinds_in_cascade(kind: type[Kind]) -> list[str]:
    """The kinds whose objects may be deleted with one of this kind."""
    return [other.plural for other in listed_kinds() if kind.plural in other.cascades_from]


def reference_fields_to(kind: type[Kind]) -> dict[str, str]:
    """The kinds that refer to this one, each with the field that holds its id."""
    return {
        other.plural: f"{option}_id"
        for other in KINDS.values()
        for option, referenced in other.references.items()
        if referenced is kind
    }
