# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What exists and nobody declares, and its deletion, where that is asked for."""

from __future__ import annotations

from collections.abc import Iterator

from ..._model.kinds.registry import KINDS
from ..items.declarations import Declarations
from ..items.item import PROTECTED, TEAM_KIND, Item
from ..items.plan import Plan
from ..items.protection import Protection


def find_undeclared(plan: Plan) -> None:
    """Set what entries declare, and which objects of the run they do not declare but could name,
    in a fixed order.
    """
    plan.declarations = Declarations(plan.items, plan.lists)
    found = [item for item in _objects_of_run(plan) if _is_undeclared(item, plan)]
    plan.undeclared = sorted(found, key=lambda item: item.sort_key)


def _objects_of_run(plan: Plan) -> Iterator[Item]:
    """The teams to which the caller belongs, and what the scopes of the run hold of the kinds that
    the blueprint names.
    """
    for team in plan.listed_teams:
        yield plan.lists.item(TEAM_KIND, team)
    kinds = [KINDS[plural] for plural in plan.blueprint.kinds]
    for scope in plan.scopes:
        for kind in kinds:
            if kind.is_in_team:
                yield from (item for item in plan.lists.items(kind, scope) if item.owner == scope)


def _is_undeclared(item: Item, plan: Plan) -> bool:
    options = plan.options
    if plan.declarations.has(item) or item.is_matched_by(options.ignore):
        return False
    is_selected = options.only is None or item.is_selected_by(options.only)
    return is_selected and item.has_valid(item.kind.name_field)


def prune(plan: Plan) -> None:
    """Add a deletion of each undeclared object, of the kinds that the blueprint names, in the teams
    of the run; or a skip if ``protect`` keeps it. The own scope is never pruned: nobody can tell
    whose everything in it is.

    Raises PlatformError for an object that cannot be addressed.
    """
    protection = Protection(plan)
    for item in plan.undeclared:
        is_meant = item.kind.plural in plan.options.prune and item.owner.team
        if not is_meant or item.key in plan.lists.unlisted:
            continue
        plan.items.append(item)
        if protection.covers(item):
            item.skip_reason = PROTECTED
            continue
        resource = item.resource(plan.platform)
        item.step = resource.plan_for(resource.check_addressable(item.live))
