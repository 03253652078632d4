# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each entry's object, and the step that brings it into the desired state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..._errors import InvalidOption
from ..._model.kinds.registry import KINDS
from ..._model.own_scope import check_reference
from ..._model.platform import Platform
from ..._model.resource import Resource
from ..._model.scope import Scope
from ..items.item import TEAM_KIND, Item
from ..items.matching import collect_problem, match_entries
from ..items.plan import Plan
from ..items.references import References


def match(plan: Plan) -> None:
    """Set the step of each item, or its problem, one kind after another, because references point
    to earlier kinds. Teams are matched already.
    """
    for item in plan.items:
        item.live_scope = Scope(item.live) if item.live else None
    for kind in KINDS.values():
        if kind is not TEAM_KIND:
            _match_kind(kind, plan)


def _match_kind(kind: type[Resource], plan: Plan) -> None:
    referenced = {
        option: _by_scope(item for item in plan.items if item.kind is other)
        for option, other in kind.references.items()
    }
    found = []
    for item in plan.items:
        entry = item.entry
        if item.kind is not kind or entry is None:
            continue
        # A team that the plan deletes will do for what is to be absent, or is not selected.
        is_lenient = item.desired.is_absent or not item.is_selected
        with collect_problem(item):
            is_own = "team" not in entry.places
            plan.teams.check(entry.team, is_lenient=is_lenient, is_of_entry=is_own)
            found.append(item)
    for scope, items in _by_scope(found).items():
        references = {
            option: References(
                kind.references[option],
                declared.get(scope, ()),
                plan.lists.listed_items(kind.references[option], scope),
            )
            for option, declared in referenced.items()
        }
        _match_in_scope(kind, scope, items, references, plan)


def _match_in_scope(
    kind: type[Resource],
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
        if is_read or item.is_selected:
            with collect_problem(item):
                item.references = dict(_resolve(item, references, plan.platform))
                readable.append(item)
    match_entries(readable, plan.lists.listing(kind, scope), plan.platform)
    for item in readable:
        if item.problem:
            item.references = {}
        elif item.live:
            item.live_scope = plan.lists.owner(kind, item.live)


def _resolve(
    item: Item, references: Mapping[str, References], platform: Platform
) -> Iterator[tuple[str, Item]]:
    """What the options of an entry name. With ``state: absent``, they may name what does not
    exist, or is deleted, too.
    """
    where = f"is not declared and does not exist in {item.scope}."
    for option, names in references.items():
        name = item.desired.options.get(option)
        if name is None:
            continue
        try:
            found = names.resolve(option, name, where, is_lenient=item.desired.is_absent)
        except InvalidOption:
            check_reference(platform, item.kind.references[option], item.scope, name)
            raise
        if found is not None:
            yield option, found


def _by_scope(items: Iterable[Item]) -> dict[Scope, list[Item]]:
    found: dict[Scope, list[Item]] = defaultdict(list)
    for item in items:
        found[item.scope].append(item)
    return found
