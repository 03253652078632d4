# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Aliases that a plan would take from where they are: the service refuses that, or moves them between teams."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from .._client.errors import ApiError
from .._resources.alias import Alias
from .._resources.fields import Values, is_same
from .._resources.hosts import host_form
from .._resources.kind import Kind
from .._resources.plan import Action, Found
from .._resources.platform import Platform, Scope
from .._resources.project import Project
from .._resources.team import Team
from .._threads import Crew
from .node import Node
from .planning import Plan


def unnamed_teams(plan: Plan, platform: Platform) -> list[Values]:
    """The caller's teams that no entry is about or in, if the plan creates a team, which may be one of them renamed."""
    if not any(node.kind is Team and node.step.action is Action.CREATE for node in plan.nodes):
        return []
    named = {str(scope.team_id) for scope in plan.scopes}
    teams = platform.listing(Team, Scope())
    return [team for team in teams if str(team["id"]) not in named and not plan.is_declared(Team, team)]


def conflicts_of(plan: Plan, unnamed: Sequence[Values], platform: Platform, workers: int) -> Iterator[str]:
    """What is certain to fail, or to take from another team. Of lists that planning has not read, only those of
    ``unnamed`` teams are read.
    """
    takers = [node for node in plan.nodes if _taken_by(node)]
    if not takers:
        return
    holders = _holders(plan, unnamed, platform, workers)
    leaving = {str(node.step.live["id"]) for node in takers if node.step.live}
    for node in takers:
        alias = _taken_by(node)
        for holder in holders.get(host_form(alias), ()):
            if holder.project_id not in leaving and _is_in_the_way(holder, node):
                yield (
                    f"conflict: {node.label} takes the alias {alias}, which belongs to {holder}. Remove it there first,"
                    " or declare it there. This collection does not move objects between teams."
                )
                break


@dataclasses.dataclass(frozen=True)
class _Holder:
    """A live project whose own alias it is, or a live alias."""

    kind: type[Kind]
    item: Values
    scope: Scope

    @property
    def project_id(self) -> str:
        return str(self.item["id" if self.kind is Project else "project_id"])

    def __str__(self) -> str:
        project = self.item["name"] if self.kind is Project else self.project_id
        return f"the project {project} of {self.scope}"


def _taken_by(node: Node) -> str:
    """The alias that a step takes, ``""`` for none."""
    if node.is_pending and node.kind is Project:
        return str(node.step.changes.get("alias") or "")
    return node.name if node.kind is Alias and node.is_pending and node.step.action is Action.CREATE else ""


def _is_in_the_way(holder: _Holder, node: Node) -> bool:
    own_id = node.step.live.get("id") if node.kind is Project else None
    is_elsewhere = holder.scope is not node.bound.scope
    return not is_same(own_id, holder.project_id) and (is_elsewhere or holder.kind is node.kind is Project)


def _holders(plan: Plan, unnamed: Sequence[Values], platform: Platform, workers: int) -> dict[str, list[_Holder]]:
    """Who has which alias, as far as the lists tell."""
    places = [(kind, scope) for scope in plan.scopes for kind in (Project, Alias) if platform.has_listing(kind, scope)]
    places += [(kind, Scope(Found(team))) for team in unnamed for kind in (Project, Alias)]

    def read(place: tuple[type[Kind], Scope]) -> list[_Holder]:
        try:
            return [_Holder(place[0], item, place[1]) for item in platform.listing(*place)]
        except ApiError as error:  # not every team of theirs shows its lists to everybody
            if error.status != 403:
                raise
            return []

    found: dict[str, list[_Holder]] = {}
    with Crew(workers) as crew:
        for holder in (holder for held in crew.map(read, places) for holder in held if holder.item["alias"]):
            found.setdefault(host_form(holder.item["alias"]), []).append(holder)
    return found
