# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plan is warned of; none of it refuses the plan."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from .._errors import InvalidOption
from .._model.own_scope import own_scope_warning
from .._model.resource import Resource
from .._text import did_you_mean, join_some
from .guards.unmatched import find_unmatched_selections
from .items.item import Item
from .items.plan import Plan


def plan_warnings(plan: Plan) -> Iterator[str | InvalidOption]:
    """All warnings about a plan."""
    yield from find_unmatched_selections(plan, may_be_pruned=True)
    for find in WARNINGS:
        yield from find(plan)
    yield from plan.absent_in_own_scope


def _warn_unreadable(plan: Plan) -> Iterator[str]:
    for key in plan.lists.unreadable:
        scope = plan.teams.with_id(key.team_id or "")
        yield (
            f"undeclared: the service does not show the {key.kind} of {scope} (status 403),"
            " so it is unknown which of them are undeclared."
        )


def _warn_unpruned(plan: Plan) -> Iterator[InvalidOption]:
    """Kinds that are to be pruned, and are not, because the blueprint or ``only`` says nothing of
    them.
    """
    options = plan.options
    if options.prune and options.only and not options.object_selectors:
        yield InvalidOption(
            "prune",
            "each selector of only has a source, so nothing is pruned."
            " To prune, select by kind, team or name.",
        )
    for kind in options.prune:
        if kind not in plan.blueprint.kinds:
            yield InvalidOption(
                "prune",
                f"the blueprint names no {kind}, so none are pruned."
                f" To prune all of them, write {kind}: [].",
            )


def _warn_own_scope(plan: Plan) -> Iterator[str]:
    """Creations in the own scope that may be unintended."""
    created = [
        f"{item.kind.singular} {item.name}"
        for item in plan.items
        if item.is_creation and item.resource(plan.platform).is_unscoped_creation(item.step)
    ]
    if created:
        yield own_scope_warning(created)


def _warn_of_previous_names(plan: Plan) -> Iterator[str]:
    """Creations with a previous name that matches nothing, where something undeclared of a near
    name exists, selected or not.
    """
    names: dict[object, list[str]] = {}
    for item in plan.items:
        if not item.is_creation or not item.desired.previous_names:
            continue
        place = (item.kind, item.scope)
        if place not in names:
            others = plan.lists.items(item.kind, item.scope)
            names[place] = [other.name for other in others if not plan.declarations.has(other)]
        for previous in item.desired.previous_names:
            near = did_you_mean(previous, names[place])
            if near:
                yield f"{item.label}: previously: {previous} matches nothing.{near}"


def _warn_of_possible_renames(plan: Plan) -> Iterator[str]:
    """A renamed entry looks new, and its object undeclared."""
    groups: dict[tuple[type[Resource], str | None], list[Item]] = defaultdict(list)
    for item in plan.items:
        if item.is_pending and item.kind.is_renamable:
            groups[item.kind, item.team_slug].append(item)
    for (kind, team), items in groups.items():
        created = [item.name for item in items if item.is_creation]
        deleted = [item.name for item in items if item.is_deletion]
        if created and deleted:
            scope = f" of {team}" if team else ""
            yield (
                f"{kind.plural}{scope}:"
                f" the plan creates {len(created)} ({join_some(created, 3)})"
                f" and deletes {len(deleted)} ({join_some(deleted, 3)})."
                f" If you renamed any of them, add the old {kind.name_field} to previously."
            )


# Each takes a plan, and yields warnings.
WARNINGS = (
    _warn_unreadable,
    _warn_unpruned,
    _warn_own_scope,
    _warn_of_previous_names,
    _warn_of_possible_renames,
)
