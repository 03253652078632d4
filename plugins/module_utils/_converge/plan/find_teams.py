# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which teams there are, what entries make of them, and which entries are selected."""

from __future__ import annotations

from collections.abc import Iterator

from ..._errors import InvalidOption
from ..._model.listing import Listing
from ..._model.scope import OWN_SCOPE
from ..blueprint.entries import LocatedProblem
from ..blueprint.selectors import source_file
from ..items.item import TEAM_KIND, Item
from ..items.matching import match_entries
from ..items.plan import Plan
from ..items.selection import is_entry_selected
from ..items.teams import Teams


def find_teams(plan: Plan) -> None:
    """Set what the names of teams mean, and what ``only`` selects.

    Lists the teams, unless nothing can be selected. A team that entries name and the list lacks is
    read by itself.
    """
    if _has_scopes(plan):
        plan.listed_teams = plan.platform.listing(TEAM_KIND, OWN_SCOPE)
    plan.teams = _teams_of(plan, plan.listed_teams)
    for item in plan.items:
        _set_scope(item, plan.teams)
        item.is_selected = is_entry_selected(item, plan.options)
    records = _with_unlisted(plan)
    if records is not plan.listed_teams:
        plan.teams = _teams_of(plan, records)
        for item in plan.items:
            _set_scope(item, plan.teams)
    plan.team_problems = tuple(_problems_of_named_teams(plan))


def _has_scopes(plan: Plan) -> bool:
    """True if the run is about any scope, and something in it may be selected."""
    blueprint = plan.blueprint
    has_scopes = blueprint.entries or blueprint.scopes or blueprint.kinds
    return bool(has_scopes or plan.options.team is not None) and plan.options.only != ()


def _teams_of(plan: Plan, records: Listing) -> Teams:
    items = [item for item in plan.items if item.kind is TEAM_KIND]
    match_entries(items, records, plan.platform)
    return Teams(items, records)


def _set_scope(item: Item, teams: Teams) -> None:
    if item.kind.is_in_team and item.entry:
        item.scope = teams.named(item.entry.team)


def _with_unlisted(plan: Plan) -> Listing:
    """The listed teams, and those that entries mean and only a GET shows."""
    teams = plan.listed_teams
    declared: set[str] = {""}
    names = {plan.options.team or "", *(scope.team for scope in plan.blueprint.scopes)}
    for item in plan.selected_items:
        if item.kind is TEAM_KIND:
            teams = item.resource(plan.platform).with_unlisted(teams)
            declared |= {item.name, *item.desired.previous_names}
        elif item.entry:
            names.add(item.entry.team)
    for name in sorted(names - declared):
        if not teams.where("id", name) and not teams.where(TEAM_KIND.name_field, name):
            record = plan.platform.get(TEAM_KIND, name)
            teams = teams.plus(record) if record else teams
    return teams


def _problems_of_named_teams(plan: Plan) -> Iterator[LocatedProblem]:
    """The teams of the task and of files that are neither there nor declared, or named by an
    earlier slug.
    """
    named = [(scope.team, scope.source) for scope in plan.blueprint.scopes]
    for name, place in [*named, (plan.options.team or "", "")]:
        if not _may_be_selected(name, plan):
            continue
        try:
            plan.teams.check(name, is_lenient=True)
        except InvalidOption as problem:
            yield source_file(place), place, str(problem)


def _may_be_selected(name: str, plan: Plan) -> bool:
    """True if ``only`` may select something in a team, whatever entries declare."""
    if plan.options.only is None:
        return True
    scope = plan.teams.named(name)
    selectors = plan.options.object_selectors
    return any(selector.matches_team([scope.slug], scope.ids) for selector in selectors)
