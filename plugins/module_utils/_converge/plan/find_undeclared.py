# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What exists and nobody declares."""

from __future__ import annotations

from collections.abc import Iterator

from ..._model.kinds.registry import KINDS
from ..items.declarations import Declarations
from ..items.item import TEAM_KIND, Item
from ..items.plan import Plan
from ..items.selection import selects_object


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
    is_selected = options.only is None or selects_object(options.object_selectors, item)
    return is_selected and item.has_valid(item.kind.name_field)
