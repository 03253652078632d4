# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Guards: what a plan may not do. All of them run before the first write, and name what they refuse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from .._model.fields import Values
from .._model.hosts import host_form
from .._model.kind import Kind
from .._model.kinds.alias import Alias
from .._model.kinds.project import Project
from .._model.kinds.registry import KINDS
from .._model.platform import Scope
from .._model.step import Action
from .._text import some_of
from .conflicts import own_aliases
from .node import GoesAlong, Node
from .planning import Plan
from .settings import LIMITED, Settings

UNLIMITED_UP_TO = 10
# The guard of what no option decides.
BLUEPRINT = "blueprint"


class Refusal(NamedTuple):
    """Why a plan is not carried out. ``guard``: the option that forbids it."""

    guard: str
    message: str

    @property
    def line(self) -> str:
        return f"{self.guard}: {self.message}"


def by_blueprint(messages: Iterable[str]) -> Iterator[Refusal]:
    return (Refusal(BLUEPRINT, message) for message in messages)


def refusals_of(plan: Plan, settings: Settings, step_ids: Mapping[Node, str]) -> list[Refusal]:
    """Why the plan may not be carried out; empty if it may."""
    return [
        *_protected(plan.nodes, settings),
        *_ignored(plan.nodes, settings),
        *by_blueprint(_needed(plan.nodes)),
        *_unselected_along(plan),
        *_over_prune_limit(plan, settings),
        *_over_limits(plan.nodes, settings),
        *_not_approved(step_ids, settings),
    ]


def _protected(nodes: Sequence[Node], settings: Settings) -> Iterator[Refusal]:
    for node in nodes:
        if node.is_pending_deletion and node.live.is_covered_by(settings.protect):
            yield Refusal("protect", f"{node.label} is protected, but would be deleted.")
    for gone in _all_along(nodes):
        if gone.is_covered_by(settings.protect):
            yield Refusal("protect", f"{_takes_along(gone)}, which is protected.")


def _ignored(nodes: Sequence[Node], settings: Settings) -> Iterator[Refusal]:
    """Objects managed by others, which an entry may not declare, by any of its names or ids."""
    for node in nodes:
        if node.entry and _is_ignored(node, settings):
            yield Refusal(
                "ignore", f"{node.label} declares the {_shown(node)}, which is ignored. Remove it from one of them."
            )
    for gone in _all_along(nodes):
        if gone.is_covered_by(settings.ignore):
            yield Refusal("ignore", f"{_takes_along(gone)}, which is ignored.")


def _is_ignored(node: Node, settings: Settings) -> bool:
    """Return whether an object is ignored by its live name, or as it would be created: an entry may name its team by
    the id.
    """
    if node.step.live:
        return node.live.is_covered_by(settings.ignore)
    return settings.ignore.match(node.kind, [node.name], [node.name if node.team is None else node.team])


def _unselected_along(plan: Plan) -> Iterator[Refusal]:
    for gone in _all_along(plan.nodes):
        entry = plan.entry_of(gone)
        if entry and not plan.selection.has(entry):
            yield Refusal("only", f"{_takes_along(gone)}, which {entry.label} declares, and which is not selected.")


def _needed(nodes: Sequence[Node]) -> Iterator[str]:
    """Entries that need an object which a deletion removes, or takes along."""
    pruned = {node.live.key: node for node in nodes if node.is_pending_deletion and node.entry is None}
    going = {gone.key: gone for gone in _all_along(nodes)}
    for node in nodes:
        if node.entry is None or node.entry.wanted.is_absent:
            continue
        keys = [(kind.plural, str(known.item["id"])) for _option, kind, known in node.referred]
        needed = [pruned[key] for key in keys if key in pruned]
        gone = going.get(node.live.key)
        for deletion in needed:
            yield (
                f"the {deletion.kind.singular} {deletion.name} is not declared and would be deleted, but"
                f" {node.label} refers to it. Declare it."
            )
        if gone is not None and gone.nodes[0] not in needed:
            yield f"{_takes_along(gone)}, which is declared by {node.label}."
    yield from _own_aliases(nodes)
    yield from _created_below(nodes)


def _own_aliases(nodes: Sequence[Node]) -> Iterator[str]:
    """Declared aliases of projects that would be deleted: the next run would create them again."""
    owners = own_aliases(nodes)
    for node in nodes:
        owner = owners.get(host_form(node.name)) if node.kind is Alias else None
        if owner is not None and (node.is_pending_deletion or _is_deleted_by_the_next_run(node, owner)):
            yield f"{node.label} would be deleted, which is declared by {owner.label}."
    for gone in _all_along(nodes):
        owner = owners.get(host_form(gone.name)) if gone.kind is Alias else None
        if owner is not None and gone.nodes[0].step.is_deletion:
            yield f"{_takes_along(gone)}, which is declared by {owner.label}."


