# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 1, resolve teams: which teams there are, what entries make of them, and which entries are
selected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..._errors import InvalidOption
from ..._model.fields import Values
from ..._model.listing import Listing
from ..._model.platform import Platform
from ..._model.scope import OWN_SCOPE
from ..blueprint.entries import Entry, LocatedProblem
from ..blueprint.options import BlueprintOptions
from ..blueprint.reading import Blueprint
from ..blueprint.selectors import source_file
from ..plan.matching import ScopeMatcher
from ..plan.objects import TEAM_KIND, team_object
from ..plan.selection import is_entry_selected
from ..plan.teams import ResolvedTeams, Teams


def resolve_teams(
    blueprint: Blueprint, platform: Platform, options: BlueprintOptions
) -> ResolvedTeams:
    """What the names of teams mean, and what ``only`` selects.

    Lists the teams, unless nothing can be selected. A team that entries name and the list lacks is
    read by itself.
    """
    listed = (
        platform.listing(TEAM_KIND, OWN_SCOPE) if _has_scopes(blueprint, options) else Listing()
    )
    teams = _match_teams(blueprint.entries, listed, platform)
    selected = [
        entry
        for entry in blueprint.entries
        if is_entry_selected(entry, teams.scope_of(entry), options)
    ]
    all_teams = _with_unlisted(listed, selected, blueprint, platform, options)
    if all_teams is not listed:
        teams = _match_teams(blueprint.entries, all_teams, platform)
    problems = tuple(_problems_of_scopes(blueprint, teams, options))
    return ResolvedTeams(teams, listed, frozenset(selected), problems)


def _problems_of_scopes(
    blueprint: Blueprint, teams: Teams, options: BlueprintOptions
) -> Iterator[LocatedProblem]:
    """The teams of the task and of files that are neither there nor declared, or named by an
    earlier slug.
    """
    named = [(scope.team, scope.source) for scope in blueprint.scopes]
    named.append((options.team or "", ""))
    for name, place in named:
        if not _may_be_selected(name, teams, options):
            continue
        try:
            teams.resolve(name, is_lenient=True)
        except InvalidOption as problem:
            yield source_file(place), place, str(problem)


def _may_be_selected(name: str, teams: Teams, options: BlueprintOptions) -> bool:
    """True if ``only`` may select something in a team, whatever entries declare."""
    if options.only is None:
        return True
    scope = teams.named(name)
    return any(
        selector.matches_team([scope.slug], scope.ids) for selector in options.object_selectors
    )


def _has_scopes(blueprint: Blueprint, options: BlueprintOptions) -> bool:
    """True if the run is about any scope, and something in it may be selected."""
    has_scopes = (
        blueprint.entries or blueprint.scopes or blueprint.kinds or options.team is not None
    )
    return bool(has_scopes) and options.only != ()


def _match_teams(entries: Iterable[Entry], records: Listing, platform: Platform) -> Teams:
    declared = [entry for entry in entries if entry.kind is TEAM_KIND]
    matcher = ScopeMatcher(TEAM_KIND, OWN_SCOPE, records, platform, {}, team_object)
    return Teams(tuple(matcher.changes(declared, declared)), records)


def _with_unlisted(
    listed: Listing,
    selected: Sequence[Entry],
    blueprint: Blueprint,
    platform: Platform,
    options: BlueprintOptions,
) -> Listing:
    """The listed teams, and those that entries mean and only a GET shows."""
    teams = listed
    declared: set[str] = set()
    for entry in selected:
        if entry.kind is TEAM_KIND:
            teams = entry.kind(entry.desired, platform, OWN_SCOPE).with_unlisted(teams)
            declared |= {entry.name, *entry.desired.previous_names}
    names = {entry.team for entry in selected if entry.kind.is_in_team}
    names |= {scope.team for scope in blueprint.scopes}
    names.add(options.team or "")
    for name in sorted(names - declared - {""}):
        if not teams.where("id", name) and not teams.where(TEAM_KIND.name_field, name):
            record: Values | None = platform.get_or_none(TEAM_KIND, name)
            teams = Listing([*teams, record]) if record else teams
    return teams
