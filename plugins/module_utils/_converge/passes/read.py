# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 2, read: every list that the entries, prune and the report need, each once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..._errors import ApiError
from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS, prunable_kinds
from ..._model.listing import Listing, ListKey
from ..._model.platform import Platform, Scope, list_key, named_team
from ..._threads import InterruptiblePool
from ..blueprint.entries import Entry
from ..blueprint.options import BlueprintOptions
from ..blueprint.reading import Blueprint
from ..plan.cascades import kinds_in_cascade
from ..plan.change import Changes
from ..plan.names import embedded_objects
from ..plan.objects import TEAM_KIND, UNKNOWN, LiveObject, scope_named
from ..plan.snapshot import Snapshot
from ..plan.teams import ResolvedTeams, Teams, unique_scopes

# Where an object is that names no team: the own scope, perhaps of somebody else.
UNPROVEN = scope_named(UNKNOWN)
# A list to read, of a kind in a scope.
ListToRead = tuple[type[Kind], Scope]
# An object that entries want in a scope whose list may lack it: its kind and name.
WantedObject = tuple[type[Kind], str, Scope]


def read_snapshot(
    blueprint: Blueprint, resolved: ResolvedTeams, platform: Platform, options: BlueprintOptions
) -> Snapshot:
    """Raises ApiError for a list that cannot be read, unless only the report of undeclared objects needs it."""
    teams = resolved.teams
    scopes = scopes_of_run(blueprint, teams, options)
    reader = _Reader(blueprint, teams, scopes, options)
    required = _unique_lists(reader.required_lists(resolved.selected))
    reported = _unique_lists(reader.reported_lists())
    lists = _read_lists({**reported, **required}, required.keys(), platform)
    elsewhere = _find_unlisted(resolved.selected, lists, teams, platform)
    return Snapshot(
        platform,
        teams,
        resolved.listed,
        lists,
        tuple(scopes),
        blueprint.kinds,
        resolved.selected,
        resolved.problems,
        unreadable=[key for key in reported if key not in lists],
        elsewhere=elsewhere,
    )


def scopes_of_run(blueprint: Blueprint, teams: Teams, options: BlueprintOptions) -> list[Scope]:
    """The scopes that entries name, those of present teams, and those that the task and the files of the blueprint
    name. The last two count even where an entry wants the team absent.
    """
    named = [teams.named(entry.team) for entry in blueprint.entries if entry.kind.is_in_team]
    scopes = [scope for scope in named if not teams.is_absent(scope)]
    scopes += teams.present
    if options.team is not None:
        scopes.append(teams.named(options.team))
    scopes += [teams.named(scope.team) for scope in blueprint.scopes]
    return unique_scopes(scopes)


def read_user_id(changes: Changes, platform: Platform) -> str:
    """The ID of the token's user if a step of the own scope is pending, else ``""``. Raises ApiError."""
    pending = (change for change in changes if change.is_pending and change.kind.is_in_team)
    is_own = any(change.scope.team is None for change in pending)
    return str(platform.api.get_user()["id"]) if is_own else ""


