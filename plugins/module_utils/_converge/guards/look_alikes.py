# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that a service might take for the same: in letters of another case, with spaces around, in
another form of Unicode. Such a service stores one as the other, and a plan that compares exactly
would create and delete for ever.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ..._model.name_forms import look_alike
from ..._text import yaml_text
from ..items.item import Item
from ..items.plan import Plan


def find_look_alikes(plan: Plan) -> Iterator[str]:
    """A message for each name that the plan would bring into being beside an undeclared look-alike
    of its scope.
    """
    named = [item for item in plan.items if _has_new_name(item)]
    if not named:
        return
    alike: dict[tuple[object, ...], list[Item]] = defaultdict(list)
    for kind in {item.kind for item in named}:
        for other in plan.lists.items(kind):
            alike[kind, other.place, look_alike(other.name)].append(other)
    for item in named:
        for other in alike[item.kind, item.place, look_alike(item.desired.name)]:
            if other.name != item.desired.name and not plan.declarations.has(other):
                yield _describe(item, other)


def _has_new_name(item: Item) -> bool:
    """True if a step brings the name of a project or a team into being."""
    is_named = item.kind.is_renamable and bool(item.desired.name)
    return is_named and (item.is_creation or item.is_rename)


def _describe(item: Item, other: Item) -> str:
    kind = item.kind
    new = yaml_text(item.desired.name)
    stored = yaml_text(other.name)
    return (
        f"{item.label} would give the name {new} to a {kind.singular}"
        f" beside the undeclared {kind.singular} {stored},"
        " and the service may take them for the same."
        f" Write {stored} in the entry, rename it with previously: [{stored}], or declare both."
    )
