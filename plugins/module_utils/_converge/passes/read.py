# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 1, read: every list that the entries, prune and the report need, each once."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..._errors import ApiError
from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS, listed_kinds, prunable_kinds
from ..._model.listing import Listing
from ..._model.platform import Platform, Scope
from ..._threads import Crew
from ..blueprint.entries import Entry
from ..blueprint.options import Options
from ..blueprint.selectors import Selector, Selectors
from ..change import SCOPE, ObjectKey, Ref, scope_of

OWN = ""


class Place(NamedTuple):
    """A list: of a kind, in a team by its id; ``""`` for the caller's own scope, and for teams."""

    kind: str
    team: str


class Teams(NamedTuple):
    """What a name of a team means, before and after the plan: the ids of those that exist, the slug, and all names."""

    ids: Mapping[str, Sequence[str]]
    slugs: Mapping[str, str]
    groups: Mapping[str, frozenset[str]]

    def ids_of(self, name: str) -> Sequence[str]:
        return self.ids.get(name, ()) if name else (OWN,)

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
    ``moving``: what moves with the objects that it refers to.
    """

    platform: Platform
    places: Mapping[Place, Listing]
    teams: Listing
    names: Teams
    chosen: frozenset[Entry]
    forbidden: Collection[Place] = ()
    moving: frozenset[ObjectKey] = frozenset()

    def of(self, kind: type[Kind], team: Ref | None) -> Listing:
        """Empty also for what was not read, and for a team that does not exist yet."""
        return self.places.get(place_of(kind, team), Listing())

    def has(self, kind: type[Kind], team: Ref | None) -> bool:
        return place_of(kind, team) in self.places

    def spans(self, kind: type[Kind], team: Ref | None) -> bool:
        """Whether it is the own scope's list, and shows objects of several teams."""
        return self.has(kind, team) and self.platform.spans(kind, scope_of(team))

    def home_of(self, place: Place, item: Values) -> Ref | None:
        """The team of an object: that of its ``team_id``, whichever list shows it."""
        team_id = str(item.get("team_id") or place.team)
        if not team_id:
            return None
        found = self.places[Place(SCOPE.plural, OWN)].where("id", team_id)
        return Ref(SCOPE, found[0] if found else {"id": team_id, SCOPE.name_field: team_id})


def place_of(kind: type[Kind], team: Ref | None) -> Place:
    return Place(kind.plural, (team.id or "?") if team else OWN)


def read(entries: Collection[Entry], platform: Platform, options: Options) -> Lists:
    """Raises ApiError for a list that cannot be read, unless only the report of undeclared objects needs it."""
    names_team = any(entry.kind is SCOPE or entry.team for entry in entries) or options.team or _names_teams(options)
    may_select = options.only is None or bool(options.only)
    listed = platform.listing(SCOPE, Scope()) if names_team and may_select else Listing()
    names = teams_of(entries, listed)
    chosen = frozenset(entry for entry in entries if is_chosen(entry, names, options))
    teams = with_shown(listed, chosen, platform, options)
    names = teams_of(entries, teams)
    required = dict.fromkeys([*places_of_entries(chosen, names), *places_to_prune(entries, names, options)])
    further = dict.fromkeys(places_to_report(entries, names, options))
    scopes = {str(team["id"]): Scope(team) for team in teams} | {OWN: Scope()}

    def listing(place: Place) -> Listing | None:
        try:
            return platform.listing(KINDS[place.kind], scopes[place.team])
        except ApiError as error:
            if error.status != 403 or place in required:
                raise
            return None

    wanted = [*required, *(place for place in further if place not in required)]
    with Crew(platform.workers) as crew:
        found = dict(zip(wanted, crew.map(listing, wanted)))
    places = {place: items for place, items in found.items() if items is not None}
    forbidden = [place for place in found if place not in places]
    places[Place(SCOPE.plural, OWN)] = teams
    return Lists(platform, places, listed, names, chosen, forbidden)


def _names_teams(options: Options) -> bool:
    selectors = (*(options.only or ()), *options.ignore, *options.protect, *options.replace)
    return any(selector.team for selector in selectors)


def with_shown(listed: Listing, chosen: Iterable[Entry], platform: Platform, options: Options) -> Listing:
    """The listed teams, and those that entries mean and only a GET shows."""
    teams = listed
    declared: set[str] = set()
    for entry in chosen:
        if entry.kind is SCOPE:
            teams = entry.kind(entry.wanted, platform, Scope()).with_shown(teams)
            declared |= names_of(entry)
    named = {entry.team for entry in chosen if entry.kind.is_in_team} | {options.team or OWN}
    for name in sorted(named - declared - {OWN}):
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


def places_of_entries(chosen: Iterable[Entry], names: Teams) -> Iterator[Place]:
    for entry in chosen:
        kinds = dict.fromkeys(_kinds_of(entry))
        yield from (Place(kind, team) for team in names.ids_of(home_of(entry)) for kind in kinds)
        previous = entry.wanted.previous_team
        if previous:
            former = [entry.kind.plural, *referring_to(entry.kind)]
            yield from (Place(kind, team) for team in names.ids_of(previous) for kind in former)


def _kinds_of(entry: Entry) -> Iterator[str]:
    """What an entry is compared with, refers to and may take along."""
    kind = entry.kind
    if kind.is_in_team and kind.is_listed:
        yield from (kind.plural, *(other.plural for other in kind.references.values()))
    yield from (other for field, other in kind.embeds.items() if field in entry.wanted.values)
    if entry.wanted.is_absent:
        yield from taken_with(kind)


def places_to_prune(entries: Iterable[Entry], names: Teams, options: Options) -> Iterator[Place]:
    for kind in (kind for kind in prunable_kinds() if kind.plural in options.prune):
        for team in scopes_of(kind, entries, names, options):
            yield Place(kind.plural, team)
            yield from (Place(other.plural, team) for other in kind.references.values())
            yield from (Place(other, team) for other in taken_with(kind))


def places_to_report(entries: Iterable[Entry], names: Teams, options: Options) -> Iterator[Place]:
    """The lists of the kinds that entries declare, in all scopes of the run, and of what tells whether an object there
    is another's field.
    """
    declared = {entry.kind for entry in entries}
    for kind in (kind for kind in prunable_kinds() if kind in declared):
        for team in scopes_of(kind, entries, names, options):
            yield Place(kind.plural, team)
            yield from (Place(other.plural, team) for other in kind.references.values())


def scopes_named(entries: Iterable[Entry], options: Options) -> list[str]:
    scopes = {home_of(entry) for entry in entries if entry.kind.is_in_team or not entry.wanted.is_absent}
    return sorted(scopes | (set() if options.team is None else {options.team}))


def scopes_of(kind: type[Kind], entries: Iterable[Entry], names: Teams, options: Options) -> Iterator[str]:
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