class _Reader:
    """Which lists a plan needs."""

    def __init__(self, blueprint: Blueprint, teams: Teams, scopes: Iterable[Scope], options: BlueprintOptions) -> None:
        self._teams = teams
        self._scopes = list(scopes)
        self._options = options
        self._named_kinds = [kind for kind in prunable_kinds() if kind.plural in blueprint.kinds]
        self._pruned_kinds = [kind for kind in self._named_kinds if kind.plural in options.prune]

    def required_lists(self, selected: Iterable[Entry]) -> Iterator[ListToRead]:
        """The lists without which there is no plan."""
        selected = list(selected)
        for entry in sorted(selected, key=lambda entry: entry.position):
            scope = self._teams.scope_of(entry)
            yield from ((kind, scope) for kind in _kinds_for(entry))
        yield from self._lists_for_pruning()
        yield from self._lists_for_cascades(selected)

    def reported_lists(self) -> Iterator[ListToRead]:
        """The lists of what the report calls undeclared."""
        for kind in self._named_kinds:
            for scope in self._scopes_that_may_hold(kind):
                yield from _with_references(kind, scope)

    def _lists_for_pruning(self) -> Iterator[ListToRead]:
        """The lists of the kinds to prune, and those that their references and cascades need."""
        for kind in self._pruned_kinds:
            for scope in self._scopes_that_may_hold(kind):
                if scope.team is None:
                    continue  # never pruned: nobody can tell whose all of it is
                yield from _with_references(kind, scope)
                yield from ((other, scope) for other in kinds_in_cascade(kind))

    def _lists_for_cascades(self, selected: Iterable[Entry]) -> Iterator[ListToRead]:
        """The lists of what the service removes wherever it is, in all scopes of the run: the aliases of a domain."""
        deleted = {entry.kind for entry in selected if entry.desired.is_absent}
        deleted.update(KINDS[kind.plural] for kind in self._pruned_kinds)
        for kind in list(deleted):
            deleted.update(KINDS[other.plural] for other in kinds_in_cascade(kind))
        removed: set[str] = set()
        for kind in deleted:
            removed.update(kind.documented_cascades)
        if not removed:
            return
        for scope in self._scopes_of_cascades(selected):
            for plural in sorted(removed):
                yield from _with_references(KINDS[plural], scope)

    def _scopes_of_cascades(self, selected: Iterable[Entry]) -> list[Scope]:
        """Every scope that a selected entry, a present team or the task names."""
        named = [self._teams.scope_of(entry) for entry in selected if _names_scope(entry)]
        if self._options.team is not None:
            named.append(self._teams.named(self._options.team))
        return unique_scopes(named)

    def _scopes_that_may_hold(self, kind: type[Kind]) -> Iterator[Scope]:
        """The scopes of the run in which objects of a kind may be selected."""
        for scope in self._scopes:
            if self._options.may_select_undeclared(kind, scope.slug, scope.ids):
                yield scope


def _names_scope(entry: Entry) -> bool:
    return entry.kind.is_in_team or not entry.desired.is_absent


def _kinds_for(entry: Entry) -> Iterator[type[Kind]]:
    """The kinds of what an entry is compared with, refers to and may delete with its object."""
    kind = entry.kind
    if kind.is_in_team and kind.is_listed:
        yield from (kind, *kind.references.values())
    for _field, other, _name in embedded_objects(kind, entry.desired.values):
        yield other
    if entry.desired.is_absent:
        yield from kinds_in_cascade(kind)


def _with_references(kind: type[Kind], scope: Scope) -> Iterator[ListToRead]:
    yield kind, scope
    yield from ((other, scope) for other in kind.references.values())


def _unique_lists(wanted: Iterable[ListToRead]) -> dict[ListKey, ListToRead]:
    """The lists that can be read: a team that does not exist has none, and that of teams is read already."""
    return {
        list_key(kind, scope): (kind, scope)
        for kind, scope in wanted
        if kind.is_in_team and kind.is_listed and not scope.is_planned
    }


def _read_lists(
    wanted: Mapping[ListKey, ListToRead], required: Iterable[ListKey], platform: Platform
) -> dict[ListKey, Listing]:
    required = set(required)

    def read(key: ListKey) -> Listing | None:
        try:
            return platform.listing(*wanted[key])
        except ApiError as error:
            if error.status != 403 or error.is_throttling or key in required:
                raise
            return None

    with InterruptiblePool(platform.workers) as pool:
        found = zip(wanted, pool.map(read, wanted))
        return {key: listing for key, listing in found if listing is not None}


