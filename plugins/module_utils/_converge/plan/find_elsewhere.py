# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What entries would create and is there already, in a list that was not read: an alias of another
team. It is asked for by its name, because its list would not be complete proof.
"""

from __future__ import annotations

from ..._model.fields import Values
from ..._model.kind import Kind, Name
from ..._model.kinds.registry import KINDS
from ..._model.scope import NOBODYS, Scope
from ..._threads import InterruptiblePool
from ..items.item import Item, item_of
from ..items.names import declared_names
from ..items.plan import Plan
from ..items.references import unknown_team

# An object that an entry wants in a scope whose list lacks it.
UnlistedObject = tuple[type[Kind], str, Scope]


def find_elsewhere(plan: Plan) -> None:
    """Ask for what selected entries would create, if its name is unique on the platform.

    What turns out to be in the scope of its entry is added to the list of that; all else is kept as
    ``objects_elsewhere``.
    """

    def ask(wanted: UnlistedObject) -> Item | None:
        kind, name, _scope = wanted
        record = plan.platform.find_anywhere(kind, name)
        return _object_of(kind, record, plan) if record else None

    wanted = _unlisted_names(plan)
    with InterruptiblePool(plan.platform.workers) as pool:
        answers = list(pool.map(ask, wanted))
    for (kind, _name, scope), item in zip(wanted, answers):
        if not item:
            continue
        # What it refers to, where a list shows that, proves whose it is.
        owners = [item.owner, *(other.owner for other in item.references.values())]
        if scope in owners:
            plan.lists.add(kind, scope, item.live)
        else:
            plan.lists.objects_elsewhere.append(item)


def _unlisted_names(plan: Plan) -> list[UnlistedObject]:
    """What the selected entries want, and no list of their scopes shows, each once."""
    found: dict[Name, UnlistedObject] = {}
    for item in plan.selected_items:
        for name, text in declared_names(item).items():
            kind = KINDS[name.kind]
            if not kind.is_unique_on_platform:
                continue
            bearers = plan.lists.bearers(kind, text)
            if all(bearer.owner != item.scope for bearer in bearers):
                found[kind.name_at(item.scope, text)] = kind, text, item.scope
    return list(found.values())


def _object_of(kind: type[Kind], record: Values, plan: Plan) -> Item:
    """An object that no list shows, with what it refers to, and whose it is, as far as a list or a
    GET tells.
    """
    references: dict[str, Item] = {}
    team_id = record["team_id"]
    for option, other in kind.references.items():
        other_id = record[f"{option}_id"]
        item = plan.lists.get((other.plural, other_id))
        shown = None if item else plan.platform.get(other, other_id)
        if shown:
            item = item_of(other, shown, NOBODYS)
        if item:
            references[option] = item
            team_id = team_id or item.live["team_id"]
    owner = NOBODYS  # the own scope, perhaps of somebody else
    if team_id:
        known = plan.teams.with_id(str(team_id))
        owner = known if known.team else unknown_team(team_id, team_id)
    found = item_of(kind, record, owner)
    found.references = references
    return found
