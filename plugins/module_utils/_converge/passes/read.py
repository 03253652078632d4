# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 2, read: every list that the entries, prune and the report need, each once."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping

from ..._errors import ApiError
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS, kinds_in_cascade, prunable_kinds
from ..._model.listing import Listing, ListKey
from ..._model.platform import Platform, list_key
from ..._model.scope import Scope
from ..._threads import InterruptiblePool
from ..blueprint.entries import Entry
from ..blueprint.options import BlueprintOptions
from ..blueprint.reading import Blueprint
from ..plan.change import Changes
from ..plan.names import embedded_objects
from ..plan.objects import ObjectKey
from ..plan.snapshot import Snapshot
from ..plan.teams import ResolvedTeams, Teams, unique_scopes

# A list to read, of a kind in a scope.
ListToRead = tuple[type[Kind], Scope]


def read_snapshot(
    blueprint: Blueprint, resolved: ResolvedTeams, platform: Platform, options: BlueprintOptions
) -> Snapshot:
    """Raises ApiError for a list that cannot be read, unless only the report of undeclared objects
    needs it.
    """
    teams = resolved.teams
    scopes = scopes_of_run(blueprint, teams, options)
    needed = _NeededLists(blueprint, teams, scopes, options)
    required = _unique_lists(needed.required_lists(resolved.selected))
    reported = _unique_lists(needed.reported_lists())
    lists = _read_lists({**reported, **required}, required.keys(), platform)
    snapshot = Snapshot(
        platform,
        teams,
        resolved.listed,
        lists,
        tuple(scopes),
        blueprint.kinds,
        resolved.selected,
        resolved.problems,
        unreadable=[key for key in reported if key not in lists],
    )
    return _add_unlisted(blueprint.entries, snapshot)


def scopes_of_run(blueprint: Blueprint, teams: Teams, options: BlueprintOptions) -> list[Scope]:
    """The scopes that entries name, those of present teams, and those that the task and the files
    of the blueprint name. The last two count even where an entry wants the team absent.
    """
    named = [teams.named(entry.team) for entry in blueprint.entries if entry.kind.is_in_team]
    scopes = [scope for scope in named if not teams.is_absent(scope)]
    scopes += teams.present
    if options.team is not None:
        scopes.append(teams.named(options.team))
    scopes += [teams.named(scope.team) for scope in blueprint.scopes]
    return unique_scopes(scopes)


def read_user_id(changes: Changes, platform: Platform) -> str:
    """The ID of the token's user if a step of the own scope is pending, else ``""``. Raises
    ApiError.
    """
    pending = (change for change in changes if change.is_pending and change.kind.is_in_team)
    is_own = any(change.scope.team is None for change in pending)
    return str(platform.api.get_user()["id"]) if is_own else ""


def _add_unlisted(entries: Iterable[Entry], snapshot: Snapshot) -> Snapshot:
    """The snapshot with each object of a team to which a selected entry refers, which no entry
    declares and no list shows, and which a GET shows: the list may be late.
    """
    lists = dict(snapshot.lists)
    unlisted: set[ObjectKey] = set()
    for kind, scope, name in dict.fromkeys(_undeclared_names(entries, snapshot)):
        listed = snapshot.listing(kind, scope)
        if listed.where("id", name) or listed.where(kind.name_field, name, kind.normalize):
            continue
        record = snapshot.platform.find_unlisted(kind, scope, name)
        if record:
            key = list_key(kind, scope)
            lists[key] = Listing([*lists.get(key, ()), record])
            unlisted.add((kind.plural, str(record["id"])))
    return dataclasses.replace(snapshot, lists=lists, unlisted=unlisted)


def _undeclared_names(
    entries: Iterable[Entry], snapshot: Snapshot
) -> Iterator[tuple[type[Kind], Scope, str]]:
    """What the options of selected entries refer to and no entry declares, by an ID or a name."""
    scope_of = snapshot.teams.scope_of
    declared = {
        (entry.kind, scope_of(entry), entry.kind.normalize(entry.name)) for entry in entries
    }
    for entry in snapshot.selected:
        if entry.desired.is_absent:
            continue
        for option, kind in entry.kind.references.items():
            name = entry.desired.options[option]
            if (kind, scope_of(entry), kind.normalize(name)) not in declared:
                yield kind, scope_of(entry), name


class _NeededLists:
    """Which lists a plan needs."""

    def __init__(
        self, blueprint: Blueprint, teams: Teams, scopes: Iterable[Scope], options: BlueprintOptions
    ) -> None:
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
        """The lists of what the service removes wherever it is, in all scopes of the run: the
        aliases of a domain.
        """
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
    """The lists that can be read: a team that does not exist has none, and that of teams is read
    already.
    """
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
            return platform.whole_listing(*wanted[key])
        except ApiError as error:
            if error.status != 403 or error.is_throttling or key in required:
                raise
            return None

    with InterruptiblePool(platform.workers) as pool:
        found = zip(wanted, pool.map(read, wanted))
        return {key: listing for key, listing in found if listing is not None}
