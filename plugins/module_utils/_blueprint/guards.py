# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Guards: what a plan may not do. All of them are asked before the first write, and say what they refuse by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from .._client.errors import PlatformError
from .._resources.fields import Values
from .._resources.kind import Kind
from .._resources.kinds import KINDS
from .._resources.plan import Action, Found
from .._resources.platform import Platform, Scope
from .node import Node
from .settings import LIMITED, Settings

UNLIMITED_UP_TO = 10


class Refused(PlatformError):
    """A plan that a guard refuses; nothing was written."""

    def __init__(self, refusals: Sequence[str]) -> None:
        super().__init__(*refusals[:-1], f"{refusals[-1]} Nothing was written.")


@dataclasses.dataclass(frozen=True)
class _GoesAlong:
    """An object that a deletion takes along."""

    kind: type[Kind]
    item: Values
    node: Node


def refusals_of(
    nodes: Sequence[Node], platform: Platform, settings: Settings, step_ids: Mapping[Node, str]
) -> list[str]:
    """Why the plan may not be carried out; empty if it may."""
    along = _what_goes_along(nodes, platform, settings)
    return [
        *_protected(nodes, along, settings),
        *_needed(nodes, along),
        *_over_prune_limit(nodes, along, platform, settings),
        *_over_limits(nodes, along, settings),
        *_not_approved(step_ids, settings),
    ]


def _what_goes_along(nodes: Sequence[Node], platform: Platform, settings: Settings) -> list[_GoesAlong]:
    """The objects that deletions take along, less those that the plan deletes itself or moves out of the way."""
    planned = {(node.kind.plural, str(node.step.live["id"])): node for node in nodes if node.step.live.get("id")}
    found: dict[tuple[str, str], _GoesAlong] = {}
    for node in nodes:
        if not node.is_pending_deletion:
            continue
        scope = _scope_below(node)
        for kind in KINDS.values():
            goes = kind.goes_with.get(node.kind.plural)
            # What the service is known to remove may be declared, and is always looked at; the rest for a guard only.
            if goes is None or not (settings.guards_what_goes_along or kind.plural in node.kind.removes):
                continue
            for item in platform.listing(kind, scope):
                key = (kind.plural, str(item["id"]))
                other = planned.get(key)
                is_moved = other is not None and other.is_pending and not goes(node.step.live, other.step.expected)
                if goes(node.step.live, item) and not is_moved and not (other and other.is_pending_deletion):
                    found.setdefault(key, _GoesAlong(kind, item, node))
    return list(found.values())


def _scope_below(node: Node) -> Scope:
    """The scope of what a deletion takes along: a team is one itself."""
    return node.bound.scope if node.kind.is_in_team else Scope(Found(node.step.live))


def _protected(nodes: Sequence[Node], along: Sequence[_GoesAlong], settings: Settings) -> Iterator[str]:
    for node in nodes:
        if node.is_pending_deletion and settings.protects(node.kind, node.step.live):
            yield f"protect: {node.label} is protected, but would be deleted."
    for gone in along:
        if settings.protects(gone.kind, gone.item):
            yield f"protect: {_takes_along(gone)}, which is protected."


def _needed(nodes: Sequence[Node], along: Sequence[_GoesAlong]) -> Iterator[str]:
    """Entries that want an object which a deletion takes, or takes along."""
    pruned = {
        (node.kind.plural, str(node.step.live["id"])): node
        for node in nodes
        if node.is_pending_deletion and node.entry is None
    }
    going = {(gone.kind.plural, str(gone.item["id"])): gone for gone in along}
    for node in nodes:
        if node.entry is None or node.entry.wanted.is_absent:
            continue
        keys = [(kind.plural, str(known.item["id"])) for kind, known in node.referred]
        needed = [pruned[key] for key in keys if key in pruned]
        gone = going.get((node.kind.plural, str(node.step.live.get("id"))))
        for deletion in needed:
            yield (
                f"prune: the {deletion.kind.singular} {deletion.name} is not declared and would be deleted, but"
                f" {node.label} refers to it. Declare it."
            )
        if gone is not None and gone.node not in needed:
            yield f"{_takes_along(gone)}, which is declared by {node.label}."
    yield from _created_below(nodes)


def _created_below(nodes: Sequence[Node]) -> Iterator[str]:
    """Objects that the plan would create, and delete again with another one."""
    for deletion in (node for node in nodes if node.is_pending_deletion and node.kind.is_in_team):
        for node in nodes:
            goes = node.kind.goes_with.get(deletion.kind.plural)
            is_new = node.step.action is Action.CREATE and node.bound.scope is deletion.bound.scope
            if goes and is_new and goes(deletion.step.live, node.step.expected):
                yield f"deleting the {_shown(deletion)} would also delete what {node.label} declares."


def _over_prune_limit(
    nodes: Sequence[Node], along: Sequence[_GoesAlong], platform: Platform, settings: Settings
) -> Iterator[str]:
    """Aliases that go with a deleted domain count like those that are pruned."""
    names: dict[tuple[type[Kind], Scope], set[str]] = {}
    for node in nodes:
        if node.is_pending_deletion and node.entry is None:
            names.setdefault((node.kind, node.bound.scope), set()).add(node.name)
    for gone in along:
        if gone.node.kind.removes:
            scope = gone.node.bound.scope
            names.setdefault((gone.kind, scope), set()).add(str(gone.item[gone.kind.name_field]))
    for (kind, scope), deleted in names.items():
        total = len(platform.listing(kind, scope))
        if total > UNLIMITED_UP_TO and len(deleted) * 100 > settings.prune_limit * total:
            yield (
                f"prune: {len(deleted)} of {total} {kind.plural} of {scope} would be deleted, more than prune_limit"
                f" ({settings.prune_limit} %) allows. If this is intended, raise prune_limit:"
                f" {', '.join(sorted(deleted))}."
            )


def _over_limits(nodes: Sequence[Node], along: Sequence[_GoesAlong], settings: Settings) -> Iterator[str]:
    for action in LIMITED:
        most = settings.limits.get(action)
        names = [_shown(node) for node in nodes if node.is_pending and node.step.action.value == action]
        if action == Action.DELETE.value:
            names += [f"{gone.kind.singular} {gone.item[gone.kind.name_field]}{_of(_team(gone))}" for gone in along]
        if most is not None and len(names) > most:
            yield (
                f"limits: {len(names)} would be {_PAST[action]}, but limits allows {most}. If this is intended, raise"
                f" it: {', '.join(names)}."
            )


_PAST = {"create": "created", "update": "changed", "delete": "deleted"}


def _not_approved(step_ids: Mapping[Node, str], settings: Settings) -> Iterator[str]:
    if settings.approved is None:
        return
    names = [
        f"{_shown(node)} ({node.step.action.value})" for node, step in step_ids.items() if step not in settings.approved
    ]
    if names:
        steps = "1 step is" if len(names) == 1 else f"{len(names)} steps are"
        yield (
            f"approved: {steps} not approved: {', '.join(names)}. Run it in check mode again, and get the new plan"
            " approved."
        )


def _takes_along(gone: _GoesAlong) -> str:
    name = gone.item[gone.kind.name_field]
    return f"deleting the {_shown(gone.node)} would also delete the {gone.kind.singular} {name}"


def _shown(node: Node) -> str:
    return f"{node.kind.singular} {node.name}{_of(node.team)}"


def _team(gone: _GoesAlong) -> str | None:
    return gone.node.team if gone.node.kind.is_in_team else gone.node.name


def _of(team: str | None) -> str:
    return f" of {team}" if team else ""
