# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 1, read: every list that the entries, prune and the report need, each once."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..._errors import ApiError
from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS, listed_kinds, prunable_kinds
from ..._model.listing import Listing, ListKey
from ..._model.platform import OWN_SCOPE, Platform, Scope, list_key, named_team
from ..._threads import Crew
from ..blueprint.entries import Entry
from ..blueprint.options import Options
from ..blueprint.selectors import Selector, Selectors
from ..change import SCOPE, Changes, Object, ObjectKey

# The list of teams.
TEAMS = list_key(SCOPE, OWN_SCOPE)


class Teams(NamedTuple):
    """What a name of a team means, before and after the plan: the ids of those that exist, the slug, and all names."""

    ids: Mapping[str, Sequence[str]]
    slugs: Mapping[str, str]
    groups: Mapping[str, frozenset[str]]

    def ids_of(self, name: str) -> Sequence[str | None]:
        return self.ids.get(name, ()) if name else (None,)

    def slug_of(self, name: str) -> str:
        return self.slugs.get(name, name)

    def slugs_of(self, name: str) -> frozenset[str]:
        """Every slug that the team has, had or gets."""
        return self.groups.get(name, frozenset()).difference(self.ids_of(name)) | {self.slug_of(name)}

    def slug_of_entry(self, entry: Entry) -> str:
        """The slug of an entry's team; a team's own."""
        return self.slug_of(home_of(entry))


@dataclasses.dataclass(frozen=True, eq=False)
class Lists:
    """What the service shows: ``places``, as entries see it; ``teams``, those that the caller lists; ``chosen``: the
    entries that ``only`` selects; ``forbidden``: lists of undeclared objects that the service does not show;
    ``declared_teams``: as they are after the plan, by ID; ``moving``: what moves with the objects that it refers to,
    and the scope that it leaves.
    """

    platform: Platform
    places: Mapping[ListKey, Listing]
    teams: Listing
    names: Teams
    chosen: frozenset[Entry]
    forbidden: Collection[ListKey] = ()
    declared_teams: Mapping[str, Scope] = dataclasses.field(default_factory=dict)
    moving: Mapping[ObjectKey, Scope] = dataclasses.field(default_factory=dict)

    def of(self, kind: type[Kind], scope: Scope) -> Listing:
        """Empty also for what was not read, and for a team that does not exist yet."""
        return self.places.get(list_key(kind, scope), Listing())

    def has(self, kind: type[Kind], scope: Scope) -> bool:
        return list_key(kind, scope) in self.places

    def all_of(self, kind: type[Kind]) -> Listing:
        """The objects of a kind that any list shows, each once."""
        return self._shown[kind.plural]

    def owner_of(self, kind: type[Kind], item: Values) -> Scope:
        """The scope to which an object belongs, whichever lists show it.

        It is the team that the object names, and for an alias without one that of its project; for an object that moves
        with another, the team that it leaves. An ID that is none of the caller's teams is the own scope.
        """
        key = (kind.plural, str(item["id"]))
        if key in self.moving:
            return self.moving[key]
        named = named_team(kind, item, lambda other, id_: self.all_of(other).where("id", id_))
        return self.team(named or self._teams_of.get(key, ""))

    def belongs_to(self, thing: Object) -> bool:
        """True if an object that the list of a scope shows belongs to that scope."""
        return self.owner_of(thing.kind, thing.item).identity == thing.scope.identity

    def team(self, team_id: str) -> Scope:
        """A team by its ID, as it is after the plan; the own scope if the caller has no team of this ID."""
        found = self.places[TEAMS].where("id", team_id)
        return self.declared_teams.get(team_id) or (Scope(found[0]) if found else OWN_SCOPE)

    @functools.cached_property
    def _shown(self) -> Mapping[str, Listing]:
        places = sorted(
            self.places.items(), key=lambda found: found[0].team_id is not None
        )  # a team's list counts for more
        return {
            kind: Listing(item for place, items in places if place.kind == kind for item in items) for kind in KINDS
        }

    @functools.cached_property
    def _teams_of(self) -> Mapping[ObjectKey, str]:
        """The team whose list shows an object."""
        return {
            (key.kind, str(item["id"])): key.team_id
            for key, items in self.places.items()
            if key.team_id is not None
            for item in items
        }


