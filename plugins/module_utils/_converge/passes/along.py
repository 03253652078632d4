# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 5, go along: what the service deletes together with an object, unrequested."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from ..._model.kind import GoesWith
from ..._model.kinds.registry import KINDS, listed_kinds
from ..change import SCOPE, Change, Changes, Key, Object, ObjectKey, Ref
from .order import turn_of
from .read import Lists


def go_along(changes: Changes, lists: Lists) -> Changes:
    """Each object goes along with the first change that takes it, whatever the order of entries and lists. What is
    deleted by itself does not; for what moves away first, the deletion waits.
    """
    pending = {change.live_key: change for change in changes if change.live and change.is_pending}
    along: dict[Key, list[Object]] = defaultdict(list)
    needs: dict[Key, set[Key]] = defaultdict(set)
    takers: dict[ObjectKey, Change] = {}
    for change in sorted(filter(_may_take, changes), key=_place):
        for thing, goes in _taken_by(change, lists):
            other = pending.get(thing.key)
            if other and other.is_deletion:
                continue
            if other and change.is_deletion and not goes(change.step, other.step.expected):
                needs[change.key].add(other.key)
                continue
            first = takers.setdefault(thing.key, change)
            if first is change:
                along[change.key].append(thing)
            elif turn_of(first) == turn_of(change):
                needs[change.key].add(first.key)
    return tuple(
        replace(change, along=tuple(along[change.key]), needs=change.needs | needs[change.key])
        if change.key in along or change.key in needs
        else change
        for change in changes
    )


def _may_take(change: Change) -> bool:
    return bool(change.is_pending and change.live and (change.is_deletion or replaced_fields(change)))


def replaced_fields(change: Change) -> list[str]:
    """The fields whose values are objects, and are replaced."""
    return [field for field in change.kind.embeds if field in change.step.changes and change.live.get(field)]


def _place(change: Change) -> tuple[object, ...]:
    return (*turn_of(change), list(KINDS).index(change.kind.plural), str(change.identity))


def _taken_by(change: Change, lists: Lists) -> Iterator[tuple[Object, GoesWith]]:
    team = Ref(SCOPE, change.live) if change.kind is SCOPE else change.origin or change.team
    for kind in listed_kinds():
        goes = kind.goes_with.get(change.kind.plural)
        if goes is not None:
            yield from ((Object(kind, item, team), goes) for item in lists.of(kind, team) if goes(change.step, item))
