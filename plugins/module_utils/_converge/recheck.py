# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The look at the platform right before the first deletion: to plan again is to build the plan
again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from .._errors import PlatformError
from .._model.fields import Values, is_same
from .._model.finding import describe
from .._model.kinds.registry import KINDS, kinds_in_cascade
from .._model.platform import Platform
from .._text import join_some
from .items.item import TEAM_KIND, Item, Key
from .items.plan import Plan
from .items.protection import Protection


class Recheck(NamedTuple):
    """What is known right before the first deletion."""

    # The deletions whose objects are gone already.
    absent: Collection[Key] = ()
    # Why nothing may be deleted any more.
    obstacle: PlatformError | None = None


def recheck(plan: Plan, platform: Platform, replan: Callable[[], Plan]) -> Recheck:
    """Compare the deletions of a plan with those of the same plan, which ``replan`` makes again.

    Each must be of the same object, and delete nothing that is protected or ignored by now, or that
    the first plan did not delete or show as going along. What this run wrote counts as written,
    also where a list is late.
    """
    deletions = list(plan.deletions)
    for plural in _kinds_to_read(deletions):
        platform.lists.invalidate(plural)
    try:
        again = replan()
        now = {item.key: item for item in again.items if item.live}
        changed = {item: _find_changed(item, again) for item in deletions if item.key not in now}
    except PlatformError as error:
        error.add_sentence("Nothing was deleted, because the deletions could not be checked again.")
        return Recheck(obstacle=error)
    absent = {item.key for item, record in changed.items() if not record}
    deviations = list(_deviations(plan, again, now))
    for item, record in changed.items():
        if record:
            deviations.append(f"The {item.description} is now {describe(record)}.")
    if not deviations:
        return Recheck(absent)
    problem = "Nothing was deleted, because the platform has changed since the plan."
    return Recheck(absent, PlatformError(" ".join([problem, *deviations])))


def _deviations(plan: Plan, again: Plan, now: Mapping[Key, Item]) -> Iterator[str]:
    """How the deletions differ from the planned ones."""
    protection = Protection(again)
    planned = {item.key for item in plan.deleted_items}
    own = {item.key for item in plan.deletions}
    written = {item.key: item.live for item in plan.items if item.applied}

    def is_planned(other: Item) -> bool:
        """True if the plan showed that an object goes, and no guard would keep it by now. A
        deletion of its own is judged by itself: an entry may want a protected project's alias
        absent.
        """
        if other.key in own or written.get(other.key) == other.live:
            return True
        is_kept = other.is_matched_by(again.options.ignore) or protection.covers(other)
        return other.key in planned and not is_kept

    for item in plan.deletions:
        current = now.get(item.key)
        if current is None:
            continue
        if not current.is_deletion or _state(current) != _state(item):
            state = describe(current.live)
            yield f"The {item.description} has changed since the plan: it is now {state}."
            continue
        added = [other.description for other in current.consequences if not is_planned(other)]
        if added:
            names = join_some(added)
            yield f"Deleting the {item.description} would now also delete the {names}."


def _kinds_to_read(deletions: Collection[Item]) -> Collection[str]:
    """The kinds whose lists say what the deletions delete, and whose it is."""
    kinds = {TEAM_KIND.plural}
    for item in deletions:
        kinds |= {item.kind.plural, *(kind.plural for kind in kinds_in_cascade(item.kind))}
    for plural in list(kinds):
        # An alias that names no team belongs to its project's.
        kinds |= {referenced.plural for referenced in KINDS[plural].references.values()}
    return kinds


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
    listed = again.lists.by_id(item.kind, item.live["id"])
    if listed:
        return listed.live
    record = again.platform.show(item.kind, item.kind.address(item.live))
    return record if record and is_same(record["id"], item.live["id"]) else None
