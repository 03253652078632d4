# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What entries would create and is there already, in a list that was not read: an alias of another
team. It is asked for by its name, because its list would not be complete proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..._model.belonging import named_team
from ..._model.fields import Values
from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS
from ..._model.scope import NOBODYS, Scope
from ..._threads import InterruptiblePool
from ..blueprint.declared_names import desired_names
from ..items.item import Item, item_of
from ..items.names import name_in_scope
from ..items.plan import Plan
from ..items.teams import unknown_team


class UnlistedObject(NamedTuple):
    """An object that an entry wants in a scope whose list lacks it."""

    kind: type[Kind]
    name: str
    scope: Scope


def find_elsewhere(plan: Plan) -> None:
    """Ask for what selected entries would create, if its name is unique on the platform.

    What turns out to be in the scope of its entry is added to the list of that; all else is kept as
    ``objects_elsewhere``.
    """

    def ask(wanted: UnlistedObject) -> tuple[Values, Mapping[str, Item]] | None:
        record = plan.platform.find_anywhere(wanted.kind, wanted.name)
        return (record, dict(_referenced(wanted.kind, record, plan))) if record else None

    wanted = _unlisted_names(plan)
    with InterruptiblePool(plan.platform.workers) as pool:
        answers = list(pool.map(ask, wanted))
    for (kind, _name, scope), answer in zip(wanted, answers):
        if not answer:
            continue
        record, references = answer
        owner = _owner(kind, record, references, plan)
        if owner == scope or _is_proven_by(references, scope, plan):
            plan.lists.add(kind, scope, record)
        else:
            item = item_of(kind, record, owner)
            item.references = references
            plan.lists.objects_elsewhere.append(item)


def _unlisted_names(plan: Plan) -> list[UnlistedObject]:
    """What the selected entries want, and no list of their scopes shows, each once."""
    found = {}
    for item in plan.selected_items:
        if not item.entry:
            continue
        for kind, name, _field in desired_names(item.entry):
            if kind.is_unique_on_platform and not _is_listed(kind, name, item.scope, plan):
                wanted = UnlistedObject(kind, name, item.scope)
                found[name_in_scope(kind, item.scope, name)] = wanted
    return list(found.values())


def _is_listed(kind: type[Kind], name: str, scope: Scope, plan: Plan) -> bool:
    """True if the scope's list shows the object, by itself or as the field of another one."""
    if plan.lists.listing(kind, scope).where(kind.name_field, name):
        return True
    for other in KINDS.values():
        for field, plural in other.embeds.items():
            records = plan.lists.listing(other, scope)
            if plural == kind.plural and records.where(field, name):
                return True
    return False


def _referenced(kind: type[Kind], record: Values, plan: Plan) -> Iterator[tuple[str, Item]]:
    """What an object refers to, as far as a list or a GET shows it."""
    for option, other in kind.references.items():
        other_id = record[f"{option}_id"]
        item = plan.lists.by_id(other, other_id)
        shown = None if item else plan.platform.get(other, other_id)
        if shown:
            item = item_of(other, shown, NOBODYS)
        if item:
            yield option, item


def _owner(kind: type[Kind], record: Values, references: Mapping[str, Item], plan: Plan) -> Scope:
    """The scope of an object that no list shows, as far as the answers tell."""

    def find(other: type[Kind], _record_id: object) -> list[Values]:
        return [item.live for item in references.values() if item.kind is other]

    team_id = named_team(kind, record, find)
    if not team_id:
        return NOBODYS  # the own scope, perhaps of somebody else
    known = plan.teams.with_id(team_id)
    return known if known.team else unknown_team(team_id, team_id)


def _is_proven_by(references: Mapping[str, Item], scope: Scope, plan: Plan) -> bool:
    """True if the scope's list shows what an object refers to."""
    return any(
        plan.lists.listing(item.kind, scope).where("id", item.live["id"])
        for item in references.values()
    )
