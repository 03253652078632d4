# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that exist and are not declared: deleted if requested, and reported otherwise."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from .._errors import ApiError, PlatformError
from .._model.fields import is_same
from .._model.hosts import host_form
from .._model.kind import Wanted
from .._model.kinds.alias import Alias
from .._model.kinds.registry import KINDS, prunable_kinds
from .._model.kinds.team import Team
from .._model.platform import Platform, Scope, teams_in
from .._model.resource import Resource
from .conflicts import own_aliases
from .guards import Refusal
from .node import PROTECTED, LiveObject, Node
from .planning import Plan
from .settings import Settings

Place = tuple[type[Resource], Scope]


def prune(plan: Plan, settings: Settings) -> list[Refusal]:
    """Add deletions of what nobody declares to a plan; returns why a scope is not pruned, or an object not deleted."""
    refusals: list[Refusal] = []
    places: list[Place] = []
    for scope in plan.scopes:
        kinds = [kind for kind in _reached_kinds(plan, scope) if kind.plural in settings.prune]
        refused = _why_not_prunable(plan.platform, scope, kinds)
        if refused:
            refusals.append(refused)
        else:
            places += [(kind, scope) for kind in kinds]
    for found in _undeclared(plan, places, settings):
        try:
            plan.nodes.append(_deletion(found, plan.platform, settings))
        except ApiError:
            raise
        except PlatformError as error:
            refusals.append(Refusal("prune", str(error)))
    return refusals


def undeclared_objects(plan: Plan, settings: Settings) -> list[dict[str, Any]]:
    """The result ``undeclared``: what no entry declares and nothing deletes, of the kinds that entries declare."""
    deleted = {node.live.key for node in plan.nodes if node.is_pending_deletion}
    deleted |= {gone.key for node in plan.nodes for gone in node.along}
    places = [place for place in undeclared_places(plan) if plan.platform.has_listing(*place)]
    rows = [
        {
            "kind": found.kind.plural,
            "name": found.item[found.kind.name_field],
            "team": found.team,
            "protected": found.is_covered_by(settings.protect),
        }
        for found in _undeclared(plan, places, settings)
        if found.key not in deleted
    ]
    order = list(KINDS)
    return sorted(rows, key=lambda row: (order.index(row["kind"]), row["team"] or "", str(row["name"])))


def undeclared_places(plan: Plan) -> list[Place]:
    """The kinds that entries declare, and the scopes in which objects of theirs may be selected."""
    declared = {node.kind for node in plan.nodes if node.entry}
    places: list[Place] = [(Team, Scope())] if plan.platform.has_listing(Team, Scope()) else []
    for scope in plan.scopes:
        reached = _reached_kinds(plan, scope)
        kinds = (kind for kind in prunable_kinds() if kind in reached or plan.platform.has_listing(kind, scope))
        places += [(kind, scope) for kind in kinds]
    return [place for place in places if place[0] in declared]


def _reached_kinds(plan: Plan, scope: Scope) -> list[type[Resource]]:
    """The kinds of which a scope may contain selected objects."""
    reached = () if scope.is_planned else prunable_kinds()
    return [kind for kind in reached if plan.selection.may_reach(kind, scope.slug)]


def _undeclared(plan: Plan, places: Iterable[Place], settings: Settings) -> Iterator[LiveObject]:
    owners = own_aliases(plan.nodes)
    for kind, scope in places:
        for item in plan.platform.listing(kind, scope):
            found = LiveObject(kind, item, scope)
            is_meant = plan.selection.reaches(found) and not found.is_covered_by(settings.ignore)
            owner = owners.get(host_form(item["alias"])) if kind is Alias else None
            is_own = owner is not None and is_same(item["project_id"], owner.item.get("id"))
            is_declared = is_own or plan.entry_of(found)
            if is_meant and not is_declared and not kind.is_generated(item, plan.platform, scope):
                yield found


def _deletion(found: LiveObject, platform: Platform, settings: Settings) -> Node:
    kind, live = KINDS[found.kind.plural], found.item
    wanted = Wanted({"state": "absent", "id": live["id"]}, {}, live[kind.name_field])
    bound = kind(wanted, platform, found.scope)
    node = Node(bound, bound.plan_for(bound.addressable(live, bound.candidates())))
    if found.is_covered_by(settings.protect):
        node.skip_reason = PROTECTED
    return node


def _why_not_prunable(platform: Platform, scope: Scope, kinds: Collection[type[Resource]]) -> Refusal | None:
    """Why the own scope cannot be pruned: without a team, a list may show the objects of many, and it is unclear which
    belong to none.
    """
    if not scope.is_own:
        return None
    for kind in kinds:
        teams = teams_in(platform.listing(kind, scope.unfiltered))
        if len(teams) > 1:
            names = ", ".join(team or "no team" for team in sorted(teams))
            return Refusal(
                "prune",
                f"the token's own list of {kind.plural} shows objects of {len(teams)} teams ({names}), so an"
                " undeclared object may belong to another team. Set team in every entry, or do not prune.",
            )
        slugs = {str(team["id"]): team["slug"] for team in platform.listing(Team, Scope())}
        owner = slugs.get(next(iter(teams), ""))
        if owner:
            return Refusal(
                "prune",
                f"everything in the token's own list of {kind.plural} belongs to the team {owner}. Set"
                f" team: {owner} in the entries, or do not prune.",
            )
    return None
