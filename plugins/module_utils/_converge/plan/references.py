# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an option may name: what exists, and what the plan makes, renames or deletes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..._errors import InvalidOption
from ..._model.fields import Values
from ..._model.finding import describe
from ..._model.kind import Kind
from ..._text import did_you_mean
from .change import Change
from .objects import Reference

ReferenceIndex = Mapping[str, list[Reference]]


def index_references(
    kind: type[Kind],
    changes: Iterable[Change],
    records: Iterable[Values],
) -> ReferenceIndex:
    """Index the objects of one scope by ID and by name, as they are after this run. A name that
    ends with this run maps to a reference with an ``unusable_reason``.

    ``changes``: those of the scope; ``records``: what its list shows; ``ids_without_name``: the IDs
    of objects that are meant by their IDs alone.
    """
    changes = [change for change in changes if change.kind is kind]
    index: dict[str, list[Reference]] = defaultdict(list)
    for change in changes:
        _add_change(index, change)
    changed = {change.live_key for change in changes}
    for record in records:
        if (kind.plural, str(record["id"])) not in changed:
            reference = Reference(kind, record)
            names = {str(record["id"]), reference.name}
            for name in names - {""}:
                index[kind.normalize(name)].append(reference)
    for change in changes:
        # What only has to exist may keep an earlier name, and is meant by the declared one, too.
        index.setdefault(kind.normalize(change.name), [reference_to(change)])
    return index


def _add_change(index: dict[str, list[Reference]], change: Change) -> None:
    kind = change.kind
    reference = reference_to(change)
    for name in {reference.id or "", reference.name} - {""}:
        index[kind.normalize(name)].append(reference)
    previous = str(change.live.get(kind.name_field) or "")
    if previous not in ("", reference.name, change.name):
        new = reference.name
        reason = f"{previous} is renamed to {new} by {change.label}. Use {new} here."
        renamed = replace(reference, unusable_reason=reason)
        index[kind.normalize(previous)].append(renamed)


def reference_to(change: Change) -> Reference:
    """The reference to the object that a change plans, under its new, current and previous
    names.
    """
    kind = change.kind
    record = change.step.expected or {**kind.fields.to_result({}), kind.name_field: change.name}
    previous = {str(change.live[kind.name_field])} if change.live else set()
    known_names = frozenset({change.name, *change.desired.previous_names, *previous})
    return Reference(kind, record, change.key, known_names, _unusable_reason(change))


def _unusable_reason(change: Change) -> str:
    if change.planning_error:
        return f"{change.name} is declared by {change.label}, which is invalid."
    if change.desired.is_absent:
        advice = "Remove this entry, too, or keep what it needs."
        return f"{change.label} declares {change.name} with state=absent. {advice}"
    return ""


def resolve_reference(
    option: str,
    value: str,
    kind: type[Kind],
    index: ReferenceIndex,
    where: str,
    *,
    is_lenient: bool = False,
) -> Reference | None:
    """The object that ``value`` refers to. With ``is_lenient``, it may be one that this run
    deletes, or None.

    ``where``: the end of the sentence that says that nothing has this name. Raises InvalidOption if
    the value is ambiguous or matches nothing.
    """
    references = index.get(kind.normalize(value), [])
    usable = usable_references(references)
    if len(usable) > 1:
        listed = "; ".join(describe(reference.record) for reference in usable)
        raise InvalidOption(
            option, f"{value} matches {len(usable)} objects ({listed}). Use the id of one of them."
        )
    if usable:
        return usable[0]
    is_previous_name = bool(references) and value not in (references[0].id, references[0].name)
    if is_lenient and not is_previous_name:
        return references[0] if references else None
    if references and references[0].unusable_reason:
        raise InvalidOption(option, references[0].unusable_reason)
    names: dict[str, None] = {}
    for found in index.values():
        names |= {reference.name: None for reference in usable_references(found)}
    raise InvalidOption(option, f"{value} {where}{did_you_mean(value, names)}")


def usable_references(references: Iterable[Reference]) -> list[Reference]:
    """The objects to which something may refer after this run, each once."""
    usable = (reference for reference in references if not reference.unusable_reason)
    return list({reference.id_or_key: reference for reference in usable}.values())
