# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 6, order: what each change needs to come first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from ..._errors import PlatformError
from ..._model.kinds.registry import KINDS, dependency_level
from ..._model.platform import Scope
from ..change import Change, Changes, Key

Name = tuple[str, object, str]


def add_dependencies(changes: Changes) -> Changes:
    """Add dependencies: a change depends on the objects it refers to and on the change that releases its name; a
    deletion depends on the moves out of the object.
    """
    needed = {change.key: change.dependencies | keys for change, keys in dependencies_of(changes)}
    return tuple(replace(change, dependencies=needed.get(change.key, change.dependencies)) for change in changes)


def dependencies_of(changes: Changes) -> list[tuple[Change, frozenset[Key]]]:
    """Each pending change with the keys of the changes that must be applied first."""
    pending = {change.key: change for change in changes if change.is_pending and not change.is_deletion}
    released: dict[Name, set[Key]] = defaultdict(set)
    for change in pending.values():
        for name in _released_names(change):
            released[name].add(change.key)
    leaving: dict[object, set[Key]] = defaultdict(set)
    for change in pending.values():
        if change.moved_from:
            leaving[change.moved_from.identity].add(change.key)

    def needed_by(change: Change) -> frozenset[Key]:
        if change.step.is_deletion:
            return frozenset(leaving[change.id_or_key])
        referenced = {reference.key for reference in change.references.values()} | {change.scope.key}
        acquired = names_after(change) - names_before(change)
        releasing = {key for name in acquired if name in released for key in released[name]}
        return frozenset(((pending.keys() & referenced) | releasing) - {change.key})

    return [(change, needed_by(change)) for change in changes if change.is_pending]


def names_before(change: Change) -> set[Name]:
    """The names that the object and its fields have before the step."""
    return set(_names(change, change.live, change.moved_from or change.scope)) if change.live else set()


def names_after(change: Change) -> set[Name]:
    """The names that the object and its fields have after the step."""
    return set() if change.step.is_deletion else set(_names(change, change.step.expected, change.scope))


def _released_names(change: Change) -> set[Name]:
    """The names that a change gives up, and those under which it would be looked for if it were not applied."""
    previous = change.desired.previous_names
    sought = {(change.kind.plural, change.scope.identity, change.kind.normalize(name)) for name in previous}
    return (names_before(change) | sought) - names_after(change)


def _names(change: Change, values: Mapping[str, Any], scope: Scope) -> Iterator[Name]:
    """The names that an object bears: its own, and those of the objects that are fields of it."""
    fields = {change.kind.name_field: change.kind.plural, **change.kind.embeds}
    for field, plural in fields.items():
        if values.get(field):
            yield name_key(plural, scope, values[field])


def name_key(plural: str, scope: Scope, name: Any) -> Name:
    """What two objects cannot share."""
    return plural, "" if is_unique_on_platform(plural) else scope.identity, KINDS[plural].normalize(name)


def is_unique_on_platform(plural: str) -> bool:
    """True if two objects of one name cannot exist, in whatever scopes."""
    return KINDS[plural].is_unique_on_platform


def phase_of(change: Change) -> tuple[bool, int]:
    """Changes go by the levels of their kinds, deletions last and in reverse."""
    level = dependency_level(change.kind)
    return (True, -level) if change.step.is_deletion else (False, level)


def batches_of(changes: Changes) -> Iterator[tuple[Change, ...]]:
    """Batches that may be applied at once. Raises PlatformError for changes that wait for one another."""
    pending = sorted((change for change in changes if change.is_pending), key=phase_of)
    for _phase, group in groupby(pending, phase_of):
        remaining = list(group)
        while remaining:
            waiting = {change.key for change in remaining}
            ready = tuple(change for change in remaining if waiting.isdisjoint(change.dependencies))
            if not ready:
                cycle = ", ".join(change.label for change in remaining)
                raise PlatformError(
                    f"These steps depend on one another: {cycle}. Give one of the objects an unused name or alias."
                )
            yield ready
            remaining = [change for change in remaining if not waiting.isdisjoint(change.dependencies)]
