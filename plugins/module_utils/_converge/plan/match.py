# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each entry's object, and the step that brings it into the desired state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ..._errors import InvalidOption
from ..._model.kind import Kind
from ..._model.own_scope import check_reference
from ..._model.scope import Scope
from ..items.item import Item
from ..items.matching import collect_problem, match_entries
from ..items.plan import Plan
from ..items.references import References


def match(plan: Plan) -> None:
    """Set what the options of each item name, and its step, or its problem. Teams are matched
    already.

    Items are in the order of kinds, and references point to earlier kinds.
    """
    groups: dict[tuple[type[Kind], Scope], list[Item]] = defaultdict(list)
    for item in plan.items:
        if item.kind.is_in_team:
            groups[item.kind, item.scope].append(item)
    for (kind, scope), items in groups.items():
        references = {
            option: References(groups.get((other, scope), ()), plan.lists.items(other, scope))
            for option, other in kind.references.items()
        }
        _match_in_scope(kind, scope, items, references, plan)


def _match_in_scope(
    kind: type[Kind],
    scope: Scope,
    items: Sequence[Item],
    references: Mapping[str, References],
    plan: Plan,
) -> None:
    """Match the items of one kind in one scope; of unselected ones, as far as lists were read.

    ``references``: what the options of the kind may name.
    """
    is_read = not kind.is_listed or plan.lists.has(kind, scope)
    readable = []
    for item in items:
        with collect_problem(item):
            _check_team(item, plan)
            if is_read or item.is_selected:
                item.references = dict(_resolve(item, references, plan))
                readable.append(item)
    match_entries(readable, plan.lists.listing(kind, scope), plan.platform)
    for item in readable:
        if item.live:
            item.live_scope = plan.lists.owner(kind, item.live)


def _check_team(item: Item, plan: Plan) -> None:
    """A team that the plan deletes will do for what is to be absent, or is not selected."""
    if item.entry:
        is_lenient = item.desired.is_absent or not item.is_selected
        plan.teams.check(item.entry.team, is_lenient=is_lenient)


def _resolve(
    item: Item, references: Mapping[str, References], plan: Plan
) -> Iterator[tuple[str, Item]]:
    """What the options of an entry name. With ``state: absent``, they may name what does not
    exist, or is deleted, too.
    """
    is_absent = item.desired.is_absent
    where = f"is not declared and does not exist in {item.scope}."
    for option, names in references.items():
        name = item.desired.options.get(option)
        if name is None or (is_absent and not names.find(name)):
            continue
        try:
            yield option, names.resolve(option, name, where, is_lenient=is_absent)
        except InvalidOption:
            check_reference(plan.platform, item.kind.references[option], item.scope, name)
            raise
