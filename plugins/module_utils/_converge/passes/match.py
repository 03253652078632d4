# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pass 4, match: each entry's object, and the step that brings it into the desired state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS
from ..._model.resource import Resource
from ..._model.scope import OWN_SCOPE, Scope
from ..blueprint.entries import Entry
from ..plan.change import Change, Changes
from ..plan.matching import Problems, ScopeMatcher, collect_problem, unplanned
from ..plan.objects import TEAM_KIND
from ..plan.references import ReferenceIndex, index_references
from ..plan.snapshot import Snapshot


def match(entries: Iterable[Entry], snapshot: Snapshot) -> Changes:
    """Find each entry's object and plan its step, one kind after another because references point
    to earlier kinds. An entry with a problem gets it as ``planning_error``.
    """
    entries = list(entries)
    changes = snapshot.teams.changes
    for kind in KINDS.values():
        if kind is not TEAM_KIND:
            changes += _match_kind(
                kind, [entry for entry in entries if entry.kind is kind], changes, snapshot
            )
    return changes


def _match_kind(
    kind: type[Resource], entries: Sequence[Entry], changes: Changes, snapshot: Snapshot
) -> Changes:
    """The changes of one kind's entries, in their order."""
    problems: Problems = {}
    groups: dict[Scope, list[Entry]] = {}
    for entry in entries:
        with collect_problem(entry, problems):
            scope = _scope_of(entry, snapshot)
            groups.setdefault(scope, []).append(entry)
    planned: dict[Entry | None, Change] = {}
    for scope, group in groups.items():
        planned |= {
            change.entry: change
            for change in _match_in_scope(kind, scope, group, changes, snapshot)
        }
    for entry in problems:
        # Its team is not known, so it is shown under the name that the entry gives it.
        planned[entry] = unplanned(entry, snapshot.teams.scope_of(entry), problems[entry])
    return tuple(planned[entry] for entry in entries)


def _scope_of(entry: Entry, snapshot: Snapshot) -> Scope:
    """The scope of an entry; a team that the plan deletes only if the entry is to be absent, or is
    not selected.
    """
    if not entry.team:
        return OWN_SCOPE
    is_lenient = entry.desired.is_absent or entry not in snapshot.selected
    return snapshot.teams.resolve(entry.team, is_lenient=is_lenient)


def _match_in_scope(
    kind: type[Resource],
    scope: Scope,
    entries: Sequence[Entry],
    changes: Changes,
    snapshot: Snapshot,
) -> list[Change]:
    """The changes of the entries of one kind in one scope. Of unselected ones, as far as lists were
    read.
    """
    indexes = {
        option: _index_of(other, scope, changes, snapshot)
        for option, other in kind.references.items()
    }
    records = snapshot.listing(kind, scope)
    matcher = ScopeMatcher(kind, scope, records, snapshot.platform, indexes, snapshot.object_of)
    is_read = not kind.is_listed or snapshot.has_list(kind, scope)
    readable = [entry for entry in entries if is_read or entry in snapshot.selected]
    return matcher.changes(entries, readable)


def _index_of(
    kind: type[Kind], scope: Scope, changes: Changes, snapshot: Snapshot
) -> ReferenceIndex:
    in_scope = [change for change in changes if change.scope == scope]
    return index_references(kind, in_scope, snapshot.listing(kind, scope))
