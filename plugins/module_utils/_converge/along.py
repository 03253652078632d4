# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes along with a step: objects that the service deletes together with another one, unrequested."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from .._errors import PlatformError
from .._model.fields import Values
from .._model.kind import GoesWith, Kind
from .._model.kinds.project import Project
from .._model.kinds.registry import KINDS, level_of, prunable_kinds
from .._model.platform import Scope
from .._model.step import Found, Step
from .._threads import Crew
from .node import GoesAlong, Node, turn_of
from .planning import Plan, read_ahead


def find_what_goes_along(plan: Plan) -> None:
    """Record on each pending step what goes along with it, except what other steps delete or move away themselves.

    An object goes along with the first step that takes it, so that an interruption leaves the rest of a plan the same.
    """
    nodes, platform = plan.nodes, plan.platform
    takers = [node for node in nodes if node.is_pending and node.step.live and _may_take_along(node)]
    # Whatever the order of the entries and of the lists.
    takers.sort(key=lambda node: (turn_of(node), list(KINDS).index(node.kind.plural), str(node.step.live["id"])))
    read_ahead(platform, [(kind, _scope_below(node)) for node in takers for kind, _goes in _kinds_below(node)])
    planned = {node.live.key: node for node in nodes if node.step.live}
    found: dict[tuple[str, str], GoesAlong] = {}
    for node in takers:
        for gone, goes in _taken_along(node):
            other = planned.get(gone.key)
            if other is not None and other.is_pending:
                if other.step.is_deletion:
                    continue
                if node.step.is_deletion and not goes(node.step, other.step.expected):
                    node.needs.append(other)  # it moves away first: if that fails, it needs what it is in
                    continue
            known = found.setdefault(gone.key, gone)
            if known is gone:
                node.along.append(gone)
            elif level_of(known.nodes[0].kind) == level_of(node.kind):
                node.needs.append(known.nodes[0])
            known.nodes.append(node)


def fail_what_takes_more_along(nodes: Sequence[Node], crew: Crew) -> None:
    """Fail the deletions that would now take more along than planned, such as objects created in the meantime."""
    deletions = [node for node in nodes if node.is_pending_deletion and not node.lacks_what_it_needs]
    planned = {gone.key for node in nodes for gone in node.along}
    planned |= {node.live.key for node in nodes if node.is_pending_deletion}
    for platform in dict.fromkeys(node.bound.platform for node in deletions):
        platform.lists.forget()
    list(crew.map(lambda node: _check_nothing_new(node, planned), deletions))


def _check_nothing_new(node: Node, planned: Container[tuple[str, str]]) -> None:
    with node.keeping_failure():
        for gone, _goes in _taken_along(node):
            if gone.key not in planned:
                raise PlatformError(
                    f"The {gone.kind.singular} {gone.name} was added in the meantime, and would be deleted along. This"
                    " was not approved. Plan again."
                )


def _may_take_along(node: Node) -> bool:
    """Return whether a step deletes an object, or replaces a value that is an object as well, such as an alias."""
    step = node.step
    return step.is_deletion or any(step.live.get(option) for option in node.kind.shared if option in step.changes)


def _taken_along(node: Node) -> Iterator[tuple[GoesAlong, GoesWith]]:
    """What exists and goes along with a step, by the condition of its kind."""
    scope = _scope_below(node)
    for kind, goes in _kinds_below(node):
        for item in node.bound.platform.listing(kind, scope):
            if goes(node.step, item):
                yield GoesAlong(kind, item, scope), goes


def _kinds_below(node: Node) -> Iterator[tuple[type[Kind], GoesWith]]:
    """The kinds of what a step may take along: for a team, of everything in it."""
    for kind in prunable_kinds():
        goes = kind.goes_with.get(node.kind.plural) if node.kind.is_in_team else _goes_with_team
        if goes is not None:
            yield kind, goes


def _goes_with_team(step: Step, _item: Values) -> bool:
    return step.is_deletion


def _scope_below(node: Node) -> Scope:
    """The scope of what a step takes along: a team is a scope itself. A project's objects are identified by its id,
    wherever a service keeps the own scope's objects.
    """
    if not node.kind.is_in_team:
        return Scope(Found(node.step.live))
    return node.bound.scope.unfiltered if node.kind is Project else node.bound.scope
