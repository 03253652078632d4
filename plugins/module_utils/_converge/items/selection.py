# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What ``only`` selects: entries, and what no entry declares."""

from __future__ import annotations

from collections.abc import Iterable

from ..._model.scope import Scope
from ..blueprint.entries import Entry
from ..blueprint.options import BlueprintOptions
from ..blueprint.selectors import Selectors
from .item import Item


def is_entry_selected(entry: Entry, scope: Scope, options: BlueprintOptions) -> bool:
    """``scope``: that of the entry; of a team, the team itself."""
    return options.only is None or selects_entry(options.only, entry, scope)


def is_object_selected(item: Item, options: BlueprintOptions) -> bool:
    """True if an object is selected whatever entries declare."""
    return options.only is None or selects_object(options.object_selectors, item)


def selects_entry(
    selectors: Selectors, entry: Entry, scope: Scope, earlier_names: Iterable[str] = ()
) -> bool:
    """True if selectors select an entry, by its name or an earlier one, and its team's slug after
    the run, or its team's ID.
    """
    names = [entry.name if entry.kind.is_in_team else scope.slug, *earlier_names]
    matching = (selector for selector in selectors if selector.matches_source(entry.source))
    return Selectors(matching).match(entry.kind, names, [scope.slug], scope.ids)


def is_known_to(selectors: Selectors, entry: Entry, scope: Scope) -> bool:
    """True if a guard matches an entry, by any name of the entry or its team."""
    names = {entry.name, *entry.desired.previous_names} if entry.kind.is_in_team else scope.names
    return selectors.match(entry.kind, names, scope.names, scope.ids)


def selects_object(selectors: Selectors, item: Item) -> bool:
    """True if a selector permits to change an object: an earlier slug of its team counts for
    nothing.
    """
    return selectors.match(item.kind, [item.name], [item.owner.slug], item.owner.ids)
