# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the names of teams mean, and which entries a selector selects by them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..._model.fields import Values
from ..blueprint.entries import Entry
from ..blueprint.options import BlueprintOptions
from ..blueprint.selectors import Selector, Selectors
from ..change import TEAM_KIND


class TeamNames(NamedTuple):
    """Resolves a team's ID, slug or previous slug: to the IDs of live teams, the slug after this run, and all names."""

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
        return self.slug_of(team_name_of(entry))


def index_team_names(entries: Iterable[Entry], teams: Iterable[Values]) -> TeamNames:
    """The names of all teams, from the entries and from the live records. The newest slug of a team wins."""
    declared = [entry for entry in entries if entry.kind is TEAM_KIND]
    records = [(str(record["id"]), str(record[TEAM_KIND.name_field])) for record in teams]
    same = _same_names([*map(set, records), *map(names_of, declared)])
    ids = {name: [team_id for team_id, _slug in records if team_id in group] for name, group in same.items()}
    slugs = {name: slug for team_id, slug in records for name in same[team_id]}
    # state=exists never renames, so the live slug stays.
    desired = ((entry.desired.name, entry.desired.is_create_only) for entry in declared)
    named = [name for name, is_create_only in desired if name and not (is_create_only and ids[name])]
    for name in named:
        slugs |= dict.fromkeys(same[name], name)
    slugs |= {name: name for name in named}
    return TeamNames(ids, slugs, same)


def names_of(entry: Entry) -> set[str]:
    """All by which an entry's object may be known."""
    return {entry.name, entry.desired.id or entry.name, *entry.desired.previous_names}


def _same_names(groups: Iterable[set[str]]) -> dict[str, frozenset[str]]:
    """Groups that share a name are one."""
    merged: dict[str, frozenset[str]] = {}
    for group in groups:
        whole = frozenset(group.union(*(merged.get(name, ()) for name in group)))
        merged.update(dict.fromkeys(whole, whole))
    return merged


def team_name_of(entry: Entry) -> str:
    """The name of an entry's team; of a team, its own."""
    return entry.team if entry.kind.is_in_team else entry.name


def is_entry_selected(entry: Entry, names: TeamNames, options: BlueprintOptions) -> bool:
    return options.only is None or any(is_selected_by(selector, entry, names) for selector in options.only)


def matches_any_name(selector: Selector, entry: Entry, names: TeamNames) -> bool:
    """True if a selector matches an entry, also by its earlier names and as one of its previous team."""
    teams = {team_name_of(entry), entry.desired.previous_team or team_name_of(entry)}
    return selector.matches_source(entry.source) and any(
        Selectors([selector]).match(
            entry.kind,
            [entry.name, *entry.desired.previous_names] if entry.kind.is_in_team else names.slugs_of(team),
            names.slugs_of(team),
            names.ids_of(team),
        )
        for team in teams
    )


def is_selected_by(selector: Selector, entry: Entry, names: TeamNames) -> bool:
    slug, ids = names.slug_of_entry(entry), names.ids_of(team_name_of(entry))
    name = entry.name if entry.kind.is_in_team else slug
    return selector.matches(entry.kind, name, slug, ids) and selector.matches_source(entry.source)
