# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What entries say of each other: one object declared twice, wanted and not wanted, or ignored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..._model.kind import Name
from ..._model.kinds.registry import KINDS
from ..._model.scope import OWN_SCOPE, Scope
from .entries import Entry
from .selectors import Selectors, is_matched


def duplicates(entries: Sequence[Entry]) -> Iterator[str]:
    first: dict[Name, Entry] = {}
    for entry in entries:
        same = first.setdefault(entry.uniqueness_key, entry)
        if same is not entry:
            yield f"{entry.label} is already declared by {same.label}."


def contradictions(entries: Sequence[Entry]) -> Iterator[str]:
    """One message for each entry that wants absent what another entry of its team declares, by
    itself or as a field.
    """
    # How each name is declared. An entry of the same name without an id is a duplicate.
    declared: dict[Name, str] = {}
    for entry in entries:
        desired = entry.desired
        if desired.is_absent:
            continue
        if desired.id:
            own = entry.kind.name_at(entry.team, desired.name)
            declared.setdefault(own, f"{entry.label} declares the same object")
        for field, plural in entry.kind.embeds.items():
            name = desired.values.get(field)
            if name and not desired.is_create_only:
                embedded = KINDS[plural].name_at(entry.team, name)
                declared.setdefault(embedded, f"{entry.label} declares it as its {field}")
    for entry in entries:
        how = declared.get(entry.kind.name_at(entry.team, entry.desired.name))
        if how and entry.desired.is_absent and not entry.desired.id:
            yield f"{entry.label} has state=absent, but {how}. Remove one of the two."


def ignored(entries: Sequence[Entry], ignore: Selectors) -> Iterator[str]:
    """One message for each entry that a selector of ``ignore`` matches by the entry's own names."""
    for entry in entries:
        names = [name for name in (entry.own_name, *entry.desired.previous_names) if name]
        slug = entry.team if entry.kind.is_in_team else entry.name
        scope = Scope({"id": None, "slug": slug}) if slug else OWN_SCOPE
        if is_matched(ignore, entry.kind, names, scope):
            yield f"{entry.label} matches a selector of ignore. Remove the entry or the selector."