def _is_deleted_by_the_next_run(alias: Node, project: Node) -> bool:
    """Return whether an alias that is declared with state absent does not exist yet, and a project gets it."""
    is_absent = alias.entry is not None and alias.bound.wanted.is_absent
    return is_absent and alias.bound.scope is project.bound.scope and "alias" in project.step.changes


def _created_below(nodes: Sequence[Node]) -> Iterator[str]:
    """Objects that the plan would create, and delete again with another one."""
    created = [made for node in nodes for made in _created_by(node)]
    for deletion in (node for node in nodes if node.is_pending_deletion and node.kind.is_in_team):
        for node, kind, item in created:
            goes = kind.goes_with.get(deletion.kind.plural)
            if goes and node.bound.scope is deletion.bound.scope and goes(deletion.step, item):
                yield f"deleting the {_shown(deletion)} would also delete what {node.label} declares."


def _created_by(node: Node) -> Iterator[tuple[Node, type[Kind], Values]]:
    """The object that a step creates, and the alias that the service creates for a project that sets one."""
    if node.is_pending and node.step.action is Action.CREATE:
        yield node, node.kind, node.step.expected
    if node.is_pending and node.kind is Project and node.step.changes.get("alias"):
        alias = {"alias": node.step.changes["alias"], "project_id": node.step.expected["id"]}
        yield node, Alias, Alias.fields.result(alias)


def _over_prune_limit(plan: Plan, settings: Settings) -> Iterator[Refusal]:
    """Aliases that go with a deleted domain count like pruned ones. Objects with the same name count separately."""
    deleted: dict[tuple[type[Kind], Scope], dict[tuple[str, str], str]] = {}
    for node in plan.nodes:
        if node.is_pending_deletion and node.entry is None:
            deleted.setdefault((node.kind, node.bound.scope), {})[node.live.key] = node.name
    for gone in _all_along(plan.nodes):
        for node in (node for node in gone.nodes if node.kind.removes):
            deleted.setdefault((gone.kind, node.bound.scope), {})[gone.key] = gone.name
    for (kind, scope), names in deleted.items():
        total = len(plan.platform.listing(kind, scope))
        if total > UNLIMITED_UP_TO and len(names) * 100 > settings.prune_limit * total:
            yield Refusal(
                "prune_limit",
                f"{len(names)} of {total} {kind.plural} of {scope} would be deleted, more than"
                f" {settings.prune_limit} %. Raise it if this is intended: {some_of(sorted(names.values()))}.",
            )


def _over_limits(nodes: Sequence[Node], settings: Settings) -> Iterator[Refusal]:
    for action, done in LIMITED.items():
        most = settings.limits.get(action)
        own: list[Node | GoesAlong] = [node for node in nodes if node.is_pending and node.step.action.value == action]
        along = list(_all_along(nodes)) if action == Action.DELETE.value else []
        if most is not None and len(own) + len(along) > most:
            made_of = [_count(own)] if own else []
            made_of += [f"{_count(along)} going along"] if along else []
            yield Refusal(
                f"limits.{action}",
                f"{len(own) + len(along)} would be {done} ({', '.join(made_of)}), more than {most}. Raise it if this is"
                f" intended: {some_of([_shown(gone) for gone in [*own, *along]])}.",
            )


def _not_approved(step_ids: Mapping[Node, str], settings: Settings) -> Iterator[Refusal]:
    if settings.approved is None:
        return
    names = []
    for node, step in step_ids.items():
        if step not in settings.approved:
            along = [f"with {gone.kind.singular} {gone.name}" for gone in node.along]
            names.append(f"{_shown(node)} ({', '.join([node.step.action.value, *along])})")
    if names:
        steps = "1 step is" if len(names) == 1 else f"{len(names)} steps are"
        yield Refusal(
            "approved",
            f"{steps} not approved: {some_of(names)}. Run it in check mode again, and get the new plan approved.",
        )


def _count(things: Sequence[Node | GoesAlong]) -> str:
    """``48 projects, 1 alias``."""
    numbers = {kind: sum(1 for thing in things if thing.kind is kind) for kind in KINDS.values()}
    counted = ((kind.singular if number == 1 else kind.plural, number) for kind, number in numbers.items() if number)
    return ", ".join(f"{number} {word.replace('_', ' ')}" for word, number in counted)


def _all_along(nodes: Sequence[Node]) -> Iterator[GoesAlong]:
    return (gone for node in nodes for gone in node.along)


def _takes_along(gone: GoesAlong) -> str:
    node = gone.nodes[0]
    what = "deleting" if node.step.is_deletion else "changing"
    return f"{what} the {_shown(node)} would also delete the {gone.kind.singular} {gone.name}"


def _shown(node: Node | GoesAlong) -> str:
    of_team = f" of {node.team}" if node.team else ""
    return f"{node.kind.singular.replace('_', ' ')} {node.name}{of_team}"
