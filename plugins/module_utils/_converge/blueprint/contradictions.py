# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What entries say of each other: one object declared twice, wanted and not wanted, or ignored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .declared_names import find_contradictions
from .entries import Entry
from .selectors import Selectors


def duplicates(entries: Sequence[Entry]) -> Iterator[str]:
    first: dict[tuple[str, ...], Entry] = {}
    for entry in entries:
        same = first.setdefault(entry.uniqueness_key, entry)
        if same is not entry:
            yield f"{entry.label} is already declared by {same.label}."


def contradictions(entries: Sequence[Entry]) -> Iterator[str]:
    """One message for each entry that wants absent what another entry of its team declares, by
    itself or as a field.
    """
    for absent, other, how in find_contradictions(entries, lambda entry: entry.team):
        if absent.uniqueness_key != other.uniqueness_key:  # else it is a duplicate
            yield (
                f"{absent.label} has state=absent, but {other.label} {how}. Remove one of the two."
            )


def ignored(entries: Sequence[Entry], ignore: Selectors) -> Iterator[str]:
    if not ignore:
        return
    for entry in entries:
        names = [name for name in (entry.name, *entry.desired.previous_names) if name]
        if ignore.match(entry.kind, names, [entry.team if entry.kind.is_in_team else entry.name]):
            yield f"{entry.label} matches a selector of ignore. Remove the entry or the selector."
