# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that two objects would bear: two entries declare them, or an object of another scope, or
another object of this one, has them and keeps them.

So do names that a service might take for the same: in letters of another case, with spaces around,
in another form of Unicode. Such a service stores one as the other, and a plan that compares exactly
would create and delete for ever.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ..._model.kind import Kind, Name
from ..._model.kinds.registry import KINDS
from ..._model.name_forms import look_alike
from ..._model.scope import NOBODYS
from ..._text import visible_name, yaml_text
from ..items.item import Item, Key
from ..items.names import (
    acquired_names,
    declared_names,
    released_names,
    unique_name,
)
from ..items.plan import Plan


def find_names_with_two_bearers(plan: Plan) -> Iterator[str]:
    """Names that two entries declare for different objects, which would take them from each other
    in every run.
    """
    first: dict[Name, Item] = {}
    for item in plan.items:
        for name, text in declared_names(item).items():
            kind = KINDS[name.kind]
            if not kind.is_unique_on_platform:
                continue
            other = first.setdefault(name, item)
            is_conflict = _bearer(item, kind) != _bearer(other, kind)
            if is_conflict and (_takes_names(item) or _takes_names(other)):
                yield (
                    f"{other.label} and {item.label} declare the {kind.singular} {text} for"
                    " different objects. Remove it from one of them."
                )


def _bearer(item: Item, kind: type[Kind]) -> Key:
    """What bears a name of a kind that an entry declares: its object, of which it is a field, or
    what that refers to.
    """
    if kind is not item.kind:
        return item.key
    return next((other.key for other in item.references.values()), item.key)


def find_swapped_names(plan: Plan) -> Iterator[str]:
    """Two entries whose objects exist and that name each other as earlier names: meant as a swap,
    which one run cannot do, their settings would be exchanged.
    """
    first: dict[tuple[Name, Name], Item] = {}
    for item in plan.items:
        if not item.live:
            continue
        own = unique_name(item.kind, item.scope, item.name)
        for name in item.desired.previous_names:
            previous = unique_name(item.kind, item.scope, name)
            other = first.get((previous, own))
            first[own, previous] = item
            if other and (item.is_write or other.is_write):
                yield (
                    f"{other.label} and {item.label} name each other under previously, and both"
                    " exist. Names are not swapped in one run: remove previously from both, or"
                    " rename one of them to an unused name in a run before."
                )


def _takes_names(item: Item) -> bool:
    return item.is_pending and (bool(item.references) or bool(acquired_names(item)))


def find_names_borne_elsewhere(plan: Plan) -> Iterator[str]:
    """Names that belong to an object of another scope, or to another object of this one, and are
    not given up. What a team's list shows may belong to another scope, too: what it refers to was
    moved, and it stayed.
    """
    released: set[Name] = set()
    for item in plan.writes:
        released |= released_names(item)
    for item in plan.writes:
        for name, text in acquired_names(item).items():
            kind = KINDS[name.kind]
            if name in released or not kind.is_unique_on_platform:
                continue
            bearers = plan.lists.bearers(kind, name.text)
            taken = [other for other in bearers if not _may_take(item, name, other)]
            if taken:
                yield _describe_taking(item, f"{kind.singular} {text}", taken[0], plan)
        if item.live and item.scope.team and item.owner != item.scope:
            stayed = plan.lists.item(item.kind, item.live)
            taken_name = f"{item.kind.singular} {item.live_name}"
            yield _describe_taking(item, taken_name, stayed, plan)


def _may_take(item: Item, name: Name, other: Item) -> bool:
    """True if an item may take a name from an object of its scope: by an entry of what bears it,
    which shows from where, but not as a field, which cannot show it. What has it already, does.
    """
    keys = (other.key, *other.reference_keys)
    is_shown = item.kind.plural == name.kind or item.key in keys
    return is_shown and other.owner == item.scope


def _describe_taking(item: Item, taken: str, bearer: Item, plan: Plan) -> str:
    """``bearer``: the object of the name, which stands for what it refers to."""
    kind: type[Kind] = bearer.kind
    name = bearer.name
    for option, key in zip(bearer.kind.references, bearer.reference_keys):
        other = bearer.references.get(option) or plan.lists.get(key)
        kind = bearer.kind.references[option]
        name = other.live_name if other else str(key[1])
    scope = "another scope" if bearer.owner == NOBODYS else bearer.owner
    return (
        f"{item.label} would take the {taken} from the {kind.singular} {visible_name(name)}"
        f" of {scope}. Remove it there first, or declare it there instead."
    )


def find_look_alikes(plan: Plan) -> Iterator[str]:
    """A message for each name that the plan would bring into being beside an undeclared look-alike
    of its scope.
    """
    named = [
        item
        for item in plan.items
        if item.kind.is_renamable and (item.is_creation or item.is_rename)
    ]
    alike: dict[tuple[object, ...], list[Item]] = defaultdict(list)
    for kind in {item.kind for item in named}:
        for other in plan.lists.items(kind):
            alike[kind, other.scope, look_alike(other.name)].append(other)
    for item in named:
        for other in alike[item.kind, item.scope, look_alike(item.desired.name)]:
            if other.name != item.desired.name and not plan.declarations.has(other):
                yield _describe_look_alike(item, other)


def _describe_look_alike(item: Item, other: Item) -> str:
    kind = item.kind
    new = yaml_text(item.desired.name)
    stored = yaml_text(other.name)
    return (
        f"{item.label} would give the name {new} to a {kind.singular}"
        f" beside the undeclared {kind.singular} {stored},"
        " and the service may take them for the same."
        f" Write {stored} in the entry, rename it with previously: [{stored}], or declare both."
    )
