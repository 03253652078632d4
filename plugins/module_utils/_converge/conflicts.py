# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Aliases that a plan would take from their holders: the service refuses that, or moves them between teams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .._model.fields import Values, is_same
from .._model.hosts import host_form
from .._model.kinds.alias import Alias
from .._model.kinds.project import Project
from .._model.kinds.team import Team
from .._model.platform import Scope
from .._model.step import Action, Found, Known
from .node import LiveObject, Node
from .planning import Plan, listings_if_shown


def unnamed_teams(plan: Plan) -> list[Values]:
    """The caller's teams that no entry declares or names, if the plan creates a team, which may be one of them renamed.
    Empty if only a part is selected: other teams are then not affected.
    """
    creates_team = any(node.kind is Team and node.step.action is Action.CREATE for node in plan.nodes)
    if not (creates_team and plan.selection.is_whole):
        return []
    named = {str(scope.team_id) for scope in plan.scopes}
    teams = (team for team in plan.platform.listing(Team, Scope()) if str(team["id"]) not in named)
    return [team for team in teams if not plan.entry_of(LiveObject(Team, team, Scope()))]


def conflicts_of(plan: Plan, unnamed: Sequence[Values]) -> Iterator[str]:
    """Changes that are certain to fail, or to take an alias from another team. Of lists that planning has not read,
    only those of ``unnamed`` teams are read.
    """
    yield from _declared_twice(plan)
    takers = [node for node in plan.nodes if _taken_by(node)]
    if not takers:
        return
    holders = _holders(plan, unnamed)
    givers = _givers(plan.nodes)
    for node in takers:
        alias = _taken_by(node)
        own, giver = node if node.kind is Project else None, givers.get(host_form(alias))
        # Projects that may have the alias: the one that takes it, and the one that gives it up.
        may_have_it = {str(project.step.live["id"]) for project in (own, giver) if project and project.step.live}
        for holder in holders.get(host_form(alias), ()):
            is_in_the_way = holder.scope is not node.bound.scope or holder.kind is node.kind is Project
            project_id = str(holder.item["id" if holder.kind is Project else "project_id"])
            if is_in_the_way and project_id not in may_have_it:
                project = holder.item["name"] if holder.kind is Project else project_id
                owner = f"the project {project} of {holder.scope}"
                yield (
                    f"{node.label} takes the alias {alias}, which belongs to {owner}. Remove it there first,"
                    " or declare it there. This collection does not move objects between teams."
                )
                break


def wait_for_aliases(nodes: Sequence[Node]) -> None:
    """Make each step that takes an alias wait for the project that gives it up."""
    givers = _givers(nodes)
    for node in nodes:
        giver = givers.get(host_form(_taken_by(node)))
        if giver is not None and giver is not node:
            node.needs.append(giver)


def _givers(nodes: Sequence[Node]) -> dict[str, Node]:
    """The projects that get another alias, by their current one."""
    changing = (node for node in nodes if node.is_pending and "alias" in node.step.changes)
    former = ((host_form(node.step.live.get("alias")), node) for node in changing)
    return {alias: node for alias, node in former if alias and alias != host_form(_taken_by(node))}


def _declared_twice(plan: Plan) -> Iterator[str]:
    """Aliases declared for two projects, which would take them from each other in every run."""
    first: dict[str, tuple[Node, Known]] = {}
    for node in plan.nodes:
        for alias, project in aliases_declared_by(node):
            other, others_project = first.setdefault(host_form(alias), (node, project))
            is_one = project is others_project or is_same(project.item.get("id"), others_project.item.get("id"))
            takers = [
                taker for taker in (node, other) if taker.is_pending and (taker.kind is Alias or _taken_by(taker))
            ]
            if takers and not is_one:
                yield (
                    f"{other.label} and {node.label} declare the alias {alias} for two projects. Remove it"
                    " from one of them."
                )


def aliases_declared_by(node: Node) -> Iterator[tuple[str, Known]]:
    """The alias that an entry declares, and its project. An object that only has to exist may have any alias."""
    wanted = node.bound.wanted
    if node.entry is None or wanted.is_absent or (wanted.is_exists and node.step.live):
        return
    if node.kind is Project and wanted.values.get("alias"):
        yield str(wanted.values["alias"]), node
    if node.kind is Alias and "project" in node.bound.referred:
        yield node.name, node.bound.referred["project"]


def own_aliases(nodes: Sequence[Node]) -> dict[str, Node]:
    """The projects whose entries declare an alias as their own, by its form."""
    projects = (node for node in nodes if node.kind is Project)
    return {host_form(alias): node for node in projects for alias, _project in aliases_declared_by(node)}


def _taken_by(node: Node) -> str:
    """The alias that a step takes, ``""`` for none."""
    return str(node.step.changes.get("alias") or "") if node.is_pending else ""


def _holders(plan: Plan, unnamed: Sequence[Values]) -> dict[str, list[LiveObject]]:
    """What has each alias, as far as the lists show: an alias, or a project as its own."""
    platform, kinds = plan.platform, (Project, Alias)
    places = [(kind, scope) for scope in plan.scopes for kind in kinds if platform.has_listing(kind, scope)]
    places += [(kind, Scope(Found(team))) for team in unnamed for kind in kinds]
    found: dict[str, list[LiveObject]] = {}
    for (kind, scope), items in zip(places, listings_if_shown(platform, places)):
        for item in (item for item in items or () if item["alias"]):
            found.setdefault(host_form(item["alias"]), []).append(LiveObject(kind, item, scope))
    return found
