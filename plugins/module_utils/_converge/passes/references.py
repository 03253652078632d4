# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an option may name: what exists, and what the plan makes, renames or takes away."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from ..._errors import InvalidOption
from ..._model.kind import Kind
from ..._model.platform import Scope, describe
from ..._text import did_you_mean
from ..change import TEAM_KIND, Change, Changes, Explanation, Reference
from .read import Snapshot

ReferenceIndex = Mapping[str, list[Reference]]


def index_references(kind: type[Kind], scope: Scope, changes: Changes, snapshot: Snapshot) -> ReferenceIndex:
    """Index the objects of a scope by ID and by name, as they are after this run. A name that ends with this run maps
    to a reference with an ``unusable_reason``.
    """
    in_scope = [change for change in changes if change.kind is kind and change.scope.identity == scope.identity]
    touched = {change.live_key for change in in_scope}
    index: dict[str, list[Reference]] = defaultdict(list)
    for change in in_scope:
        reference = reference_to(change)
        previous = str(change.live.get(kind.name_field) or "")
        for name in {reference.id, reference.name} - {None, ""}:
            index[str(name)].append(reference)
        if previous not in ("", reference.name, change.name):
            index[previous].append(replace(reference, unusable_reason=_renamed(reference.name, change.label)))
    for record in snapshot.list_of(kind, scope):
        if (kind.plural, str(record["id"])) not in touched:
            for name in {str(record["id"]), str(record[kind.name_field] or "")} - {""}:
                index[name].append(Reference(kind, record))
    for change in in_scope:
        # What only has to exist may keep an earlier name, and is meant by the declared one, too.
        index.setdefault(change.name, [reference_to(change)])
    return index


def reference_to(change: Change) -> Reference:
    """The reference to the object that a change plans, under its new, current and previous names."""
    kind, live = change.kind, change.live
    record = change.step.expected or {**kind.fields.to_result({}), kind.name_field: change.name}
    previous = {str(live[kind.name_field])} if live else set()
    known_names = frozenset({change.name, *change.desired.previous_names, *previous})
    return Reference(kind, record, change.key, known_names, unusable_reason(change))


def unusable_reason(change: Change) -> Explanation | None:
    if change.planning_error:
        return lambda name: f"{name} is declared by {change.label}, which is invalid."
    if change.desired.is_absent:
        return lambda name: f"{change.label} declares {name} with state=absent."
    return None


def _renamed(new: str, label: str) -> Explanation:
    return lambda name: f"{name} is renamed to {new} by {label}. Use {new} here."


def resolve_reference(
    option: str, value: str, index: ReferenceIndex, scope: Scope, is_lenient: bool = False
) -> Reference | None:
    """The object that ``value`` refers to. With ``is_lenient``, it may be one that this run deletes, or None. Raises
    InvalidOption if the value is ambiguous or matches nothing.
    """
    references = index.get(value, [])
    found = {reference.id_or_key: reference for reference in references if not reference.unusable_reason}
    usable = list(found.values())
    if len(usable) > 1:
        listed = "; ".join(describe(reference.record) for reference in usable)
        raise InvalidOption(option, f"{value} matches {len(usable)} objects ({listed}). Use the id of one of them.")
    is_previous_name = bool(references) and not usable and value not in (references[0].id, references[0].name)
    if usable or (is_lenient and not is_previous_name):
        return next(iter(usable or references), None)
    raise InvalidOption(option, _describe_missing(value, references, index, scope, option))


def _describe_missing(value: str, references: list[Reference], index: ReferenceIndex, scope: Scope, option: str) -> str:
    """Why no object can be used under this name: it is to be deleted, or does not exist."""
    if references and references[0].unusable_reason:
        return references[0].unusable_reason(value)
    near = did_you_mean(value, {reference.name: None for reference in _usable(index)})
    if option == TEAM_KIND.singular:
        return (
            f"{value} is neither the id nor the slug of a team that this token can see.{near} It is not declared"
            " either."
        )
    return f"{value} is not declared and does not exist in {scope}.{near}"


def _usable(index: ReferenceIndex) -> list[Reference]:
    return [reference for references in index.values() for reference in references if not reference.unusable_reason]