def _find_unlisted(
    selected: Iterable[Entry], lists: dict[ListKey, Listing], teams: Teams, platform: Platform
) -> list[LiveObject]:
    """Ask by name for what entries would create, and whose names are unique on the platform: aliases.

    What turns out to be in the scope of its entry is added to the list of that; all else is returned.
    """
    wanted = _unlisted_names(selected, lists, teams)
    with InterruptiblePool(platform.workers) as pool:
        answers = pool.map(lambda wish: platform.find_anywhere(wish[0], wish[1]), wanted)
        found = [(wish, record) for wish, record in zip(wanted, answers) if record]
    elsewhere = []
    for (kind, _name, scope), record in found:
        referenced = _referenced_records(kind, record, lists, platform)
        owner = _owner_of_unlisted(kind, record, referenced, teams)
        if _is_in_scope(kind, owner, scope, referenced, lists):
            key = list_key(kind, scope)
            lists[key] = Listing([*lists.get(key, ()), record])
        else:
            elsewhere.append(LiveObject(kind, record, owner))
            elsewhere += [LiveObject(other, found, owner) for other, found in referenced.items()]
    return elsewhere


def _referenced_records(
    kind: type[Kind], record: Values, lists: Mapping[ListKey, Listing], platform: Platform
) -> dict[type[Kind], Values]:
    """What an object refers to, as far as a list or a GET shows it."""
    found: dict[type[Kind], Values] = {}
    for option, other in kind.references.items():
        referenced_id = record[f"{option}_id"]
        referenced = _listed_record(other, referenced_id, lists) or platform.get_or_none(other, referenced_id)
        if referenced:
            found[other] = referenced
    return found


def _listed_record(kind: type[Kind], record_id: object, lists: Mapping[ListKey, Listing]) -> Values | None:
    """The record of this ID that any list shows."""
    for key, listing in lists.items():
        if key.kind == kind.plural:
            for record in listing.where("id", record_id):
                return record
    return None


def _owner_of_unlisted(
    kind: type[Kind], record: Values, referenced: Mapping[type[Kind], Values], teams: Teams
) -> Scope:
    """The scope of an object that no list shows, as far as the answers tell."""

    def find(other: type[Kind], _record_id: object) -> list[Values]:
        return [referenced[other]] if other in referenced else []

    team_id = named_team(kind, record, find)
    if not team_id:
        return UNPROVEN
    known = teams.with_id(team_id)
    return known if known.team else Scope({"id": team_id, TEAM_KIND.name_field: team_id})


def _is_in_scope(
    kind: type[Kind],
    owner: Scope,
    scope: Scope,
    referenced: Mapping[type[Kind], Values],
    lists: Mapping[ListKey, Listing],
) -> bool:
    """True if the answers prove that an object is in the scope of its entry: by the team that it names, or because the
    scope's list shows what it refers to.
    """
    if owner.identity == scope.identity:
        return True
    for other in kind.references.values():
        listing = lists.get(list_key(other, scope), Listing())
        if other in referenced and listing.where("id", referenced[other]["id"]):
            return True
    return False


def _unlisted_names(selected: Iterable[Entry], lists: Mapping[ListKey, Listing], teams: Teams) -> list[WantedObject]:
    wanted: dict[tuple[str, str, object], WantedObject] = {}
    for entry in selected:
        if entry.desired.is_absent:
            continue
        scope = teams.scope_of(entry)
        for kind, name in _names_wanted_by(entry):
            key = (kind.plural, kind.normalize(name), scope.identity)
            if key not in wanted and not _is_listed(kind, name, scope, lists):
                wanted[key] = (kind, name, scope)
    return list(wanted.values())


def _names_wanted_by(entry: Entry) -> Iterator[tuple[type[Kind], str]]:
    """The names of an entry and of its fields that are objects, if the whole platform has them once."""
    if entry.desired.name and entry.kind.is_unique_on_platform:
        yield entry.kind, entry.desired.name
    for _field, kind, name in embedded_objects(entry.kind, entry.desired.values):
        yield kind, str(name)


def _is_listed(kind: type[Kind], name: str, scope: Scope, lists: Mapping[ListKey, Listing]) -> bool:
    """True if the scope's list shows the object, by itself or as the field of another one."""
    if lists.get(list_key(kind, scope), Listing()).where(kind.name_field, name, kind.normalize):
        return True
    for other in KINDS.values():
        for field, plural in other.embeds.items():
            records = lists.get(list_key(other, scope), Listing())
            if plural == kind.plural and records.where(field, name, kind.normalize):
                return True
    return False
