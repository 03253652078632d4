# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 6, order: what each change needs to come first."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from ..._errors import PlatformError
from ..._model.kinds.registry import KINDS, level_of
from ..._model.platform import Scope
from ..change import Change, Changes, Key

Name = tuple[str, object, str]


def order(changes: Changes) -> Changes:
    """A change needs what it refers to, and whoever gives up a name that it takes; a deletion, what leaves first."""
    needs = {change.key: found for change, found in needs_of(changes) if found}
    return tuple(
        replace(change, needs=change.needs | needs[change.key]) if change.key in needs else change for change in changes
    )


def needs_of(changes: Changes) -> list[tuple[Change, frozenset[Key]]]:
    pending = {change.key: change for change in changes if change.is_pending and not change.is_deletion}
    freed: dict[Name, set[Key]] = defaultdict(set)
    for change in pending.values():
        for name in _names_left(change):
            freed[name].add(change.key)
    leaving: dict[object, set[Key]] = defaultdict(set)
    for change in pending.values():
        if change.origin:
            leaving[change.origin.identity].add(change.key)

    def needs(change: Change) -> frozenset[Key]:
        if change.step.is_deletion:
            return frozenset(leaving[change.identity])
        refs = {ref.key for ref in change.refs.values()} | {change.scope.key}
        taken = names_after(change) - names_before(change)
        givers = {key for name in taken if name in freed for key in freed[name]}
        return frozenset(((pending.keys() & refs) | givers) - {change.key})

    return [(change, needs(change)) for change in changes if change.is_pending]


def names_before(change: Change) -> set[Name]:
    return set(_names(change, change.live, change.origin or change.scope)) if change.live else set()


def names_after(change: Change) -> set[Name]:
    return set() if change.step.is_deletion else set(_names(change, change.step.expected, change.scope))


def _names_left(change: Change) -> set[Name]:
    """The names that a change gives up, and those under which it would be looked for if it were not carried out."""
    earlier = change.wanted.previously
    sought = {(change.kind.plural, change.scope.identity, change.kind.form(name)) for name in earlier}
    return (names_before(change) | sought) - names_after(change)


def _names(change: Change, values: Mapping[str, Any], scope: Scope) -> Iterator[Name]:
    """The names that an object bears: its own, and those of the objects that are fields of it."""
    fields = {change.kind.name_field: change.kind.plural, **change.kind.embeds}
    for field, plural in fields.items():
        if values.get(field):
            yield name_key(plural, scope, values[field])


def name_key(plural: str, scope: Scope, name: Any) -> Name:
    """What two objects cannot share."""
    return plural, "" if is_shared(plural) else scope.identity, KINDS[plural].form(name)


@functools.cache
def is_shared(plural: str) -> bool:
    """Return whether other objects have objects of this kind as fields, whose names are unique on the platform."""
    return any(plural in kind.embeds.values() for kind in KINDS.values())


def turn_of(change: Change) -> tuple[bool, int]:
    """Changes go by the levels of their kinds, deletions last and in reverse."""
    level = level_of(change.kind)
    return (True, -level) if change.step.is_deletion else (False, level)


def waves_of(changes: Changes) -> Iterator[tuple[Change, ...]]:
    """Batches that may be carried out at once. Raises PlatformError for changes that wait for one another."""
    pending = sorted((change for change in changes if change.is_pending), key=turn_of)
    for _turn, group in groupby(pending, turn_of):
        left = list(group)
        while left:
            waiting = {change.key for change in left}
            ready = tuple(change for change in left if waiting.isdisjoint(change.needs))
            if not ready:
                circle = ", ".join(change.label for change in left)
                raise PlatformError(
                    f"These steps wait for one another: {circle}. Give one of them a third name or alias first."
                )
            yield ready
            left = [change for change in left if not waiting.isdisjoint(change.needs)]
