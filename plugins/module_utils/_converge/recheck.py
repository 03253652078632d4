# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The look at the platform right before the first deletion: to plan again is to build the plan
again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from .._errors import PlatformError
from .._model.fields import Values, is_same
from .._model.finding import describe
from .._model.kinds.registry import kinds_in_cascade
from .._text import join_some
from .guards.table import check_guards
from .items.item import TEAM_KIND, Item
from .items.plan import Plan


def recheck(plan: Plan, replan: Callable[[], Plan]) -> PlatformError | None:
    """Compare the deletions of a plan with those of the same plan, which ``replan`` makes again.
    Returns why nothing may be deleted any more, and sets that those are done whose objects are
    gone.

    Each must be of the same object, and delete nothing that is protected or ignored by now, or that
    the first plan did not delete or show as going along. What this run wrote counts as written,
    also where a list is late.
    """
    for plural in _kinds_to_read(plan):
        plan.platform.lists.invalidate(plural)
    try:
        deviations = list(_compare(plan, replan()))
    except PlatformError as error:
        error.add_sentence("Nothing was deleted, because the deletions could not be checked again.")
        return error
    if not deviations:
        return None
    problem = "Nothing was deleted, because the platform has changed since the plan."
    return PlatformError(" ".join([problem, *deviations]))


def _kinds_to_read(plan: Plan) -> Collection[str]:
    """The kinds whose lists say what the deletions delete, and whose it is."""
    kinds = {TEAM_KIND.plural}
    for item in plan.deletions:
        for kind in (item.kind, *kinds_in_cascade(item.kind)):
            # An alias that names no team belongs to its project's.
            kinds |= {kind.plural, *(other.plural for other in kind.references.values())}
    return kinds


def _compare(plan: Plan, again: Plan) -> Iterator[str]:
    """What has changed, in sentences."""
    planned = {item.key for item in plan.deleted_items}
    written = {item.key: item.live for item in plan.items if item.applied}
    now = {item.key: item for item in again.items if item.live}
    for item in plan.deletions:
        current = now.get(item.key)
        record = current.live if current else _find_changed(item, again)
        if not record:
            item.applied = item.step
        elif not current or not current.is_deletion or _state(current) != _state(item):
            yield f"The {item.description} is now {describe(record)}."
        else:
            added = [
                other.description
                for other in current.consequences
                if other.key not in planned and written.get(other.key) != other.live
            ]
            if added:
                names = join_some(added)
                yield f"Deleting the {item.description} would now also delete the {names}."
    for refusal in check_guards(again):
        if refusal.guard in ("protect", "ignore"):
            yield str(refusal.problem)


def _state(item: Item) -> tuple[object, ...]:
    """What must not have changed when a planned deletion is applied, besides the ID. Fields that
    are objects, or refer to one, are left out: other steps of the plan may change them.
    """
    left_out = {*item.kind.embeds, *item.kind.references}
    values = {option: value for option, value in item.step.before.items() if option not in left_out}
    return item.kind.normalize(item.name), item.scope, item.owner, values


def _find_changed(item: Item, again: Plan) -> Values | None:
    """The object of a deletion that has another name now, or is in another team; None if it is
    gone.
    """
    listed = again.lists.get(item.key)
    if listed:
        return listed.live
    record = again.platform.show(item.kind, item.kind.address(item.live))
    return record if record and is_same(record["id"], item.live["id"]) else None