def read(entries: Collection[Entry], platform: Platform, options: Options) -> Lists:
    """Raises ApiError for a list that cannot be read, unless only the report of undeclared objects needs it."""
    may_select = options.only is None or bool(options.only)
    listed = platform.listing(SCOPE, OWN_SCOPE) if may_select else Listing()
    names = teams_of(entries, listed)
    chosen = frozenset(entry for entry in entries if is_chosen(entry, names, options))
    teams = with_shown(listed, chosen, platform, options)
    names = teams_of(entries, teams)
    required = dict.fromkeys(
        [
            *places_of_entries(chosen, names),
            *places_to_prune(entries, names, options),
            *places_of_cascades(chosen, names, options),
        ]
    )
    further = dict.fromkeys(places_to_report(entries, names, options))
    scopes: dict[str | None, Scope] = {str(team["id"]): Scope(team) for team in teams}
    scopes[None] = OWN_SCOPE

    def listing(place: ListKey) -> Listing | None:
        try:
            return platform.listing(KINDS[place.kind], scopes[place.team_id])
        except ApiError as error:
            if error.status != 403 or place in required:
                raise
            return None

    wanted = [*required, *(place for place in further if place not in required)]
    with Crew(platform.workers) as crew:
        found = dict(zip(wanted, crew.map(listing, wanted)))
    places = {place: items for place, items in found.items() if items is not None}
    forbidden = [place for place in found if place not in places]
    places[TEAMS] = teams
    return Lists(platform, places, listed, names, chosen, forbidden)


def read_user(changes: Changes, platform: Platform) -> str:
    """The ID of the token's user if a step of the own scope is pending, else ``""``. Raises ApiError."""
    is_own = any(change.is_pending and change.kind.is_in_team and change.scope.team is None for change in changes)
    return str(platform.api.get_user()["id"]) if is_own else ""


def with_shown(listed: Listing, chosen: Iterable[Entry], platform: Platform, options: Options) -> Listing:
    """The listed teams, and those that entries mean and only a GET shows."""
    teams = listed
    declared: set[str] = set()
    for entry in chosen:
        if entry.kind is SCOPE:
            teams = entry.kind(entry.wanted, platform, OWN_SCOPE).with_shown(teams)
            declared |= names_of(entry)
    named = {entry.team for entry in chosen if entry.kind.is_in_team} | {options.team or ""}
    for name in sorted(named - declared - {""}):
        if not teams.where("id", name) and not teams.where(SCOPE.name_field, name):
            shown = platform.shown(SCOPE, name)
            teams = Listing([*teams, shown]) if shown else teams
    return teams


def teams_of(entries: Iterable[Entry], teams: Iterable[Values]) -> Teams:
    declared = [entry for entry in entries if entry.kind is SCOPE]
    items = [(str(item["id"]), str(item[SCOPE.name_field])) for item in teams]
    same = _same_names([*map(set, items), *map(names_of, declared)])
    ids = {name: [team_id for team_id, _slug in items if team_id in group] for name, group in same.items()}
    slugs = {name: slug for team_id, slug in items for name in same[team_id]}
    # What only has to exist keeps the slug that it has.
    named = [name for entry in declared if (name := entry.wanted.name) and not (entry.wanted.is_exists and ids[name])]
    for name in named:
        slugs |= dict.fromkeys(same[name], name)
    slugs |= {name: name for name in named}
    return Teams(ids, slugs, same)


def names_of(entry: Entry) -> set[str]:
    """All by which an entry's object may be known."""
    return {entry.name, entry.wanted.id or entry.name, *entry.wanted.previously}


def _same_names(groups: Iterable[set[str]]) -> dict[str, frozenset[str]]:
    """Groups that share a name are one."""
    found: dict[str, frozenset[str]] = {}
    for group in groups:
        whole = frozenset(group.union(*(found.get(name, ()) for name in group)))
        found.update(dict.fromkeys(whole, whole))
    return found


def home_of(entry: Entry) -> str:
    """The name of an entry's team; of a team, its own."""
    return entry.team if entry.kind.is_in_team else entry.name


def is_chosen(entry: Entry, names: Teams, options: Options) -> bool:
    return options.only is None or any(is_selected_by(selector, entry, names) for selector in options.only)


def is_known_to(selector: Selector, entry: Entry, names: Teams) -> bool:
    """Return whether a selector matches an entry, also by its earlier names and as one of its previous team."""
    teams = {home_of(entry), entry.wanted.previous_team or home_of(entry)}
    return selector.is_of_source(entry.source) and any(
        Selectors([selector]).match(
            entry.kind,
            [entry.name, *entry.wanted.previously] if entry.kind.is_in_team else names.slugs_of(team),
            names.slugs_of(team),
            names.ids_of(team),
        )
        for team in teams
    )


