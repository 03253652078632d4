# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What exists and nobody declares is deleted where that is asked for."""

from __future__ import annotations

from ..items.item import PROTECTED
from ..items.plan import Plan
from ..items.protection import Protection


def prune(plan: Plan) -> None:
    """Add a deletion of each undeclared object, of the kinds that the blueprint names, in the teams
    of the run; or a skip if ``protect`` keeps it. The own scope is never pruned: nobody can tell
    whose everything in it is.

    Raises PlatformError for an object that cannot be addressed.
    """
    protection = Protection(plan)
    for item in plan.undeclared:
        is_meant = item.kind.plural in plan.options.prune and item.owner.team
        if not is_meant or not plan.lists.is_listed(item):
            continue
        plan.items.append(item)
        if protection.covers(item):
            item.skip(PROTECTED)
            continue
        resource = item.resource(plan.platform)
        records = plan.lists.listing(item.kind, item.owner)
        item.step = resource.plan_for(resource.check_addressable(item.live, records))
