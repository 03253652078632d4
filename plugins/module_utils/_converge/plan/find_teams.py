# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which teams there are, what entries make of them, and which entries are selected."""

from __future__ import annotations

from ..._model.finding import matching
from ..._model.listing import Listing
from ..._model.scope import OWN_SCOPE
from ..items.item import TEAM_KIND
from ..items.matching import match_entries
from ..items.plan import Plan
from ..items.references import Teams


def find_teams(plan: Plan) -> None:
    """Set what the names of teams mean, and what ``only`` selects.

    Lists the teams, unless nothing can be selected. A team that entries name and the list lacks is
    read by itself.
    """
    only = plan.options.only
    is_about_scopes = plan.blueprint.entries or plan.blueprint.kinds or plan.named_scopes
    may_select = only is None or bool(only)
    if is_about_scopes and may_select:
        plan.listed_teams = plan.platform.listing(TEAM_KIND, OWN_SCOPE)
    _set_teams(plan, plan.listed_teams)
    if not may_select:
        return
    for item in plan.items:
        item.is_selected = only is None or item.is_selected_by(only)
    records = _with_unlisted(plan)
    if records is not plan.listed_teams:
        _set_teams(plan, records)


def _set_teams(plan: Plan, records: Listing) -> None:
    """Set the teams, and the scope of each entry."""
    items = [item for item in plan.items if item.kind is TEAM_KIND]
    match_entries(items, records, plan.platform)
    plan.teams = Teams(items, records)
    for item in plan.items:
        if item.entry and item.kind.is_in_team:
            item.scope = plan.teams.named(item.entry.team)


def _with_unlisted(plan: Plan) -> Listing:
    """The listed teams, and those that entries mean and only a GET shows."""
    teams = plan.listed_teams
    declared: set[str] = {""}
    names = {named.team for named in plan.named_scopes}
    for item in plan.selected_items:
        if item.kind is TEAM_KIND:
            teams = item.resource(plan.platform).with_unlisted(teams)
            declared |= {item.name, *item.desired.previous_names}
        elif item.entry:
            names.add(item.entry.team)
    for name in sorted(names - declared):
        if not matching(name, teams, TEAM_KIND.name_field):
            record = plan.platform.get(TEAM_KIND, name)
            teams = teams.plus(record) if record else teams
    return teams
