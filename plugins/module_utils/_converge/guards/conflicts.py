# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guard ``blueprint``: refuses plans that contradict themselves or the platform, such as a
declared object that goes along, a name of two objects, an alias in another scope, a project that is
deleted here and created there, or steps that wait for one another.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator

from ..._errors import PlatformError
from ..._model.kind import Name
from ..._model.kinds.registry import listed_kinds
from ..._model.scope import Scope
from ..._text import join_some, yaml_text
from ..items.dependencies import batches_of
from ..items.item import TEAM_KIND, Item
from ..items.plan import Plan
from .declared import find_declared
from .names import (
    find_look_alikes,
    find_names_borne_elsewhere,
    find_names_with_two_bearers,
    find_swapped_names,
)


def find_conflicts(plan: Plan) -> Iterator[str]:
    """A message for each contradiction of the plan."""
    if not any(item.is_pending for item in plan.items):
        return
    for find in CONFLICTS:
        yield from find(plan)
    try:
        list(batches_of(plan.items))
    except PlatformError as circle:
        yield str(circle)


def _find_strays(plan: Plan) -> Iterator[str]:
    """Deletions of what a team's list shows although it belongs to projects that are not in the
    team: of the team, and by prune. Perhaps the service left it there when somebody moved its
    project.
    """
    for item in plan.deletions:
        team = item.scope
        objects: list[Item] = []
        if item.kind is TEAM_KIND:
            team = Scope(item.live)
            for kind in listed_kinds():
                objects += plan.lists.items(kind, team)
        elif item.is_pruned:
            objects.append(item)
        strays = [other.description for other in objects if _is_stray(other, team, plan)]
        if strays:
            yield (
                f"deleting the {item.description} would delete what belongs to something that is"
                f" not in this team: {join_some(strays)}."
                " First delete it in this team by hand, and assign it where it belongs."
            )


def _is_stray(item: Item, team: Scope, plan: Plan) -> bool:
    for option, kind in item.kind.references.items():
        referenced = item.live[f"{option}_id"]
        if referenced and not plan.lists.listing(kind, team).where("id", referenced):
            return True
    return False


def _find_replacements(plan: Plan) -> Iterator[str]:
    """Deletions of what is created in another scope under the same or an earlier name: perhaps
    meant as moves, which a plan never makes.
    """
    deleted: dict[Name, list[Item]] = defaultdict(list)
    for item in plan.deleted_items:
        if item.kind.is_movable:
            deleted[item.kind.name_at("", item.live_name)].append(item)
    for item in plan.items:
        if not item.is_creation:
            continue
        for name in (item.name, *item.desired.previous_names):
            for other in deleted.get(item.kind.name_at("", name), ()):
                if other.owner != item.scope:
                    yield _describe_replacement(item, other)


def _describe_replacement(item: Item, other: Item) -> str:
    kind = item.kind.singular
    team = other.owner
    deleted = other.live_description if team.team else f"{other.live_description} of your own scope"
    only = f"[{{team: {json.dumps(team.slug)}}}]"
    move = "A blueprint moves nothing between teams."
    if item.scope.team and team.team:
        move = f"To move it, use the module {kind} with previous_team: {yaml_text(team.slug)}."
    return (
        f"{item.label} would be created in {item.scope} while the {deleted} would be deleted"
        f" with everything in it. {move} To delete it, do so in a run before, with only: {only}."
    )


# Each takes a plan, and yields a message for each contradiction.
CONFLICTS: tuple[Callable[[Plan], Iterator[str]], ...] = (
    _find_replacements,
    find_declared,
    _find_strays,
    find_names_with_two_bearers,
    find_swapped_names,
    find_names_borne_elsewhere,
    find_look_alikes,
)