def is_selected_by(selector: Selector, entry: Entry, names: Teams) -> bool:
    slug, ids = names.slug_of_entry(entry), names.ids_of(home_of(entry))
    name = entry.name if entry.kind.is_in_team else slug
    return selector.matches(entry.kind, name, slug, ids) and selector.is_of_source(entry.source)


def places_of_entries(chosen: Iterable[Entry], names: Teams) -> Iterator[ListKey]:
    for entry in chosen:
        kinds = dict.fromkeys(_kinds_of(entry))
        yield from (ListKey(kind, team) for team in names.ids_of(home_of(entry)) for kind in kinds)
        previous = entry.wanted.previous_team
        if previous:
            former = [entry.kind.plural, *referring_to(entry.kind)]
            yield from (ListKey(kind, team) for team in names.ids_of(previous) for kind in former)


def _kinds_of(entry: Entry) -> Iterator[str]:
    """What an entry is compared with, refers to and may take along."""
    kind = entry.kind
    if kind.is_in_team and kind.is_listed:
        yield from (kind.plural, *(other.plural for other in kind.references.values()))
    yield from (other for field, other in kind.embeds.items() if field in entry.wanted.values)
    if entry.wanted.is_absent:
        yield from taken_with(kind)


def places_to_prune(entries: Iterable[Entry], names: Teams, options: Options) -> Iterator[ListKey]:
    for kind in _pruned_kinds(options):
        for team in scopes_of(kind, entries, names, options):
            if team is None:
                continue  # never pruned: nobody can tell whose all of it is
            yield ListKey(kind.plural, team)
            yield from (ListKey(other.plural, team) for other in kind.references.values())
            yield from (ListKey(other, team) for other in taken_with(kind))


def places_of_cascades(chosen: Collection[Entry], names: Teams, options: Options) -> Iterator[ListKey]:
    """The lists of what the service removes wherever it is, in all scopes of the run: the aliases of a domain."""
    deleted = {entry.kind for entry in chosen if entry.wanted.is_absent} | set(_pruned_kinds(options))
    deleted |= {KINDS[taken] for kind in deleted for taken in taken_with(kind)}
    for removed in dict.fromkeys(KINDS[plural] for kind in deleted for plural in kind.removes):
        for scope in scopes_named(chosen, options):
            for team in names.ids_of(scope):
                yield ListKey(removed.plural, team)
                yield from (ListKey(other.plural, team) for other in removed.references.values())


def _pruned_kinds(options: Options) -> list[type[Kind]]:
    return [kind for kind in prunable_kinds() if kind.plural in options.prune]


def places_to_report(entries: Iterable[Entry], names: Teams, options: Options) -> Iterator[ListKey]:
    """The lists of the kinds that entries declare, in all scopes of the run, and of what tells whether an object there
    is another's field.
    """
    declared = {entry.kind for entry in entries}
    for kind in (kind for kind in prunable_kinds() if kind in declared):
        for team in scopes_of(kind, entries, names, options):
            yield ListKey(kind.plural, team)
            yield from (ListKey(other.plural, team) for other in kind.references.values())


def scopes_named(entries: Iterable[Entry], options: Options) -> list[str]:
    scopes = {home_of(entry) for entry in entries if entry.kind.is_in_team or not entry.wanted.is_absent}
    return sorted(scopes | (set() if options.team is None else {options.team}))


def scopes_of(kind: type[Kind], entries: Iterable[Entry], names: Teams, options: Options) -> Iterator[str | None]:
    """The ids of the scopes of a run in which objects of a kind may be meant."""
    for scope in scopes_named(entries, options):
        ids = names.ids_of(scope)
        if options.may_reach(kind, names.slug_of(scope), ids):
            yield from ids


def taken_with(kind: type[Kind]) -> list[str]:
    """The kinds that a deletion of this one may take along."""
    return [other.plural for other in listed_kinds() if kind.plural in other.goes_with]


def referring_to(kind: type[Kind]) -> dict[str, str]:
    """The kinds that refer to this one, each with the field that holds its id."""
    return {
        other.plural: f"{option}_id"
        for other in KINDS.values()
        for option, referred in other.references.items()
        if referred is kind
    }
