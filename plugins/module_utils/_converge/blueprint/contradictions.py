# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What entries say of each other: one object declared twice, wanted and not wanted, or ignored."""

from __future__ import annotations

import graphlib
from collections.abc import Iterator, Sequence
from typing import Any

from ..._model.kind import Kind
from ..._model.kinds.registry import KINDS
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
    declared: dict[tuple[str, ...], tuple[Entry, str]] = {}
    for entry in entries:
        for key, declares in _declared_names(entry):
            declared.setdefault(key, (entry, declares))
    for entry in entries:
        other, declares = declared.get(entry.uniqueness_key, (entry, ""))
        if (
            entry.desired.is_absent and other.uniqueness_key != entry.uniqueness_key
        ):  # else it is a duplicate
            yield (
                f"{entry.label} has state=absent, but {other.label} {declares}. Remove one of the"
                " two."
            )


def _declared_names(entry: Entry) -> Iterator[tuple[tuple[str, ...], str]]:
    """The names that an entry wants to exist, by itself and as fields, each with how it declares
    them.
    """
    if entry.desired.is_absent:
        return
    yield _name_key(entry.kind, entry, entry.desired.name), "declares the same object"
    if entry.desired.is_create_only:
        return
    for field, plural in entry.kind.embeds.items():
        key = _name_key(KINDS[plural], entry, entry.desired.values.get(field))
        yield key, f"declares it as its {field}"


def _name_key(kind: type[Kind], entry: Entry, name: Any) -> tuple[str, ...]:
    return kind.plural, entry.team, "name", kind.normalize(name or "")


def ignored(entries: Sequence[Entry], ignore: Selectors) -> Iterator[str]:
    if not ignore:
        return
    for entry in entries:
        names = [name for name in (entry.name, *entry.desired.previous_names) if name]
        if ignore.match(entry.kind, names, [entry.team if entry.kind.is_in_team else entry.name]):
            yield f"{entry.label} matches a selector of ignore. Remove the entry or the selector."


def previous_name_conflicts(entries: Sequence[Entry]) -> Iterator[str]:
    """Earlier names that two entries claim, or by which entries would exchange their names in every
    run.
    """
    new_owners: dict[tuple[str, str, str], Entry] = {}
    for entry in entries:
        for name in entry.desired.previous_names:
            other = new_owners.setdefault((entry.kind.plural, entry.team, name), entry)
            if other is not entry:
                yield f"{entry.label}: previously: {name} is also a previous name of {other.label}."
    names = {
        (entry.kind.plural, entry.team, entry.name): entry
        for entry in entries
        if not entry.desired.id
    }
    takes_names_of = {entry: {new_owners[key]} for key, entry in names.items() if key in new_owners}
    try:
        graphlib.TopologicalSorter(takes_names_of).prepare()
    except graphlib.CycleError as error:
        cycle = ", ".join(
            entry.label for entry in sorted(error.args[1][1:], key=lambda entry: entry.position)
        )
        yield (
            f"previously: {cycle} would swap names in every run. Rename one of them to an unused"
            " name first."
        )
